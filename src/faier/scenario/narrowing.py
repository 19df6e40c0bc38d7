"""A scenario with narrower ranges, or with its variables chosen anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from faier.errors import NumberError, UsageError
from faier.model.hmm import HMM
from faier.model.names import suggestion
from faier.model.stream import Stream
from faier.number.digits import exact_text
from faier.number.unknowns import Range, Unknowns, read_unknowns

from .scenario import Scenario


def range_of(scenario: Scenario, name: str) -> Range:
    """The range of an unknown parameter; a `UsageError` that says what there is instead."""
    unknowns = scenario.model.unknowns
    if name not in unknowns.names:
        if not unknowns.ranges:
            raise UsageError(f"unknown parameter {name!r}; the model has no unknown parameters")
        known = f"; known are {', '.join(unknowns.ranges)}"
        raise UsageError(f"unknown parameter {name!r}{suggestion(name, unknowns.ranges) or known}")
    if name in unknowns.fixed:
        raise UsageError(f'{name} has a value in the model, not a range; write one such as "0 < {name} < 1"')
    range_ = unknowns.ranges[name]
    if range_.lower == range_.upper:
        raise UsageError(f"the range of {name} is the single value {exact_text(range_.lower)}")
    return range_


def restricted(scenario: Scenario, ranges: Mapping[str, Range]) -> Scenario:
    """What the file would mean with these ranges, each inside the one that it replaces.

    A `NumberError` where the constraints then leave no value.
    """
    texts = {**scenario.model.parameters, **written(ranges)}
    return _rebuilt(scenario, texts, read_unknowns(texts, scenario.model.constraints))


def spread(scenario: Scenario, names: Sequence[str]) -> tuple[Scenario, dict[str, Range]]:
    """The same question with these parameters first among the variables, and their ranges.

    Equations are solved for other parameters where that is possible, so that a range of one of these is a side of a
    box; a `NumberError` where it is not.
    """
    model, given = scenario.model, scenario.model.unknowns.ranges
    texts = {**{n: model.parameters[n] for n in names}, **model.parameters}
    # Parameters that may be negative are never read as shares of a whole.
    wider = {n: Range(min(given[n].lower, Fraction(0)) - 1, given[n].upper, False, False) for n in names}
    unknowns = read_unknowns({**texts, **written(wider)}, model.constraints)
    if any(name in unknowns.solved for name in names):
        raise NumberError(f"an equation ties {' and '.join(names)} together")
    ranges = {n: _common(given[n], unknowns.variables[n]) for n in names}
    unknowns = replace(
        unknowns,
        ranges={**unknowns.ranges, **ranges},
        shares={n: r for n, r in unknowns.shares.items() if n not in names},
    )
    return _rebuilt(scenario, texts, unknowns), ranges


def written(ranges: Mapping[str, Range]) -> dict[str, str]:
    """Ranges as a model file has them."""
    return {name: str(range_).replace("_", name) for name, range_ in ranges.items()}


def _common(one: Range, two: Range) -> Range:
    """What is in both ranges."""
    lower, upper = max(one.lower, two.lower), min(one.upper, two.upper)
    return Range(
        lower,
        upper,
        any(r.open_below for r in (one, two) if r.lower == lower),
        any(r.open_above for r in (one, two) if r.upper == upper),
    )


def _rebuilt(scenario: Scenario, parameters: Mapping[str, str], unknowns: Unknowns) -> Scenario:
    model = scenario.model
    narrowed = HMM.__new__(HMM)
    narrowed._fill(
        model.states, model.symbols, model.emit, model.step, dict(parameters), unknowns, model.constraints
    )
    written = scenario.written
    if written is not None:
        asked: HMM | Stream
        if isinstance(written.model, Stream):
            asked = written.model.mapped(lambda value, place: value, parameters, unknowns)
        else:
            asked, known = HMM.__new__(HMM), written.model
            asked._fill(
                known.states, known.symbols, known.emit, known.step, dict(parameters), unknowns, known.constraints
            )
        written = replace(written, model=asked)
    return replace(scenario, model=narrowed, written=written)
