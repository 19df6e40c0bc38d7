"""Proofs that a polynomial is nowhere negative, and points where it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faier.number.domain import Domain, evaluate
from faier.number.expression import parse
from faier.number.positivity import Answer, Negative, Sign, Undecided, prove
from faier.number.touching import exact_zero
from faier.number.unknowns import read_unknowns
from strategies import quick

UNIT = {"p": "0 < p < 1", "q": "0 <= q <= 1"}
THREE = {**UNIT, "r": "0 <= r < 1"}


def ask(text: str, ranges: Mapping[str, str] = UNIT, constraints: Sequence[str] = ()) -> tuple[Domain, Answer]:
    unknowns = read_unknowns(ranges, constraints)
    value = parse(text, unknowns.names)
    domain = Domain(unknowns, [value])
    return domain, prove(domain, domain.lift(value)[0])


def rules(sign: Sign) -> set[str]:
    return {sign.rule}.union(*map(rules, sign.children))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("p*(1-p)", "coefficients"),
        ("(p-q)^2", "squares"),
        ("(p^2-1/2)^2*(1+q)", "squares"),
        ("(p-1/2)^2 + (q-1/3)^2", "face"),
        ("(p-1/2)^2 - (p-1/2)*(q-1/3) + (q-1/3)^2", "parabola"),
        ("(p^2-1/2)^2 + q*(1+p)", "face"),
        ("p*(p^2-1/2)^2 + (p+q)*q*(1-q)*(3-p)", "face"),
        ("(p-q)^2 + p*q*(1-p)", "parabola"),
        ("(p^2-1/2)^2 + (q-1/3)^2", "parabola"),
        ("(q - 1/2 + (p^2-1/2))^2 + (p^2-1/2)^2*(1+p)", "parabola"),
        ("(p^2-1/2)^4 + (p^2-1/2)^2*(q^2-1/3) + (q^2-1/3)^2", "parabola"),
        ("p^3 + q^3 + r^3 - 3*p*q*r", "product"),
        ("(p-1/3)^2 + (q-1/2)^2 + 1/10^9", "split"),
        ("p*exp(1/2) - p*exp(1/3)", "coefficients"),
        ("exp(1)*p - 2*p", "coefficients"),
    ],
)
def test_what_touches_zero_is_proved(text: str, rule: str) -> None:
    _, answer = ask(text, THREE if "r" in text else UNIT)
    assert isinstance(answer, Sign)
    assert rule in rules(answer)
    assert "solver" not in rules(answer)


@pytest.mark.parametrize(
    "text",
    [
        "(p-1/2)^2 + (q-1/3)^2 - 1/10^5",
        "q*(p-q)",
        "(p^2-1/2)^2 - 1/10^6",
        "p*exp(1/2) - p*exp(1/3) - 1/10",
        "exp(1/2) - 16487213/10^7",
        "(p-1/2)^2*(q-1/10)",
        "-p*q",
    ],
)
def test_what_is_negative_somewhere_is_found(text: str) -> None:
    domain, answer = ask(text)
    assert isinstance(answer, Negative)
    assert domain.holds(answer.point)
    assert domain.sign_at(domain.lift(parse(text))[0], answer.point) < 0


def test_an_excluded_face_is_left_to_the_inside() -> None:
    _, answer = ask("p - 1/10", {"p": "0 < p < 1"})
    assert isinstance(answer, Negative)
    assert 0 < answer.point[0] < Fraction(1, 10)
    assert isinstance(ask("p - 1/10", {"p": "1/10 <= p < 1"})[1], Sign)


def test_cuts_leave_out_what_breaks() -> None:
    _, answer = ask("p - q + 1/100", UNIT, ["q^2 <= p^2"])
    assert isinstance(answer, Sign)
    assert "outside" in rules(answer)
    assert isinstance(ask("p - q - 1/100", UNIT, ["q^2 <= p^2"])[1], Negative)


@pytest.mark.parametrize(
    ("text", "constraint"),
    [
        ("1/4 - p*q", "p*q <= 1/4"),
        ("(1/4 - p*q)*(1+p)", "p*q < 1/4"),
        ("1/4 - p*q + 1/10^7", "p*q < 1/4"),
        ("1/2 - p*q", "p^2 + q^2 <= 1"),
        ("1/4 - p*q", "p + q <= 1"),
        ("(1-p-q)*(1+p) + 1/10^7", "p + q <= 1"),
        ("1/2 - p*q", "p^2 + q^2 == 1"),
    ],
)
def test_what_touches_zero_along_a_cut_is_proved(text: str, constraint: str) -> None:
    _, answer = ask(text, UNIT, [constraint])
    assert isinstance(answer, Sign)
    assert "given" in rules(answer)
    assert isinstance(ask(f"{text} - 1/1000", UNIT, [constraint])[1], Negative | Undecided)


def test_a_multiple_of_a_cut_is_taken_away_only_where_that_makes_less() -> None:
    _, answer = ask("p*q - 1/4", UNIT, ["p*q <= 1/4"])
    assert isinstance(answer, Negative)


def test_factors_with_large_coefficients_are_found() -> None:
    """python-flint 0.9 raises OverflowError where it compares such factors."""
    big = 2**70 + 1
    text = f"({big}*p + 1)*({big}*(p-q)^2 + q^2*(1-p) + p*({big}*(p-q)^2))"
    assert isinstance(ask(text)[1], Sign)
    assert isinstance(ask(f"(p*{big}-1)*(p*{big + 4}+q)*(p+{big}*q-1)")[1], Negative)


def test_what_halving_cannot_decide_is_undecided() -> None:
    _, answer = ask("(p^2+q^2-1/2)^2 + (p-2*q)^2")
    assert isinstance(answer, Undecided)
    assert answer.boxes


def test_a_limit_stops_it() -> None:
    unknowns = read_unknowns(UNIT)
    value = parse("(p-1/3)^2 + (q-1/2)^2 + 1/10^9")
    domain = Domain(unknowns, [value])
    answer = prove(domain, domain.lift(value)[0], stop=lambda: True)
    assert isinstance(answer, Undecided)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Sums of small products, often touching 0 on purpose."""
    linear = st.sampled_from(["p", "q", "(1-p)", "(1-q)", "(p-1/2)", "(q-1/3)", "(p-q)", "(p+q-1)", "(2*p-q)"])
    terms = []
    for _ in range(draw(st.integers(1, 3))):
        factors = draw(st.lists(linear, min_size=1, max_size=2))
        even = draw(st.booleans())
        terms.append("*".join(f"{f}^2" if even else f for f in factors))
    shift = draw(st.sampled_from(["", " + 1/1000", " - 1/1000", " + 1/3"]))
    return draw(st.sampled_from(["", "-1*"])) + " + ".join(terms) + shift


@quick
@given(texts())
def test_answers_are_true_on_a_grid(text: str) -> None:
    domain, answer = ask(text)
    polynomial = domain.lift(parse(text))[0]
    values = [evaluate(polynomial, (Fraction(i, 12), Fraction(j, 12))) for i, j in product(range(1, 12), range(13))]
    if isinstance(answer, Sign):
        assert min(values) >= 0  # type: ignore[type-var]
    elif isinstance(answer, Negative):
        assert evaluate(polynomial, answer.point) < 0  # type: ignore[operator]
        assert domain.holds(answer.point)


def test_a_zero_is_found_where_coefficients_are_too_large_for_floats() -> None:
    p, q = Domain(read_unknowns(UNIT)).context.gens()
    whole = ((Fraction(0), Fraction(1)), (Fraction(0), Fraction(1)))
    near = ((Fraction(21, 64), Fraction(22, 64)), (Fraction(12, 64), Fraction(13, 64)))
    polynomial = 10**400 * (3 * p - 1) ** 2 + 10**400 * (5 * q - 1) ** 2
    assert exact_zero(polynomial, near, whole) == (Fraction(1, 3), Fraction(1, 5))
