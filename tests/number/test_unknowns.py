"""Ranges of parameters and equations between them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from faier.errors import NotYetError, NumberError
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


def test_constraints_that_are_not_linear_are_not_built_yet() -> None:
    with pytest.raises(NotYetError, match="not linear"):
        read_unknowns({"a": "0<a<1", "b": "0<b<1"}, ["a^2 + b^2 == 1"])


def test_a_negative_probability_is_found_with_its_point() -> None:
    unknowns = read_unknowns({"p": "0 < p < 1"})
    assert unknowns.negative_at(parse("1 - 3*p")) == ({"p": Fraction(1, 2)}, Fraction(-1, 2))  # type: ignore[arg-type]
    assert unknowns.negative_at(parse("p*(1-p)")) is None  # type: ignore[arg-type]
