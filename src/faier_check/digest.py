"""The digest that ties a certificate to a model and its compared pairs."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction

from .family import Family, Weights
from .fingerprint import Fingerprints
from .model import Distribution, Model
from .number import exact


def digest(model: Model | Family) -> str:
    """Two files share a digest exactly when model and pairs are the same, names and order included."""
    text = json.dumps(
        _content(model) if isinstance(model, Model) else _content_of_family(model),
        separators=(",", ":"),
        ensure_ascii=False,
    )
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def _content(model: Model) -> dict[str, object]:
    return {
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


def _content_of_family(family: Family) -> dict[str, object]:
    """The same, with fingerprints for what is not constant, and with the parameters as they are written."""
    unknowns = family.unknowns
    prints = Fingerprints(unknowns)

    def row(entries: Distribution | Weights, names: tuple[str, ...]) -> list[list[str]]:
        if isinstance(entries, Distribution):
            return _row(entries, names)
        return [
            [names[i], exact(v.numerator, v.denominator) if isinstance(v, Fraction) else prints.of(v)]
            for i, v in entries
        ]

    return {
        "parameters": unknowns.texts,
        "constraints": [constraint.text for constraint in unknowns.constraints],
        "symbols": family.symbols,
        "emit": [[s, row(r, family.symbols)] for s, r in zip(family.states, family.emit, strict=True)],
        "step": [
            [s, row(r, family.states)]
            for s, r in zip(family.states, family.step, strict=True)
            if r is not None
        ],
        "compare": [
            [
                p.left_name,
                p.right_name,
                p.one_way,
                *(row(family.beliefs[b], family.states) for b in (p.left, p.right)),
            ]
            for p in family.pairs
        ],
    }


def _row(row: Distribution, names: tuple[str, ...]) -> list[list[str]]:
    return [[names[i], exact(n, row.denominator)] for i, n in row.entries]
