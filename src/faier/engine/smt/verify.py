"""Deciding a claim at a finite horizon with an SMT solver: the independent second opinion."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, assert_never

from faier.comparison import Comparison
from faier.engine.left_out import left_out
from faier.errors import UsageError
from faier.number.budget import Budget
from faier.scenario.scenario import Scenario
from faier.verdict import Bounds, Holds, Unknown, Violated

from .backend import Answer, Backend, Satisfiable, Undecided, Unsatisfiable
from .child import TIME_IS_UP
from .cvc5_backend import CVC5
from .query import Encoding, Query, build
from .witness import breaking, replayed
from .z3_backend import Z3

BACKENDS: Mapping[str, Backend] = {"z3": Z3(), "cvc5": CVC5()}
_FIRST_BITS = 64
_MOST_BITS = 4096
_NO_RATIONALS = "the solver's values are irrational, and no rational ones near them break the claim"

Outcome: TypeAlias = Holds | Violated | Unknown


@dataclass(frozen=True)
class Timing:
    """Where the time of one claim went: writing queries, and inside the solver (its start left out)."""

    verdict: Outcome
    build_seconds: float
    solve_seconds: float
    queries: int


class _OutOfTime(Exception):
    """The time was up while a query was being written."""


def verify(
    scenario: Scenario, *, solver: str = "z3", encoding: Encoding = "linear", seconds: float | None = None
) -> Outcome:
    """Decide the claim at its finite horizon; the answer "holds" rests on the solver's word.

    A witness is replayed with exact arithmetic and compared with the exact budget; it breaks the claim, and
    need not be the worst word. Parameters have rational values in it, of small denominators. Unknown where the
    solver gives up or `seconds` have passed.
    """
    return timed(scenario, solver=solver, encoding=encoding, seconds=seconds).verdict


def timed(
    scenario: Scenario, *, solver: str = "z3", encoding: Encoding = "linear", seconds: float | None = None
) -> Timing:
    """Like `verify`, with the time it took to write the queries apart from the solver's own."""
    if solver not in BACKENDS:
        raise UsageError(f"unknown solver {solver!r}; there are {', '.join(BACKENDS)}")
    seconds = None if seconds == math.inf else seconds
    started = time.perf_counter()
    spent = {"build": 0.0, "solve": 0.0, "queries": 0}

    def passed() -> float:
        return time.perf_counter() - started

    def tick() -> None:
        if seconds is not None and passed() >= seconds:
            raise _OutOfTime

    def result(verdict: Outcome) -> Timing:
        return Timing(verdict, spent["build"], spent["solve"], int(spent["queries"]))

    def unknown(reason: str) -> Timing:
        bounds = Bounds(lower=best, upper=math.inf)
        return result(Unknown(scenario, solver, passed(), None, reason=reason, bounds=bounds))

    best, bits = Fraction(0), _FIRST_BITS
    while True:
        began = passed()
        try:
            query = build(scenario, encoding=encoding, bits=bits, tick=tick)
        except _OutOfTime:
            return unknown(TIME_IS_UP)
        finally:
            spent["build"] += passed() - began
        answer = _ask(BACKENDS[solver], query, None if seconds is None else seconds - passed())
        spent["solve"] += answer.seconds
        spent["queries"] += 1
        match answer:
            case Unsatisfiable():
                left = () if query.unknowns else left_out(Comparison(scenario))
                return result(Holds(scenario, solver, passed(), None, left))
            case Undecided(reason=reason):
                return unknown(reason)
            case Satisfiable(values=values, near=near):
                finding = query.read(values, near)
            case _:
                assert_never(answer)
        if (witness := breaking(query, finding)) is not None:
            return result(Violated(scenario, solver, passed(), None, witness=witness))
        if isinstance(scenario.claim.budget, Budget) and scenario.claim.budget.exact is None:
            # The word lies between the rational bound and the irrational ratio above it. [T7]
            if not query.unknowns:
                found = replayed(query, finding, ())
                best = max(best, found.left_probability / found.right_probability)
            bits *= 2
            if not query.unknowns or bits <= _MOST_BITS:
                continue
        return unknown(_NO_RATIONALS)


def _ask(backend: Backend, query: Query, seconds: float | None) -> Answer:
    if query.needs not in backend.offers:
        raise UsageError(f"{backend.name} does not offer {query.needs}")
    return backend.solve(query, seconds=seconds)


