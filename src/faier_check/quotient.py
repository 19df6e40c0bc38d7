"""Quotients of polynomials: the values of expressions with parameters."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias

from .polynomial import (
    ONE,
    Poly,
    Ring,
    common_monomial,
    constant,
    content,
    divided,
    minus,
    occurring,
    plus,
    scaled,
)


class Quotient:
    """A quotient that is not constant; immutable.

    Equal functions need not be equal values: nothing here relies on lowest terms. A result that is constant is
    a `Fraction`, always.
    """

    __slots__ = ("bottom", "ring", "top")

    def __init__(self, ring: Ring, top: Poly, bottom: Poly):
        self.ring, self.top, self.bottom = ring, top, bottom

    def __add__(self, other: Number) -> Number:
        top, bottom = parts(other)
        if bottom == self.bottom:
            return make(self.ring, plus(self.top, top), bottom)
        times = self.ring.times
        return make(
            self.ring, plus(times(self.top, bottom), times(top, self.bottom)), times(self.bottom, bottom)
        )

    __radd__ = __add__

    def __neg__(self) -> Quotient:
        return Quotient(self.ring, scaled(self.top, -1), self.bottom)

    def __sub__(self, other: Number) -> Number:
        return self + (-other)

    def __rsub__(self, other: Fraction) -> Number:
        return -self + other

    def __mul__(self, other: Number) -> Number:
        top, bottom = parts(other)
        times = self.ring.times
        if top == self.bottom:
            return make(self.ring, self.top, bottom)
        if bottom == self.top:
            return make(self.ring, top, self.bottom)
        return make(self.ring, times(self.top, top), times(self.bottom, bottom))

    __rmul__ = __mul__

    def __truediv__(self, other: Number) -> Number:
        return self * inverse(other)

    def __rtruediv__(self, other: Fraction) -> Number:
        return inverse(self) * other

    def __pow__(self, n: int) -> Number:
        if n == 0:
            return Fraction(1)
        top, bottom = (self.top, self.bottom) if n > 0 else (self.bottom, self.top)
        return make(self.ring, self.ring.power(top, abs(n)), self.ring.power(bottom, abs(n)))

    def reduced(self) -> Number:
        """The same function without the factors that top and bottom share, as far as they are found."""
        if len(self.bottom) == 1:
            return self
        common = self.ring.common_divisor(self.top, self.bottom)
        if common == ONE:
            return self
        top, bottom = self.ring.divide(self.top, common), self.ring.divide(self.bottom, common)
        return self if top is None or bottom is None else make(self.ring, top, bottom)


Number: TypeAlias = Fraction | Quotient


def make(ring: Ring, top: Poly, bottom: Poly) -> Number:
    """top / bottom without common numbers and monomials; a `Fraction` where it is constant."""
    if not top:
        return Fraction(0)
    # Only where neither has a constant term can they share a monomial.
    if 0 not in top and 0 not in bottom and (monomial := common_monomial((top, bottom))) != 0:
        top, bottom = ({m - monomial: c for m, c in p.items()} for p in (top, bottom))
    common = math.gcd(content(top), content(bottom))
    if bottom[max(bottom)] < 0:
        common = -common
    top, bottom = divided(top, common), divided(bottom, common)
    if top.keys() == bottom.keys():
        first = next(iter(top))
        a, b = top[first], bottom[first]
        if all(c * b == bottom[m] * a for m, c in top.items()):
            return Fraction(a, b)
    return Quotient(ring, top, bottom)


def parts(value: Number) -> tuple[Poly, Poly]:
    """Numerator and denominator."""
    if isinstance(value, Fraction):
        return constant(value.numerator), constant(value.denominator)
    return value.top, value.bottom


def inverse(value: Number) -> Number:
    if isinstance(value, Fraction):
        return 1 / value
    sign = 1 if value.top[max(value.top)] > 0 else -1
    return Quotient(value.ring, scaled(value.bottom, sign), scaled(value.top, sign))


def same(a: Number, b: Number) -> bool:
    """Whether two values are the same function: cross-multiplied, they are the same polynomial."""
    if isinstance(a, Fraction) or isinstance(b, Fraction):
        return isinstance(a, Fraction) and isinstance(b, Fraction) and a == b
    return not minus(a.ring.times(a.top, b.bottom), a.ring.times(b.top, a.bottom))


def variables(value: Number) -> set[int]:
    """The variables that occur."""
    return set() if isinstance(value, Fraction) else {*occurring(value.top), *occurring(value.bottom)}


def composed(value: Number, ring: Ring, images: dict[int, tuple[Poly, int]]) -> Number:
    """The value with variables replaced by images; ZeroDivisionError where that divides by 0 identically."""
    if isinstance(value, Fraction):
        return value
    top, top_scale = ring.compose(value.top, images)
    bottom, bottom_scale = ring.compose(value.bottom, images)
    if not bottom:
        raise ZeroDivisionError
    found = make(ring, scaled(top, bottom_scale), scaled(bottom, top_scale))
    return found if isinstance(found, Fraction) else found.reduced()
