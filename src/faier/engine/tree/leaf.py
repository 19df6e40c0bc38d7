"""The rows of an open prefix as linear programs take them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from faier.engine.simulation.program import Leaf

from .batch import Batch
from .search import Search

_LONGEST_BITS = 400
_SHORT = 2**24


def leaf_of(search: Search, batch: Batch, k: int) -> Leaf:
    """Scaled, so that the largest entry on the left is about 1: exact where the rows are short, else near them.

    Whether a matrix is a simulation does not depend on them.
    """
    depth = int(batch.depth[k])
    if depth * search.automaton.exact.common.bit_length() <= _LONGEST_BITS:
        row = search.exact.row(int(batch.ids[k]))
        top = max(row.left.values())
        left, right = ({i: Fraction(x, top) for i, x in side.items() if x} for side in (row.left, row.right))
        return left, right
    shift = int(np.clip(batch.shift[k], -60, 60))
    rows = []
    for values, factor in ((batch.left[k], Fraction(1)), (batch.right[k], Fraction(2) ** -shift)):
        rows.append(
            {int(i): Fraction(max(1, round(float(x) * _SHORT)), _SHORT) * factor
             for i, x in zip(batch.columns, values, strict=True) if x > 0}
        )  # fmt: skip
    return rows[0], rows[1]
