"""Quotients of polynomials: a field, in canonical form, that reads back what it writes."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faier.errors import NumberError
from faier.number.exact import Prob
from faier.number.expression import parse
from faier.number.rational_function import RationalFunction

P, Q = RationalFunction.parameter("p"), RationalFunction.parameter("q")
POINT = {"p": Fraction(2, 7), "q": Fraction(-5, 3), "té_1": Fraction(11, 13)}


def functions() -> st.SearchStrategy[Prob]:
    leaves: st.SearchStrategy[Prob] = st.sampled_from([P, Q, RationalFunction.parameter("té_1")])
    leaves = leaves | st.fractions(-3, 3, max_denominator=5)

    def grow(inner: st.SearchStrategy[Prob]) -> st.SearchStrategy[Prob]:
        def combine(a: Prob, b: Prob, sign: str) -> Prob:
            match sign:
                case "+":
                    return a + b
                case "-":
                    return a - b
                case "*":
                    return a * b
                case _:
                    return a / b if b != 0 else a

        return st.builds(combine, inner, inner, st.sampled_from("+-*/"))

    return st.recursive(leaves, grow, max_leaves=6)


def at(value: Prob) -> Fraction:
    return value if isinstance(value, Fraction) else value.evaluate(POINT)


@given(functions(), functions(), functions())
def test_arithmetic_is_a_field(a: Prob, b: Prob, c: Prob) -> None:
    assert a + b == b + a
    assert a * b == b * a
    assert (a + b) * c == a * c + b * c
    assert a - b == -(b - a)
    assert a - a == 0
    assert isinstance(a - a, Fraction)
    if b != 0:
        assert a / b * b == a
        assert b / b == 1


@given(functions(), functions())
def test_evaluation_commutes_with_arithmetic(a: Prob, b: Prob) -> None:
    try:
        x, y, total, product = at(a), at(b), at(a + b), at(a * b)
    except NumberError:
        return
    assert total == x + y
    assert product == x * y


@given(functions(), functions())
def test_equal_functions_are_equal_values(a: Prob, b: Prob) -> None:
    if b == 0:
        return
    again = (a * b) / b
    assert again == a
    assert hash(again) == hash(a)
    assert str(again) == str(a)


@given(functions())
def test_text_pickle_and_copy_give_the_same_function(a: Prob) -> None:
    assert parse(str(a)) == a
    assert pickle.loads(pickle.dumps(a)) == a
    assert copy.deepcopy(a) == a


@given(functions())
def test_numerator_and_denominator_give_the_function_back(a: Prob) -> None:
    if isinstance(a, RationalFunction):
        order = ["x", *sorted(a.parameters, reverse=True)]
        assert RationalFunction.make(order, a.numerator(order), a.denominator(order)) == a


def test_results_without_parameters_are_fractions() -> None:
    total = (1 - P) ** 2 + 2 * P * (1 - P) + P**2
    assert total == 1
    assert type(total) is Fraction
    assert sum([P, 1 - P], Fraction(0)) == 1
    assert type(P / P) is Fraction
    assert type(P**0) is Fraction


def test_numbers_mix_from_both_sides() -> None:
    half = Fraction(1, 2)
    assert str(half * P) == str(P * half) == "p/2"
    assert half - P == -(P - half)
    assert 1 / (2 / P) == P / 2
    assert P**-2 == 1 / P**2
    assert 3 + P == P + 3
    assert P != 1
    assert P != "p"


def test_parameters_that_cancel_do_not_occur() -> None:
    value = P * Q / Q
    assert isinstance(value, RationalFunction)
    assert value.parameters == {"p"}
    assert value == P


def test_numerator_follows_the_order_of_parameters_asked_for() -> None:
    value = (P + 2 * Q) / 3
    assert isinstance(value, RationalFunction)
    assert value.numerator(["q", "z", "p"]) == {(0, 0, 1): 1, (1, 0, 0): 2}
    assert value.denominator() == {(0, 0): 3}
    with pytest.raises(NumberError, match="also uses q"):
        value.numerator(["p"])


def test_poles_and_missing_values_are_clear() -> None:
    value = 1 / (P - Q)
    assert isinstance(value, RationalFunction)
    with pytest.raises(NumberError, match="divides by zero"):
        value.evaluate({"p": Fraction(1), "q": Fraction(1)})
    with pytest.raises(NumberError, match="no value for q"):
        value.evaluate({"p": Fraction(1)})
    with pytest.raises(ZeroDivisionError):
        P / (Q - Q)


def test_substitution() -> None:
    assert (P + Q).substitute({"q": 1 - P}) == 1  # type: ignore[union-attr]


def test_values_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        P.names = ("q",)
    with pytest.raises(TypeError):
        RationalFunction()


def test_growth_is_capped_instead_of_filling_the_memory() -> None:
    with pytest.raises(NumberError, match="terms"):
        (1 + P + Q) ** 400
    with pytest.raises(NumberError, match="degree"):
        P**100_000
    with pytest.raises(NumberError, match="bits"):
        (1000 * P) ** 9_999 * 1000**9_999
    assert (P**10_000).parameters == {"p"}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "order", [("p", "q"), ("q", "p"), ("p", "q", "r"), ("q", "r", "p"), ("r", "q", "p"), ("p", "exp(1/2)", "q")]
)
def test_polynomials_over_an_order_are_those_that_numerator_and_denominator_say(order: tuple[str, ...]) -> None:
    function = parse("(3*p*q^2 - p^3 + 7*q)/(p^2 - 5*q + 1)")
    assert isinstance(function, RationalFunction)
    top, bottom = ({tuple(map(int, e)): int(c) for e, c in f.to_dict().items()} for f in function.over(order))
    assert top == function.numerator(order)
    assert bottom == function.denominator(order)


def test_polynomials_with_a_power_of_e_stand_in_the_order_asked_for() -> None:
    function = parse("1 - exp(-1/2)*p^2")
    assert isinstance(function, RationalFunction)
    for order in (("p", "exp(1/2)"), ("exp(1/2)", "p"), ("q", "p", "exp(1/2)")):
        top, _ = function.over(order)
        assert {tuple(map(int, e)): int(c) for e, c in top.to_dict().items()} == function.numerator(order)
