"""A simulation: K with L[s] K <= K L[s] for all letters s, 1 <= K 1 and e <= K e, and the bounds it gives. [T2]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import TypeAlias

import numpy as np

from faier.comparison import Floats, Ints
from faier.engine.exact import ExactRow
from faier.number.exact import Extended

Entries: TypeAlias = Mapping[int, Mapping[int, Fraction]]
"""Row -> column -> entry; what is left out is 0."""

_SMALLEST_ENTRY = 2.0**-200
_LARGEST_ENTRY = 2.0**200


@dataclass(frozen=True)
class Simulation:
    """Rows are states that the left side reaches, closed under steps; columns are states of the right side."""

    size: int
    entries: Entries = field(repr=False)

    @cached_property
    def floats(self) -> Floats:
        """Each entry correctly rounded."""
        dense = np.zeros((self.size, self.size))
        for i, row in self.entries.items():
            for j, value in row.items():
                dense[i, j] = float(value)
        return dense

    @property
    def usable(self) -> bool:
        """Whether products of floats with it keep the bound on their errors. [T6]"""
        values = [float(v) for row in self.entries.values() for v in row.values()]
        return min(values) > _SMALLEST_ENTRY and max(values) < _LARGEST_ENTRY

    @cached_property
    def spread(self) -> int:
        """How many bits lie between its largest and its smallest entry."""
        values = self.floats[self.floats > 0]
        return int(np.ceil(np.log2(values.max() / values.min()))) + 1

    @cached_property
    def _rows(self) -> Ints:
        return np.array(sorted(self.entries), dtype=np.int64)

    def bounds(self, columns: Ints, left: Floats, right: Floats) -> Floats:
        """The largest (left K)_j / right_j for each pair of rows over the given states, as floats."""
        outside = ~np.isin(columns, self._rows)
        carried = left @ self.floats[columns]
        beside = np.ones(self.size, dtype=bool)
        beside[columns] = False
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            inside = carried[:, columns]
            worst = np.where(inside > 0, inside / right, 0.0).max(axis=1, initial=0.0)
        lost = carried[:, beside].any(axis=1) | left[:, outside].any(axis=1)
        return np.where(lost, inf, worst)

    def bound(self, row: ExactRow) -> Extended:
        """The same of exact rows, exactly."""
        carried: dict[int, Fraction] = {}
        for i, weight in row.left.items():
            if not weight:
                continue
            if i not in self.entries:
                return inf
            for j, value in self.entries[i].items():
                carried[j] = carried.get(j, Fraction(0)) + weight * value
        worst = Fraction(0)
        for j, x in carried.items():
            if x:
                y = row.right.get(j, 0)
                if not y:
                    return inf
                worst = max(worst, x / y)
        return worst
