"""Writing families of words, with what shows that their ratio grows, or what it tends to."""

from __future__ import annotations

from typing import Any

from faier.families import Divergence, Family, Matrix, Vector, WordsLimit
from faier.model.names import label
from faier.number.digits import exact_text


def divergence(found: Divergence) -> dict[str, Any]:
    """The rule `pump`. [docs/certificates.md]"""
    return _words(found) | {
        "row": _vector(found.row),
        "row_factor": exact_text(found.row_factor),
        "column": _vector(found.column),
        "column_factor": exact_text(found.column_factor),
        **({"further_rows": [_vector(row) for row in found.further_rows]} if found.further_rows else {}),
    }


def words_limit(found: WordsLimit) -> dict[str, Any]:
    """The rule `limit` for words."""
    return _words(found) | {
        "factor": exact_text(found.factor),
        "left": _matrix(found.left_projection),
        "right": _matrix(found.right_projection),
        "squarings": found.squarings,
    }


def _words(family: Family) -> dict[str, Any]:
    return {
        "pair": family.pair,
        "forward": family.forward,
        "prefix": [label(s) for s in family.prefix],
        "loop": [label(s) for s in family.loop],
        "suffix": [label(s) for s in family.suffix],
        "ended": family.ended,
    }


def _vector(values: Vector) -> list[list[Any]]:
    return [[i, exact_text(value)] for i, value in sorted(values.items()) if value]


def _matrix(values: Matrix) -> list[list[Any]]:
    return [[i, j, exact_text(value)] for (i, j), value in sorted(values.items()) if value]
