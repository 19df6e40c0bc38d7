"""Rounded outward: the floats enclose the logarithm, tightly."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction as F

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faier.number.rational_function import RationalFunction
from faier.number.sign import compare
from faier.report.rounding import float_above, float_below, log_above, log_below
from faier.report.text import decimal

ratios = st.fractions(min_value=F(1, 10**30), max_value=10**30)


def sign_of_log_minus(ratio: F, value: float) -> int:
    """The sign of ln(ratio) - value, from 2,000 bits."""
    saved, flint.ctx.prec = flint.ctx.prec, 2000
    try:
        exact = F(value)
        difference = flint.arb(flint.fmpq(ratio.numerator, ratio.denominator)).log() - flint.arb(
            flint.fmpq(exact.numerator, exact.denominator)
        )
        return 1 if difference > 0 else -1 if difference < 0 else 0
    finally:
        flint.ctx.prec = saved


@given(ratios)
def test_logarithm_lies_between(ratio: F) -> None:
    assert sign_of_log_minus(ratio, log_below(ratio)) >= 0
    assert sign_of_log_minus(ratio, log_above(ratio)) <= 0


@given(ratios)
def test_enclosure_is_one_step_wide(ratio: F) -> None:
    assert log_above(ratio) <= math.nextafter(log_below(ratio), math.inf)


@pytest.mark.parametrize("ratio", [1 + F(1, 10**100), 1 - F(1, 10**300), F(7**5000, 3)])
def test_hard_ratios_are_enclosed_tightly(ratio: F) -> None:
    assert log_below(ratio) < log_above(ratio) <= math.nextafter(log_below(ratio), math.inf)


def test_ends() -> None:
    assert log_below(F(1)) == log_above(F(1)) == 0
    assert log_below(F(0)) == log_above(F(0)) == -math.inf
    assert log_below(math.inf) == log_above(math.inf) == math.inf


@given(st.fractions())
def test_floats_enclose_fractions(value: F) -> None:
    assert F(float_below(value)) <= value <= F(float_above(value))


def test_fractions_beyond_all_floats() -> None:
    huge = F(10**400)
    assert float_below(huge) == math.nextafter(math.inf, 0)
    assert float_above(huge) == math.inf
    assert float_below(-huge) == -math.inf
    assert float_above(-huge) == math.nextafter(-math.inf, 0)


@given(st.fractions(-20, 20, max_denominator=12), st.integers(1, 50), st.integers(0, 9))
def test_logarithms_of_powers_of_e_are_enclosed(power: F, factor: int, rest: int) -> None:
    value = RationalFunction.exponential(power) * factor + rest
    low, high = log_below(value), log_above(value)
    assert low <= high <= math.nextafter(low, math.inf)
    saved, flint.ctx.prec = flint.ctx.prec, 2000
    try:
        exact = (flint.arb(flint.fmpq(power.numerator, power.denominator)).exp() * factor + rest).log()
        for end, sign in ((low, 1), (high, -1)):
            at = F(end)
            gap = (exact - flint.arb(flint.fmpq(at.numerator, at.denominator))) * sign
            # Where the end is the logarithm itself, no number of bits shows it.
            assert gap > 0 or (gap.contains(0) and factor == 1 and rest == 0)
    finally:
        flint.ctx.prec = saved


def test_a_power_of_e_has_an_exact_logarithm() -> None:
    half = RationalFunction.exponential(F(1, 2))
    assert log_below(half) == log_above(half) == 0.5
    third = RationalFunction.exponential(F(1, 3))
    assert F(log_below(third)) < F(1, 3) < F(log_above(third))


@given(st.fractions(-30, 30, max_denominator=9), st.integers(1, 9))
def test_decimals_of_powers_of_e_err_on_the_right_side(power: F, rest: int) -> None:
    value = RationalFunction.exponential(power) + rest
    for figures in (1, 4, 13, 40):
        low, high = F(decimal(value, figures, ROUND_FLOOR)), F(decimal(value, figures, ROUND_CEILING))
        assert compare(low, value) <= 0 <= compare(high, value)
        assert high - low <= F(2, 10 ** (figures - 1)) * high
