"""The NP-hardness family: random 3-CNFs at 4.3 clauses a variable, beside brute force, and where solvers stop."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np

import faier
from faier.interop.dimacs import CNF, reduction
from faier.scenario.scenario import Scenario
from faier.verdict import Holds, Tight, Violated

from .row import Options, Row, expect
from .solvers import ask, name
from .timing import Time, best

RATIO = 4.3


def rows(options: Options) -> Iterator[Row]:
    sizes = (6, 8) if options.quick else (6, 8, 10, 12, 14, 16) if options.full else (6, 8, 10, 12)
    stopped: set[tuple[str, bool]] = set()
    for variables in sizes:
        for satisfiable in (True, False):
            formula = find(variables, satisfiable)
            scenario = reduction(formula)
            truth, floor = best(partial(most_satisfied, formula), options.repeats)
            kind = "satisfiable" if satisfiable else "unsatisfiable"
            what = f"{variables} variables, {len(formula.clauses)} clauses, {kind}"
            yield from tree(what, scenario, tight_ratio(truth, len(formula.clauses)), floor, options)
            for solver in ("z3", "cvc5"):
                # A solver that stopped once is not asked about more variables.
                if (solver, satisfiable) in stopped:
                    continue
                answer, time, note = ask(scenario, solver, "linear", options.limit)
                if answer.startswith("stopped"):
                    stopped.add((solver, satisfiable))
                else:
                    expect(answer == ("violated" if satisfiable else "holds"), f"{what}: {solver} says {answer}")
                yield Row(f"{solver} linear, {what}", answer, time, "brute-force MaxSAT in numpy", floor, note)


def tree(what: str, scenario: Scenario, truth: Fraction, floor: Time, options: Options) -> Iterator[Row]:
    beside = "brute-force MaxSAT in numpy"
    limit = options.limit
    tight, time = best(lambda: faier.epsilon(scenario, timeout=limit), options.repeats)
    expect(not tight.complete or tight.ratio.lower == tight.ratio.upper == truth, f"{what}: {tight}, not {truth}")
    note = f"model of {len(scenario.model.states)} states, {scenario.claim.horizon} symbols"
    yield Row(f"epsilon, {what}", found(tight, limit), time, beside, floor, note)
    verdict, time = best(lambda: faier.verify(scenario, timeout=limit), options.repeats)
    right = isinstance(verdict, Violated if truth == 4 else Holds)
    expect(right or verdict.seconds >= limit, f"{what}: {verdict}")
    yield Row(f"verify, {what}", name(verdict) if right else f"stopped at {limit:g} s", time, beside, floor)


def found(tight: Tight, limit: float) -> str:
    return f"{tight.ratio.lower}, exact" if tight.complete else f"stopped at {limit:g} s"


def find(variables: int, satisfiable: bool) -> CNF:
    """The formula of the first seed that is of the kind wanted."""
    count = round(RATIO * variables)
    for seed in range(1000):
        random = np.random.default_rng([variables, seed])
        chosen = [random.choice(variables, size=3, replace=False) + 1 for _ in range(count)]
        clauses = [tuple(int(x) for x in c * random.choice((-1, 1), size=3)) for c in chosen]
        formula = CNF(variables, tuple(clauses))
        if (most_satisfied(formula) == count) == satisfiable:
            return formula
    raise ValueError("no seed gives such a formula")


def most_satisfied(formula: CNF) -> int:
    """The most clauses that one assignment satisfies, by trying all."""
    every = np.arange(1 << formula.variables)
    satisfied = np.zeros(len(every), dtype=np.int64)
    for clause in formula.clauses:
        true = [((every >> (abs(literal) - 1)) & 1) == (literal > 0) for literal in clause]
        satisfied += np.logical_or.reduce(true)
    return int(satisfied.max())


def tight_ratio(satisfied: int, clauses: int) -> Fraction:
    left = clauses - satisfied
    return Fraction(8 * satisfied + 5 * left, 2 * satisfied + 5 * left)
