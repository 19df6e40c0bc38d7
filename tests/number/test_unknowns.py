"""Ranges of parameters and equations between them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from faier.errors import NumberError
from faier.number.expression import parse
from faier.number.unknowns import Range, read_range, read_unknowns


def test_ranges_have_open_and_closed_rational_ends() -> None:
    assert read_range("p", "0 < p < 1") == Range(Fraction(0), Fraction(1), True, True)
    assert read_range("p", "-1/2<=p<=0.25") == Range(Fraction(-1, 2), Fraction(1, 4), False, False)
    assert read_range("p", "1 >= p > 0") == Range(Fraction(0), Fraction(1), True, False)
    assert read_range("p", "1/2 <= p <= 1/2").lower == Fraction(1, 2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 < p < 0", "empty"),
        ("0 < p < 0", "empty"),
        ("0 <= p < 0", "empty"),
        ("0 < q < 1", "write the range"),
        ("p > 0", "write the range"),
        ("0 < p > 1", "write the range"),
        ("", "write the range"),
        ("0 < p < 1 < 2", "write the range"),
        ("0 < p < q", "unknown parameter"),
        ("0 < p < 1/0", "division"),
        ("0 < p < ", "empty"),
        ("0 == p == 1", "write the range"),
        (3, "string"),
        (["0", "1"], "string"),
    ],
)
def test_bad_ranges(text: object, words: str) -> None:
    with pytest.raises(NumberError, match=words):
        read_range("p", text)


@pytest.mark.parametrize("name", ["e", "exp", "ln", "1p", "", "a b", "p-q"])
def test_bad_names(name: str) -> None:
    with pytest.raises(NumberError, match="cannot be the name"):
        read_range(name, f"0 < {name} < 1")


def test_equations_are_used_to_simplify() -> None:
    ranges = {name: f"0 < {name} < 1" for name in ("a", "b", "c")}
    unknowns = read_unknowns(ranges, ["a + b + c == 1", "2*b == c"])
    assert unknowns.simplify(parse("a + b + c")) == 1
    assert unknowns.simplify(parse("a + 3*b")) == 1
    assert unknowns.simplify(parse("a + b")) != 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a + b", "write a constraint"),
        ("a = b", "write a constraint"),
        ("a == b == 1", "write a constraint"),
        ("1 == 2", "can never hold"),
        ("a - a < 0", "can never hold"),
        ("a == z", "unknown parameter"),
        (1, "string"),
    ],
)
def test_bad_constraints(text: object, words: str) -> None:
    with pytest.raises(NumberError, match=words):
        read_unknowns({"a": "0<a<1", "b": "0<b<1"}, [text])


def test_a_constant_among_the_parameters_is_replaced() -> None:
    unknowns = read_unknowns({"p": "0 < p < 1", "half": "1/2", "x": "exp(-1/2)"})
    assert unknowns.simplify(parse("half*p")) == parse("p/2")
    assert str(unknowns.simplify(parse("x*p"))) == "p/exp(1/2)"
    assert list(unknowns.variables) == ["p"]
    assert unknowns.names == {"p", "half", "x"}


def test_three_parameters_that_sum_to_one_become_shares() -> None:
    unknowns = read_unknowns({n: f"0 < {n} < 1" for n in "abc"}, ["a + b + c == 1"])
    assert list(unknowns.variables) == ["a", "b"]
    assert unknowns.cuts == ()
    half = Fraction(1, 2)
    assert unknowns.originals({"a": half, "b": half}) == {"a": half, "b": half / 2, "c": half / 2}


def test_shares_keep_closed_ends() -> None:
    texts = {"a": "0 <= a <= 1", "b": "0 < b <= 1", "c": "0 <= c <= 1"}
    shares = read_unknowns(texts, ["a + b + c == 1"]).variables
    assert shares["a"] == Range(Fraction(0), Fraction(1), False, True)
    assert shares["b"] == Range(Fraction(0), Fraction(1), True, False)


def test_a_share_of_everything_is_cut_off_where_its_range_says_so() -> None:
    texts = {"a": "0 <= a <= 1", "b": "0 <= b < 1", "c": "0 <= c <= 1"}
    (cut,) = read_unknowns(texts, ["a + b + c == 1"]).cuts
    assert cut.relation == ">"
    assert cut.function == parse("1 - b*(1 - a)")


def test_two_parameters_are_solved_and_their_ranges_narrowed() -> None:
    unknowns = read_unknowns({"p": "0 < p < 1", "q": "1/4 <= q < 1"}, ["p + q == 1"])
    assert unknowns.solved == {"q": parse("1 - p")}
    assert unknowns.variables == {"p": Range(Fraction(0), Fraction(3, 4), True, False)}
    assert unknowns.cuts == ()


def test_bounds_narrow_a_range_and_other_inequalities_cut() -> None:
    unknowns = read_unknowns({"p": "0 <= p <= 1", "q": "0 < q < 1"}, ["2*p < 1", "p >= 0", "p*q <= 1/3"])
    assert unknowns.variables["p"] == Range(Fraction(0), Fraction(1, 2), False, True)
    (cut,) = unknowns.cuts
    assert (cut.function, cut.relation) == (parse("1 - 3*p*q"), ">=")


def test_an_equation_that_is_not_linear_cuts() -> None:
    (cut,) = read_unknowns({"a": "0<a<1", "b": "0<b<1"}, ["a^2 + b^2 == 1"]).cuts
    assert cut.relation == "=="


def test_a_constraint_that_leaves_nothing_is_refused() -> None:
    with pytest.raises(NumberError, match="no value of p is left"):
        read_unknowns({"p": "0 < p < 1"}, ["p >= 1"])
