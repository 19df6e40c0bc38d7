"""A horizon of thousands costs time, never a crash; one that no search reaches does not get around the limits."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from math import inf

import judge
import pytest
from chains import SIX, flipping
from hypothesis import given
from judge import examples

import faier
import strategies
from faier.comparison import Comparison
from faier.engine import words, words_are_few
from faier.engine.progress import Limits, Stopped
from faier.engine.tree import dive as dive_module
from faier.engine.tree import levels
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Scenario

FAR = 10**9


def claimed(ratio: int, horizon: int) -> Scenario:
    return replace(flipping(SIX), claim=Claim(Budget.of_ratio(ratio), horizon))


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


@pytest.mark.parametrize("horizon", [3000, FAR])
def test_a_claim_that_holds_early_is_decided_however_far_the_horizon(horizon):
    started = time.perf_counter()
    assert isinstance(faier.verify(claimed(7, horizon)), faier.Holds)
    assert time.perf_counter() - started < 20


def test_a_violating_word_too_long_to_write_is_unknown_in_time():
    started = time.perf_counter()
    verdict = faier.verify(claimed(5, FAR), timeout=5)
    assert isinstance(verdict, faier.Unknown)
    assert "time limit" in verdict.reason
    assert 5 < verdict.bounds.lower < 6 <= verdict.bounds.upper
    assert time.perf_counter() - started < 24


def test_the_tight_ratio_at_a_horizon_too_far_ends_in_time():
    started = time.perf_counter()
    tight = faier.epsilon(claimed(5, FAR), timeout=5)
    assert not tight.complete
    assert tight.ratio.lower < 6 <= tight.ratio.upper
    assert time.perf_counter() - started < 20


def test_a_word_known_from_the_start_is_the_witness_where_a_worse_prefix_is_too_far(monkeypatch):
    """The look ahead knows a long word; the prefix that is worse cannot be followed to the horizon in time."""

    def no_time(*_):
        raise Stopped("the time limit of 1 s was reached")

    scenario = claimed(2, 40)
    comparison = Comparison(scenario)
    known, value = dive_module.dive(comparison, Limits())
    assert value > 2
    monkeypatch.setattr(levels, "dive", lambda *_, **__: (known, Fraction(value)))
    monkeypatch.setattr(levels, "extend", no_time)
    outcome = levels.decide(comparison, scenario.claim.budget, Limits())
    assert (outcome.found, outcome.lower) == (known, value)


@pytest.mark.parametrize("seconds", [None, 0.0, 0.005])
def test_short_horizons_taken_for_far_ones_are_decided_alike(monkeypatch, seconds):
    """The look ahead ends at once, and no prefix is followed to the horizon but within the limits."""
    monkeypatch.setattr(dive_module, "_DEEPEST", 1)
    monkeypatch.setattr(dive_module, "_PATIENCE", 0)
    monkeypatch.setattr(words, "_QUICK_BITS", -1)

    @examples(60)
    @given(scenario=strategies.scenarios(horizons=(2, 3, 4)))
    def sound(scenario):
        truth, budget = judge.tight(scenario), scenario.claim.budget
        comparison = Comparison(scenario)
        decided = levels.decide(comparison, budget, Limits(seconds))
        tight = levels.tight_at(comparison, Limits(seconds))
        for outcome in (decided, tight):
            assert outcome.lower <= truth <= outcome.upper
            if outcome.found is not None:
                assert judge.reading_of(comparison, outcome.found).ratio == outcome.lower
        if seconds is None:
            allowed = truth != inf and budget.compare(truth) <= 0
            assert (decided.trace is not None) == allowed
            assert tight.lower == tight.upper == truth

    sound()
