"""Closing a prefix by another: every recorded cover meets the conditions of T3, exactly."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import numpy as np
import pytest
from chains import SIX, flipping
from hypothesis import given
from judge import at, claimed, examples, judge_decision, judge_tight, tight

import strategies
from faier.comparison import Comparison
from faier.engine import verify
from faier.engine.progress import Limits
from faier.engine.tree import anytime, levels
from faier.engine.tree.batch import Batch
from faier.engine.tree.nodes import EXPAND, SUBSUME
from faier.engine.tree.search import Search
from faier.engine.tree.subsume import Subsumption
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Pair, Scenario
from faier.verdict import Holds, Violated

covers = 0


def unpruned(scenario: Scenario, depth: int) -> Search:
    """A search that closes prefixes by others only, level by level, and what it recorded."""
    search = Search(Comparison(scenario), Limits())
    search.widen()
    subsumption = Subsumption(search)
    batch = search.roots()
    for _ in range(depth):
        kept = subsumption.close(batch)
        if not len(kept):
            break
        search.nodes.rule[kept.ids] = EXPAND
        children = list(search.expand(kept))
        if not children:
            break
        batch = Batch.join(children)
        if len(batch) > 200:
            break
    return search


def judge_covers(search: Search) -> int:
    """Each cover, against exact rows and T3's conditions."""
    nodes, both, length = search.nodes, search.both, search.length
    for node, (by, scale, _) in nodes.subsumed.items():
        assert nodes.rule[node] == SUBSUME
        assert nodes.rule[by] in (EXPAND, SUBSUME)
        one, other = search.exact.row(node), search.exact.row(by)
        assert scale > 0
        for i, x in one.left.items():
            assert x * one.unit <= scale * other.left.get(i, 0) * other.unit
        for i, y in other.right.items():
            assert one.right.get(i, 0) * one.unit >= scale * y * other.unit
        if length is not None:
            assert nodes.depth[by] <= nodes.depth[node]
            assert not both or nodes.depth[by] == nodes.depth[node]
        if both:
            assert {i for i, y in one.right.items() if y} <= {i for i, y in other.right.items() if y}
    return len(nodes.subsumed)


@examples(80)
@given(scenario=strategies.scenarios(horizons=(2, 4, "any")))
def test_every_cover_meets_the_conditions(scenario):
    global covers
    depth = scenario.claim.horizon if scenario.claim.horizon != "any" else 5
    covers += judge_covers(unpruned(scenario, depth))


def test_covers_are_common():
    test_every_cover_meets_the_conditions()
    assert covers > 200


def test_no_cover_points_in_a_circle_without_an_expansion():
    @examples(40)
    @given(scenario=strategies.scenarios(horizons=("any",)))
    def look(scenario):
        nodes = unpruned(scenario, 5).nodes
        for node in nodes.subsumed:
            seen, here = set(), node
            while nodes.rule[here] == SUBSUME:
                assert here not in seen
                seen.add(here)
                here = nodes.subsumed[here][0]
            assert nodes.rule[here] == EXPAND

    look()


@pytest.mark.parametrize("possible", ["either", "both"])
@pytest.mark.parametrize("horizon", [3, "any"])
def test_which_lengths_may_cover_each_other(horizon, possible):
    """Every prefix has the same rows; a longer one must not cover a shorter one where few letters are left."""
    half = Fraction(1, 2)
    model = HMM(
        emit={s: {"a": half, "b": half} for s in ("x", "y")},
        step={s: {"x": half, "y": half} for s in ("x", "y")},
    )
    scenario = Scenario(
        model, (Pair(Belief.at("x"), Belief.at("y")),), Claim(Budget.of_ratio(2), horizon, possible)
    )
    search = Search(Comparison(scenario), Limits())
    search.widen()
    one = Batch.join(list(search.expand(search.roots())))
    two = Batch.join(list(search.expand(one)))
    first = two.pick(np.array([0]))
    later = Subsumption(search)
    assert len(later.close(first)) == 1
    assert (len(later.close(one.pick(np.array([0])))) == 0) == (horizon == "any")
    search.nodes.subsumed.clear()
    earlier = Subsumption(search)
    assert len(earlier.close(one.pick(np.array([0])))) == 1
    assert (len(earlier.close(first)) == 0) == (horizon == "any" or possible == "either")


def test_commuting_letters_merge():
    """A bit that never changes: the order of answers does not matter, so a level has few prefixes."""
    scenario = claimed(at(flipping(Fraction(1)), 40), Budget.of_ratio(3**40))
    comparison = Comparison(scenario)
    outcome = levels.decide(comparison, scenario.claim.budget, Limits(nodes=10_000))
    assert outcome.reason is None
    assert outcome.trace is not None
    assert len(outcome.trace.steps) < 2000


def loop(early: Fraction, possible: str, horizon: object) -> Scenario:
    """After a and after b the rows are equal but for right's support, which decides what counts under both."""
    third = Fraction(1, 3)
    model = HMM(
        emit={
            "x": {"a": third, "b": 2 * third},
            "y": {"a": third, "b": 2 * third},
            "p": {"a": early, "c": 1 - early},
            "q": {"a": 1 - early, "c": early},
        },
        step={
            "x": {"p": Fraction(1)},
            "y": {"p": Fraction(1, 2), "q": Fraction(1, 2)},
            "p": {"p": Fraction(1)},
            "q": {"x": Fraction(1)},
        },
    )
    return Scenario(model, (Pair(Belief.at("x"), Belief.at("y")),), Claim(Budget.of_ratio(2), horizon, possible))


@pytest.mark.parametrize("possible", ["either", "both"])
@pytest.mark.parametrize("horizon", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("early", [Fraction(1), Fraction(1, 2), Fraction(1, 10), Fraction(0)])
def test_supports_and_lengths_matter(early, possible, horizon):
    scenario = loop(early, possible, horizon)
    comparison = Comparison(scenario)
    judge_tight(comparison, levels.tight_at(comparison, Limits()))
    judge_decision(comparison, levels.decide(comparison, scenario.claim.budget, Limits()))
    truth = tight(scenario)
    if 0 < truth < inf:
        exact = claimed(scenario, Budget.of_ratio(truth))
        judge_decision(Comparison(exact), levels.decide(Comparison(exact), exact.claim.budget, Limits()))


def test_under_both_a_longer_horizon_may_allow_less():
    """So a shorter prefix must not cover a longer one there. [T5]"""
    ratios = [tight(loop(Fraction(1, 10), "both", n)) for n in range(1, 6)]
    assert ratios != sorted(ratios) or len(set(ratios)) > 1
    for n, truth in enumerate(ratios, 1):
        comparison = Comparison(loop(Fraction(1, 10), "both", n))
        assert levels.tight_at(comparison, Limits()).upper == truth


def test_a_loop_is_proved_for_all_lengths_by_pointing_back():
    """Two sides that answer alike for ever, in different states: no prefix is ever dominated, each repeats an earlier.

    No two states are alike: on the right the next answer is drawn before it is given.
    """
    quarter, half = Fraction(1, 4), Fraction(1, 2)
    model = HMM(
        emit={
            "x": {"a": half, "b": half}, "y": {"a": quarter, "b": 3 * quarter},
            "u": {"a": half, "b": half}, "v": {"a": Fraction(1)}, "w": {"b": Fraction(1)},
        },
        step={
            "x": {"u": Fraction(1)}, "y": {"v": half, "w": half}, "u": {"u": Fraction(1)},
            "v": {"v": half, "w": half}, "w": {"v": half, "w": half},
        },
    )
    scenario = Scenario(model, (Pair(Belief.at("x"), Belief.at("y")),), Claim(Budget.of_ratio(2), "any"))
    verdict = verify(scenario, seconds=10)
    assert isinstance(verdict, Holds)
    assert any(step.rule == "subsume" for step in verdict.trace.steps)
    assert isinstance(verify(claimed(scenario, Budget.of_ratio(2 - Fraction(1, 10**30)))), Violated)


def test_the_pool_does_not_close_what_rises():
    """Ratios of the flipping bit rise with every a, so a longer prefix is never covered by a shorter one."""
    search = unpruned(flipping(SIX), 6)
    for node, (by, _, _) in search.nodes.subsumed.items():
        a, b = (search.exact.row(n).prefix() for n in (node, by))
        assert a[0] * b[1] <= b[0] * a[1]
    assert (search.nodes.rule[: search.nodes.count] == EXPAND).sum() > 5
    assert not np.isnan(search.nodes.depth[: search.nodes.count]).any()


def test_anytime_records_only_sound_covers():
    @examples(30)
    @given(scenario=strategies.scenarios(horizons=("any",), max_states=3))
    def look(scenario):
        run = anytime.Anytime(Comparison(scenario), Fraction(1, 10**4), Limits(nodes=150))
        run.run()
        judge_covers(run.search)

    look()
