"""What a number with parameters must be to stand in a model: defined, and nowhere negative, on the whole range."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from .bernstein import Box, coefficients
from .domain import Domain, Point, evaluate
from .identities import irreducible
from .positivity import Negative, Sign, prove
from .rational_function import RationalFunction

_DENSE = 1024
_MOST_BOXES = 3000
_DEPTH = 10
_MOST_TERMS = 2000
_MOST_DEGREE = 100


@dataclass(frozen=True)
class Fault:
    """Why a number cannot stand where it does; `values` are parameters at which it shows, where some are known."""

    kind: str  # "negative", "vanishes", "unclear"
    values: Mapping[str, Fraction]
    found: Fraction | None = None


def sign_of(domain: Domain, polynomial: Any) -> int:
    """The sign of a polynomial at a value that the variables may have and where it is not 0; 0 if none is found."""
    if polynomial.is_constant():
        return int(polynomial.leading_coefficient() > 0) - int(polynomial.leading_coefficient() < 0)
    for point in sample(domain):
        if sign := domain.sign_at(polynomial, point):
            return sign
    return 0


def fault_of(domain: Domain, value: RationalFunction, *, may_vanish: bool = False) -> Fault | None:
    """What is wrong with a probability on the range; None where it is proved to be defined and >= 0.

    With `may_vanish` the values at which its denominator is 0 are none that count.
    """
    top, bottom = domain.lift(value)
    sign = sign_of(domain, bottom)
    if sign == 0:
        return Fault("unclear", {})
    if may_vanish:
        # Rows are compared after they were multiplied by it, so it must not change its sign.
        if not all(isinstance(prove(domain, f, most_boxes=_MOST_BOXES), Sign) for f in _factors(domain, bottom * sign)):
            return Fault("vanishes", {})
    elif (fault := vanishing(domain, bottom * sign)) is not None:
        return fault
    for factor in _factors(domain, top * sign):
        match prove(domain, factor, most_boxes=_MOST_BOXES):
            case Sign():
                continue
            case Negative(point=point):
                return _negative(domain, value, top * sign, bottom * sign, point)
            case _:
                return Fault("unclear", {})
    return None


def _negative(domain: Domain, value: RationalFunction, top: Any, bottom: Any, point: Point) -> Fault:
    for moved in (point, *sample(domain)):
        if domain.sign_at(top, moved) < 0 and domain.sign_at(bottom, moved):
            exact = evaluate(top, moved), evaluate(bottom, moved)
            found = None
            if isinstance(exact[0], Fraction) and isinstance(exact[1], Fraction):
                found = exact[0] / exact[1]
            return Fault("negative", domain.named(moved), found)
    return Fault("unclear", {})


def _factors(domain: Domain, polynomial: Any, *, powers: bool = False) -> list[Any]:
    """What a polynomial is a product of, where it has very many coefficients in the Bernstein basis; else itself.

    Where all of them are nowhere negative, neither is the polynomial; squares are left out but with `powers`, where
    all are nowhere 0 if the polynomial is not.
    """
    degrees = [max(0, int(d)) for d in polynomial.degrees()]
    if math.prod(d + 1 for d in degrees) <= _DENSE or len(polynomial) > _MOST_TERMS or sum(degrees) > _MOST_DEGREE:
        return [polynomial]
    rest, factors = irreducible(polynomial)
    kept = []
    for factor, power in factors:
        sign = sign_of(domain, factor)
        rest *= (sign or 1) ** power
        if powers or power % 2:
            kept.append(factor * (sign or 1))
    return kept if kept and rest > 0 else [polynomial]


def vanishing(domain: Domain, polynomial: Any) -> Fault | None:
    """Where a polynomial can be 0 or negative on the range; None where it is proved to be positive."""
    for factor in _factors(domain, polynomial, powers=True):
        if not _is_positive(domain, factor, domain.hull, _DEPTH):
            return _zero_of(domain, polynomial)
    return None


def _is_positive(domain: Domain, polynomial: Any, box: Box, depth: int) -> bool:
    """Guarantee: True only where the polynomial is positive at all values in the box that the ranges allow.

    With coefficients >= 0, not all 0, a polynomial is positive inside a box, and on a face in the same way.
    """
    if (sign := domain.sign_of_number(polynomial)) is not None:
        return sign > 0
    tensor = coefficients([polynomial], box)
    if (tensor >= 0).all() and _positive_faces(domain, tensor, box):
        return True
    if domain.misses(box) is not None:
        return True
    if depth == 0:
        return False
    widths = [(hi - lo) / (domain.hull[i][1] - domain.hull[i][0] or 1) for i, (lo, hi) in enumerate(box)]
    axes = [i for i in domain.free if polynomial.degrees()[i]]
    if not axes:
        return False
    axis = max(axes, key=lambda i: widths[i])
    lo, hi = box[axis]
    at = (lo + hi) / 2
    return all(
        _is_positive(domain, polynomial, (*box[:axis], side, *box[axis + 1 :]), depth - 1)
        for side in ((lo, at), (at, hi))
    )


def _positive_faces(domain: Domain, tensor: Any, box: Box) -> bool:
    """Whether no face that belongs to the range has coefficients that are all 0."""
    # The first axis is that of the one polynomial, so that a face is an array even where nothing varies.
    choices: list[tuple[int | slice, ...]] = [(slice(None),)]
    ranges = list(domain.ranges.values())
    for i, (lo, hi) in enumerate(box):
        sides: list[int | slice] = [slice(None)]
        if i in domain.free:
            range_ = ranges[i]
            if lo in range_ and tensor.shape[i + 1] > 1:
                sides.append(0)
            if hi in range_ and tensor.shape[i + 1] > 1:
                sides.append(-1)
        choices.append(tuple(sides))
    return all(bool((tensor[face] > 0).any()) for face in product(*choices))


def _zero_of(domain: Domain, polynomial: Any) -> Fault:
    for point in sample(domain):
        if domain.sign_at(polynomial, point) == 0:
            return Fault("vanishes", domain.named(point))
    answer = prove(domain, polynomial, most_boxes=_MOST_BOXES)
    if isinstance(answer, Negative):
        # Positive elsewhere, so that it is 0 in between.
        return Fault("vanishes", domain.named(answer.point))
    return Fault("vanishes", {})


def sample(domain: Domain, most: int = 200) -> list[Point]:
    """A few values of few digits that the variables may have: the middle, corners that belong, points between."""
    cached: list[Point] | None = domain.__dict__.get("_sample")
    if cached is not None:
        return cached
    shares = [Fraction(s) for s in ("1/2", "0", "1", "1/4", "3/4", "1/3", "2/3", "1/1000", "999/1000")]
    intervals = [domain.hull[i] for i in domain.free]
    points: list[Point] = [tuple(lo + (hi - lo) * s for lo, hi in intervals) for s in shares]
    if len(intervals) > 1:
        few = shares[:3] if len(intervals) <= 4 else shares[1:3]
        for choice in product(few, repeat=min(len(intervals), 7)):
            points.append(
                tuple(lo + (hi - lo) * choice[i % len(choice)] for i, (lo, hi) in enumerate(intervals))
            )
        state = 1
        for _ in range(40):
            values = []
            for lo, hi in intervals:
                state = state * 6364136223846793005 % 2**64 + 1442695040888963407
                values.append(lo + (hi - lo) * Fraction(state % 97 + 1, 98))
            points.append(tuple(values))
    found = [p for p in dict.fromkeys(points) if domain.holds(p)][:most]
    domain.__dict__["_sample"] = found
    return found
