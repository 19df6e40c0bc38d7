"""Exact rows: both sides of a prefix as integers over one common unit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from faier.comparison import Comparison

_CHEAP_GCD_BITS = 2048


@dataclass(frozen=True)
class ExactRow:
    """left and right as integers over states; one unit of either stands for numerator/denominator."""

    left: dict[int, int]
    right: dict[int, int]
    numerator: int
    denominator: int

    @property
    def unit(self) -> Fraction:
        return Fraction(self.numerator, self.denominator)

    def dominated(self, ratio: Fraction) -> bool:
        """left <= ratio * right in every state. [T1]"""
        a, b = ratio.numerator, ratio.denominator
        right = self.right
        return all(x * b <= a * right.get(i, 0) for i, x in self.left.items())

    def prefix(self) -> tuple[int, int]:
        return sum(self.left.values()), sum(self.right.values())

    def ended(self, done: int) -> tuple[int, int]:
        return self.left.get(done, 0), self.right.get(done, 0)

    def bound(self) -> Fraction | float:
        """The largest left/right over states: the mediant bound on every longer word."""
        worst: Fraction | float = Fraction(0)
        for i, x in self.left.items():
            if x:
                worst = max(worst, Fraction(x, y) if (y := self.right.get(i, 0)) else math.inf)
        return worst


def start(comparison: Comparison, direction: int) -> ExactRow:
    left, right, unit = comparison.start_exact(direction)
    return ExactRow(left, right, unit.numerator, unit.denominator)


def advance(comparison: Comparison, row: ExactRow, letter: int) -> ExactRow:
    """The row after one more letter; a common factor is taken out while that is cheaper than carrying it."""
    (left, right), over = comparison.automaton.exact.advance((row.left, row.right), letter)
    numerator, denominator = row.numerator, row.denominator * over
    largest = max(max(left.values(), default=0), max(right.values(), default=0))
    if largest.bit_length() <= _CHEAP_GCD_BITS:
        common = math.gcd(*left.values(), *right.values())
        if common > 1:
            left = {i: x // common for i, x in left.items()}
            right = {i: x // common for i, x in right.items()}
            numerator *= common
    return ExactRow(left, right, numerator, denominator)
