"""Tree, columns and the dispatcher against the definition, at finite horizons."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge import (
    claimed,
    examples,
    judge_decision,
    judge_tight,
    judge_verdict,
    judge_witness,
    readings,
    tight,
    worst_of_the_shortest,
)

import strategies
from faier.comparison import Comparison
from faier.engine import columns, epsilon, verify
from faier.engine.progress import Limits
from faier.engine.tree import levels
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Pair, Scenario
from faier.verdict import Holds, Violated

engines = pytest.mark.parametrize("engine", [levels, columns], ids=["tree", "columns"])


@engines
@examples(120)
@given(scenario=strategies.scenarios())
def test_tight_ratio(engine, scenario):
    comparison = Comparison(scenario)
    judge_tight(comparison, engine.tight_at(comparison, Limits()))


@engines
@examples(120)
@given(scenario=strategies.scenarios())
def test_decisions(engine, scenario):
    comparison = Comparison(scenario)
    judge_decision(comparison, engine.decide(comparison, scenario.claim.budget, Limits()))


@engines
@examples(60)
@given(scenario=strategies.scenarios(), part=st.sampled_from([0, Fraction(1, 10**30), -Fraction(1, 10**30)]))
def test_a_budget_at_the_tight_ratio(engine, scenario, part):
    """Equality holds; one part in 10^30 less does not."""
    truth = tight(scenario)
    if truth in (0, inf):
        return
    scenario = claimed(scenario, Budget.of_ratio(truth * (1 + part)))
    comparison = Comparison(scenario)
    outcome = engine.decide(comparison, scenario.claim.budget, Limits())
    judge_decision(comparison, outcome)
    assert (outcome.trace is None) == (part < 0)


@examples(60)
@given(scenario=strategies.scenarios(), engine=st.sampled_from(["auto", "tree"]))
def test_the_dispatcher_verifies(scenario, engine):
    judge_verdict(scenario, verify(scenario, engine=engine))


@examples(60)
@given(scenario=strategies.scenarios())
def test_the_dispatcher_finds_epsilon(scenario):
    truth, result = tight(scenario), epsilon(scenario)
    assert (result.ratio.lower, result.ratio.upper, result.complete) == (truth, truth, True)
    if result.witness is not None:
        assert judge_witness(scenario, result.witness).ratio == truth
        assert result.attained
    else:
        assert truth == 0


@examples(60)
@given(scenario=strategies.scenarios(max_pairs=3))
def test_columns_name_the_first_of_equal_words(scenario):
    """The first direction in the order of the file, and there the first word in the order of symbols."""
    comparison = Comparison(scenario)
    outcome = columns.decide(comparison, scenario.claim.budget, Limits())
    broken = worst_of_the_shortest(scenario)
    if broken and broken[0].ratio != inf:
        direction = comparison.directions[outcome.found.direction]
        word = tuple(scenario.model.symbols[s] for s in outcome.found.letters)
        assert (direction.pair, direction.forward, word, outcome.found.ended) == broken[0].key


def test_words_that_tie_but_for_rounding():
    """Each letter has exactly the ratio 3, in floats a little more or less; the first letter is named."""
    dice = Random(4)
    letters = [f"o{i:02}" for i in range(40)]
    for _ in range(20):
        weights = [Fraction(dice.randint(1, 10**6), 10**8) for _ in letters]
        rest = {"x": 1 - sum(weights), "y": 1 - sum(weights) / 3}
        emit = {
            "x": dict(zip(letters, weights, strict=True)) | {"rest": rest["x"]},
            "y": {s: w / 3 for s, w in zip(letters, weights, strict=True)} | {"rest": rest["y"]},
        }
        pair = Pair(Belief.at("x"), Belief.at("y"))
        comparison = Comparison(Scenario(HMM(emit), (pair, pair), Claim(Budget.of_ratio(2), 1)))
        for outcome in (
            columns.decide(comparison, Budget.of_ratio(2), Limits()),
            columns.tight_at(comparison, Limits()),
        ):
            assert (outcome.lower, outcome.found.direction, outcome.found.letters) == (3, 0, (0,))


def test_the_random_questions_are_of_every_kind():
    """Zeros, ties, words on one side only, runs that end, budgets below 1: else the tests above say little."""
    seen = dict.fromkeys(
        ("holds", "violated", "infinite", "none counts", "ended witness", "below one", "equal", "irrational"), 0
    )

    @examples(200)
    @given(scenario=strategies.scenarios())
    def look(scenario):
        truth, budget = tight(scenario), scenario.claim.budget
        broken = worst_of_the_shortest(scenario)
        seen["violated" if broken else "holds"] += 1
        seen["infinite"] += truth == inf
        seen["none counts"] += not readings(scenario)
        seen["ended witness"] += bool(broken) and broken[0].ended
        seen["below one"] += budget.compare(Fraction(1)) > 0
        seen["equal"] += budget.exact is not None and budget.exact == truth
        seen["irrational"] += budget.exact is None

    look()
    assert min(seen.values()) >= 1, seen


def test_holds_and_violated_are_the_only_answers_without_limits():
    @examples(20)
    @given(scenario=strategies.scenarios())
    def look(scenario):
        assert isinstance(verify(scenario), Holds | Violated)

    look()
