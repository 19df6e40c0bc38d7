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

from faier.comparison import Bools, Floats, Ints
from faier.engine.exact import ExactRow
from faier.number.exact import Extended

Entries: TypeAlias = Mapping[int, Mapping[int, Fraction]]
"""Row -> column -> entry; what is left out is 0."""

_SMALLEST_ENTRY = 2.0**-200
_LARGEST_ENTRY = 2.0**200
_MOST_COLUMNS = 3000
_KEPT_ENTRIES = 16_000_000


@dataclass(frozen=True)
class Simulation:
    """A matrix from states of the left side to states of the right; of the twin, `of_prefixes`, the other way."""

    size: int
    entries: Entries = field(repr=False)
    of_prefixes: bool = False
    _blocks: dict[bytes, tuple[Floats, Bools]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def _floats(self) -> list[float]:
        return [float(v) for row in self.entries.values() for v in row.values()]

    @property
    def usable(self) -> bool:
        """Whether products of floats with it keep the bound on their errors. [T6]"""
        return min(self._floats) > _SMALLEST_ENTRY and max(self._floats) < _LARGEST_ENTRY

    @cached_property
    def spread(self) -> int:
        """How many bits lie between its largest and its smallest entry."""
        return int(np.ceil(np.log2(max(self._floats) / min(self._floats)))) + 1

    def bounds(self, columns: Ints, left: Floats, right: Floats) -> Floats:
        """The least c for each pair of rows over the given states, as floats; infinite where these are too many."""
        if len(columns) > _MOST_COLUMNS:
            return np.full(len(left), inf)
        block, inside = self._block(columns)
        if self.of_prefixes:
            return _largest(left, right @ block)
        lost = left[:, ~inside].any(axis=1)
        return np.where(lost, inf, _largest(left @ block, right))

    def excess(self, columns: Ints, left: Floats, right: Floats) -> Floats:
        """By how much left K exceeds right, in all, relative to right: what floats say of how far c is from 1."""
        if len(columns) > _MOST_COLUMNS:
            return np.full(len(left), inf)
        block, inside = self._block(columns)
        missing = np.maximum(left @ block - right, 0.0).sum(axis=1) / np.maximum(right.sum(axis=1), 1e-300)
        return np.where(left[:, ~inside].any(axis=1), inf, missing)

    def _block(self, columns: Ints) -> tuple[Floats, Bools]:
        """The entries between these states, each correctly rounded, and whose rows are there and have no others."""
        key = columns.tobytes()
        if (found := self._blocks.get(key)) is not None:
            return found
        place = {int(c): k for k, c in enumerate(columns)}
        block, inside = np.zeros((len(columns), len(columns))), np.zeros(len(columns), dtype=bool)
        for i, k in place.items():
            row = self.entries.get(i, {})
            inside[k] = bool(row) and row.keys() <= place.keys()
            for j, value in row.items():
                if j in place:
                    block[k, place[j]] = float(value)
        if sum(len(inside) ** 2 for _, inside in self._blocks.values()) > _KEPT_ENTRIES:
            self._blocks.clear()
        self._blocks[key] = block, inside
        return block, inside

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
