"""Algorithm 1 of the paper on a solver, as a peer of the tree."""

from __future__ import annotations

from dataclasses import replace

from faier.engine.smt.query import Encoding
from faier.engine.smt.verify import timed
from faier.scenario.scenario import Pair, Scenario
from faier.verdict import Unknown, Witness

from .timing import Time, once


def ask(scenario: Scenario, solver: str, encoding: Encoding, limit: float) -> tuple[str, Time, str]:
    """The verdict's name (`stopped` where the limit came first), the time, and the solver's own part of it."""
    result, time = once(lambda: timed(scenario, solver=solver, encoding=encoding, seconds=limit))
    if isinstance(result.verdict, Unknown):
        return f"stopped at {limit:g} s", time, ""
    return name(result.verdict), time, f"{result.solve_seconds:.2g} s inside the solver"


def name(verdict: object) -> str:
    return type(verdict).__name__.lower()


def one_pair(scenario: Scenario, witness: Witness) -> Scenario:
    """The pair of a witness alone, in its direction: what Algorithm 1 is given."""
    pair = scenario.pairs[witness.pair]
    left, right = (pair.left, pair.right) if witness.forward else (pair.right, pair.left)
    return replace(scenario, pairs=(Pair(left, right, one_way=True),))
