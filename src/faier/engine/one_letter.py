"""Words of one letter, exactly: only the entries of that letter are looked at, whatever else the model holds."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import TypeAlias
from weakref import WeakKeyDictionary

import flint
import numpy as np

from faier.comparison import Comparison
from faier.number.exact import common_denominator

_MOST_NUMBERS = 1_000_000

_Row: TypeAlias = tuple[Sequence[int], Sequence[flint.fmpz], int]
"""Places among the start states, an integer for each, and what these stand over."""


class OneLetter:
    """The probabilities that the beliefs of one comparison give to single letters; what is asked again is kept."""

    def __init__(self, comparison: Comparison) -> None:
        self._states = comparison.start_states.tolist()
        self._place = {state: k for k, state in enumerate(self._states)}
        self._columns: dict[int, tuple[Sequence[flint.fmpz], int]] = {}
        self._beliefs: dict[int, _Row] = {}
        self._numbers = 0

    def sides(self, comparison: Comparison, direction: int, letter: int) -> tuple[int, int, int]:
        """Left and right as integers, and the number that both stand over."""
        d = comparison.directions[direction]
        column, over = self._column(comparison, letter)
        sums, scales = [], []
        for side in (d.left, d.right):
            places, weights, scale = self._belief(comparison, side)
            sums.append(int(sum(map(mul, weights, map(column.__getitem__, places)), flint.fmpz())))
            scales.append(scale)
        if scales[0] == scales[1]:
            return sums[0], sums[1], over * scales[0]
        return sums[0] * scales[1], sums[1] * scales[0], over * scales[0] * scales[1]

    def _column(self, comparison: Comparison, letter: int) -> tuple[Sequence[flint.fmpz], int]:
        """The probability of a letter from each start state."""
        if (found := self._columns.get(letter)) is None:
            table = comparison.automaton.model.emit
            entries = np.flatnonzero(table.indices == letter)
            rows = table.row_of[entries].tolist()
            values = {
                self._place[i]: table.entry(k)
                for i, k in zip(rows, entries.tolist(), strict=True)
                if i in self._place
            }
            over = common_denominator(values.values())
            column = [flint.fmpz()] * len(self._states)
            for place, value in values.items():
                column[place] = flint.fmpz(value.numerator * (over // value.denominator))
            self._account(len(column))
            found = self._columns[letter] = column, over
        return found

    def _belief(self, comparison: Comparison, belief: int) -> _Row:
        if (found := self._beliefs.get(belief)) is None:
            weights = dict(comparison.weights(belief))
            over = common_denominator(weights.values())
            places = [self._place[i] for i in weights]
            row = [flint.fmpz(v.numerator * (over // v.denominator)) for v in weights.values()]
            self._account(len(row))
            found = self._beliefs[belief] = places, row, over
        return found

    def _account(self, more: int) -> None:
        """Forget everything when it becomes too much."""
        self._numbers += more
        if self._numbers > _MOST_NUMBERS:
            self._columns.clear()
            self._beliefs.clear()
            self._numbers = more


_of: WeakKeyDictionary[Comparison, OneLetter] = WeakKeyDictionary()


def one_letter(comparison: Comparison, direction: int, letter: int) -> tuple[int, int, int]:
    """Left and right of a word of one letter as integers, and what both stand over; for one-shot questions."""
    assert comparison.length == 1
    if (known := _of.get(comparison)) is None:
        known = _of[comparison] = OneLetter(comparison)
    return known.sides(comparison, direction, letter)
