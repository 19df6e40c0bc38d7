"""Numbers that are not rational, enclosed: ball arithmetic whose result is two fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf

import flint

from .exact import Extended

BITS = 128


def enclosed(compute: Callable[[], flint.arb], bits: int = BITS) -> tuple[Fraction, Fraction]:
    """Guarantee: lower <= what is computed <= upper. The balls are made inside, at so many bits."""
    saved = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        ball = compute()
        low, high = ball.lower(), ball.upper()
    finally:
        flint.ctx.prec = saved
    return _dyadic(low), _dyadic(high)


def ball(value: Fraction) -> flint.arb:
    """A fraction as a ball at the precision that is set."""
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def log_below(value: Extended) -> Extended:
    """Guarantee: result <= ln(value); `-inf` for 0, `inf` for `inf`."""
    return _log(value)[0]


def log_above(value: Extended) -> Extended:
    """Guarantee: result >= ln(value); `-inf` for 0, `inf` for `inf`."""
    return _log(value)[1]


def log2(value: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of the logarithm to base 2 of a positive number; exact for powers of 2."""
    one, two = value.numerator, value.denominator
    if one & (one - 1) == 0 and two & (two - 1) == 0:
        power = Fraction(one.bit_length() - two.bit_length())
        return power, power
    return enclosed(lambda: ball(value).log() / flint.arb(2).log())


def information(terms: Iterable[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Bounds of the sum of weight * ln(ratio), for positive ratios."""
    listed = [(w, r) for w, r in terms if w and r != 1]
    if not listed:
        return Fraction(0), Fraction(0)
    return enclosed(lambda: sum((ball(w) * ball(r).log() for w, r in listed), flint.arb(0)))


def powers(terms: Iterable[tuple[Fraction, Fraction]], exponent: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of the sum of weight * ratio**exponent, for positive ratios; exact for whole exponents."""
    listed = [(w, r) for w, r in terms if w]
    if exponent.denominator == 1:
        exact = sum((w * r**exponent.numerator for w, r in listed), Fraction(0))
        return exact, exact
    return enclosed(lambda: sum((ball(w) * (ball(exponent) * ball(r).log()).exp() for w, r in listed), flint.arb(0)))


def _log(value: Extended) -> tuple[Extended, Extended]:
    if isinstance(value, float):
        return inf, inf
    if value == 0:
        return -inf, -inf
    if value == 1:
        return Fraction(0), Fraction(0)
    return enclosed(lambda: ball(value).log())


def _dyadic(point: flint.arb) -> Fraction:
    mantissa, exponent = point.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
