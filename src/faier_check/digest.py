"""The digest that ties a certificate to a model and its compared pairs."""

from __future__ import annotations

import hashlib
import json

from .model import Distribution, Model
from .number import exact


def digest(model: Model) -> str:
    """Two files share a digest exactly when model and pairs are the same, names and order included."""
    content = {
        "symbols": model.symbols,
        "emit": [[s, _row(row, model.symbols)] for s, row in zip(model.states, model.emit, strict=True)],
        "step": [
            [s, _row(row, model.states)]
            for s, row in zip(model.states, model.step, strict=True)
            if row is not None
        ],
        "compare": [
            [p.left_name, p.right_name, p.one_way, _row(p.left, model.states), _row(p.right, model.states)]
            for p in model.pairs
        ],
    }
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def _row(row: Distribution, names: tuple[str, ...]) -> list[list[str]]:
    return [[names[i], exact(n, row.denominator)] for i, n in row.entries]
