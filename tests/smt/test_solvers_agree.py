"""Both solvers, in every encoding, against brute force over words."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import above_threshold
import pytest
import small

import reference
from faier.engine.smt.query import ENCODINGS
from faier.engine.smt.verify import timed, verify
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Pair, Scenario
from faier.verdict import Holds, Violated

SOLVERS = ("z3", "cvc5")
both_solvers = pytest.mark.parametrize("solver", SOLVERS)
every_encoding = pytest.mark.parametrize("encoding", list(ENCODINGS))


def agrees(scenario: Scenario, solver: str, encoding: str = "linear") -> None:
    """The verdict is that of brute force, and a witness is a counted word of exactly its probabilities."""
    verdict = verify(scenario, solver=solver, encoding=encoding, seconds=60)
    counted = {
        (pair, forward, word, ended): reference.allows(scenario.claim.budget, reference._ratio(left, right))
        for pair, forward, word, ended, left, right in reference.counted(scenario, scenario.claim.horizon)
    }
    assert verdict.engine == solver
    if all(counted.values()):
        assert isinstance(verdict, Holds)
        return
    assert isinstance(verdict, Violated)
    found = verdict.witness
    assert counted[found.pair, found.forward, found.word, found.ended] is False
    pair = scenario.pairs[found.pair]
    sides = (pair.left, pair.right) if found.forward else (pair.right, pair.left)
    assert (found.left, found.right) == tuple(side.name for side in sides)
    assert (found.left_probability, found.right_probability) == tuple(
        reference.probability(scenario.model, side.weights, found.word, found.ended) for side in sides
    )


@both_solvers
@pytest.mark.parametrize("seed", range(24))
def test_linear_agrees_with_brute_force(solver: str, seed: int) -> None:
    agrees(small.question(seed), solver)


@both_solvers
@pytest.mark.parametrize("encoding", ["pushed", "literal"])
@pytest.mark.parametrize("seed", range(4))
def test_other_encodings_agree_with_brute_force(solver: str, encoding: str, seed: int) -> None:
    scenario = small.question(seed)
    agrees(scenario.claiming(horizon=min(2, scenario.claim.horizon)), solver, encoding)


@pytest.mark.slow
@both_solvers
@every_encoding
@pytest.mark.parametrize("seed", range(24, 64))
def test_many_models_agree_with_brute_force(solver: str, encoding: str, seed: int) -> None:
    scenario = small.question(seed)
    horizon = scenario.claim.horizon if encoding == "linear" else min(2, scenario.claim.horizon)
    agrees(scenario.claiming(horizon=horizon), solver, encoding)


def test_the_random_questions_are_of_every_kind() -> None:
    questions = [small.question(seed) for seed in range(24)]
    holds = [
        reference.allows(q.claim.budget, reference.tight(q, q.claim.horizon)) for q in questions
    ]
    assert 6 <= sum(holds) <= 18
    assert {q.claim.possible for q in questions} == {"either", "both"}
    assert any(q.model.can_end for q in questions)
    assert any(len(q.pairs) > 1 for q in questions)
    assert any(q.claim.budget.exact is None for q in questions)


@both_solvers
@pytest.mark.parametrize(("side", "expected"), [(-1, Violated), (1, Holds)])
def test_a_word_within_2_to_the_minus_200_of_an_irrational_budget_is_decided(
    solver: str, side: int, expected: type
) -> None:
    """The first rational bounds below e**r do not tell it from the word's ratio 2."""
    with localcontext(prec=90):
        power = Fraction(Decimal(2).ln()) + Fraction(side, 2**200)
    one, two = Fraction(1, 3), Fraction(2, 3)
    coin = HMM(emit={"0": {"a": two, "b": one}, "1": {"a": one, "b": two}})
    claim = Claim(Budget(power=power), 1)
    timing = timed(Scenario(coin, (Pair(Belief.at("0"), Belief.at("1")),), claim), solver=solver)
    assert type(timing.verdict) is expected
    assert timing.queries == (1 if side < 0 else 3)


@both_solvers
def test_above_threshold_holds_with_four_queries(solver: str) -> None:
    assert isinstance(verify(above_threshold.scenario(9), solver=solver, seconds=120), Holds)


@both_solvers
def test_above_threshold_is_violated_with_five_queries(solver: str) -> None:
    verdict = verify(above_threshold.scenario(11), solver=solver, seconds=120)
    assert isinstance(verdict, Violated)
    assert 16 < verdict.witness.ratio <= 32
