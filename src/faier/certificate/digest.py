"""The digest that ties a certificate to its model and compared pairs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from faier.model.names import label
from faier.number.digits import exact_text
from faier.scenario.scenario import Scenario

from .fingerprint import Fingerprints

if TYPE_CHECKING:
    from faier.number.exact import Prob


def digest(scenario: Scenario) -> str:
    """Guarantee: equal for a scenario and for the model file written from it; see docs/certificates.md."""
    model = scenario.model
    order = {s: i for i, s in enumerate(model.states)}
    prints = Fingerprints(model.parameters, model.constraints)
    content: dict[str, Any] = {
        "symbols": [label(s) for s in model.symbols],
        "emit": [[label(s), _row(row, prints)] for s, row in model.emit_rows().items()],
        "step": [[label(s), _row(row, prints)] for s, row in model.step_rows().items()],
        "compare": [
            [pair.left.name, pair.right.name, pair.one_way]
            + [
                _row(dict(sorted(belief.weights.items(), key=lambda item: order[item[0]])), prints)
                for belief in (pair.left, pair.right)
            ]
            for pair in scenario.pairs
        ],
    }
    if prints.used:
        content = {
            "parameters": [[name, text.strip()] for name, text in model.parameters.items()],
            "constraints": [text.strip() for text in model.constraints],
            **content,
        }
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def _row(row: Mapping[Hashable, Prob], prints: Fingerprints) -> list[list[str]]:
    entries = [(label(name), value if isinstance(value, Fraction) else prints.of(value)) for name, value in row.items()]
    return [[name, v if isinstance(v, str) else exact_text(v)] for name, v in entries if v != 0]
