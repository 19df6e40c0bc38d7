"""The limit of a word's ratio where values approach the ends of their ranges, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, permutations, product
from math import inf
from typing import Any, Literal, TypeAlias

from faier.number.domain import Domain, Point, evaluate
from faier.number.exact import Prob
from faier.number.sign import compare, sign
from faier.number.touching import along_line

How: TypeAlias = Literal["above", "below", "at"]
Approach: TypeAlias = tuple[tuple[int, Fraction, How], ...]
"""For each variable in this order: a value, and from where it is approached; "at" is the value itself."""

_MOST_ORDERS = 24


@dataclass(frozen=True)
class Limit:
    """The ratio that is approached; infinite where left stays positive and right vanishes."""

    ratio: Prob | float
    approach: Approach


def limits_near(domain: Domain, left: Any, right: Any, point: Point, *, both: bool = False) -> list[Limit]:
    """Limits of left / right where the variables tend to a point: those at the ends of their ranges last.

    Several, as the order in which values are approached may matter. With `both` only values at which right is
    positive count: where it vanishes at a point inside, that is approached from its sides.
    """
    ranges = list(domain.ranges.values())
    inside = [(i, x) for i, (x, r) in enumerate(zip(point, ranges, strict=True)) if r.lower < x < r.upper]
    sides: list[How] = ["above", "below"] if both and domain.sign_at(right, point) == 0 else ["at"]
    ways = islice(product(sides, repeat=len(inside)), _MOST_ORDERS)
    found = []
    for hows in ways:
        inner: list[tuple[int, Fraction, How]] = [(i, x, how) for (i, x), how in zip(inside, hows, strict=True)]
        found += _limits(domain, left, right, point, inner, both)
    return found


def _limits(
    domain: Domain, left: Any, right: Any, point: Point, inner: list[tuple[int, Fraction, How]], both: bool
) -> list[Limit]:
    ranges = list(domain.ranges.values())
    outer: list[tuple[int, Fraction, How]] = []
    for i, (x, r) in enumerate(zip(point, ranges, strict=True)):
        if r.lower == r.upper:
            inner = [*inner, (i, x, "at")]
        elif x in (r.lower, r.upper):
            outer.append((i, x, "above" if x == r.lower else "below"))
    # Where right is not 0 at the point itself, the quotient is continuous there, and no order matters.
    orders = 1 if domain.sign_at(right, point) else _MOST_ORDERS
    found: list[Limit] = []
    for order in islice(permutations(outer), orders):
        approach: Approach = (*inner, *order)
        value = limit(domain, left, right, approach, both=both)
        if value is not None:
            found.append(Limit(value, approach))
    return found


def limit(domain: Domain, left: Any, right: Any, approach: Approach, *, both: bool = False) -> Prob | float | None:
    """The iterated limit; None where it is 0/0 identically, or where cuts leave it in doubt.

    With `both` also where one side is 0 at all values on the way.
    """
    point = tuple(v for _, v, _ in sorted(approach))
    for cut in domain.cuts:
        if cut.relation == "==" or domain.sign_at(cut.polynomial, point) <= 0:
            return None
    for i, value, how in approach:
        step = Fraction(0) if how == "at" else Fraction(1 if how == "above" else -1)
        left, right = along_line(left, i, value, step), along_line(right, i, value, step)
        # Each was multiplied by its own power of the denominators; that is undone here.
        (left, lp), (right, rp) = left, right
        left, right = left * rp, right * lp
        if how != "at":
            lowest = min((int(p[i]) for f in (left, right) for p in f.to_dict()), default=0)
            left, right = _at_zero(left, i, lowest), _at_zero(right, i, lowest)
        if (left == 0 and right == 0) or (both and how == "at" and (left == 0 or right == 0)):
            return None
    top, bottom = domain.function(left, domain.one), domain.function(right, domain.one)
    if bottom == 0:
        return inf if sign(top) > 0 else None
    if sign(bottom) < 0 or sign(top) < 0:
        return None
    return top / bottom


def attained(domain: Domain, left: Any, right: Any, point: Point, ratio: Prob) -> bool:
    """Whether the variables may have these values, and left / right is the ratio there."""
    if not domain.holds(point):
        return False
    one, two = (value_at_point(domain, f, point) for f in (left, right))
    return sign(two) > 0 and compare(one, ratio * two) == 0


def ratio_at(domain: Domain, left: Any, right: Any, point: Point) -> Prob | float | None:
    """The exact ratio at a point; None for 0/0."""
    one, two = (value_at_point(domain, f, point) for f in (left, right))
    if sign(two) == 0:
        return inf if sign(one) > 0 else None
    return one / two


def value_at_point(domain: Domain, polynomial: Any, point: Point) -> Prob:
    """The exact value; a function of a power of e where such powers occur."""
    at = evaluate(polynomial, point)
    if isinstance(at, Fraction):
        return at
    from faier.number.rational_function import RationalFunction

    total: Prob = Fraction(0)
    power = RationalFunction.exponential(Fraction(1, domain.root))
    for k, c in at.items():
        total = total + c * power**k
    return total


def _at_zero(polynomial: Any, axis: int, lowest: int) -> Any:
    """The coefficient of the variable's power `lowest`."""
    return polynomial.context().from_dict(
        {
            (*p[:axis], 0, *p[axis + 1 :]): c
            for p, c in polynomial.to_dict().items()
            if int(p[axis]) == lowest
        }
    )


def better(one: Prob | float, two: Prob | float) -> bool:
    """Whether one ratio is larger than another."""
    if isinstance(two, float):
        return isinstance(one, float) and one > two
    if isinstance(one, float):
        return one > 0
    return compare(one, two) > 0


def nearest_corner(domain: Domain, point: Sequence[float], tolerance: float) -> Point:
    """The point with values within a tolerance of an end of their range moved there."""
    moved = []
    for x, (lo, hi) in zip(point, domain.hull, strict=False):
        width = float(hi - lo) or 1.0
        if x - float(lo) <= tolerance * width:
            moved.append(lo)
        elif float(hi) - x <= tolerance * width:
            moved.append(hi)
        else:
            moved.append(Fraction(x))
    return tuple(moved)
