"""Values of parameters in words: at which a claim breaks, for which it holds, and which a supremum approaches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from faier.errors import NumberError
from faier.number.exact import Prob
from faier.number.rational_function import RationalFunction
from faier.scenario.scenario import Scenario
from faier.trace import Boxes, Trace
from faier.verdict import ValuesLimit

from .text import short

_MOST = 8
_KEPT = 6


def number_at(value: Prob, scenario: Scenario, values: Mapping[str, Fraction]) -> Prob | None:
    """The value at these values of the parameters; None where some are not known, or it is not defined there."""
    if isinstance(value, Fraction) or not value.parameters:
        return value
    known: dict[str, Prob] = {**scenario.model.unknowns.fixed, **values}
    if not value.parameters <= known.keys():
        return None
    try:
        return value.substitute({name: known[name] for name in value.parameters})
    except NumberError:
        return None


def all_values_text(scenario: Scenario) -> str:
    """Which parameters vary: "all values of p, q"; empty where none does."""
    names = list(scenario.model.unknowns.ranges) if scenario.uses_unknowns else []
    if not names:
        return ""
    kept = names if len(names) <= _MOST else [*names[:_KEPT], "..."]
    count = f" ({len(names)} parameters)" if len(names) > _MOST else ""
    limits = " that the constraints allow" if scenario.model.constraints else ""
    return f"all values of {', '.join(kept)}{count}{limits}"


def values_text(values: Mapping[str, Fraction], *, in_full: bool = False) -> str:
    """The values in words: "p = 1/150, q = 2/3"; of many only the first."""
    listed = [f"{name} = {short(value)}" for name, value in values.items()]
    if in_full or len(listed) <= _MOST:
        return ", ".join(listed)
    return f"{', '.join(listed[:_KEPT])}, ... ({len(listed)} parameters)"


def approach_text(limit: ValuesLimit, scenario: Scenario) -> str:
    """What is approached: "p -> 0, pB, pC -> 1, with s = 1/10"."""
    unknowns = scenario.model.unknowns
    hows = {name: how for name, _, how in limit.approach}
    # A part of what others have left is no parameter; where the parameters' own values are known, these are named.
    values = limit.parameters or {name: value for name, value, _ in limit.approach}
    moving: list[tuple[str, Fraction]] = []
    still: dict[str, Fraction] = {}
    for name, value in values.items():
        formula = unknowns.solved.get(name)
        stays = hows.get(name) == "at" if formula is None else isinstance(formula, Fraction)
        if stays and limit.parameters:
            still[name] = value
        else:
            moving.append((name, value))
    said = _grouped(moving)
    return said + (f", with {values_text(still)}" if still else "")


def _grouped(moving: Sequence[tuple[str, Fraction]]) -> str:
    """Neighbours that tend to the same value share one arrow."""
    parts: list[str] = []
    for i, (name, value) in enumerate(moving):
        last = i + 1 == len(moving) or moving[i + 1][1] != value
        parts.append(f"{name} -> {short(value)}" if last else name)
    return ", ".join(parts)


def domain_texts(scenario: Scenario) -> list[tuple[str, str]]:
    """The ranges and constraints as labelled facts."""
    if not scenario.uses_unknowns or not scenario.model.parameters:
        return []
    ranges = scenario.model.unknowns.ranges
    texts = [t if name in ranges else f"{name} = {t}" for name, t in scenario.model.parameters.items()]
    if len(texts) > _MOST:
        texts = [*texts[:_KEPT], f"... ({len(texts)} parameters)"]
    facts = [("parameters", ", ".join(texts))]
    if constraints := scenario.model.constraints:
        facts.append(("constraints", ", ".join(constraints)))
    return facts


def solver_steps(trace: Trace | None) -> dict[str, int]:
    """For each solver that a proof rests on, how many steps are its word."""
    if not isinstance(trace, Boxes):
        return {}
    count = dict.fromkeys(trace.rests_on, 0)
    for step in trace.steps:
        if step.rule == "solver":
            count[step.fields["solver"]] = count.get(step.fields["solver"], 0) + 1
    return count


def is_number(value: object) -> bool:
    """Whether a ratio can be placed on a line: it has no parameters."""
    return not (isinstance(value, RationalFunction) and value.parameters)
