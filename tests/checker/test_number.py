"""Numbers: expressions of model files, exact text of any length, and bounds of the exponential function."""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faier_check.exponential import exp_above, exp_below
from faier_check.expression import ExpressionError, constant
from faier_check.number import brief, decimal, exact, integer, read_exact

LONG = 10**20_000 + 12_345


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2/3", Fraction(2, 3)),
        ("0.1", Fraction(1, 10)),
        (".5", Fraction(1, 2)),
        ("1e-3", Fraction(1, 1000)),
        ("2.5E+1", Fraction(25)),
        (" 1 - 1/3 ", Fraction(2, 3)),
        ("1-1/3-1/3", Fraction(1, 3)),
        ("1/2/2", Fraction(1, 4)),
        ("1/2*2", Fraction(1)),
        ("-2^2", Fraction(-4)),
        ("2^-1", Fraction(1, 2)),
        ("2^3^2", Fraction(512)),
        ("(1/2)^3", Fraction(1, 8)),
        ("2*-3", Fraction(-6)),
        ("--1", Fraction(1)),
        ("+1", Fraction(1)),
        ("((((1))))", Fraction(1)),
        ("0^0", Fraction(1)),
    ],
)
def test_reads_expressions(text, value):
    assert constant(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "1 2",
        "1/",
        "*1",
        "1**2",
        "(1",
        "1)",
        "1,5",
        "1_000",
        "0x10",
        "½",
        "1/0",
        "0^-1",
        "2^0.5",
        "1e99999",
    ],
)
def test_refuses_other_expressions(text):
    with pytest.raises(ExpressionError):
        constant(text)


def test_signs_without_end_are_no_recursion():
    assert constant("-" * 90_000 + "1") == 1


@given(st.integers(), st.integers(1))
def test_writes_what_it_reads(numerator, denominator):
    value = Fraction(numerator, denominator)
    assert exact(numerator, denominator) == str(value)
    assert read_exact(str(value)) == value


def test_converts_at_any_length_and_leaves_the_limit_alone():
    before = sys.get_int_max_str_digits()
    text = "1" + "0" * 19_995 + "12345"
    assert integer(text) == LONG
    assert decimal(LONG) == text
    assert decimal(-LONG) == "-" + text
    assert read_exact(f"-1/{text}") == Fraction(-1, LONG)
    assert sys.get_int_max_str_digits() == before


def test_converts_under_the_strictest_limit():
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert integer(decimal(LONG)) == LONG
    finally:
        sys.set_int_max_str_digits(before)


def test_shortens_long_numbers_for_sentences():
    assert brief(Fraction(-2, 3)) == "-2/3"
    assert brief(Fraction(LONG)).startswith("about 1000000000000")
    assert brief(Fraction(-1, LONG)).startswith("-about 99999999999")


@given(st.fractions(-50, 50, max_denominator=1000), st.sampled_from([8, 64, 200]))
def test_brackets_the_exponential(power, bits):
    low, high = exp_below(power, bits), exp_above(power, bits)
    assert 0 < low <= high
    assert high - low <= high / 2**bits
    # (1 + x/n)^n <= e^x <= (1 + x/n)^(n + x) bound it independently, for x >= 0.
    n = 1 << 12
    x = abs(power)
    smaller, larger = (1 + x / n) ** n, (1 - x / n) ** -n
    if power < 0:
        smaller, larger = 1 / larger, 1 / smaller
    assert smaller <= high
    assert low <= larger


def test_agrees_with_known_digits():
    # e to 40 digits, from the literature.
    e = Fraction(27182818284590452353602874713526624977572, 10**40)
    assert exp_below(Fraction(1), 200) < e + Fraction(1, 10**40)
    assert exp_above(Fraction(1), 200) > e
    assert exp_above(Fraction(1), 128) - exp_below(Fraction(1), 128) < Fraction(1, 2**128)
    assert exp_below(Fraction(0), 64) == 1 <= exp_above(Fraction(0), 64)
