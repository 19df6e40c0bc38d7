"""Numbers in the place of parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from faier.errors import NumberError, UsageError
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.names import suggestion
from faier.model.stream import Stream
from faier.model.table import Table
from faier.number.digits import exact_text, short_text
from faier.number.exact import Number, Prob, prob
from faier.number.rational_function import RationalFunction
from faier.number.sign import compare, sign
from faier.number.unknowns import Unknowns, read_unknowns

from .budgets import constant_ratio
from .scenario import Claim, Pair, Scenario
from .written import Gate, Written, compiled


def fixing(scenario: Scenario, values: Mapping[str, Number]) -> Scenario:
    """Guarantee: what the file would mean with these numbers written where the ranges stand."""
    if not values:
        return scenario
    model = scenario.model
    numbers = {name: _number(name, value, model) for name, value in values.items()}
    written = {name: v.strip() if isinstance(v, str) else _text(numbers[name]) for name, v in values.items()}
    texts = {name: written.get(name, text) for name, text in model.parameters.items()}
    unknowns = _unknowns(texts, model.constraints, numbers)
    beliefs: dict[int, Belief] = {}

    def belief_of(belief: Belief) -> Belief:
        if id(belief) not in beliefs:
            beliefs[id(belief)] = _belief(belief, numbers)
        return beliefs[id(belief)]

    asked = scenario.written or scenario

    def pair_of(pair: Pair | Gate) -> Pair | Gate:
        if isinstance(pair, Gate):
            assert isinstance(pair.start, Belief)
            return replace(pair, start=belief_of(pair.start))
        return Pair(belief_of(pair.left), belief_of(pair.right), pair.one_way)

    pairs = tuple(map(pair_of, asked.pairs))
    named = {name: belief_of(belief) for name, belief in asked.beliefs.items()}
    claim = _claim(scenario.claim, numbers)
    if isinstance(asked.model, Stream):
        stream = asked.model.mapped(lambda value, place: _entry(value, numbers, place), texts, unknowns)
        return compiled(Written(stream, pairs, named), claim, scenario.title)
    base, fixed = asked.model, HMM.__new__(HMM)
    emit, step = (
        _table(table, numbers, f"model.{name}", base) for name, table in (("emit", base.emit), ("step", base.step))
    )
    fixed._fill(base.states, base.symbols, emit, step, texts, unknowns, base.constraints)
    if isinstance(asked, Written):
        return compiled(Written(fixed, pairs, named), claim, scenario.title)
    plain = tuple(pair for pair in pairs if isinstance(pair, Pair))
    return Scenario(fixed, plain, claim, named, scenario.title, ratios_only=scenario.ratios_only)


def _number(name: str, value: Number, model: HMM) -> Prob:
    """The value of one parameter, from its range."""
    unknowns = model.unknowns
    if name not in unknowns.names:
        known = f"; known are {', '.join(unknowns.ranges)}" if unknowns.ranges else "; the model has no unknown ones"
        hint = suggestion(name, unknowns.names) or known
        raise UsageError(f"unknown parameter {name!r}{hint}")
    if name in unknowns.fixed:
        text = short_text(model.parameters[name].strip())
        raise UsageError(f"{name} is {text} in the model already, and has no range to fix it in")
    try:
        number = prob(value)
    except NumberError as error:
        raise UsageError(f"{name}: {error}") from error
    if isinstance(number, RationalFunction) and number.parameters:
        raise UsageError(f"{name} is fixed by a number, but {short_text(value)!r} uses {min(number.parameters)!r}")
    range_ = unknowns.ranges[name]
    below, above = compare(number, range_.lower), compare(range_.upper, number)
    if below < 0 or above < 0 or (below == 0 and range_.open_below) or (above == 0 and range_.open_above):
        written = value if isinstance(value, str) else _text(number)
        raise UsageError(f"{name} = {short_text(written)} is outside its range {_range_text(name, unknowns)}")
    return number


def _unknowns(texts: Mapping[str, str], constraints: tuple[str, ...], numbers: Mapping[str, Prob]) -> Unknowns:
    """What is known of the parameters that are left."""
    try:
        found = read_unknowns(texts, constraints)
    except NumberError as error:
        raise UsageError(f"the constraints do not allow {_listed(numbers)}: {error}") from error
    for cut in found.cuts:
        # A power of e may be left where no parameter is.
        if cut.function.parameters:
            continue
        at = sign(cut.function)
        if not (at == 0 if cut.relation == "==" else at > 0 or (at == 0 and cut.relation == ">=")):
            raise UsageError(f"the constraints do not allow {_listed(numbers)}")
    return found


def _table(table: Table, numbers: Mapping[str, Prob], place: str, model: HMM) -> Table:
    if table.is_constant:
        return table
    rows = []
    for i in range(table.rows):
        rows.append(
            {j: _entry(v, numbers, f"{place}.{model.states[i]}") for j, v in table.row(i).items()}
        )
    return Table.from_rows(table.columns, rows)


def _belief(belief: Belief, numbers: Mapping[str, Prob]) -> Belief:
    if belief.is_constant:
        return belief
    place = f"beliefs.{belief.name}"
    return Belief(belief.name, {s: _entry(v, numbers, place) for s, v in belief.weights.items()})


def _entry(value: Prob, numbers: Mapping[str, Prob], place: str) -> Prob:
    """A probability at these values; one that is not defined there or negative names its place."""
    found = _value(value, numbers, place)
    if (isinstance(found, Fraction) or not found.parameters) and sign(found) < 0:
        raise UsageError(f"{place}: a probability cannot be negative, but this is {_text(found)} at {_listed(numbers)}")
    return found


def _value(value: Prob, numbers: Mapping[str, Prob], place: str) -> Prob:
    if isinstance(value, Fraction) or numbers.keys().isdisjoint(value.names):
        return value
    try:
        return value.substitute(numbers)
    except NumberError as error:
        raise UsageError(f"{place}: nothing is defined at {_listed(numbers)}: {error}") from error


def _claim(claim: Claim, numbers: Mapping[str, Prob]) -> Claim:
    budget = claim.budget
    if not isinstance(budget, RationalFunction):
        return claim
    ratio = _value(budget, numbers, "claim.ratio")
    try:
        return replace(claim, budget=constant_ratio(ratio))
    except UsageError as error:
        raise UsageError(f"claim.ratio: {error}, at {_listed(numbers)}") from error


def _range_text(name: str, unknowns: Unknowns) -> str:
    return str(unknowns.ranges[name]).replace("_", name)


def _listed(numbers: Mapping[str, Prob]) -> str:
    return ", ".join(f"{name} = {short_text(_text(value))}" for name, value in numbers.items())


def _text(value: Prob) -> str:
    return exact_text(value) if isinstance(value, Fraction) else str(value)
