"""Logarithms of exact ratios as floats that err on a known side."""

from __future__ import annotations

import math
from fractions import Fraction

import flint

from faier.number.exact import Extended, Prob
from faier.number.power import as_budget
from faier.number.rational_function import RationalFunction
from faier.number.sign import enclosure

_MOST_BITS = 1 << 16


def log_below(ratio: Extended | Prob) -> float:
    """Guarantee: result <= ln(ratio); `-inf` for 0, `inf` for `inf`. The ratio is a number: it has no parameters."""
    return _log(ratio)[0]


def log_above(ratio: Extended | Prob) -> float:
    """Guarantee: result >= ln(ratio); `-inf` for 0, `inf` for `inf`."""
    return _log(ratio)[1]


def float_below(value: Fraction) -> float:
    """Guarantee: result <= value, and no float lies between."""
    near = _nearest(value)
    above = Fraction(near) > value if math.isfinite(near) else near > 0
    return math.nextafter(near, -math.inf) if above else near


def float_above(value: Fraction) -> float:
    """Guarantee: result >= value, and no float lies between."""
    near = _nearest(value)
    below = Fraction(near) < value if math.isfinite(near) else near < 0
    return math.nextafter(near, math.inf) if below else near


def _log(ratio: Extended | Prob) -> tuple[float, float]:
    if isinstance(ratio, float):
        return ratio, ratio
    if isinstance(ratio, RationalFunction) and (budget := as_budget(ratio)) is not None and budget.base == 1:
        return float_below(budget.power), float_above(budget.power)
    if ratio == 0:
        return -math.inf, -math.inf
    if ratio == 1:
        return 0.0, 0.0
    bits = 128
    while True:
        below, above = _enclosure(ratio, bits)
        # A ratio very close to 1 loses as many bits as its distance from 1 has zeros in front.
        if above <= math.nextafter(below, math.inf) or bits >= _MOST_BITS:
            return below, above
        bits *= 4


def _enclosure(ratio: Prob, bits: int) -> tuple[float, float]:
    if isinstance(ratio, RationalFunction):
        low, high = enclosure(ratio, bits)
        return _rational_enclosure(low, bits)[0], _rational_enclosure(high, bits)[1]
    return _rational_enclosure(ratio, bits)


def _rational_enclosure(ratio: Fraction, bits: int) -> tuple[float, float]:
    saved = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        ball = flint.arb(flint.fmpq(ratio.numerator, ratio.denominator)).log()
        low, high = ball.lower(), ball.upper()
    finally:
        flint.ctx.prec = saved
    return float_below(_dyadic(low)), float_above(_dyadic(high))


def _dyadic(point: flint.arb) -> Fraction:
    mantissa, exponent = point.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _nearest(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
