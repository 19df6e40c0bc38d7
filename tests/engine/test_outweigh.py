"""Differences that outweigh others: rooms that are left for ever, sides without common states, zeros."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from test_simulation import copies, row

import faier
from faier.comparison import Comparison
from faier.engine.progress import Limits
from faier.engine.simulation import highs, slack
from faier.engine.tree import outweigh
from faier.engine.tree.fixed import Exceeded, Fixed, closed_at
from faier.model.toml_write import dumps
from faier.scenario.scenario import Scenario
from faier.trace import Tree
from faier_check import check

TOLERANCE = Fraction(1, 10**6)


def rooms(seed: int, states: int = 5, symbols: int = 3, possible: str = "either", zeros: float = 0.0) -> Scenario:
    """States in rooms of two that are left and never entered again; in the last one runs may end."""
    dice = Random(seed)
    names = [f"s{i}" for i in range(states)]
    emit = {s: row(dice, list("abc"[:symbols]), 0.3 if possible == "both" else 0.0) for s in names}
    step = {s: row(dice, names[i - i % 2 :], zeros) for i, s in enumerate(names)}
    if seed % 3 == 2:
        del step[names[-1]]
    pair = faier.Pair(faier.Belief.at("s0"), faier.Belief.at("s1"))
    return Scenario.of(faier.HMM(emit=emit, step=step), [pair], horizon="any", possible=possible)


def judged(scenario: Scenario, result: object) -> set[str]:
    """The rules of a proof that the checker accepts."""
    assert isinstance(result, faier.Tight | faier.Holds)
    check(json.dumps(faier.certify(result)).encode(), dumps(scenario).encode())
    return {step.rule for step in result.trace.steps} if isinstance(result.trace, Tree) else set()


@pytest.mark.parametrize("possible", ["either", "both"])
def test_rooms_at_every_length(possible: str):
    """Most are decided, and no word of some length exceeds a bound."""
    used = decided = 0
    for seed in range(8):
        scenario = rooms(seed, possible=possible, zeros=0.0 if possible == "either" else 0.2)
        tight = faier.epsilon(scenario, tolerance=TOLERANCE, timeout=4)
        # Under `both` words that count at one horizon need not at another.
        longest = faier.epsilon(scenario, horizon=7)
        assert possible == "both" or longest.ratio.lower <= tight.ratio.upper
        if tight.complete:
            decided += 1
            used += "outweigh" in judged(scenario, tight)
    assert decided >= 6
    assert used >= 2 or possible == "both"


def test_claims_near_the_bound(monkeypatch):
    """The upper bound is proved as a claim too; below the lower one nothing is."""
    monkeypatch.setattr("faier.engine.tree.simulator.Simulator.find", lambda *_, **__: False)
    for seed in (0, 3):
        scenario = rooms(seed)
        tight = faier.epsilon(scenario, tolerance=TOLERANCE, timeout=10)
        assert tight.complete
        above = scenario.claiming(ratio=tight.ratio.upper)
        assert "outweigh" in judged(above, faier.verify(above, timeout=20))
        below = scenario.claiming(ratio=tight.ratio.lower * (1 - TOLERANCE))
        assert not isinstance(faier.verify(below, timeout=1), faier.Holds)


def test_one_ratio_at_a_time():
    """At a ratio below the tight one a word turns up; above it a proof."""
    for seed in range(6):
        scenario = copies(seed, possible="both" if seed % 2 else "either")
        comparison = Comparison(scenario)
        tight = faier.epsilon(scenario, horizon=5)
        if not isinstance(tight.ratio.lower, Fraction) or tight.ratio.lower <= 1:
            continue
        answer = closed_at(comparison, tight.ratio.lower * Fraction(9, 10), Limits(5))
        assert isinstance(answer, Exceeded)
        assert answer.value > tight.ratio.lower * Fraction(9, 10)


def test_without_highs_nothing_is_closed_by_it(monkeypatch):
    monkeypatch.setattr(highs, "is_there", lambda: False)
    answer = closed_at(Comparison(rooms(0)), Fraction(10**6), Limits(1))
    assert answer is None or isinstance(answer, Tree)
    assert answer is None or "outweigh" not in {step.rule for step in answer.steps}


def test_large_models_are_left_to_other_rules(monkeypatch):
    monkeypatch.setattr(outweigh, "_MOST_STATES", 3)
    answer = closed_at(Comparison(rooms(0)), Fraction(10**6), Limits(1))
    assert answer is None or "outweigh" not in {step.rule for step in answer.steps}


def test_a_prefix_that_was_outweighed_stays_so_where_it_covers_another():
    """Found by a random question of the night: it was taken for one that is expanded, and had no children."""
    model = faier.HMM(
        emit={
            "s0": {"a": "5/14", "b": "5/14", "c": "2/7"},
            "s1": {"a": "1/5", "b": "1/5", "c": "3/5"},
            "s2": {"a": "1/8", "b": "1/8", "c": "3/4"},
            "s3": {"a": "4/7", "b": "1/7", "c": "2/7"},
            "s4": {"a": "5/16", "b": "3/8", "c": "5/16"},
        },
        step={
            "s0": {"s1": "4/19", "s2": "6/19", "s3": "4/19", "s4": "5/19"},
            "s1": {"s1": "2/15", "s2": "2/5", "s3": "1/5", "s4": "4/15"},
            "s2": {"s2": "1/9", "s3": "1/3", "s4": "5/9"},
            "s3": {"s2": "5/9", "s4": "4/9"},
            "s4": {"s4": "1"},
        },
    )
    pair = faier.Pair(faier.Belief.at("s0"), faier.Belief.at("s4"), one_way=True)
    scenario = faier.Scenario.of(model, [pair], horizon="any", possible="both")
    tight = faier.epsilon(scenario, tolerance="1e-5", timeout=60)
    assert tight.complete
    assert "outweigh" in {step.rule for step in tight.trace.steps}
    check(json.dumps(faier.certify(tight)).encode(), dumps(scenario).encode())


def test_a_search_that_was_stopped_goes_on():
    scenario = rooms(0)
    tight = faier.epsilon(scenario, tolerance=TOLERANCE, timeout=10)
    search = Fixed(Comparison(scenario), tight.ratio.upper, Limits(), ())
    answers = [search.run(Limits(10, nodes=10 * k)) for k in range(1, 60)]
    assert answers[0] is None
    proofs = [answer for answer in answers if isinstance(answer, Tree)]
    assert proofs
    proved = dataclasses.replace(tight, trace=proofs[0])
    assert "outweigh" in judged(scenario, proved)


def test_one_solver_serves_any_number_of_programs():
    """Its clock runs on from one to the next, and must not stop it."""
    solver = highs.Slack()
    for _ in range(300):
        found = solver.largest(np.array([[-1.0, 0.5], [0.5, -1.0]]), np.array([-0.5, 0.5]), 1e-3)
        assert found is not None
        assert found[0] == pytest.approx(1e-3)
        assert (found[1] @ np.array([[-1.0, 0.5], [0.5, -1.0]]) <= np.array([-0.5, 0.5])).all()


@pytest.mark.parametrize("rounds", [1, 2, 8])
def test_programs_with_many_rows_are_solved_by_a_few_at_a_time(monkeypatch, rounds: int):
    """Whatever the rounds lead to: weights that keep what is said of them, or prices that show that there are none."""
    monkeypatch.setattr(slack, "_ROUNDS", rounds)
    dice = np.random.default_rng(rounds)
    solver, rooms_found, shown = slack.Slacks(), 0, 0
    for count in (3, 90, 400):
        for lift in (-0.6, -0.2, 0.1):
            rows = dice.uniform(-1, 1, (count, 6)) + 0.3
            target = np.clip(dice.uniform(-1, 1, 6) + lift, -1, 1)
            room, weights, prices = solver.below(rows, target)
            assert weights.shape == (count,)
            assert (weights >= 0).all()
            assert (weights @ rows + room <= target + 1e-7).all()
            rooms_found += room > 0
            if prices is not None and room < -1e-7:
                shown += 1
                assert (rows @ prices >= -1e-7).all()
                assert target @ prices < 0
    assert rooms_found
    assert shown or rounds < 8
