"""The NP-hardness family: random 3-CNFs of 4.3 clauses a variable, beside a MaxSAT solver and beside brute force.

One satisfiable and one unsatisfiable formula of each size, where Algorithm 1 is asked until it stops, and several of
the largest: each answer has to be the one that RC2 (python-sat), brute force and the paper's reduction give.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import count, islice
from typing import Any

import numpy as np

import faier
from faier.interop.dimacs import CNF, reduction
from faier.scenario.scenario import Scenario
from faier.verdict import Holds, Tight, Unknown, Violated

from . import certificates
from .row import FLOOR, Options, Row, expect
from .solvers import REFUSED, ask, name, series, stopped, unanswered
from .timing import Time, best

RATIO = 4.3
LARGEST = 20, 91
"""Variables and clauses of the largest formulas: 4.55 clauses for each variable."""
MANY = 6
"""So many satisfiable and so many unsatisfiable ones of the largest."""
LIMIT = 60.0
"""Seconds of processor time that are enough for each of the largest."""
FAMILY = "random 3-CNFs, by variables"
SLOWEST = "the slowest of {} formulas of {} variables and {} clauses"
_WALL = 10
BRUTE = "brute-force MaxSAT in numpy"
RC2 = "RC2, a MaxSAT solver"


def rows(options: Options) -> Iterator[Row]:
    solver = _rc2()
    if solver is None:
        yield Row("python-sat is not installed", "pip install -e '.[bench]'", Time(0.0, 0.0))
    yield from _ladder(solver, options)
    yield from _largest(solver, options)


def _ladder(maxsat: Any, options: Options) -> Iterator[Row]:
    sizes = (6, 8, 10) if options.quick else (6, 8, 10, 12, 14, 16, 18)
    ended: set[tuple[str, bool]] = set()
    for variables in sizes:
        clauses = round(RATIO * variables)
        for satisfiable in (True, False):
            formula = next(found(variables, clauses, satisfiable))
            scenario = reduction(formula)
            truth, floor = best(partial(most_satisfied, formula), options.repeats)
            kind = "satisfiable" if satisfiable else "unsatisfiable"
            what = f"{variables} variables, {clauses} clauses, {kind}"
            yield Row(f"{BRUTE}, {what}", f"{truth} of {clauses} clauses", floor,
                      family=FAMILY, size=variables, series=FLOOR + BRUTE)  # fmt: skip
            if maxsat is not None:
                yield _beside(maxsat, formula, truth, what, options)
            _, row = tight(what, formula, scenario, truth, floor, options)
            yield row
            yield decided(what, variables, scenario, tight_ratio(truth, clauses), floor, options)
            for solver in ("z3", "cvc5"):
                # A solver that stopped once is not asked about more variables.
                if (solver, satisfiable) in ended:
                    continue
                answer, time, note = ask(scenario, solver, "linear", options.limit)
                if late := unanswered(answer):
                    ended.add((solver, satisfiable))
                else:
                    expect(answer == ("violated" if satisfiable else "holds"), f"{what}: {solver} says {answer}")
                row = Row(f"{solver} linear, {what}", answer, time, BRUTE, floor, note, stopped=late)
                yield row if answer == REFUSED else row.at(FAMILY, variables, f"{series(solver, 'linear')}, {kind}")


def _largest(maxsat: Any, options: Options) -> Iterator[Row]:
    """Several formulas at the limit: each exactly, with a certificate that is checked, and the slowest of them."""
    variables, clauses = (12, 52) if options.quick else LARGEST
    formulas = 2 if options.quick else MANY
    slowest, done = Time(0.0, 0.0), 0
    for satisfiable in (True, False):
        for number, formula in enumerate(islice(found(variables, clauses, satisfiable), formulas), 1):
            kind = "satisfiable" if satisfiable else "unsatisfiable"
            what = f"{variables} variables, {clauses} clauses, {kind}, number {number}"
            truth, floor = best(partial(most_satisfied, formula), 2)
            expect((truth == clauses) == satisfiable, what)
            if maxsat is not None:
                yield _beside(maxsat, formula, truth, what, options)
            scenario = reduction(formula)
            answer, row = tight(what, formula, scenario, truth, floor, options)
            yield row
            if not row.stopped:
                yield from certificates.rows(what, answer, scenario, row.time, options)
                done += 1
            slowest = max(slowest, row.time, key=lambda t: t.process)
    all_of_them = 2 * formulas
    yield Row(
        SLOWEST.format(all_of_them, variables, clauses),
        f"{done} of {all_of_them} exactly within {LIMIT:g} s", slowest,
        stopped=done < all_of_them,
    )  # fmt: skip


def _beside(maxsat: Any, formula: CNF, truth: int, what: str, options: Options) -> Row:
    most, time = best(partial(maxsat, formula), options.repeats)
    expect(most == truth, f"{what}: RC2 satisfies {most} clauses, brute force {truth}")
    return Row(f"{RC2}, {what}", f"{most} of {len(formula.clauses)} clauses", time).at(FAMILY, formula.variables, RC2)


def tight(
    what: str, formula: CNF, scenario: Scenario, satisfied: int, floor: Time, options: Options
) -> tuple[Tight, Row]:
    # The engine's own limit is wall time; ours is processor time, as that of the solvers.
    truth = tight_ratio(satisfied, len(formula.clauses))
    limit = min(options.limit, LIMIT)
    answer, time = best(lambda: faier.epsilon(scenario, timeout=_WALL * limit), options.repeats)
    late = not answer.complete or time.process > limit
    expect(not answer.complete or answer.ratio.lower == answer.ratio.upper == truth, f"{what}: {answer}, not {truth}")
    note = f"model of {len(scenario.model.states)} states, {scenario.claim.horizon} symbols"
    return answer, Row(
        f"epsilon, {what}", stopped(limit) if late else f"{truth}, exact", time, BRUTE, floor, note,
        family=FAMILY, size=formula.variables, series="faier.epsilon", stopped=late,
    )  # fmt: skip


def decided(
    what: str, variables: int, scenario: Scenario, truth: Fraction, floor: Time, options: Options
) -> Row:
    limit = min(options.limit, LIMIT)
    verdict, time = best(lambda: faier.verify(scenario, timeout=_WALL * limit), options.repeats)
    right = isinstance(verdict, Violated if truth == 4 else Holds)
    late = isinstance(verdict, Unknown) or time.process > limit
    expect(right or isinstance(verdict, Unknown), f"{what}: {verdict}")
    return Row(
        f"verify, {what}", stopped(limit) if late else name(verdict), time, BRUTE, floor,
        family=FAMILY, size=variables, series="faier.verify", stopped=late,
    )  # fmt: skip


def found(variables: int, clauses: int, satisfiable: bool) -> Iterator[CNF]:
    """The formulas of the kind wanted, by their seeds."""
    for seed in count():
        random = np.random.default_rng([variables, seed])
        chosen = [random.choice(variables, size=3, replace=False) + 1 for _ in range(clauses)]
        listed = [tuple(int(x) for x in c * random.choice((-1, 1), size=3)) for c in chosen]
        formula = CNF(variables, tuple(listed))
        if (most_satisfied(formula) == clauses) == satisfiable:
            yield formula


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


def _rc2() -> Any:
    """The same as `most_satisfied`, by a solver; None where it is not installed."""
    try:
        from pysat.examples.rc2 import RC2 as Solver
        from pysat.formula import WCNF
    except ImportError:
        return None

    def most(formula: CNF) -> int:
        weighted = WCNF()
        for clause in formula.clauses:
            weighted.append(list(clause), weight=1)
        with Solver(weighted) as solver:
            solver.compute()
            return len(formula.clauses) - solver.cost

    return most
