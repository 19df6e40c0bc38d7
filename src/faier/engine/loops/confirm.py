"""The conditions of T8 on given vectors, decided exactly."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from faier.comparison import Bools

from .letters import Rows
from .supports import Suffix


def always_possible(support: Bools, loop: Bools, suffix: Suffix) -> bool:
    """Whether after every power of the loop the suffix can be read."""
    seen: set[bytes] = set()
    while support.tobytes() not in seen:
        seen.add(support.tobytes())
        if not (support & suffix.states).any():
            return False
        support = np.asarray((support.astype(np.float32) @ loop.astype(np.float32)) > 0)
    return True


def grows(x: dict[int, Fraction], factor: Fraction, rows: Rows) -> bool:
    """Whether x rows >= factor x, exactly."""
    after = row_after(x, rows)
    return all(after.get(i, Fraction(0)) >= factor * value for i, value in x.items())


def row_after(x: Mapping[int, Fraction], rows: Rows) -> dict[int, Fraction]:
    """x rows, exactly."""
    after: dict[int, Fraction] = {}
    for i, value in x.items():
        for j, p in rows[i].items():
            after[j] = after.get(j, Fraction(0)) + value * p
    return after


def is_above(y: dict[int, Fraction], factor: Fraction, rows: Rows, target: dict[int, Fraction]) -> bool:
    """Whether rows y <= factor y and y >= target on the states of the rows, exactly."""
    zero = Fraction(0)
    return all(
        y.get(i, zero) >= target.get(i, zero)
        and sum((p * y.get(j, zero) for j, p in row.items()), zero) <= factor * y.get(i, zero)
        for i, row in rows.items()
    )
