"""The definition itself: against hand-counted words, and against the tests' other brute force."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
import strategies
from faier.definition import counted_words, forward, tight_by_definition
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.scenario.scenario import Claim, Pair, Scenario

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def short_runs(possible: str = "either") -> Scenario:
    """x shows a and then ends or goes on with y; y shows b and ends; z shows a or b and ends."""
    model = HMM(
        emit={"x": {"a": Fraction(1)}, "y": {"b": Fraction(1)}, "z": {"a": THIRD, "b": 1 - THIRD}},
        step={"x": {"y": HALF, "z": HALF}},
    )
    pair = Pair(Belief.at("x"), Belief.at("z"), one_way=True)
    return Scenario(model, (pair,), Claim(horizon=2, possible=possible))


def test_words_by_hand():
    words = {word: (ended, left, right) for _, _, word, ended, left, right in counted_words(short_runs(), 2)}
    assert words == {
        ("a",): (True, 0, THIRD),
        ("b",): (True, 0, 1 - THIRD),
        ("a", "a"): (False, HALF * THIRD, 0),
        ("a", "b"): (False, HALF + HALF * (1 - THIRD), 0),
    }
    assert tight_by_definition(short_runs(), 2) == inf


def test_under_both_only_words_of_both_sides_count():
    assert list(counted_words(short_runs("both"), 2)) == []
    assert tight_by_definition(short_runs("both"), 2) == 0
    assert tight_by_definition(short_runs("both"), 1) == 3


def test_readings_of_one_symbol_by_hand():
    assert [w[2:] for w in counted_words(short_runs(), 1)] == [
        (("a",), False, 1, THIRD),
        (("b",), False, 0, 1 - THIRD),
    ]


def test_a_pair_is_compared_both_ways_unless_it_is_one_way():
    scenario = short_runs()
    both_ways = replace(scenario, pairs=(replace(scenario.pairs[0], one_way=False),))
    assert {w[1] for w in counted_words(scenario, 1)} == {True}
    assert {w[1] for w in counted_words(both_ways, 1)} == {True, False}
    assert tight_by_definition(scenario, 1) == 3
    assert tight_by_definition(both_ways, 1) == inf


def test_the_end_of_a_run_stays_behind():
    model = short_runs().model
    row = forward(model, {"z": Fraction(1)}, ("a",))
    assert row == {None: THIRD}
    assert forward(model, row, ("a",)) == {}


small = settings(derandomize=True, deadline=None, database=None, max_examples=60)


@small
@given(scenario=strategies.scenarios())
def test_counted_words_are_those_of_the_reference(scenario):
    horizon = scenario.claim.horizon
    mine = {tuple(w[:4]): (w[4] / w[5] if w[5] else inf) for w in counted_words(scenario, horizon)}
    other = {
        (pair, ahead, word, ended): reference._ratio(left, right)
        for pair, ahead, word, ended, left, right in reference.counted(scenario, horizon)
    }
    assert mine == other
    assert tight_by_definition(scenario, horizon) == reference.tight(scenario, horizon)


@small
@given(scenario=strategies.scenarios(possible=("either",)))
def test_counted_words_are_a_partition_of_all_runs(scenario):
    words = list(counted_words(scenario, scenario.claim.horizon))
    for k in range(len(scenario.pairs)):
        for side in (4, 5):
            assert sum(w[side] for w in words if w[0] == k and w[1]) == 1


@small
@given(scenario=strategies.scenarios(possible=("either",), horizons=(1, 2, 3)))
def test_a_longer_horizon_allows_no_less(scenario):
    """T5: rows sum to 1, so a claim at a length implies it at every shorter one."""
    horizon = scenario.claim.horizon
    assert tight_by_definition(scenario, horizon) <= tight_by_definition(scenario, horizon + 1)


@small
@given(scenario=strategies.scenarios(), pair=st.integers(0, 1))
def test_probabilities_are_those_of_the_reference(scenario, pair):
    model = scenario.model
    for index, ahead, word, ended, left, right in counted_words(scenario, min(3, scenario.claim.horizon)):
        if index == pair and ahead:
            one, two = scenario.pairs[pair].left, scenario.pairs[pair].right
            assert left == reference.probability(model, one.weights, word, ended)
            assert right == reference.probability(model, two.weights, word, ended)


@pytest.mark.parametrize("possible", ["either", "both"])
def test_ratios_below_one_need_one_way_or_both(possible):
    """Both sides' probabilities sum to 1, so only what is left out can bring every ratio below 1."""
    model = HMM(emit={"x": {"a": HALF, "b": HALF}, "y": {"a": 1 - THIRD, "c": THIRD}})
    scenario = Scenario(
        model, (Pair(Belief.at("x"), Belief.at("y"), one_way=True),), Claim(horizon=1, possible=possible)
    )
    assert tight_by_definition(scenario, 1) == (inf if possible == "either" else Fraction(3, 4))
