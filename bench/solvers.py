"""Algorithm 1 of the paper on a solver, as a peer of the tree."""

from __future__ import annotations

import math
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from resource import RLIMIT_CPU, getrlimit, setrlimit
from signal import SIGXCPU

from faier.engine.smt.query import How
from faier.engine.smt.verify import timed
from faier.errors import SolverError
from faier.scenario.scenario import Pair, Scenario
from faier.verdict import Unknown, Witness

from .timing import Time, once

_WALL = 20


def ask(scenario: Scenario, solver: str, encoding: How, limit: float) -> tuple[str, Time, str]:
    """The verdict's name (or that the limit came first), the time, and the solver's own part of it.

    The limit is processor time: a busy machine must not make a solver look worse than it is. Each query has it
    to itself, where the encoding asks more than one.
    """

    def apart() -> tuple[str, float] | None:
        # The system counts a process's time from its start, so the limit needs a new one.
        fork = get_context("fork")
        with ProcessPoolExecutor(1, fork, initializer=_limit_processor, initargs=(limit,)) as pool:
            return pool.submit(_decide, scenario, solver, encoding, limit).result()

    found, time = once(apart)
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
    except SolverError as error:
        if f"exit status {-SIGXCPU}" in str(error):
            return None
        raise
    return None if isinstance(result.verdict, Unknown) else (name(result.verdict), result.solve_seconds)


def stopped(limit: float) -> str:
    return f"stopped at {limit:g} s"


def name(verdict: object) -> str:
    return type(verdict).__name__.lower()


def one_pair(scenario: Scenario, witness: Witness) -> Scenario:
    """The pair of a witness alone, in its direction: what Algorithm 1 is given."""
    pair = scenario.pairs[witness.pair]
    left, right = (pair.left, pair.right) if witness.forward else (pair.right, pair.left)
    return replace(scenario, pairs=(Pair(left, right, one_way=True),))
