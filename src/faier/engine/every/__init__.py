"""Secrets at every step at once, past and future apart. [T18]

Given the state at a step, what comes before it and what comes from it on are independent. So the ratio of a word, for
two single states, is that of its past times that of its future; and read away from the step, both are questions about
ordinary models, whose sides soon share their states. At a finite horizon there is a pair of them for each step; at
`any` one for all steps where the start is stationary, else one for each of the first n steps, and a bound for all later
ones. Sets of states are bounded by their single states, or by what a window around the step shows; other pairs of a
file are asked about alone.
"""

from __future__ import annotations

from faier.errors import NotYetError
from faier.model.hmm import HMM
from faier.scenario.every import asks_every_step
from faier.scenario.scenario import Scenario

from .answer import decide as decide
from .answer import enclose as enclose
from .asked import is_every, is_of_sets


def why_not(scenario: Scenario) -> str | None:
    """Why past and future are not asked about apart; None where they are."""
    written = scenario.written
    if written is None or not asks_every_step(written):
        return "no secret at every step is asked about"
    if not isinstance(written.model, HMM) or scenario.uses_unknowns:
        return "with unknown parameters or exp(...)"
    if scenario.claim.possible == "both":
        return 'with possible = "both"'
    return "with a delta" if scenario.claim.delta else None


def are_single(scenario: Scenario) -> bool:
    """Whether every pair is at every step, and compares two states: then past and future apart say all."""
    written = scenario.written
    return written is not None and all(is_every(pair) and not is_of_sets(pair) for pair in written.pairs)


def require_apart(scenario: Scenario) -> None:
    """Raise where a secret at every step is asked about at `any` in a way that cannot be decided yet."""
    if scenario.claim.horizon == "any" and asks_every_step(scenario.written) and (why := why_not(scenario)) is not None:
        raise NotYetError(f'secrets at every step (at = "every") at the horizon "any" are not built yet {why}')
