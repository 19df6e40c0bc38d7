"""Simulations, and the bounds that they give. [T2]

Of suffixes: L[s] K <= K L[s] for all letters s, 1 <= K 1 and e <= K e; left K <= c right closes a prefix. Of
prefixes, the twin: K L[s] <= L[s] K, K 1 <= 1 and K e <= e; left <= c right K does.
"""

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
    """A matrix from states of the left side to states of the right; of the twin, `of_prefixes`, the other way."""

    size: int
    entries: Entries = field(repr=False)
    of_prefixes: bool = False

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
        """The least c for each pair of rows over the given states, as floats."""
        if self.of_prefixes:
            return self._bounds_of_prefixes(columns, left, right)
        outside = ~np.isin(columns, self._rows)
        carried = left @ self.floats[columns]
        beside = np.ones(self.size, dtype=bool)
        beside[columns] = False
        lost = carried[:, beside].any(axis=1) | left[:, outside].any(axis=1)
        return np.where(lost, inf, _largest(carried[:, columns], right))

    def _bounds_of_prefixes(self, columns: Ints, left: Floats, right: Floats) -> Floats:
        return _largest(left, right @ self.floats[np.ix_(columns, columns)])

    def bound(self, row: ExactRow) -> Extended:
        """The same of exact rows, exactly."""
        one, two = (row.right, row.left) if self.of_prefixes else (row.left, row.right)
        carried: dict[int, Fraction] = {}
        for i, weight in one.items():
            if not self.of_prefixes and weight and i not in self.entries:
                return inf
            for j, value in self.entries.get(i, {}).items():
                if weight:
                    carried[j] = carried.get(j, Fraction(0)) + weight * value
        worst = Fraction(0)
        for j in carried.keys() | two.keys():
            near, far = carried.get(j, Fraction(0)), Fraction(two.get(j, 0))
            x, y = (far, near) if self.of_prefixes else (near, far)
            if x:
                if not y:
                    return inf
                worst = max(worst, x / y)
        return worst


def _largest(left: Floats, right: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        quotients = np.where(left > 0, left / right, 0.0)
    return np.asarray(quotients.max(axis=1, initial=0.0))
