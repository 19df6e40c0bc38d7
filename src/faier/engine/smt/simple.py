"""Rationals of small denominators: in an interval, and near a point."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

Interval: TypeAlias = tuple[Fraction, Fraction, bool, bool]
"""lower and upper end, and whether each of them is left out."""
Point: TypeAlias = tuple[Fraction, ...]

_FINEST = 160
_POLISH_ROUNDS = 2


def simplest(interval: Interval) -> Fraction | None:
    """The rational of least denominator in the interval, among those the one nearest 0; None where it is empty."""
    low, high, open_below, open_above = interval
    ends = [end for end, left_out in ((low, open_below), (high, open_above)) if not left_out]
    if low > high or (low == high and len(ends) < 2):
        return None
    if low == high:
        return low
    if low < 0 < high:
        return Fraction(0)
    inside = -_between(-high, -low) if high <= 0 else _between(low, high)
    return min([inside, *ends], key=lambda x: (x.denominator, abs(x)))


def _between(low: Fraction, high: Fraction) -> Fraction:
    """The simplest rational x with low < x < high, where 0 <= low."""
    terms: list[int] = []
    upper: Fraction | None = high
    while True:
        whole = math.floor(low)
        if upper is None or whole + 1 < upper:
            found = Fraction(whole + 1)
            break
        terms.append(whole)
        low, upper = 1 / (upper - whole), (1 / (low - whole) if low > whole else None)
    for whole in reversed(terms):
        found = whole + 1 / found
    return found


def near(point: Sequence[Fraction], ranges: Sequence[Interval]) -> Iterator[Point]:
    """Points of the ranges with ever larger denominators, ever closer to the one given."""
    seen: set[Point] = set()
    for k in range(_FINEST):
        radius = Fraction(1, 2**k)
        found = [simplest(_clipped(x, radius, box)) for x, box in zip(point, ranges, strict=True)]
        candidate = tuple(x for x in found if x is not None)
        if len(candidate) == len(found) and candidate not in seen:
            seen.add(candidate)
            yield candidate
    if all(x in (simplest(_clipped(x, Fraction(0), box)),) for x, box in zip(point, ranges, strict=True)):
        yield tuple(point)


def simplified(
    point: Point, ranges: Sequence[Interval], settled: Callable[[Point], Point | None]
) -> Point:
    """A good point is given; return one whose coordinates were simplified one by one as far as it stays good.

    `settled` says whether a point is good: it returns it, perhaps moved a little, or None.
    """
    for _ in range(_POLISH_ROUNDS):
        before = point
        for i in range(len(point)):
            for k in range(-2, _FINEST):
                x = simplest(_clipped(point[i], Fraction(2) ** -k, ranges[i]))
                if x is None or x.denominator >= point[i].denominator:
                    break
                found = settled((*point[:i], x, *point[i + 1 :]))
                if found is not None and _cost(found) < _cost(point):
                    point = found
                    break
        if point == before:
            break
    return point


def _cost(point: Point) -> int:
    return sum(x.denominator for x in point)


def _clipped(x: Fraction, radius: Fraction, interval: Interval) -> Interval:
    low, high, open_below, open_above = interval
    if x - radius > low:
        low, open_below = x - radius, False
    if x + radius < high:
        high, open_above = x + radius, False
    return low, high, open_below, open_above
