"""Denominators that are positive on every piece of a range, while their common multiple is not."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction as F

import pytest

import faier
import faier_check
from faier.certificate import certify
from faier.model.toml_write import dumps
from faier.number.domain import Domain
from faier.number.signs import made_positive, sign_on_hull
from faier.number.unknowns import read_unknowns


def two_pieces(left: str, right: str, ratio: str = "3/2") -> faier.Scenario:
    """p is at most 1/4 or at least 3/4; (p - 2/5)(p - 1/2) and (p - 1/2)(p - 3/5) are positive there.

    Their least common multiple is negative on one of the pieces. Only the word a is possible on both sides.
    """
    one, two = "1/100/((p - 2/5)*(p - 1/2))", "1/100/((p - 1/2)*(p - 3/5))"
    model = faier.HMM(
        emit={"x": {"a": one, "b": f"1 - {one}"}, "y": {"a": two, "c": f"1 - {two}"}},
        parameters={"p": "0 < p < 1"},
        constraints=["(p - 1/2)^2 >= 1/16"],
    )
    return one_way(model, left, right, ratio)


def one_way(model: faier.HMM, left: str, right: str, ratio: str) -> faier.Scenario:
    asked = faier.Scenario.of(model, [(left, right)], horizon=1, ratio=ratio, possible="both")
    return replace(asked, pairs=(replace(asked.pairs[0], one_way=True),))


def accepted(result: faier.Verdict | faier.Tight) -> None:
    faier_check.check(json.dumps(certify(result)).encode(), dumps(result.scenario).encode())


@pytest.mark.parametrize(("left", "right", "p"), [("x", "y", F(1, 4)), ("y", "x", F(3, 4))])
def test_a_claim_broken_on_one_of_two_pieces_is_violated(left: str, right: str, p: F) -> None:
    verdict = faier.verify(two_pieces(left, right))
    assert isinstance(verdict, faier.Violated)
    assert verdict.witness.parameters == {"p": p}
    assert verdict.witness.ratio == F(7, 3)
    accepted(verdict)


@pytest.mark.parametrize(("left", "right"), [("x", "y"), ("y", "x")])
def test_a_claim_that_holds_on_both_pieces_is_proved(left: str, right: str) -> None:
    verdict = faier.verify(two_pieces(left, right, "12/5"))
    assert isinstance(verdict, faier.Holds)
    accepted(verdict)


def test_nothing_is_proved_at_an_irrational_value_where_the_claim_is_broken() -> None:
    """p = 1/sqrt(2): no rational value tells the sign of 2 - p, and the ratio of a is 3.87."""
    model = faier.HMM(
        emit={"x": {"a": "1/(2*(2 - p))", "b": "1 - 1/(2*(2 - p))"}, "y": {"a": "1/10", "c": "9/10"}},
        parameters={"p": "0 < p < 1"},
        constraints=["p^2 == 1/2"],
    )
    asked = one_way(model, "x", "y", "3/2")
    assert isinstance(faier.verify(asked), faier.Unknown)
    assert isinstance(faier.verify(asked, ratio="39/10"), faier.Holds)
    assert faier.epsilon(asked).ratio.upper > F(387, 100)


def test_a_polynomial_of_unknown_sign_is_made_positive_by_squaring() -> None:
    domain = Domain(read_unknowns({"p": "0 < p < 1", "q": "0 < q < 1"}))
    p, q = domain.context.gens()
    assert made_positive(domain, p - 2) == 2 - p
    assert made_positive(domain, p * q - p) == p - p * q
    assert made_positive(domain, p - q) == (p - q) ** 2
    # Coefficients do not tell on the whole hull, but on pieces of it.
    assert sign_on_hull(domain, 9 * p * p - 9 * p + 3) == 1
