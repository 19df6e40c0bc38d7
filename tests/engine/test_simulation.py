"""Simulations: one process in two ways, on sides that share no states."""

from __future__ import annotations

import json
from fractions import Fraction
from math import inf
from random import Random

import pytest
from judge import at, tight

import faier
from faier.comparison import Comparison
from faier.engine.progress import Limits
from faier.engine.simulation import highs
from faier.engine.tree import anytime, levels, paired
from faier.model.toml_write import dumps
from faier.scenario.scenario import Scenario
from faier_check import check

TOLERANCE = Fraction(1, 10**4)


def row(dice: Random, names: list[str], zeros: float) -> dict[str, Fraction]:
    weights = [0 if dice.random() < zeros else dice.randint(1, 6) for _ in names]
    if not any(weights):
        weights[dice.randrange(len(names))] = 1
    return {n: Fraction(w, sum(weights)) for n, w in zip(names, weights, strict=True) if w}


def copies(seed: int, states: int = 3, symbols: int = 2, zeros: float = 0.2, possible: str = "either") -> Scenario:
    """One process in two ways, started in two states; some may end. Right chooses its next state one step early.

    So its states are pairs of a state and the next one; they do not behave like those of the left side, and nothing is
    lumped.
    """
    dice = Random(seed)
    names = [f"s{i}" for i in range(states)]
    emit = {s: row(dice, list("abc"[:symbols]), zeros) for s in names}
    step = {s: row(dice, names, zeros) for s in names if dice.random() > zeros / 2}
    early = {s: {f"{s}>{t}": p for t, p in step[s].items()} if s in step else {f"{s}>": Fraction(1)} for s in names}
    for s, chosen in early.items():
        for name in chosen:
            emit[name] = emit[s]
            if s in step:
                step[name] = early[name.partition(">")[2]]
    model = faier.HMM(emit=emit, step=step)
    start = f"s{1 if seed % 3 else 0}"
    right = faier.Belief.of("right", early[start], model)
    return Scenario.of(model, [faier.Pair(faier.Belief.at("s0"), right)], horizon="any", possible=possible)


def accepted(scenario: Scenario, result: object) -> None:
    check(json.dumps(faier.certify(result)).encode(), dumps(scenario).encode())


@pytest.mark.parametrize("seed", range(24))
def test_copies_at_every_length(seed):
    scenario = copies(seed, possible="both" if seed % 4 == 3 else "either")
    found = faier.epsilon(scenario, tolerance=TOLERANCE, timeout=3)
    assert tight(scenario) <= found.ratio.upper
    assert found.ratio.lower <= found.ratio.upper
    if found.complete:
        accepted(scenario, found)


def test_most_copies_are_decided():
    """Where a single copy is decided, so are two, nearly always."""
    decided = total = 0
    for seed in range(30):
        scenario = copies(seed, zeros=0.0)
        found = faier.epsilon(scenario, tolerance=TOLERANCE, timeout=2)
        total += 1
        decided += found.complete
    assert decided >= total * 0.8


@pytest.mark.slow
def test_large_copies_by_the_pairs_of_states_most_alike():
    """1089 entries of a simulation may be positive, too many for a program of all.

    Programs are given up by the clock, so that on a machine that is very busy it may stay open.
    """
    scenario = copies(1, states=11, zeros=0.0)
    found = faier.epsilon(scenario, tolerance=TOLERANCE, timeout=60)
    assert found.complete
    assert found.ratio.lower > 1
    accepted(scenario, found)
    verdict = faier.verify(scenario.claiming(ratio=found.ratio.lower * Fraction(101, 100)), timeout=60)
    assert isinstance(verdict, faier.Holds)


def test_few_pairs_of_states_claim_nothing_wrong(monkeypatch):
    """Whatever pairs are left out, what is found is a simulation."""
    monkeypatch.setattr(paired, "_FEW_PAIRS", 0)
    monkeypatch.setattr(paired, "_SOME_PAIRS", 14)
    monkeypatch.setattr(paired, "_MOST_PAIRS", 25)
    used = 0
    for seed in range(12):
        scenario = copies(seed, zeros=0.1 * (seed % 3), possible="both" if seed % 4 == 3 else "either")
        found = faier.epsilon(scenario, tolerance=TOLERANCE, timeout=3)
        assert tight(scenario) <= found.ratio.upper
        if found.complete:
            used += "simulate" in found.explanation.closed
            accepted(scenario, found)
    assert used > 3


def test_equal_sides_are_exactly_equal():
    scenario = copies(3, zeros=0.1)
    found = faier.epsilon(scenario, timeout=20)
    assert found.ratio.lower == found.ratio.upper == 1
    accepted(scenario, found)
    verdict = faier.verify(scenario.claiming(ratio=1), timeout=20)
    assert isinstance(verdict, faier.Holds)
    accepted(scenario.claiming(ratio=1), verdict)


def test_long_horizons():
    scenario = at(copies(3, zeros=0.1), 200)
    verdict = faier.verify(scenario.claiming(ratio=1), timeout=20)
    assert isinstance(verdict, faier.Holds)
    accepted(scenario.claiming(ratio=1), verdict)


@pytest.mark.parametrize("seed", range(12))
def test_decisions_agree_with_enclosures(seed):
    scenario = copies(seed)
    enclosed = anytime.tight_at_any(Comparison(scenario), TOLERANCE, Limits(2))
    if enclosed.lower in (0, inf) or enclosed.reason is not None:
        return
    for factor, name in ((Fraction(101, 100), "Holds"), (Fraction(99, 100), "Violated")):
        claimed = scenario.claiming(ratio=enclosed.lower * factor)
        verdict = faier.verify(claimed, timeout=5)
        assert type(verdict).__name__ in (name, "Unknown")
        if isinstance(verdict, faier.Holds):
            accepted(claimed, verdict)


def test_without_highs_the_bound_stays_open(monkeypatch):
    monkeypatch.setattr(highs, "is_there", lambda: False)
    scenario = copies(3, zeros=0.1)
    outcome = anytime.tight_at_any(Comparison(scenario), TOLERANCE, Limits(nodes=2000))
    assert outcome.upper == inf
    assert outcome.reason is not None
    claim = scenario.claiming(ratio=1)
    assert levels.decide(Comparison(claim), claim.claim.budget, Limits(nodes=500)).trace is None


def test_a_solution_that_is_not_exact_is_not_used(monkeypatch):
    """Whatever the solver says: the equations are solved again, and every condition is checked."""
    real = highs.minimise

    def wrong(program, seconds):
        basis = real(program, seconds)
        if basis is None:
            return None
        return highs.Basis(basis.value, basis.variables, [(n + 1) % len(program.rows) for n in basis.conditions])

    monkeypatch.setattr(highs, "minimise", wrong)
    for seed in range(6):
        scenario = copies(seed)
        found = faier.epsilon(scenario, tolerance=TOLERANCE, timeout=1)
        assert tight(scenario) <= found.ratio.upper
        if found.complete:
            accepted(scenario, found)


