"""Sums of products that are read at once: the same as token by token, and nothing else is read so."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faier_check import expression as reading
from faier_check.errors import CertificateError
from faier_check.expression import ExpressionError, expression
from faier_check.flat import flat
from faier_check.limits import Meter
from faier_check.polynomial import Ring
from faier_check.quotient import same
from faier_check.scope import Scope
from strategies import quick

NAMES = ("p", "p1", "_x", "räte")


def scope() -> Scope:
    return Scope(Ring(len(NAMES) + 1, Meter()), NAMES, 1)


FACTORS = st.one_of(
    st.integers(0, 10**30).map(str),
    st.sampled_from(NAMES),
    st.tuples(st.sampled_from(NAMES), st.integers(0, 12)).map(lambda f: f"{f[0]}^{f[1]}"),
)
TERMS = st.lists(FACTORS, min_size=1, max_size=4).map("*".join)
SIGNS = st.sampled_from(["+", "-", " + ", " - ", "+ ", " -"])
SUMS = st.tuples(st.sampled_from(["", "-"]), TERMS, st.lists(st.tuples(SIGNS, TERMS), max_size=5)).map(
    lambda s: s[0] + s[1] + "".join(sign + term for sign, term in s[2])
)


def token_by_token(text: str, monkeypatch: pytest.MonkeyPatch) -> object:
    with monkeypatch.context() as patch:
        patch.setattr(reading, "flat", lambda text, scope: None)
        return expression(text, scope())


@quick
@given(SUMS, SUMS)
def test_the_same_as_token_by_token(one: str, two: str) -> None:
    assert flat(one, scope()) is not None
    with pytest.MonkeyPatch.context() as monkeypatch:
        for text in (one, f"({one})", f"({one})*({two})", f"p/({one} + 7 + p^20) - 2*({two})^2"):
            try:
                slow = token_by_token(text, monkeypatch)
            except (ExpressionError, ZeroDivisionError) as error:
                with pytest.raises(type(error)):
                    expression(text, scope())
                continue
            quick_one = expression(text, scope())
            assert isinstance(slow, Fraction) == isinstance(quick_one, Fraction)
            assert same(slow, quick_one)


@pytest.mark.parametrize(
    "text",
    [
        "", " p", "p ", "+p", "--p", "p--p", "p+-p", "2p", "p p", "2 3", "p^p", "p^-1", "p^(1)", "p^2^3", "p/2",
        "1.5*p", "1e5", "exp", "q", "e", "p^12345", "p^100000", "p*", "*p", "p**2", "p+", "(p)", "p^10000*p^10000",
        "p1_", "p\n+p", "9" * 700,
    ],
)  # fmt: skip
def test_anything_else_is_left_to_the_tokens(text: str) -> None:
    assert flat(text, scope()) is None


def test_mistakes_in_a_bracket_are_still_mistakes() -> None:
    for text in ("(2 3)*p", "(q)*p", "(p+)*p", "()*p", "(p^12345)*p", "p*(p", "p*(2)3", "(p))"):
        with pytest.raises(ExpressionError):
            expression(text, scope())
    with pytest.raises((ExpressionError, CertificateError), match="degree"):
        expression("(p^10000*p^10000)*p", scope())


def test_exponents_do_not_run_over_into_the_next_parameter() -> None:
    # p^16383 is the largest power that is read at once; p^65536 would be p1.
    with pytest.raises((ExpressionError, CertificateError), match="degree"):
        expression("*".join(["p^8192"] * 8), scope())
    assert flat("p^8191*p^8192", scope()) == {16383: 1}
    assert flat("p^8192*p^8192", scope()) is None
