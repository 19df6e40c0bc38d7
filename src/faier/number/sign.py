"""Signs and enclosures of exact numbers, powers of e among them. [T7]"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import flint

from .exact import Prob

_MOST_BITS = 1 << 16


def enclosure(value: Prob, bits: int = 128) -> tuple[Fraction, Fraction]:
    """lower <= value <= upper, about `bits` binary digits apart; no parameters may occur."""
    if isinstance(value, Fraction):
        return value, value
    if value.parameters or not value.root:
        raise ValueError(f"{value} is no number")
    precision = bits + 32
    while precision <= _MOST_BITS:
        top, bottom = (
            ball({k: Fraction(c) for (k,), c in terms.items()}, value.root, precision)
            for terms in (value.numerator(), value.denominator())
        )
        if bottom[0] > 0 or bottom[1] < 0:
            ends = [t / b for t in top for b in bottom]
            lower, upper = min(ends), max(ends)
            if upper - lower <= max(abs(lower), abs(upper)) * Fraction(1, 2**bits):
                return lower, upper
        precision *= 2
    raise ArithmeticError("a polynomial in a power of e is too close to 0")


def sign_of_terms(terms: Mapping[int, Fraction], root: int) -> int:
    """The sign of a polynomial in e**(1/root), given as exponent -> coefficient. [T7]"""
    kept = {k: c for k, c in terms.items() if c}
    if not kept:
        return 0
    precision = 128
    while precision <= _MOST_BITS:
        below, above = ball(kept, root, precision)
        if below > 0:
            return 1
        if above < 0:
            return -1
        precision *= 2
    raise ArithmeticError("a polynomial in a power of e is too close to 0")


def ball(terms: Mapping[int, Fraction], root: int, precision: int) -> tuple[Fraction, Fraction]:
    """Bounds of a polynomial in e**(1/root), by ball arithmetic."""
    saved = flint.ctx.prec
    flint.ctx.prec = precision
    try:
        base = flint.arb(flint.fmpq(1, root)).exp()
        total = flint.arb(0)
        for k, c in terms.items():
            total += flint.arb(flint.fmpq(c.numerator, c.denominator)) * base**k
        low, high = total.lower(), total.upper()
    finally:
        flint.ctx.prec = saved
    return _dyadic(low), _dyadic(high)


def sign(value: Prob) -> int:
    """The exact sign: a polynomial in a power of e is 0 only where it vanishes identically."""
    if isinstance(value, Fraction):
        return (value > 0) - (value < 0)
    bits = 64
    while True:
        lower, upper = enclosure(value, bits)
        if lower > 0:
            return 1
        if upper < 0:
            return -1
        bits *= 2


def compare(one: Prob, two: Prob) -> int:
    """The sign of one - two."""
    return sign(one - two)


def _dyadic(point: flint.arb) -> Fraction:
    mantissa, exponent = point.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
