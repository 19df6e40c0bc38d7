"""Row vectors as integers with a common rational scale, and how they are compared."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction


class Rounding(Enum):
    """Whether a row's entries equal the true ones, are at least as large, or at most as large. [T6]"""

    EXACT = "exact"
    ABOVE = "above"
    BELOW = "below"


@dataclass(frozen=True, slots=True)
class Row:
    """The positive entries by state, and by `done`: entry i is entries[i] * 2**exponent / denominator.

    What is left out is 0.
    """

    entries: dict[int, int]
    denominator: int
    exponent: int

    @property
    def size(self) -> int:
        """Roughly how many bytes it takes."""
        widest = max(self.entries.values(), default=0).bit_length()
        return 400 + self.denominator.bit_length() // 7 + len(self.entries) * (100 + widest // 7)


def factors(left: Row, ratio: Fraction, right: Row) -> tuple[int, int]:
    """Integers a, b such that x of `left` is at most ratio times y of `right` exactly when x a <= y b."""
    a = ratio.denominator * right.denominator
    b = ratio.numerator * left.denominator
    # Exact rows often have long denominators in common: without them the products are short again.
    common = math.gcd(a, b)
    if common > 1:
        a, b = a // common, b // common
    shift = left.exponent - right.exponent
    return (a << shift, b) if shift >= 0 else (a, b << -shift)


def first_above(left: Row, ratio: Fraction, right: Row) -> int | None:
    """The first entry where left > ratio * right, or None where there is none."""
    a, b = factors(left, ratio, right)
    below = right.entries
    # Where left has no entry it is 0, and so at most anything.
    return min([i for i, x in left.entries.items() if x * a > below.get(i, 0) * b], default=None)


def entry_of(row: Row, numerator: int) -> Fraction:
    """The number that an entry of a row stands for."""
    power = Fraction(1 << row.exponent) if row.exponent >= 0 else Fraction(1, 1 << -row.exponent)
    return numerator * power / row.denominator
