"""Words of every length: against all words of up to five symbols, and chains whose answer is known."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest
from chains import SIX, flipping, flipping_worst, mixing
from hypothesis import given
from judge import at, claimed, examples, judge_at_any, judge_witness, tight

import reference
import strategies
from faier.comparison import Comparison
from faier.engine import epsilon, verify
from faier.engine.progress import Limits
from faier.engine.tree import anytime, levels
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Pair, Scenario
from faier.verdict import Holds, Violated

FEW = 150
TOLERANCE = Fraction(1, 10**6)


def question():
    return strategies.scenarios(max_states=3, horizons=("any",))


@examples(40)
@given(scenario=question())
def test_enclosures(scenario):
    comparison = Comparison(scenario)
    outcome = anytime.tight_at_any(comparison, TOLERANCE, Limits(nodes=FEW))
    truth = tight(scenario)
    assert outcome.lower <= outcome.upper
    assert truth <= outcome.upper
    if outcome.reason is None:
        assert outcome.upper == inf == outcome.lower or outcome.upper <= outcome.lower * (1 + TOLERANCE)
        assert (outcome.trace is None) == (outcome.upper == inf)
    if outcome.trace is not None:
        assert outcome.trace.ratio == outcome.upper


@examples(40)
@given(scenario=question())
def test_the_word_behind_the_lower_bound(scenario):
    result = epsilon(scenario, tolerance=TOLERANCE, seconds=0.2)
    if result.diverges is not None:
        assert result.ratio.lower == inf
        assert not result.attained
        if result.witness is not None:
            assert not scenario.claim.budget.allows(result.witness.left_probability, result.witness.right_probability)
    elif result.witness is None:
        assert result.ratio.lower == 0
    elif result.limit is not None:
        assert judge_witness(scenario, result.witness).ratio < result.ratio.lower == result.limit.ratio
        assert not result.attained
    else:
        assert judge_witness(scenario, result.witness).ratio == result.ratio.lower
        assert result.attained == (result.ratio.lower == result.ratio.upper)
    assert result.complete == (result.reason is None)


@examples(40)
@given(scenario=question())
def test_decisions(scenario):
    judge_at_any(scenario, verify(scenario, seconds=0.2))


@examples(40)
@given(scenario=question())
def test_decisions_and_enclosures_agree(scenario):
    """What the enclosure of one search excludes, the decision of the other does not claim."""
    comparison = Comparison(scenario)
    enclosed = anytime.tight_at_any(comparison, TOLERANCE, Limits(nodes=FEW))
    decided = levels.decide(comparison, scenario.claim.budget, Limits(nodes=FEW))
    if decided.trace is not None:
        assert enclosed.lower <= decided.trace.ratio
        assert scenario.claim.budget.compare(decided.trace.ratio) <= 0
    elif decided.reason is None:
        assert decided.lower <= enclosed.upper


@examples(40)
@given(scenario=question())
def test_a_claim_at_the_enclosures_upper_end_holds(scenario):
    outcome = anytime.tight_at_any(Comparison(scenario), TOLERANCE, Limits(nodes=FEW))
    if outcome.trace is None or outcome.upper == 0:
        return
    verdict = verify(claimed(scenario, Budget.of_ratio(outcome.upper)), seconds=0.2)
    assert not isinstance(verdict, Violated)
    if outcome.lower > 0:
        lower = claimed(scenario, Budget.of_ratio(outcome.lower * (1 - Fraction(1, 10**30))))
        assert not isinstance(verify(lower, seconds=0.2), Holds)


@examples(40)
@given(scenario=question())
def test_a_finite_horizon_never_lies_above_any(scenario):
    """Under `either` any covers every finite horizon. [T5]"""
    outcome = anytime.tight_at_any(Comparison(scenario), TOLERANCE, Limits(nodes=FEW))
    if scenario.claim.possible == "either" and outcome.upper != inf:
        for horizon in (1, 3):
            assert levels.tight_at(Comparison(at(scenario, horizon)), Limits()).lower <= outcome.upper


def test_enclosures_of_a_supremum_that_no_word_reaches():
    enclosed = 0

    @examples(40)
    @given(scenario=strategies.scenarios(models=mixing(), horizons=("any",)))
    def look(scenario):
        nonlocal enclosed
        outcome = anytime.tight_at_any(Comparison(scenario), Fraction(1, 100), Limits(nodes=FEW))
        assert outcome.lower <= outcome.upper
        assert tight(scenario) <= outcome.upper
        enclosed += outcome.reason is None and outcome.lower < outcome.upper
        closer = anytime.tight_at_any(Comparison(scenario), TOLERANCE, Limits(nodes=FEW))
        assert closer.lower <= outcome.upper
        assert outcome.lower <= closer.upper

    look()
    assert enclosed >= 5


def test_many_of_the_random_questions_are_decided():
    kinds = {"exact": 0, "enclosed": 0, "infinite": 0, "stopped": 0}

    @examples(50)
    @given(scenario=question())
    def look(scenario):
        outcome = anytime.tight_at_any(Comparison(scenario), TOLERANCE, Limits(nodes=FEW))
        if outcome.reason is not None:
            kinds["stopped"] += 1
        elif outcome.lower == inf:
            kinds["infinite"] += 1
        else:
            kinds["exact" if outcome.lower == outcome.upper else "enclosed"] += 1

    look()
    assert min(kinds["exact"], kinds["infinite"], kinds["enclosed"]) >= 1, kinds
    assert kinds["stopped"] < 5, kinds


def test_a_supremum_that_no_word_reaches_is_enclosed():
    outcome = anytime.tight_at_any(Comparison(flipping(SIX)), Fraction(1, 10**8), Limits(20))
    assert outcome.reason is None
    assert outcome.lower <= 6 <= outcome.upper <= 6 * (1 + Fraction(1, 10**8))


@pytest.mark.parametrize("gap", [Fraction(1, 10), Fraction(1, 10**3), Fraction(1, 10**6)])
def test_budgets_around_a_supremum_that_no_word_reaches(gap):
    above = verify(claimed(flipping(SIX), Budget.of_ratio(6 * (1 + gap))), seconds=20)
    assert isinstance(above, Holds)
    below = verify(claimed(flipping(SIX), Budget.of_ratio(6 * (1 - gap))), seconds=20)
    assert isinstance(below, Violated)
    length = next(n for n in range(1, 200) if flipping_worst(SIX, n) > 6 * (1 - gap))
    assert len(below.witness.word) == length
    assert below.witness.ratio == flipping_worst(SIX, length)


def test_the_supremum_itself_is_never_called_violated():
    assert not isinstance(verify(claimed(flipping(SIX), Budget.of_ratio(6)), seconds=0.5), Violated)


@pytest.mark.parametrize("length", [1, 2, 7, 12])
def test_the_worst_word_of_a_chain(length):
    scenario = at(flipping(SIX), length)
    truth = flipping_worst(SIX, length)
    for engine in (levels,):
        assert engine.tight_at(Comparison(scenario), Limits()).lower == truth
    assert epsilon(scenario).ratio.upper == truth


def test_a_bit_that_never_changes_has_no_finite_epsilon():
    result = epsilon(flipping(Fraction(1)), seconds=20)
    assert result.complete
    assert result.ratio.lower == result.ratio.upper == inf
    assert result.diverges is not None
    assert result.diverges.growth == 3


def test_a_bit_that_is_thrown_again_each_time_tells_once():
    result = epsilon(flipping(Fraction(1, 2)))
    assert (result.ratio.lower, result.ratio.upper, result.attained) == (3, 3, True)
    assert len(result.witness.word) == 1


def test_both_readings_count_at_any():
    """The run a is exactly a with 1/2 or 1/8, but begins with a for sure."""
    half, eighth = Fraction(1, 2), Fraction(1, 8)
    model = HMM(
        emit={s: {"a": Fraction(1)} for s in ("x", "y", "go", "stop")},
        step={
            "x": {"go": half, "stop": half},
            "y": {"go": 1 - eighth, "stop": eighth},
            "go": {"go": Fraction(1)},
        },
    )
    scenario = Scenario(model, (Pair(Belief.at("x"), Belief.at("y")),), Claim(horizon="any"))
    result = epsilon(scenario)
    assert (result.ratio.lower, result.ratio.upper) == (4, 4)
    assert result.witness.ended
    assert result.witness.word == ("a", "a")
    assert reference.probability(model, {"y": Fraction(1)}, ("a", "a"), True) == eighth
