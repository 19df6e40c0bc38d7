"""Ratios that grow without end, and suprema that ever longer words approach."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from math import inf
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from judge import examples

import faier
import reference
import strategies
from faier.engine.loops.perron import as_float, rational_guesses
from faier.families import Family
from faier.model.toml_write import dumps
from faier.scenario.scenario import Scenario

EXAMPLES = Path(__file__).parents[2] / "examples"


def readings(scenario: Scenario, family: Family, times: int) -> tuple[Fraction, Fraction]:
    pair = scenario.pairs[family.pair]
    sides = (pair.left, pair.right) if family.forward else (pair.right, pair.left)
    assert (family.left, family.right) == (sides[0].name, sides[1].name)
    word = (*family.prefix, *family.loop * times, *family.suffix)
    one, two = (reference.probability(scenario.model, s.weights, word, family.ended) for s in sides)
    return one, two


def accepted(scenario: Scenario, tight: faier.Tight) -> None:
    from faier_check import check

    check(json.dumps(faier.certify(tight)).encode(), dumps(scenario).encode())


def judge_growth(scenario: Scenario, tight: faier.Tight) -> None:
    """The family's ratio is what the growth promises, with the constant that its vectors give."""
    found = tight.diverges
    assert found is not None
    assert tight.ratio.lower == tight.ratio.upper == inf
    assert found.growth > 1
    values = [readings(scenario, found, n) for n in (1, 8, 16, 24)]
    if scenario.claim.possible == "both":
        assert all(right for _, right in values)
    ratios = [left / right for left, right in values if right]
    assert all(left for left, _ in values)
    if len(ratios) == 4:
        assert ratios[3] > ratios[2] or found.growth < Fraction(101, 100)


def test_above_threshold_as_the_paper_encodes_it():
    scenario = faier.load(EXAMPLES / "above_threshold_any.toml")
    tight = faier.epsilon(scenario, timeout=60)
    assert tight.diverges is not None
    assert tight.diverges.growth == 2
    assert tight.complete
    judge_growth(scenario, tight)
    assert tight.witness is not None
    assert tight.witness.ratio == 32
    assert "no epsilon exists" in str(tight)
    accepted(scenario, tight)
    claimless = faier.epsilon(scenario.claiming(ratio="1000000"), timeout=60)
    assert claimless.witness is not None
    assert claimless.witness.ratio == 2**20


def test_permanent_bits_reported_for_ever():
    scenario = faier.load(EXAMPLES / "rappor.toml")
    tight = faier.epsilon(scenario, timeout=60)
    assert tight.ratio.lower == tight.ratio.upper == 81
    assert (tight.attained, tight.exact, tight.complete) == (False, True, True)
    assert tight.limit.loop == ("1100",)
    assert tight.witness.ratio < 81
    accepted(scenario, tight)


def test_equal_factors_grow_like_n():
    """The ratio of a^n b and of b^n grows like n: both sides gain 1/2 with every loop, the left one in two states."""
    model = faier.HMM(
        emit={"0": {"a": 1}, "1": {"a": "1/2", "b": "1/2"}, "2": {"a": "1/2", "b": "1/2"}},
        step={"0": {"1": 1}, "1": {"1": "1/2", "2": "1/2"}, "2": {"2": "1/2", "0": "1/2"}},
    )
    tight = faier.epsilon(faier.Scenario.of(model, [("1", "2")], horizon="any"), timeout=1)
    assert tight.diverges is not None
    assert (tight.diverges.growth, tight.diverges.power) == (1, 1)


def test_a_growing_ratio_of_polynomial_speed_stays_open():
    """Left reads a in two states of one factor, one after the other: n (1/2)^n against (1/2)^n."""
    model = faier.HMM(
        emit={"l": {"a": "1/2", "b": "1/2"}, "m": {"a": 1}, "r": {"a": "1/2", "c": "1/2"}, "z": {"c": 1}},
        step={"l": {"l": 1}, "m": {"m": "1/2", "z": "1/2"}, "r": {"r": 1}, "z": {"z": 1}},
    )
    scenario = faier.Scenario.of(model, [("l", "r")], horizon="any", possible="both")
    tight = faier.epsilon(scenario, timeout=1)
    assert tight.diverges is None


@pytest.mark.parametrize("possible", ["either", "both"])
def test_a_loop_that_takes_two_rounds(possible):
    """The left side comes back to its state every other time only."""
    model = faier.HMM(
        emit={"a": {"x": "1/2", "y": "1/2"}, "b": {"x": "1/2", "z": "1/2"}, "c": {"x": "1/4", "y": "1/4", "z": "1/2"}},
        step={"a": {"b": 1}, "b": {"a": 1}, "c": {"c": 1}},
    )
    pair = faier.Pair(faier.Belief.at("a"), faier.Belief.at("c"), one_way=True)
    scenario = faier.Scenario.of(model, [pair], horizon="any", possible=possible)
    tight = faier.epsilon(scenario, timeout=20)
    assert tight.ratio.lower == inf
    judge_growth(scenario, tight)
    accepted(scenario, tight)


def test_complete_runs_may_grow_where_prefixes_do_not():
    """Right goes on as likely as left, but ends far less often in a run of a's."""
    model = faier.HMM(
        emit={"a": {"x": 1}, "b": {"x": 1}, "on": {"x": 1}, "end": {"x": 1}},
        step={"a": {"a": "1/2", "end": "1/2"}, "b": {"b": "1/4", "end": "1/4", "on": "1/2"}, "on": {"on": 1}},
    )
    scenario = faier.Scenario.of(model, [("a", "b")], horizon="any")
    tight = faier.epsilon(scenario, timeout=20)
    assert tight.diverges is not None
    assert tight.diverges.ended
    assert tight.diverges.growth == 2
    judge_growth(scenario, tight)
    accepted(scenario, tight)


@examples(int(os.environ.get("FAIER_FAMILIES", "60")))
@given(scenario=strategies.scenarios(max_states=4, horizons=("any",)))
def test_random_models(scenario):
    tight = faier.epsilon(scenario, tolerance="1e-6", timeout=0.3)
    if tight.diverges is not None:
        judge_growth(scenario, tight)
        accepted(scenario, tight)
    if tight.limit is not None:
        ratios = []
        for n in (4, 64):
            left, right = readings(scenario, tight.limit, n)
            ratios.append(abs(left / right - tight.limit.ratio) if right else inf)
        assert ratios[1] <= ratios[0]
        assert ratios[1] < tight.limit.ratio / 100
        if tight.trace is not None:
            accepted(scenario, tight)


def test_denominators_beyond_floats_are_no_obstacle():
    rows = {0: {0: Fraction(1, 2) - Fraction(1, 10**400)}}
    assert list(rational_guesses(0.5, rows, [0])) == [Fraction(1, 2)]
    huge = Fraction(10**400)
    assert (as_float(huge), as_float(-huge), as_float(1 / huge)) == (inf, -inf, 0)


def rooms(seed: int) -> Scenario:
    """Two states that are left for a third: long words tell most, and which ones depends on what leaves slowly."""
    dice = Random(seed)

    def row(names):
        weights = [dice.randint(1, 20) for _ in names]
        return {n: Fraction(w, sum(weights)) for n, w in zip(names, weights, strict=True)}

    step = {"s0": row(("s0", "s1", "s2")), "s1": row(("s0", "s1", "s2")), "s2": {"s2": Fraction(1)}}
    model = faier.HMM(emit={s: row("abc") for s in step}, step=step)
    return Scenario.of(model, [("s0", "s1")], horizon="any")


@pytest.mark.parametrize("seed", range(8))
def test_claims_that_only_long_words_break(seed):
    scenario = rooms(seed)
    tight = faier.epsilon(scenario, tolerance="1e-6", timeout=20)
    assert tight.complete
    if tight.trace is not None:
        accepted(scenario, tight)
    above = scenario.claiming(ratio=tight.ratio.lower * Fraction(10001, 10000))
    verdict = faier.verify(above, timeout=20)
    assert isinstance(verdict, faier.Holds)
    accepted(above, verdict)
    below = scenario.claiming(ratio=tight.ratio.lower * Fraction(9999, 10000))
    verdict = faier.verify(below, timeout=2)
    assert isinstance(verdict, faier.Violated)
    assert verdict.witness.ratio > below.claim.budget.exact
    accepted(below, verdict)
