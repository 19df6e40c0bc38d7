"""Sums of products that are read at once: the same as token by token, mistakes included."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faier.errors import NumberError
from faier.number.expression import _read, parse
from faier.number.flat import flat, is_flat
from strategies import quick

NAMES = ("p", "p1", "_x", "räte")
FACTORS = st.one_of(
    st.integers(0, 10**30).map(str),
    st.sampled_from(NAMES),
    st.tuples(st.sampled_from(NAMES), st.integers(0, 12)).map(lambda f: f"{f[0]}^{f[1]}"),
)
TERMS = st.lists(FACTORS, min_size=1, max_size=4).map("*".join)
SIGNS = st.sampled_from(["+", "-", " + ", " - ", "+ ", " -"])
SUMS = st.tuples(
    st.sampled_from(["", "-"]), TERMS, st.lists(st.tuples(SIGNS, TERMS), min_size=1, max_size=5)
).map(lambda s: s[0] + s[1] + "".join(sign + term for sign, term in s[2]))


def answer(text: str, *, at_once: bool, known: frozenset[str] | None = frozenset(NAMES)) -> object:
    try:
        return _read(text, known, at_once=at_once)
    except NumberError as error:
        return str(error)


@quick
@given(SUMS, SUMS)
def test_the_same_as_token_by_token(one: str, two: str) -> None:
    assert flat(one, frozenset(NAMES)) == answer(one, at_once=False)
    for text in (
        f"({one})",
        f"({one})*({two})",
        f"-({one})^2 - 3/({two} + 7*p^20)",
        f"2*({one}) / 7 + ({two})",
        f"(({one}) + 1)/({two})",
    ):
        assert answer(text, at_once=True) == answer(text, at_once=False)


@pytest.mark.parametrize(
    "text",
    [
        "(1 + 2)",
        "p^(1 + 2)",
        "p^(1 - 3)",
        "p^(q + 1)",
        "p^(p + 1)",
        "(p + 1)^2^(1 + 1)",
        "2(p + 1)",
        "(p + 1)(p - 1)",
        "p(p + 1)",
        "exp(1 + 1)",
        "exp(p + 1)",
        "ln(1 + 1)",
        "log(1 + 1)",
        "(p + nan)",
        "(p + e)",
        "(p + exp)",
        "(q + p)*2",
        "(p^100 + 1)*2",
        "(p^99999 + 1)*2",
        "((p + 1)",
        "(p + 1))",
        "(p + 1) )",
        "(p + 1)*",
        "(p - p)",
        "1/(p - p)",
        "(p + 1)/(p + 1)",
        "(1 + 1)/(1 + 1)",
        "p + 1 + 2 + 3 + 4 + 5 + 6 + 7 + q",
        "p^99*p^99*p^99 + 1 + 1 + 1 + 1",
        "(p + 1,5)",
        "(p + 1.5)*2",
        "(p + 1e3)*2",
        "(  p + 1 )",
        "()",
        " ( p + 1 ) * ( p - 1 ) ",
        "(p + 1)\n*\n(p - 1)",
        "-(-p + 1)",
        "+(p + 1)",
        "*(p + 1)",
        "(p + 1)**2",
        "(p + " + "9" * 400 + ")*2",
    ],
)
@pytest.mark.parametrize("known", [frozenset(NAMES), frozenset(), None])
def test_the_same_mistakes(text: str, known: frozenset[str] | None) -> None:
    assert answer(text, at_once=True, known=known) == answer(text, at_once=False, known=known)


def test_long_texts_are_refused_as_ever() -> None:
    with pytest.raises(NumberError, match="the most accepted is 100000"):
        parse(" + ".join(["p^2*q"] * 20_000))
    with pytest.raises(NumberError, match="the most accepted is 100000"):
        parse(f"({' + '.join(['p^2*q'] * 20_000)})*2")


def test_what_is_read_at_once() -> None:
    assert is_flat("-2*p*p1^2 + 3*_x - 17 + räte")
    assert not is_flat("p + 1")
    for text in (
        "2*p*(p1^2 + 3)*_x - 17 + räte",
        "1/2*p*p1^2 + 3*_x - 17 + räte",
        "2*p*p1^2 + 3*_x - 17 + räte ",
        "p*p1^2 ++ 3*_x - 17 + p",
    ):
        assert not is_flat(text)
