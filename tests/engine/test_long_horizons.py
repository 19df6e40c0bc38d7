"""A horizon of thousands costs time, never a crash."""

from __future__ import annotations

import pytest

import faier
from faier.comparison import Comparison
from faier.engine import words_are_few


@pytest.mark.parametrize("possible", ["either", "both"])
def test_one_symbol_and_a_thousand_observations(possible):
    model = faier.HMM(emit={"x": {"a": 1}, "y": {"a": 1}}, step={"x": {"x": 1}, "y": {"y": 1}})
    scenario = faier.Scenario.of(model, [("x", "y")], horizon=1500, possible=possible)
    assert not words_are_few(Comparison(scenario))
    assert faier.epsilon(scenario).ratio.upper == 1


def test_what_is_left_out_at_an_endless_horizon_is_told_at_once():
    model = faier.HMM(emit={"x": {"a": 1}, "y": {"b": 1}}, step={"x": {"x": 1}, "y": {"y": 1}})
    scenario = faier.Scenario.of(model, [("x", "y")], ratio=2, horizon=10**12, possible="both")
    verdict = faier.verify(scenario)
    assert isinstance(verdict, faier.Holds)
    assert verdict.left_out[0].nothing_counts
