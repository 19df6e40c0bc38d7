"""Identities that show a polynomial to be nowhere negative where halving never ends: products, parabolas, cuts. [T9]

Results are polynomials up to positive constant factors, which no sign depends on.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import flint

from .domain import Point, evaluate
from .exact import simplest_between

_MOST_FACTORED_TERMS = 600
_MOST_FACTORED_DEGREE = 30
_MOST_SQUARED_TERMS = 400
_MOST_MULTIPLIERS = 8


def factors_of(polynomial: Any) -> list[Any]:
    """Irreducible factors whose product is the polynomial up to a constant; empty where it is too large to tell."""
    if len(polynomial) > _MOST_FACTORED_TERMS or sum(map(int, polynomial.degrees())) > _MOST_FACTORED_DEGREE:
        return []
    _, factors = irreducible(polynomial)
    return [factor for factor, power in factors for _ in range(power)]


def irreducible(polynomial: Any) -> tuple[int, list[tuple[Any, int]]]:
    """A constant of the sign that is left, and irreducible factors with their powers."""
    try:
        content, factors = polynomial.factor()
    except OverflowError:
        # python-flint 0.9 cannot sort factors over the integers that have large coefficients.
        content, rational = _over_rationals(polynomial).factor()
        factors = []
        for factor, power in rational:
            whole, unit = _over_integers(factor, polynomial.context())
            content /= flint.fmpq(unit) ** int(power)
            factors.append((whole, power))
    return (1 if content > 0 else -1), [(factor, int(power)) for factor, power in factors]


def parabola(polynomial: Any, axis: int) -> tuple[Any, Any, Any] | None:
    """(a, c, 4 a c - b^2) where the polynomial is a t^2 + b t + c in a power t of a variable, else None.

    Where all three are >= 0, so is the polynomial.
    """
    degree = int(polynomial.degrees()[axis])
    if degree < 2 or degree % 2:
        return None
    by_power: dict[int, dict[tuple[int, ...], int]] = {0: {}, degree // 2: {}, degree: {}}
    for powers, coefficient in polynomial.to_dict().items():
        terms = by_power.get(int(powers[axis]))
        if terms is None:
            return None
        terms[(*powers[:axis], 0, *powers[axis + 1 :])] = int(coefficient)
    c, b, a = (polynomial.context().from_dict(terms) for terms in by_power.values())
    if c == 0 or max(len(a) * len(c), len(b) ** 2) > _MOST_SQUARED_TERMS**2:
        return None
    return a, c, 4 * a * c - b * b


def primitive(polynomial: Any) -> Any:
    """The polynomial over the largest integer that divides it."""
    content = abs(int(polynomial.content())) if polynomial != 0 else 1
    return polynomial / content if content > 1 else polynomial


def less(polynomial: Any, cut: Any, multiplier: tuple[Any, int]) -> Any:
    """polynomial - multiplier * cut, both without their contents; the multiplier is a polynomial over a number."""
    top, bottom = multiplier
    return primitive(polynomial) * bottom - primitive(cut) * top


def multipliers(polynomial: Any, cut: Any, points: Sequence[Point]) -> list[tuple[Any, int]]:
    """Polynomials s over a number, for which polynomial - s * cut may be nowhere negative, or simpler at least.

    The quotient of both; and simple numbers with which it is all but stationary at some of the points: where a
    polynomial touches 0 on the boundary of a cut its gradient is a multiple of the cut's.
    """
    polynomial, cut = primitive(polynomial), primitive(cut)
    axes = [i for i, d in enumerate(cut.degrees()) if d]
    found: list[Fraction] = []
    for point in points:
        one, two = ([evaluate(f.derivative(i), point) for i in axes] for f in (polynomial, cut))
        if not all(isinstance(x, Fraction) for x in (*one, *two)):
            return []
        steep = sum((y * y for y in two), Fraction(0))  # type: ignore[operator]
        along = sum((x * y for x, y in zip(one, two, strict=True)), Fraction(0))  # type: ignore[operator]
        if not steep or not along:
            continue
        ratio = along / steep
        if ratio.denominator.bit_length() <= 64 and ratio not in found:
            found.append(ratio)
        for share in (Fraction(1, 8), Fraction(1, 100), Fraction(1, 10**4)):
            low, high = abs(ratio) * (1 - share), abs(ratio) * (1 + share)
            simple = simplest_between(low, high) * (1 if ratio > 0 else -1)
            if simple not in found:
                found.append(simple)
    constant = polynomial.context().constant
    numbers = [(constant(s.numerator), s.denominator) for s in found[:_MOST_MULTIPLIERS]]
    top, bottom = _quotient(polynomial, cut)
    return numbers if top == 0 or top.is_constant() else [(top, bottom), *numbers]


def _quotient(polynomial: Any, divisor: Any) -> tuple[Any, int]:
    """What division with a remainder gives, over a number."""
    quotient, _ = divmod(_over_rationals(polynomial), _over_rationals(divisor))
    return _over_integers(quotient, polynomial.context())


def _over_rationals(polynomial: Any) -> Any:
    context = polynomial.context()
    rational = flint.fmpq_mpoly_ctx.get(context.names(), context.ordering())
    return rational.from_dict(dict(polynomial.to_dict()))


def _over_integers(polynomial: Any, context: Any) -> tuple[Any, int]:
    terms = polynomial.to_dict()
    unit = lcm(*(int(c.q) for c in terms.values()))
    return context.from_dict({p: int((c * unit).p) for p, c in terms.items()}), unit
