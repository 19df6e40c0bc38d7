"""The NP-hardness family: random 3-CNFs of 4.3 clauses a variable, beside a MaxSAT solver and beside brute force.

One satisfiable and one unsatisfiable formula of each size, where Algorithm 1 and faier are asked until they stop, and
several of 20 variables. Each answer has to be the one that RC2 (python-sat), brute force and the paper's reduction
give.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
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
SEVERAL = 20, 91
"""Variables and clauses of those that there are several of: 4.55 clauses for each variable."""
MANY = 6
"""So many satisfiable and so many unsatisfiable ones of these."""
LIMIT = 60.0
"""Seconds of processor time that are enough for each of them."""
_BRUTE = 22
"""Brute force tries all assignments of so many variables; where there are more RC2 alone says what is true."""
FAMILY = "random 3-CNFs, by variables"
SLOWEST = "the slowest of {} formulas of {} variables and {} clauses"
_WALL = 3
BRUTE = "brute-force MaxSAT in numpy"
RC2 = "RC2, a MaxSAT solver"


def rows(options: Options) -> Iterator[Row]:
    solver = _rc2()
    if solver is None:
        yield Row("python-sat is not installed", "pip install -e '.[bench]'", Time(0.0, 0.0))
    yield from _ladder(solver, options)
    yield from _several(solver, options)


def _ladder(maxsat: Any, options: Options) -> Iterator[Row]:
    """From small to large: whoever stopped is not asked about more variables, of this kind of formula."""
    ended: set[tuple[str, bool]] = set()
    for variables in (6, 8, 10) if options.quick else range(6, 32, 2):
        clauses = round(RATIO * variables)
        for satisfiable in (True, False):
            if ("faier", satisfiable) in ended or (variables > _BRUTE and maxsat is None):
                continue
            formula = next(found(variables, clauses, satisfiable, maxsat))
            scenario = reduction(formula)
            kind = "satisfiable" if satisfiable else "unsatisfiable"
            what = f"{variables} variables, {clauses} clauses, {kind}"
            truth, floor, known = yield from _truth(maxsat, formula, what, options)
            _, row = tight(what, formula, scenario, truth, known, floor, options)
            yield row
            if row.stopped:
                ended.add(("faier", satisfiable))
            else:
                yield decided(what, variables, scenario, tight_ratio(truth, clauses), known, floor, options)
            for solver in ("z3", "cvc5"):
                if (solver, satisfiable) in ended:
                    continue
                answer, time, note = ask(scenario, solver, "linear", options.limit)
                if late := unanswered(answer):
                    ended.add((solver, satisfiable))
                else:
                    expect(answer == ("violated" if satisfiable else "holds"), f"{what}: {solver} says {answer}")
                row = Row(f"{solver} linear, {what}", answer, time, known, floor, note, stopped=late)
                yield row if answer == REFUSED else row.at(FAMILY, variables, f"{series(solver, 'linear')}, {kind}")


def _truth(
    maxsat: Any, formula: CNF, what: str, options: Options
) -> Generator[Row, None, tuple[int, Time, str]]:
    """How many clauses can be satisfied, by RC2 and by brute force; the time of the latter, or else of the former."""
    told, variables = f"of {len(formula.clauses)} clauses", formula.variables
    if maxsat is not None:
        most, time = best(partial(maxsat, formula), options.repeats)
        yield Row(f"{RC2}, {what}", f"{most} {told}", time).at(FAMILY, variables, RC2)
    if variables > _BRUTE:
        return most, time, RC2
    truth, floor = best(partial(most_satisfied, formula), options.repeats)
    expect(maxsat is None or most == truth, f"{what}: RC2 satisfies more or less than {truth}")
    yield Row(f"{BRUTE}, {what}", f"{truth} {told}", floor).at(FAMILY, variables, FLOOR + BRUTE)
    return truth, floor, BRUTE


def _several(maxsat: Any, options: Options) -> Iterator[Row]:
    """Several formulas of one size: each exactly, with a certificate that is checked, and the slowest of them."""
    variables, clauses = (12, 52) if options.quick else SEVERAL
    formulas = 2 if options.quick else MANY
    slowest, done = Time(0.0, 0.0), 0
    for satisfiable in (True, False):
        for number, formula in enumerate(islice(found(variables, clauses, satisfiable, maxsat), formulas), 1):
            kind = "satisfiable" if satisfiable else "unsatisfiable"
            what = f"{variables} variables, {clauses} clauses, {kind}, number {number}"
            truth, floor, known = yield from _truth(maxsat, formula, what, options)
            scenario = reduction(formula)
            answer, row = tight(what, formula, scenario, truth, known, floor, options)
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


def tight(
    what: str, formula: CNF, scenario: Scenario, satisfied: int, beside: str, floor: Time, options: Options
) -> tuple[Tight, Row]:
    # The engine's own limit is wall time; ours is processor time, as that of the solvers.
    truth = tight_ratio(satisfied, len(formula.clauses))
    limit = min(options.limit, LIMIT)
    answer, time = best(lambda: faier.epsilon(scenario, timeout=_WALL * limit), options.repeats)
    late = not answer.complete or time.process > limit
    expect(not answer.complete or answer.ratio.lower == answer.ratio.upper == truth, f"{what}: {answer}, not {truth}")
    note = f"model of {len(scenario.model.states)} states, {scenario.claim.horizon} symbols"
    return answer, Row(
        f"epsilon, {what}", stopped(limit) if late else f"{truth}, exact", time, beside, floor, note,
        family=FAMILY, size=formula.variables, series="faier.epsilon", stopped=late,
    )  # fmt: skip


def decided(
    what: str, variables: int, scenario: Scenario, truth: Fraction, beside: str, floor: Time, options: Options
) -> Row:
    limit = min(options.limit, LIMIT)
    verdict, time = best(lambda: faier.verify(scenario, timeout=_WALL * limit), options.repeats)
    right = isinstance(verdict, Violated if truth == 4 else Holds)
    late = isinstance(verdict, Unknown) or time.process > limit
    expect(right or isinstance(verdict, Unknown), f"{what}: {verdict}")
    return Row(
        f"verify, {what}", stopped(limit) if late else name(verdict), time, beside, floor,
        family=FAMILY, size=variables, series="faier.verify", stopped=late,
    )  # fmt: skip


def found(variables: int, clauses: int, satisfiable: bool, maxsat: Any = None) -> Iterator[CNF]:
    """The formulas of the kind wanted, by their seeds."""
    most = most_satisfied if variables <= _BRUTE else maxsat
    for seed in count():
        random = np.random.default_rng([variables, seed])
        chosen = [random.choice(variables, size=3, replace=False) + 1 for _ in range(clauses)]
        listed = [tuple(int(x) for x in c * random.choice((-1, 1), size=3)) for c in chosen]
        formula = CNF(variables, tuple(listed))
        if (most(formula) == clauses) == satisfiable:
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
