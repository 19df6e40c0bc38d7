"""Simulations with few entries, of large models whose runs come to no state twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from judge import judge_decision, judge_tight
from test_simulation import accepted, row

import faier
from faier.comparison import Comparison
from faier.engine.lumping import smaller
from faier.engine.progress import Limits
from faier.engine.simulation import highs, matrix
from faier.engine.simulation.matrix import Simulation
from faier.engine.simulation.sparse_solve import solve
from faier.engine.simulation.support import Loops, Samples, sparse_columns
from faier.engine.simulation.tables import Tables
from faier.engine.tree import levels, paired, simulator
from faier.interop.dimacs import CNF, reduction
from faier.model.toml_write import dumps
from faier.scenario.scenario import Scenario
from faier_check import check
from faier_check.errors import CertificateError


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulations of few entries alone, as soon as there is a prefix and as often as there is time."""
    monkeypatch.setattr(simulator, "_FIRST", 1)
    monkeypatch.setattr(simulator, "_MANY", 1)
    monkeypatch.setattr(simulator, "_WELL_UNDER_WAY", 0)
    monkeypatch.setattr(paired, "_MOST_STATES", 0)
    monkeypatch.setattr(levels, "_NEAR_THE_END", 1)


def layered(seed: int, length: int = 5, possible: str = "either") -> Scenario:
    """Two processes that never come to a state again, with some states in common, on two or three symbols."""
    dice = Random(seed)
    symbols = list("ab")
    layers = [[f"{side}{t},{k}" for side in "LRM" for k in range(1 + (side != "M"))] for t in range(length)]
    emit, step = {}, {}
    for t, layer in enumerate(layers):
        for state in layer:
            emit[state] = row(dice, symbols, 0.2)
            following = [s for s in layers[t + 1] if s[0] in (state[0], "M")] if t + 1 < length else []
            if following and not (seed % 4 == 1 and dice.random() < 0.1):
                step[state] = row(dice, following, 0.2)
    model = faier.HMM(emit=emit, step=step)
    left = faier.Belief.of("left", row(dice, [s for s in layers[0] if s[0] != "R"], 0.1), model)
    right = faier.Belief.of("right", row(dice, [s for s in layers[0] if s[0] != "L"], 0.1), model)
    return Scenario.of(model, [faier.Pair(left, right)], horizon=length, possible=possible)


def formula(seed: int, variables: int, clauses: int) -> CNF:
    dice = Random(seed)
    listed = [
        tuple(v * dice.choice((-1, 1)) for v in dice.sample(range(1, variables + 1), 3)) for _ in range(clauses)
    ]
    return CNF(variables, tuple(listed))


def least_falsified(cnf: CNF) -> int:
    return min(
        sum(not any(values[abs(x) - 1] == (x > 0) for x in clause) for clause in cnf.clauses)
        for values in product((False, True), repeat=cnf.variables)
    )


@pytest.mark.usefixtures("eager")
def test_layered_models_exactly():
    used = 0
    for seed in range(24):
        scenario = layered(seed, possible="both" if seed % 5 == 4 else "either")
        limits = Limits()
        outcome = levels.tight_at(Comparison(scenario), limits)
        judge_tight(Comparison(scenario), outcome)
        used += limits.effort.simulations
        truth = outcome.upper
        for budget in (truth, truth * Fraction(99, 100)) if isinstance(truth, Fraction) and truth else ():
            comparison = Comparison(scenario.claiming(ratio=max(budget, Fraction(1))))
            judge_decision(comparison, levels.decide(comparison, comparison.scenario.claim.budget, Limits()))
        if seed % 3 == 0 and isinstance(truth, Fraction):
            claim = scenario.claiming(ratio=max(truth, Fraction(1)))
            verdict = faier.verify(claim, engine="tree")
            assert isinstance(verdict, faier.Holds)
            accepted(claim, verdict)
    assert used > 10


@pytest.mark.usefixtures("eager")
def test_formulas_by_brute_force():
    closed = 0
    for seed in range(5):
        cnf = formula(seed, 7, 24 + 3 * (seed % 3))
        falsified, scenario = least_falsified(cnf), reduction(cnf)
        found = faier.epsilon(scenario)
        clauses = len(cnf.clauses)
        assert found.ratio.lower == found.ratio.upper
        assert found.ratio.upper == Fraction(8 * clauses - 3 * falsified, 2 * clauses + 3 * falsified)
        closed += found.explanation.closed.get("simulate", 0)
        accepted(scenario, found)
        verdict = faier.verify(scenario)
        assert isinstance(verdict, faier.Violated if falsified == 0 else faier.Holds)
        if falsified:
            accepted(scenario, verdict)
    assert closed > 3


def test_a_formula_takes_few_prefixes(monkeypatch: pytest.MonkeyPatch):
    scenario = reduction(formula(2, 12, 52))
    found = faier.epsilon(scenario)
    assert found.explanation.closed["simulate"] > 10
    monkeypatch.setattr(highs, "is_there", lambda: False)
    without = faier.epsilon(scenario)
    assert without.ratio == found.ratio
    assert sum(found.explanation.closed.values()) * 3 < sum(without.explanation.closed.values())


@pytest.fixture
def proved(eager: None) -> tuple[dict[str, Any], bytes]:
    """The certificate of a formula that no assignment satisfies, and its model."""
    scenario = reduction(next(c for c in (formula(s, 9, 44) for s in range(50)) if least_falsified(c)))
    verdict = faier.verify(scenario)
    certificate = json.loads(json.dumps(faier.certify(verdict)))
    check(json.dumps(certificate).encode(), dumps(scenario).encode())
    assert certificate["proof"]["matrices"]
    return certificate, dumps(scenario).encode()


def changes(dice: Random, entries: list[list[Any]]) -> Iterator[list[list[Any]]]:
    """An entry a little less, a little more, in another column, or not there; by turns."""
    for factor in (1 - Fraction(1, 10**30), Fraction(1, 2), 1 + Fraction(1, 10**30)):
        changed = deepcopy(entries)
        entry = dice.choice(changed)
        entry[2] = str(Fraction(entry[2]) * factor)
        yield changed
    changed = deepcopy(entries)
    changed.pop(dice.randrange(len(changed)))
    yield changed


def test_changed_matrices_are_rejected(proved: tuple[dict[str, Any], bytes]):
    """Each entry is as small as it can be, and each leaf is closed with equality or nearly so."""
    certificate, model = proved
    dice = Random(1)
    rejected = total = 0
    for _ in range(2):
        for changed in changes(dice, certificate["proof"]["matrices"][0]):
            wrong = {**certificate, "proof": {**certificate["proof"], "matrices": [changed]}}
            total += 1
            try:
                check(json.dumps(wrong).encode(), model)
            except CertificateError:
                rejected += 1
    assert rejected >= total - 1


def test_rows_are_a_copy_and_what_takes_over_from_all():
    """Of a formula: a clause's own copy on the right, and the clauses that are false by now."""
    scenario = smaller(reduction(formula(1, 6, 14))).scenario
    comparison = Comparison(scenario)
    names = [*scenario.model.states, "done"]
    start = {names.index(n) for n in names if n.startswith("A'") and n.endswith(",2")}
    falsified = {names.index(n) for n in names if n.endswith(",2") and n[0] == "B"} | start
    columns = sparse_columns(Tables.of(comparison), start, falsified, Samples, 10**6, lambda: False)
    assert columns is not None
    assert max(map(len, columns.values())) <= 4


def test_choosing_columns_stops_when_time_is_up():
    comparison = Comparison(smaller(reduction(formula(1, 6, 14))).scenario)
    tables = Tables.of(comparison)
    start = set(comparison.start_states.tolist())
    assert sparse_columns(tables, start, start, Samples, 10**6, lambda: False) is not None
    assert sparse_columns(tables, start, start, Samples, 10**6, lambda: True) is None
    assert sparse_columns(tables, start, start, Samples, 10, lambda: False) is None


def test_loops_are_refused():
    model = faier.HMM(emit={"x": {"a": 1}, "y": {"a": 1}}, step={"x": {"y": 1}, "y": {"x": 1}})
    scenario = Scenario.of(model, [("x", "y")], horizon=3)
    with pytest.raises(Loops):
        sparse_columns(Tables.of(Comparison(scenario)), {0}, {1}, Samples, 100, lambda: False)


def test_too_many_columns_give_no_bound(monkeypatch: pytest.MonkeyPatch):
    identity = Simulation(3, {0: {0: Fraction(1)}, 1: {1: Fraction(1)}})
    columns, rows = np.array([0, 1]), np.array([[0.5, 0.5]])
    assert identity.bounds(columns, rows, rows / 2).tolist() == [2.0]
    assert identity.bounds(columns[:1], rows[:, :1], rows[:, :1]).tolist() == [1.0]
    monkeypatch.setattr(matrix, "_MOST_COLUMNS", 1)
    assert identity.bounds(columns, rows, rows).tolist() == [float("inf")]


@pytest.mark.usefixtures("eager")
def test_a_solution_that_is_no_simulation_is_not_used(monkeypatch: pytest.MonkeyPatch):
    real = highs.minimise

    def wrong(program: Any, seconds: float) -> Any:
        basis = real(program, seconds)
        if basis is None:
            return None
        return highs.Basis(basis.value, basis.variables, [(n + 1) % len(program.rows) for n in basis.conditions])

    monkeypatch.setattr(highs, "minimise", wrong)
    for seed in range(4):
        scenario = layered(seed)
        judge_tight(Comparison(scenario), levels.tight_at(Comparison(scenario), Limits()))


@pytest.mark.parametrize("seed", range(30))
def test_sparse_systems_are_solved_exactly(seed: int):
    dice = Random(seed)
    size = 1 + seed
    places = [{k, *dice.sample(range(size), min(size, 2))} for k in range(size)]
    rows = [{n: Fraction(dice.randint(-5, 5) or 1, dice.randint(1, 7)) for n in row} for row in places]
    truth = {n: Fraction(dice.randint(-3, 3), dice.randint(1, 5)) for n in range(size)}
    dice.shuffle(rows)
    right = [sum((a * truth[n] for n, a in row.items()), Fraction(0)) for row in rows]
    found = solve(rows, right, size)
    full = [[row.get(n, Fraction(0)) for n in range(size)] for row in rows]
    dense = fmpq_mat([[fmpq(x.numerator, x.denominator) for x in row] for row in full])
    assert (found is None) == (dense.det() == 0)
    if found is not None:
        assert found == {n: x for n, x in truth.items() if x}


def test_singular_systems_have_no_solution():
    one = Fraction(1)
    assert solve([{0: one, 1: one}, {0: one, 1: one}], [one, one], 9) is None
    assert solve([{0: one}, {0: one}], [one, one], 9) is None
    assert solve([{0: one, 1: one}, {0: one, 1: -one}], [one, one], 1) is None
    assert solve([{0: one, 1: one}, {0: one, 1: -one}], [one, one], 2) == {0: one}
