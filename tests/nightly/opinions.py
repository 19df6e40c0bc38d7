"""What every engine says of one question, and whether that agrees with brute force."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from unittest.mock import patch

from random_models import question

import reference
from faier.certificate import certify
from faier.comparison import Comparison
from faier.engine import columns, verify
from faier.engine.outcome import Outcome
from faier.engine.progress import Limits
from faier.engine.smt import child, cvc5_backend, z3_backend
from faier.engine.smt.backend import Answer
from faier.engine.tree import anytime, levels
from faier.engine.words import witness
from faier.model.toml_write import dumps
from faier.scenario.scenario import Scenario
from faier.verdict import Bounds, Holds, Tight, Violated
from faier_check import check

LONGEST = 4
FEW = 60


@dataclass(frozen=True)
class Truth:
    tight: Fraction | float
    shortest: int | None
    worst: Fraction | float

    @classmethod
    def of(cls, scenario: Scenario) -> Truth:
        """By brute force over all counted words; `worst` is the largest ratio of the shortest that break the claim."""
        budget = scenario.claim.budget
        words = [
            (len(word), reference._ratio(left, right))
            for _, _, word, _, left, right in reference.counted(scenario, scenario.claim.horizon)
        ]
        broken = [(n, r) for n, r in words if r == inf or budget.compare(Fraction(r)) > 0]
        shortest = min((n for n, _ in broken), default=None)
        worst = max((r for n, r in broken if n == shortest), default=Fraction(0))
        return cls(max((r for _, r in words), default=Fraction(0)), shortest, worst)


def agree(seed: int) -> None:
    """Tree and columns at a finite horizon, with their certificates; the tree at any."""
    scenario = question(seed)
    truth, comparison, text = Truth.of(scenario), Comparison(scenario), dumps(scenario).encode()
    for engine in (levels, columns):
        found = engine.tight_at(comparison, Limits())
        assert (found.lower, found.upper, found.reason) == (truth.tight, truth.tight, None), seed
        _checks(scenario, found, text, decided=False)
        found = engine.decide(comparison, scenario.claim.budget, Limits())
        assert (found.trace is None) == (truth.shortest is not None), seed
        if truth.shortest is not None:
            assert (len(found.found.letters), found.lower) == (truth.shortest, truth.worst), seed
        _checks(scenario, found, text, decided=True)
    _at_any(replace(scenario, claim=replace(scenario.claim, horizon="any")), text, seed)


def _at_any(scenario: Scenario, text: bytes, seed: int) -> None:
    comparison = Comparison(scenario)
    found = anytime.tight_at_any(comparison, Fraction(1, 1000), Limits(nodes=FEW))
    worst: Fraction | float = Fraction(0)
    for *_, left, right in reference.walk(scenario, LONGEST):
        for a, b in (
            (sum(left.values()), sum(right.values())),
            (left.get(reference.DONE, 0), right.get(reference.DONE, 0)),
        ):
            if scenario.claim.possible == "either" or (a and b):
                worst = max(worst, reference._ratio(a, b))
    assert worst <= found.upper, seed
    assert found.lower <= found.upper, seed
    if found.reason is None:
        _checks(scenario, found, text, decided=False)
    decided = levels.decide(comparison, scenario.claim.budget, Limits(nodes=FEW))
    if decided.trace is not None:
        assert worst != inf, seed
        assert scenario.claim.budget.compare(Fraction(worst)) <= 0, seed
    if decided.reason is None:
        _checks(scenario, decided, text, decided=True)


def _checks(scenario: Scenario, found: Outcome, text: bytes, *, decided: bool) -> None:
    """The certificate of an outcome is accepted."""
    word = None if found.found is None else witness(Comparison(scenario), found.found)
    if decided and found.trace is not None:
        result: object = Holds(scenario, "tree", 0.0, found.trace)
    elif decided:
        if found.lower != inf and scenario.claim.budget.compare(Fraction(found.lower)) <= 0:
            return
        result = Violated(scenario, "tree", 0.0, None, witness=word)
    else:
        bounds = Bounds(found.lower, found.upper)
        result = Tight(
            scenario, bounds, True, word, True, None, "tree", 0.0, found.trace,
            diverges=found.diverges, limit=found.limit,
        )  # fmt: skip
    check(json.dumps(certify(result)).encode(), text)


def solvers_agree(seed: int, *, apart: bool) -> None:
    """Z3 and cvc5 give the verdict of brute force: each query in a process `apart`, or (quickly) in this one."""
    scenario = question(seed)
    broken = Truth.of(scenario).shortest is not None
    for solver in ("z3", "cvc5"):
        if apart:
            verdict = verify(scenario, engine=solver, seconds=60)
        else:
            with patch.object(child, "solve_in_child", _solve_here):
                verdict = verify(scenario, engine=solver)
        assert isinstance(verdict, Violated if broken else Holds), (seed, solver)


def _solve_here(solver: str, package: str, query, seconds: float | None) -> Answer:
    """What the child process does, without starting one."""
    backend = {"z3": z3_backend, "cvc5": cvc5_backend}[solver]
    reply = backend.check(query.logic, query.script, query.asked)
    return child._answer(solver, 0, json.dumps(reply).encode(), b"")
