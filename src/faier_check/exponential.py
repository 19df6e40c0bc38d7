"""Bounds of e**power from a bracketing series, in integers. [T7]"""

from __future__ import annotations

from fractions import Fraction

LARGEST_POWER = 1_000_000


def exp_below(power: Fraction, bits: int) -> Fraction:
    """Guarantee: result <= e**power, and within a relative error of about 2**-bits."""
    return _low(power, bits) if power >= 0 else 1 / _high(-power, bits)


def exp_above(power: Fraction, bits: int) -> Fraction:
    """Guarantee: result >= e**power, and within a relative error of about 2**-bits."""
    return _high(power, bits) if power >= 0 else 1 / _low(-power, bits)


def _low(power: Fraction, bits: int) -> Fraction:
    """A lower bound for power >= 0: everything is rounded down, and the rest of the series left out."""
    halvings, width = _scale(power, bits)
    x = (power.numerator << width) // (power.denominator << halvings)
    total = term = 1 << width
    n = 0
    while term:
        n += 1
        term = term * x // (n << width)
        total += term
    exponent = -width
    for _ in range(halvings):
        total, exponent = total * total, 2 * exponent
        if (excess := total.bit_length() - width) > 0:
            total, exponent = total >> excess, exponent + excess
    return _dyadic(total, exponent)


def _high(power: Fraction, bits: int) -> Fraction:
    """An upper bound for power >= 0: everything is rounded up, the rest is at most the last term."""
    halvings, width = _scale(power, bits)
    x = -(-(power.numerator << width) // (power.denominator << halvings))
    total = term = 1 << width
    n = 0
    while term > 1:
        n += 1
        term = -(-term * x // (n << width))
        total += term
    # The number x stands for is at most 1/4, so each further term is less than half the one before it.
    total += term
    exponent = -width
    for _ in range(halvings):
        total, exponent = total * total, 2 * exponent
        if (excess := total.bit_length() - width) > 0:
            total, exponent = -(-total >> excess), exponent + excess
    return _dyadic(total, exponent)


def _scale(power: Fraction, bits: int) -> tuple[int, int]:
    """How often to halve the power so that at most 1/4 remains, and how many bits to work with."""
    halvings = (int(power) + 1).bit_length() + 2
    return halvings, bits + 2 * halvings + 16


def _dyadic(mantissa: int, exponent: int) -> Fraction:
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)
