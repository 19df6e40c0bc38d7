"""Words that one side cannot produce at some values, where these are left out: `possible = "both"`."""

from __future__ import annotations

import json
from fractions import Fraction as F
from math import inf

import faier
import faier_check
from faier.certificate import certify
from faier.model.toml_write import dumps


def asked(ranges: dict[str, str], rare: str) -> faier.Scenario:
    """The word a is all but impossible on the right; b is on the left alone, c on the right."""
    model = faier.HMM(
        emit={"x": {"a": "p", "b": "1 - p"}, "y": {"a": rare, "c": f"1 - {rare}"}},
        parameters={"p": "0 < p < 1", **ranges},
    )
    return faier.Scenario.of(model, [("x", "y")], horizon=1, ratio=100, possible="both")


def accepted(result: faier.Verdict | faier.Tight) -> None:
    faier_check.check(json.dumps(certify(result)).encode(), dumps(result.scenario).encode())


def test_values_near_those_at_which_a_word_does_not_count_break_the_claim() -> None:
    verdict = faier.verify(asked({}, "(p - 1/2)^2"))
    assert isinstance(verdict, faier.Violated)
    assert verdict.witness.right_probability > 0
    accepted(verdict)


def test_a_ratio_grows_without_bound_near_values_inside_a_range() -> None:
    found = faier.epsilon(asked({}, "(p - 1/2)^2"))
    assert found.ratio.upper == inf
    assert found.limit is not None
    assert [(name, value) for name, value, how in found.limit.approach if how != "at"] == [("p", F(1, 2))]
    accepted(found)


def test_a_word_that_is_impossible_at_the_only_value_is_no_reason_for_an_infinite_ratio() -> None:
    """q has one value, at which no word counts at all."""
    found = faier.epsilon(asked({"q": "1/2 <= q <= 1/2"}, "(q - 1/2)^2"))
    assert not found.complete
    assert found.ratio.lower == 0
    assert found.witness is None
