"""Algorithm 1 of the paper on a solver, as a peer of the tree."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing import get_context
from resource import RLIMIT_CPU, getrlimit, setrlimit
from signal import SIGXCPU

from faier.engine.smt.query import How
from faier.engine.smt.verify import timed
from faier.errors import SolverError, UsageError
from faier.scenario.scenario import Pair, Scenario
from faier.verdict import Unknown, Witness

from .row import Options, Row, expect
from .timing import Time, once

REFUSED = "refused: too many terms"

_WALL = 20
_NEARLY = 0.9


class Growth:
    """Algorithm 1 along a family, from small to large: a solver that stopped is not asked about larger sizes."""

    def __init__(self, family: str, options: Options, encodings: tuple[How, ...] = ("linear",)) -> None:
        self._family, self._limit = family, options.limit
        self._left = [(solver, encoding) for encoding in encodings for solver in ("z3", "cvc5")]

    def rows(self, scenario: Scenario, size: int, expected: str, what: str, ours: Time) -> Iterator[Row]:
        for solver, encoding in list(self._left):
            answer, time, note = ask(scenario, solver, encoding, self._limit)
            ended = unanswered(answer)
            expect(ended or answer == expected, f"{what}: {solver} {encoding} says {answer}, not {expected}")
            if ended:
                self._left.remove((solver, encoding))
            row = Row(f"{solver} {encoding}, {what}", answer, time, "faier.verify", ours, note, stopped=ended)
            # What was not asked took no time that could be drawn.
            yield row if answer == REFUSED else row.at(self._family, size, series(solver, encoding))


def series(solver: str, encoding: How) -> str:
    return f"{'Z3' if solver == 'z3' else solver} {encoding}"


def ask(scenario: Scenario, solver: str, encoding: How, limit: float) -> tuple[str, Time, str]:
    """The verdict's name (or that the limit came first), the time, and the solver's own part of it.

    The limit is processor time: a busy machine must not make a solver look worse than it is. Each query has it
    to itself, where the encoding asks more than one.
    """

    def apart() -> tuple[str, float] | BrokenProcessPool | None:
        # The system counts a process's time from its start, so the limit needs a new one.
        fork = get_context("fork")
        with ProcessPoolExecutor(1, fork, initializer=_limit_processor, initargs=(limit,)) as pool:
            try:
                return pool.submit(_decide, scenario, solver, encoding, limit).result()
            except BrokenProcessPool as error:
                return error

    found, time = once(apart)
    if isinstance(found, BrokenProcessPool):
        # A large query may reach the limit while it is still being written; any other end is a mistake.
        if time.process < _NEARLY * limit:
            raise found
        return stopped(limit), time, "while the query was written"
    if found is None:
        return stopped(limit), time, ""
    answer, inside = found
    return answer, time, f"{inside:.2g} s inside the solver"


def _limit_processor(seconds: float) -> None:
    """From now on this process and each one it starts end by SIGXCPU after so much processor time of their own."""
    setrlimit(RLIMIT_CPU, (math.ceil(seconds), getrlimit(RLIMIT_CPU)[1]))


def _decide(scenario: Scenario, solver: str, encoding: How, limit: float) -> tuple[str, float] | None:
    try:
        result = timed(scenario, solver=solver, encoding=encoding, seconds=_WALL * limit)
    except UsageError as error:
        if "terms" in str(error):
            return REFUSED, 0.0
        raise
    except SolverError as error:
        if f"exit status {-SIGXCPU}" in str(error):
            return None
        raise
    return None if isinstance(result.verdict, Unknown) else (name(result.verdict), result.solve_seconds)


def unanswered(answer: str) -> bool:
    return answer == REFUSED or answer.startswith("stopped")


def stopped(limit: float) -> str:
    return f"stopped at {limit:g} s"


def name(verdict: object) -> str:
    return type(verdict).__name__.lower()


def one_pair(scenario: Scenario, witness: Witness) -> Scenario:
    """The pair of a witness alone, in its direction: what Algorithm 1 is given."""
    pair = scenario.pairs[witness.pair]
    left, right = (pair.left, pair.right) if witness.forward else (pair.right, pair.left)
    return replace(scenario, pairs=(Pair(left, right, one_way=True),))
