"""Epsilon and ratio as users write them."""

from __future__ import annotations

import math
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faier.errors import NumberError, UsageError
from faier.number.budget import Budget
from faier.number.rational_function import RationalFunction
from faier.scenario.budgets import read_epsilon, read_ratio


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("ln 2", "ln(2)"),
        ("ln(2)", "ln(2)"),
        ("4*ln(2)", "ln(16)"),
        ("4 ln 2", "ln(16)"),
        ("ln(3)/2", "ln(3)/2"),
        ("1/2", "1/2"),
        ("0.7", "7/10"),
        ("1/2 + ln(3)", "1/2 + ln(3)"),
        ("-ln 2", "ln(1/2)"),
        ("-0.5", "-1/2"),
        ("0", "0"),
        ("ln(1)", "0"),
        ("ln 4 - 2*ln(2)", "0"),
        ("ln(4)/2", "ln(2)"),
        ("ln 2 + ln 3", "ln(6)"),
        ("2*(1/4 + ln(3)/4)", "1/2 + ln(3)/2"),
        ("0.5*ln 2 - 1", "-1 + ln(2)/2"),
        ("10^9*ln(2)-10^9*ln(2)", "0"),
        ("ln(3)/2 + ln(5)/3", "ln(675)/6"),
        ("ln(1e9)", "ln(1000000000)"),
        (" ln  2 ", "ln(2)"),
    ],
)
def test_epsilon_is_normalised(text: str, normal: str) -> None:
    assert read_epsilon(text).epsilon_text == normal
    assert read_epsilon(normal) == read_epsilon(text)


def test_rational_ratios_are_exact() -> None:
    assert read_epsilon("4*ln(2)").exact == 16
    assert read_epsilon("0.7").exact is None
    assert read_epsilon("0.7").ratio_text == "exp(7/10)"
    assert read_epsilon(1) == Budget(power=Fraction(1))
    assert read_epsilon(Fraction(1, 3)).epsilon_text == "1/3"
    assert read_epsilon(Budget.of_ratio(2)).exact == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("ln(0)", r"ln\(0\) does not exist"),
        ("ln(-1)", r"ln\(-1\) does not exist"),
        ("ln(ln(2))", "not a logarithm"),
        ("ln 3/2", "parentheses"),
        ("ln 2^2", "parentheses"),
        ("ln 2*3", "parentheses"),
        ("1/2 ln 2", "operator is missing"),
        ("ln", "missing after 'ln'"),
        ("ln()", "missing"),
        ("ln -1", "parentheses"),
        ("ln x", "parentheses"),
        ("ln2", "'ln2' has no place"),
        ("log(2)", "write ln"),
        ("exp(1)", "ratio"),
        ("e", "'e' has no place"),
        ("p", "'p' has no place"),
        ("nan", "nan"),
        ("inf", "inf"),
        ("ln(2)*ln(3)", "product of logarithms"),
        ("1/ln(2)", "division by a logarithm"),
        ("ln(2)/0", "division by zero"),
        ("ln(2)^2", "power of a logarithm"),
        ("10^9", "absurdly large"),
        ("-10^9", "absurdly large"),
        ("10^9*ln 2", "absurdly large"),
        ("1e400", "absurdly large"),
        ("ln(2)/10^9", "roots"),
        ("+".join(["ln 2"] * 1000), "characters"),
    ],
)
def test_a_bad_epsilon_is_refused_at_once(text: str, words: str) -> None:
    started = time.perf_counter()
    with pytest.raises(NumberError, match=words):
        read_epsilon(text)
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize("read", [read_epsilon, read_ratio])
def test_a_float_is_refused_with_advice(read: object) -> None:
    with pytest.raises(NumberError, match=r'write it as a string: "0\.5"'):
        read(0.5)  # type: ignore[operator]
    for value in (float("nan"), float("inf"), True, None, [1], {}):
        with pytest.raises(NumberError):
            read(value)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("text", "epsilon"),
    [
        ("2", "ln(2)"),
        ("3/2", "ln(3/2)"),
        ("0.5", "ln(1/2)"),
        ("exp(7/10)", "7/10"),
        ("e^(7/10)", "7/10"),
        ("e", "1"),
        ("2*exp(1/2)", "1/2 + ln(2)"),
        ("1/exp(1/2)", "-1/2"),
        ("exp(1/2)^2", "1"),
        ("exp(0)", "0"),
    ],
)
def test_ratios(text: str, epsilon: str) -> None:
    found = read_ratio(text)
    assert isinstance(found, Budget)
    assert found.epsilon_text == epsilon
    assert found.ratio_text is None or read_ratio(found.ratio_text) == found


@pytest.mark.parametrize("value", ["0", "-1", 0, -3, Fraction(-1, 2), "1-1", "1-exp(1)"])
def test_a_ratio_is_positive(value: object) -> None:
    with pytest.raises(UsageError, match="positive"):
        read_ratio(value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("ln 2", "not a logarithm"),
        ("1/0", "division by zero"),
        ("e+1", "write exp"),
        ("exp(10^9)", "absurd"),
        ("10^9000", "absurdly large"),
        ("-exp(1)", "positive"),
        ("exp(exp(1))", "rational"),
        ("10^(10^9)", "too large"),
    ],
)
def test_a_bad_ratio_is_refused(text: str, words: str) -> None:
    with pytest.raises(NumberError, match=words):
        read_ratio(text)


def test_a_ratio_may_use_parameters() -> None:
    found = read_ratio("1/alpha^2", {"alpha"})
    assert isinstance(found, RationalFunction)
    assert found.parameters == {"alpha"}
    with pytest.raises(NumberError, match="unknown parameter 'beta'"):
        read_ratio("beta", {"alpha"})
    for mixed in ("alpha*exp(1)", "exp(1)*alpha", "alpha + exp(1/2)"):
        found = read_ratio(mixed, {"alpha"})
        assert isinstance(found, RationalFunction)
        assert found.root
    with pytest.raises(NumberError, match="'beta' has no place"):
        read_ratio("beta*exp(1)", {"alpha"})
    for text in ("alpha", "ln(alpha)"):
        with pytest.raises(NumberError, match="ratio instead"):
            read_epsilon(text, {"alpha"})


def test_a_sum_with_powers_of_e_is_a_ratio() -> None:
    found = read_ratio("(exp(1/2) + 1)/2")
    assert isinstance(found, RationalFunction)
    assert read_ratio(str(found)) == found
    assert read_ratio("exp(1/2) + exp(1/2)*2") == read_ratio("3*exp(1/2)")


@given(st.fractions(-5, 5, max_denominator=20), st.fractions(1, 9, max_denominator=6), st.integers(1, 6))
def test_every_budget_reads_back_from_its_text(power: Fraction, base: Fraction, root: int) -> None:
    budget = Budget(power, base, root)
    assert read_epsilon(budget.epsilon_text) == budget
    assert math.isclose(
        math.log(budget.above()), float(power) + math.log(base) / root, rel_tol=1e-9, abs_tol=1e-9
    )


@given(
    st.fractions(Fraction(1, 10), 10, max_denominator=50),
    st.fractions(1, 9, max_denominator=6),
    st.integers(1, 6),
)
def test_comparison_agrees_with_powers(value: Fraction, base: Fraction, root: int) -> None:
    powered = value**root
    assert Budget(base=base, root=root).compare(value) == (powered > base) - (powered < base)
    assert Budget(base=base**root, root=root).compare(base) == 0


def test_a_ratio_may_have_many_digits() -> None:
    long = 10**9000
    ratio = Budget.of_ratio(Fraction(2 * long + 1, long))
    assert ratio.compare(Fraction(2)) < 0 < ratio.compare(Fraction(3))
    with pytest.raises(NumberError, match=r"numbers of up to 1,000,000 bits, got 1,328,772; round it"):
        Budget.of_ratio(Fraction(10**400000 + 1, 10**400000))
    with pytest.raises(NumberError, match="absurdly large"):
        Budget.of_ratio(long)
