"""A scenario whose parameters may have fewer values than before: one each, or a part of their ranges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from faier.errors import NumberError
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.table import Table
from faier.number.budget import Budget
from faier.number.digits import exact_text
from faier.number.exact import Prob
from faier.number.rational_function import RationalFunction
from faier.number.unknowns import Range, Unknowns, read_unknowns

from .scenario import Pair, Scenario

Key = TypeVar("Key")


class NoValues(NumberError):
    """No values of the other parameters go together with these."""


def fixed(scenario: Scenario, values: Mapping[str, Fraction]) -> Scenario:
    """The scenario at these values of some parameters; the others stay unknown.

    `NoValues` where the constraints, or a denominator that vanishes, leave nothing to claim.
    """
    texts = {name: exact_text(value) for name, value in values.items()}
    return _changed(scenario, {**scenario.model.parameters, **texts}, lambda value: _at(value, values))


def restricted(scenario: Scenario, ranges: Mapping[str, Range]) -> Scenario:
    """The scenario with narrower ranges for some parameters."""
    return _changed(scenario, {**scenario.model.parameters, **written(ranges)}, lambda value: value)


def spread(scenario: Scenario, names: Sequence[str]) -> tuple[Scenario, dict[str, Range]]:
    """The same question with these parameters first among the variables, and with their ranges.

    Equations are solved for other parameters, where they can be: then a range of one of these is a side of a box.
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
    return _rebuilt(scenario, texts, unknowns, lambda value: value), ranges


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


def _at(value: Prob, values: Mapping[str, Fraction]) -> Prob:
    if isinstance(value, RationalFunction) and not values.keys().isdisjoint(value.names):
        return value.substitute(values)
    return value


def _changed(scenario: Scenario, parameters: Mapping[str, str], change: Callable[[Prob], Prob]) -> Scenario:
    try:
        unknowns = read_unknowns(parameters, scenario.model.constraints)
        return _rebuilt(scenario, parameters, unknowns, change)
    except (NumberError, ZeroDivisionError) as error:
        raise NoValues(str(error)) from error


def _rebuilt(
    scenario: Scenario, parameters: Mapping[str, str], unknowns: Unknowns, change: Callable[[Prob], Prob]
) -> Scenario:
    model = scenario.model
    emit, step = (
        Table.from_rows(t.columns, [_row(t.row(i), change) for i in range(t.rows)]) for t in (model.emit, model.step)
    )
    narrowed = HMM.__new__(HMM)
    narrowed._fill(model.states, model.symbols, emit, step, dict(parameters), unknowns, model.constraints)
    compared = {id(b): b for pair in scenario.pairs for b in (pair.left, pair.right)}
    beliefs = {key: Belief(b.name, _row(b.weights, change)) for key, b in compared.items()}
    pairs = tuple(Pair(beliefs[id(p.left)], beliefs[id(p.right)], p.one_way) for p in scenario.pairs)
    named = {name: beliefs[id(b)] for name, b in scenario.beliefs.items() if id(b) in beliefs}
    claim = scenario.claim
    if isinstance(claim.budget, RationalFunction):
        claim = replace(claim, budget=_budget(change(claim.budget)))
    return Scenario(narrowed, pairs, claim, named, scenario.title)


def _budget(ratio: Prob) -> Budget | RationalFunction:
    if isinstance(ratio, RationalFunction):
        return ratio
    if ratio <= 0:
        raise NumberError(f"the claimed ratio is {exact_text(ratio)} there, and a ratio is positive")
    return Budget.of_ratio(ratio)


def _row(row: Mapping[Key, Prob], change: Callable[[Prob], Prob]) -> dict[Key, Prob]:
    found = {key: change(value) for key, value in row.items()}
    return {key: value for key, value in found.items() if value != 0}
