"""Writing the parts of a certificate that unknown parameters bring."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from faier.model.names import label
from faier.number.digits import exact_text
from faier.number.exact import Prob
from faier.trace import Boxes, BoxStep
from faier.verdict import ValuesLimit


def prob_text(value: Prob) -> str:
    """A number, or an expression in parameters and powers of e."""
    return exact_text(value) if isinstance(value, Fraction) else str(value)


def boxes(trace: Boxes) -> dict[str, Any]:
    """A proof by boxes. [docs/certificates.md]"""
    return {
        "rule": "boxes",
        "ratio": prob_text(trace.ratio),
        "variables": [[name, exact_text(lo), exact_text(hi)] for name, lo, hi in trace.variables],
        "steps": [_step(step) for step in trace.steps],
    }


def limit(found: ValuesLimit) -> dict[str, Any]:
    """A supremum that a word approaches."""
    return {
        "pair": found.pair,
        "forward": found.forward,
        "word": [label(s) for s in found.word],
        "ended": found.ended,
        "approach": [[name, exact_text(value), how] for name, value, how in found.approach],
    }


def values(parameters: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: exact_text(value) for name, value in parameters.items()}


def _step(step: BoxStep) -> dict[str, Any]:
    kind, where = step.place
    record: dict[str, Any] = {"rule": step.rule, kind: list(where)}
    for name, value in step.fields.items():
        record[name] = value if isinstance(value, int | str | list) else prob_text(value)
    return record
