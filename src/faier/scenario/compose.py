"""Several releases about the same data."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from faier.errors import NotYetError, UsageError
from faier.model.hmm import HMM

from .scenario import Scenario


def composed(scenario: Scenario, times: int) -> Scenario:
    """The question about so many independent releases: the first symbol of a run, released again and again.

    The state at the start is the data, the same for all releases; what a belief does not know of it stays unknown. The
    horizon is `times`. Nothing is approximated: no composition theorem is used, the releases are looked at together.
    """
    if isinstance(times, bool) or not isinstance(times, int) or times < 1:
        raise UsageError(f"times is a number of releases, at least 1, got {times!r}")
    scenario.require_all_outputs("a composition")
    if len(scenario.choices) > 1:
        raise UsageError("a stream answers again and again already: ask about it at a horizon")
    model = scenario.model
    if model.step.stored and scenario.claim.horizon != 1:
        raise NotYetError(
            "only the first symbol of a run can be composed yet: the model's runs go on, and its horizon is not 1"
        )
    again = HMM(
        emit=model.emit_rows(),
        step={state: {state: Fraction(1)} for state in model.states},
        parameters=model.parameters,
        constraints=model.constraints,
    )
    claim = replace(scenario.claim, horizon=times)
    title = f"{scenario.title}, {times} releases" if scenario.title else ""
    return Scenario(again, scenario.pairs, claim, scenario.beliefs, title)
