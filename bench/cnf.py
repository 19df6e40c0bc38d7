"""The NP-hardness family: random 3-CNFs of 4.3 clauses a variable, beside brute force, and where solvers stop."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np

import faier
from faier.interop.dimacs import CNF, reduction
from faier.scenario.scenario import Scenario
from faier.verdict import Holds, Unknown, Violated

from .row import FLOOR, Options, Row, expect
from .solvers import REFUSED, ask, name, series, stopped, unanswered
from .timing import Time, best

RATIO = 4.3
LARGEST = 20, 91
"""Variables and clauses of the largest formulas: 4.55 clauses for each variable."""
FAMILY = "random 3-CNFs, by variables"
_WALL = 10
MAXSAT = "brute-force MaxSAT in numpy"


def rows(options: Options) -> Iterator[Row]:
    sizes = [(n, round(RATIO * n)) for n in ((6, 8, 10) if options.quick else (6, 8, 10, 12, 14, 16, 18))]
    if not options.quick:
        sizes.append(LARGEST)
    ended: set[tuple[str, bool]] = set()
    for variables, clauses in sizes:
        for satisfiable in (True, False):
            formula = find(variables, clauses, satisfiable)
            scenario = reduction(formula)
            truth, floor = best(partial(most_satisfied, formula), options.repeats)
            kind = "satisfiable" if satisfiable else "unsatisfiable"
            what = f"{variables} variables, {clauses} clauses, {kind}"
            yield Row(f"{MAXSAT}, {what}", f"{truth} of {clauses} clauses", floor,
                      family=FAMILY, size=variables, series=FLOOR + MAXSAT)  # fmt: skip
            yield from tree(what, variables, scenario, tight_ratio(truth, clauses), floor, options)
            for solver in ("z3", "cvc5"):
                # A solver that stopped once is not asked about more variables.
                if (solver, satisfiable) in ended:
                    continue
                answer, time, note = ask(scenario, solver, "linear", options.limit)
                if late := unanswered(answer):
                    ended.add((solver, satisfiable))
                else:
                    expect(answer == ("violated" if satisfiable else "holds"), f"{what}: {solver} says {answer}")
                row = Row(f"{solver} linear, {what}", answer, time, MAXSAT, floor, note, stopped=late)
                yield row if answer == REFUSED else row.at(FAMILY, variables, f"{series(solver, 'linear')}, {kind}")


def tree(
    what: str, variables: int, scenario: Scenario, truth: Fraction, floor: Time, options: Options
) -> Iterator[Row]:
    # The engine's own limit is wall time; ours is processor time, as that of the solvers.
    limit = options.limit
    tight, time = best(lambda: faier.epsilon(scenario, timeout=_WALL * limit), options.repeats)
    late = not tight.complete or time.process > limit
    expect(not tight.complete or tight.ratio.lower == tight.ratio.upper == truth, f"{what}: {tight}, not {truth}")
    note = f"model of {len(scenario.model.states)} states, {scenario.claim.horizon} symbols"
    yield Row(
        f"epsilon, {what}", stopped(limit) if late else f"{truth}, exact", time, MAXSAT, floor, note,
        family=FAMILY, size=variables, series="faier.epsilon", stopped=late,
    )  # fmt: skip
    verdict, time = best(lambda: faier.verify(scenario, timeout=_WALL * limit), options.repeats)
    right = isinstance(verdict, Violated if truth == 4 else Holds)
    late = isinstance(verdict, Unknown) or time.process > limit
    expect(right or isinstance(verdict, Unknown), f"{what}: {verdict}")
    yield Row(
        f"verify, {what}", stopped(limit) if late else name(verdict), time, MAXSAT, floor,
        family=FAMILY, size=variables, series="faier.verify", stopped=late,
    )  # fmt: skip


def find(variables: int, count: int, satisfiable: bool) -> CNF:
    """The formula of the first seed that is of the kind wanted."""
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
