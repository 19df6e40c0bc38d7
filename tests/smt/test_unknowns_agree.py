"""Questions with unknown parameters: both solvers, in every encoding, against brute force on grids."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import parametric
import pytest

import reference
from faier.engine.smt.query import Question
from faier.engine.smt.verify import timed, verify
from faier.engine.smt.words import TooManyWords, breaches
from faier.errors import ModelError, NotYetError
from faier.model.hmm import HMM
from faier.scenario.scenario import Scenario
from faier.verdict import Holds, Unknown, Violated

both_solvers = pytest.mark.parametrize("solver", ["z3", "cvc5"])


def agrees(scenario: Scenario, verdict: Holds | Violated | Unknown) -> bool:
    """No point of the grid speaks against the verdict, and a witness breaks the claim at its values."""
    if isinstance(verdict, Unknown):
        return False
    if isinstance(verdict, Holds):
        broken = [v for v in parametric.grid(scenario) if parametric.broken_at(scenario, v)]
        assert not broken
        return True
    found = verdict.witness
    values = dict(found.parameters)
    assert list(values) == list(scenario.model.unknowns.ranges)
    assert parametric.allowed(scenario, values)
    there = parametric.at(scenario, values)
    pair = next(p for p in there.pairs if {p.left.name, p.right.name} == {found.left, found.right})
    sides = (pair.left, pair.right) if pair.left.name == found.left else (pair.right, pair.left)
    left, right = (
        reference.probability(there.model, side.weights, found.word, found.ended) for side in sides
    )
    assert (found.left_probability, found.right_probability) == (left, right)
    assert not reference.allows(there.claim.budget, reference._ratio(left, right))
    assert scenario.claim.possible == "either" or (left and right)
    return True


@both_solvers
@pytest.mark.parametrize("seed", range(30))
def test_word_by_word_agrees_with_brute_force(solver: str, seed: int) -> None:
    scenario = parametric.question(seed)
    assert agrees(scenario, verify(scenario, solver=solver, seconds=10))


@both_solvers
@pytest.mark.parametrize("encoding", ["linear", "pushed", "literal"])
@pytest.mark.parametrize("seed", range(6))
def test_one_query_agrees_with_brute_force(solver: str, encoding: str, seed: int) -> None:
    scenario = parametric.question(seed).claiming(horizon=1)
    agrees(scenario, verify(scenario, solver=solver, encoding=encoding, seconds=5))


@pytest.mark.slow
@both_solvers
@pytest.mark.parametrize("encoding", ["words", "linear", "literal"])
@pytest.mark.parametrize("seed", range(100, 160))
def test_many_models_agree_with_brute_force(solver: str, encoding: str, seed: int) -> None:
    scenario = parametric.question(seed)
    agrees(scenario, verify(scenario, solver=solver, encoding=encoding, seconds=10))


def test_the_random_questions_are_of_every_kind() -> None:
    questions = [parametric.question(seed) for seed in range(30)]
    broken = [any(parametric.broken_at(q, v) for v in parametric.grid(q)) for q in questions]
    assert 5 <= sum(broken) <= 25
    assert {q.claim.possible for q in questions} == {"either", "both"}
    assert any(q.model.constraints == ("p + 2*q == 1",) for q in questions)
    assert any(len(q.pairs) > 1 for q in questions)


def coin(first: str, second: str, range_: str, ratio: object, constraints: tuple[str, ...] = ()) -> Scenario:
    model = HMM(
        {"0": {"a": first, "b": f"1-({first})"}, "1": {"a": second, "b": f"1-({second})"}},
        parameters={"p": range_.replace("_", "p")},
        constraints=constraints,
    )
    return Scenario.of(model, [("0", "1")], ratio=ratio, horizon=1)


@both_solvers
@pytest.mark.parametrize(
    ("range_", "expected"), [("1/3 <= _ <= 2/3", Holds), ("1/3 < _ < 3/4", Violated), ("0 < _ <= 1/2", Violated)]
)
def test_randomised_response_with_an_unknown_flip(solver: str, range_: str, expected: type) -> None:
    verdict = verify(coin("p", "1-p", range_, 2), solver=solver, seconds=10)
    assert type(verdict) is expected


@both_solvers
def test_a_ratio_in_the_parameter_holds_for_every_value(solver: str) -> None:
    assert isinstance(verify(coin("1/(1+p)", "p/(1+p)", "0 < _ < 1", "1/p"), solver=solver, seconds=10), Holds)
    lower = verify(coin("1/(1+p)", "p/(1+p)", "0 < _ < 1", "(1/p+1)/2"), solver=solver, seconds=10)
    assert isinstance(lower, Violated)


@both_solvers
def test_a_claim_broken_between_close_irrationals_has_a_simple_witness(solver: str) -> None:
    """The claim is broken only where (p - 1/2)^2 < 10^-6 / 8."""
    scenario = coin("2*p*(1-p)", "1/4", "0 < _ < 1", 2 - Fraction(1, 10**6))
    scenario = replace(scenario, pairs=(replace(scenario.pairs[0], one_way=True),))
    verdict = verify(scenario, solver=solver, seconds=10)
    assert isinstance(verdict, Violated)
    assert verdict.witness.parameters == {"p": Fraction(1, 2)}


@both_solvers
def test_irrational_values_alone_are_unknown(solver: str) -> None:
    only = coin("p", "1/2", "0 < _ < 1", "1/2", constraints=("2*p^2 == 1",))
    verdict = verify(only, solver=solver, seconds=10)
    assert isinstance(verdict, Unknown)
    assert "irrational" in verdict.reason


@both_solvers
def test_a_secret_that_is_impossible_somewhere_does_not_hide_other_pairs(solver: str) -> None:
    """Where p = q = 0 the first pair's left has no value; the second pair is broken just about there."""
    model = HMM(
        {
            "0": {"a": "1/2", "b": "1/2"},
            "1": {"a": "1/2", "b": "1/2"},
            "2": {"a": "1/2 - (p+q)/8", "b": "1/2 + (p+q)/8"},
            "3": {"a": "1/4", "b": "3/4"},
        },
        parameters={"p": "0 <= p <= 1", "q": "0 <= q <= 1"},
    )
    beliefs = {"conditioned": {"0": "p/(p+q)", "1": "q/(p+q)"}}
    scenario = Scenario.of(
        model, [("conditioned", "0"), ("2", "3")], beliefs=beliefs, ratio="2 - 10^-9 + p + q", horizon=1
    )
    verdict = verify(scenario, solver=solver, seconds=10)
    assert isinstance(verdict, Violated)
    assert verdict.witness.pair == 1
    assert verdict.witness.parameters == {"p": 0, "q": 0}


def test_more_words_than_sensible_go_into_one_query() -> None:
    model = HMM(
        {"0": {"a": "p", "b": "1-p"}, "1": {"a": "1/2", "b": "1/2"}},
        {"0": {"0": "1/2", "1": "1/2"}, "1": {"1": 1}},
        {"p": "1/4 <= p <= 1/2"},
    )
    scenario = Scenario.of(model, [("0", "1")], ratio=1, horizon=11)
    with pytest.raises(TooManyWords, match="more than 1,000 words"):
        list(breaches(Question.of(scenario)))
    assert timed(scenario, seconds=5).queries <= 1


def test_an_entry_that_is_negative_inside_is_an_error_not_a_witness() -> None:
    with pytest.raises(ModelError, match="negative"):
        verify(coin("p^2-1/4", "1/2", "0 < _ < 1", "1/100"), seconds=10)


def test_powers_of_e_are_not_for_solvers() -> None:
    half = HMM({"0": {"a": "exp(-1)", "b": "1-exp(-1)"}, "1": {"a": "1/2", "b": "1/2"}})
    with pytest.raises(NotYetError, match="exp"):
        verify(Scenario.of(half, [("0", "1")], ratio=2, horizon=1))
