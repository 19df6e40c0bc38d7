"""Row vectors as integers with a common rational scale, and how they are compared."""

from __future__ import annotations

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
    """Non-negative entries, the last one `done`: entry i is entries[i] * 2**exponent / denominator."""

    entries: list[int]
    denominator: int
    exponent: int

    @property
    def size(self) -> int:
        """Roughly how many bytes it takes."""
        widest = max(self.entries).bit_length() + self.denominator.bit_length() // len(self.entries)
        return 200 + len(self.entries) * (40 + widest // 7)


def factors(left: Row, ratio: Fraction, right: Row) -> tuple[int, int]:
    """Integers a, b such that x of `left` is at most ratio times y of `right` exactly when x a <= y b."""
    a = ratio.denominator * right.denominator
    b = ratio.numerator * left.denominator
    shift = left.exponent - right.exponent
    return (a << shift, b) if shift >= 0 else (a, b << -shift)


def first_above(left: Row, ratio: Fraction, right: Row) -> int | None:
    """The first entry where left > ratio * right, or None where there is none."""
    a, b = factors(left, ratio, right)
    for i, (x, y) in enumerate(zip(left.entries, right.entries, strict=True)):
        if x * a > y * b:
            return i
    return None
