"""Signs and enclosures of exact numbers, powers of e among them. [T7]"""

from __future__ import annotations

from fractions import Fraction

from .budget import exp_above, exp_below
from .exact import Prob
from .rational_function import RationalFunction

_MOST_BITS = 1 << 16


def enclosure(value: Prob, bits: int = 128) -> tuple[Fraction, Fraction]:
    """lower <= value <= upper, about `bits` binary digits apart; no parameters may occur."""
    if isinstance(value, Fraction):
        return value, value
    if value.parameters or not value.root:
        raise ValueError(f"{value} is no number")
    power, precision = Fraction(1, value.root), bits + 16
    while True:
        low, high = exp_below(power, precision), exp_above(power, precision)
        top, bottom = (_range(p, low, high) for p in (value.numerator(), value.denominator()))
        if bottom[0] > 0 or bottom[1] < 0:
            ends = [t / b for t in top for b in bottom]
            lower, upper = min(ends), max(ends)
            if upper - lower <= max(abs(lower), abs(upper)) * Fraction(1, 2**bits) or precision > _MOST_BITS:
                return lower, upper
        elif precision > _MOST_BITS:
            raise ArithmeticError("a polynomial in a power of e is too close to 0")
        precision *= 2


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


def _range(terms: dict[tuple[int, ...], int], low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    below = above = Fraction(0)
    for (k,), c in terms.items():
        below += c * (low if c > 0 else high) ** k
        above += c * (high if c > 0 else low) ** k
    return below, above
