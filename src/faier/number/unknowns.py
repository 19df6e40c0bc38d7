"""Parameters of a model: their ranges, and the equations between them."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from faier.errors import NotYetError, NumberError

from .digits import exact_text, short_text
from .exact import Prob
from .expression import is_parameter_name, parse
from .rational_function import RationalFunction

_COMPARISON = re.compile(r"(<=|>=|==|!=|<|>|=)")
_MOST_SAMPLES = 60


@dataclass(frozen=True)
class Range:
    """lower < parameter < upper; an end belongs to the range where it is not open."""

    lower: Fraction
    upper: Fraction
    open_below: bool
    open_above: bool

    def __contains__(self, value: Fraction) -> bool:
        above = self.lower < value or (value == self.lower and not self.open_below)
        below = value < self.upper or (value == self.upper and not self.open_above)
        return above and below

    def __str__(self) -> str:
        below, above = ("<" if is_open else "<=" for is_open in (self.open_below, self.open_above))
        return f"{exact_text(self.lower)} {below} _ {above} {exact_text(self.upper)}"


@dataclass(frozen=True)
class Unknowns:
    """All parameters with their ranges; `solved` are those that an equation gives in terms of the others."""

    ranges: Mapping[str, Range] = field(default_factory=dict)
    solved: Mapping[str, Fraction | RationalFunction] = field(default_factory=dict)

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(self.ranges)

    def simplify(self, value: Prob) -> Prob:
        """The same function on the values that the equations allow, without the solved parameters."""
        if isinstance(value, RationalFunction) and not value.parameters.isdisjoint(self.solved):
            return value.substitute(self.solved)
        return value

    def negative_at(self, value: RationalFunction) -> tuple[dict[str, Fraction], Fraction] | None:
        """A point of the range where the value is negative, among a few samples; None proves nothing."""
        for point in self._samples:
            try:
                found = value.evaluate(point)
            except NumberError:
                continue
            if found < 0:
                return {name: point[name] for name in value.names}, found
        return None

    @cached_property
    def _samples(self) -> list[dict[str, Fraction]]:
        free = [name for name in self.ranges if name not in self.solved]
        candidates = {name: _candidates(self.ranges[name]) for name in free}
        dice = random.Random(0)
        found: list[dict[str, Fraction]] = []
        for i in range(_MOST_SAMPLES):
            # The first few points take every candidate of every parameter once, so one parameter is covered.
            point = {
                name: values[i % len(values)] if i < 7 else dice.choice(values)
                for name, values in candidates.items()
            }
            try:
                for name, formula in self.solved.items():
                    point[name] = formula if isinstance(formula, Fraction) else formula.evaluate(point)
            except NumberError:
                continue
            if all(point[name] in self.ranges[name] for name in self.solved):
                found.append(point)
        return found


def _candidates(range_: Range) -> list[Fraction]:
    low, width = range_.lower, range_.upper - range_.lower
    steps = map(Fraction, ("1/2", "0", "1", "1/4", "3/4", "1/1000", "999/1000"))
    points = [low + width * step for step in steps]
    return [p for p in dict.fromkeys(points) if p in range_]


def read_range(name: str, text: object) -> Range:
    """Read "0 < p < 1" for p: rational ends, each open or closed; an empty range is an error."""
    if not is_parameter_name(name):
        raise NumberError(
            f"{name!r} cannot be the name of a parameter; names are letters, digits and _, not e, exp or ln"
        )
    if not isinstance(text, str):
        raise NumberError(f'a range is a string such as "0 < {name} < 1"')
    parts = [p.strip() for p in _COMPARISON.split(text)]
    shape = f'write the range as "0 < {name} < 1", with < or <= and rational ends'
    if len(parts) != 5 or parts[2] != name:
        raise NumberError(f"{shape}; got {short_text(text)!r}")
    first, second = parts[1], parts[3]
    if first in (">", ">=") and second in (">", ">="):
        parts, first, second = parts[::-1], second.replace(">", "<"), first.replace(">", "<")
    if first not in ("<", "<=") or second not in ("<", "<="):
        raise NumberError(f"{shape}; got {short_text(text)!r}")
    lower, upper = _end(parts[0]), _end(parts[4])
    found = Range(lower, upper, first == "<", second == "<")
    if lower > upper or (lower == upper and (found.open_below or found.open_above)):
        raise NumberError(f'the range "{short_text(text)}" is empty')
    return found


def _end(text: str) -> Fraction:
    value = parse(text, frozenset())
    assert isinstance(value, Fraction)
    return value


def read_constraint(text: object, known: Unknowns) -> Unknowns:
    """Add an equation such as "p0 + p1 + p2 == 1" (or an inequality, which only narrows the range)."""
    if not isinstance(text, str):
        raise NumberError('a constraint is a string such as "p0 + p1 == 1"')
    parts = _COMPARISON.split(text)
    if len(parts) != 3 or parts[1] in ("=", "!="):
        raise NumberError(f'write a constraint as "p0 + p1 == 1", got {short_text(text)!r}')
    gap = known.simplify(parse(parts[0], known.names) - parse(parts[2], known.names))
    if isinstance(gap, Fraction):
        holds = {"==": gap == 0, "<=": gap <= 0, "<": gap < 0, ">=": gap >= 0, ">": gap > 0}[parts[1]]
        if not holds:
            raise NumberError(f'the constraint "{short_text(text)}" can never hold')
        return known
    if parts[1] != "==":
        return known
    for name in gap.names:
        if (formula := _solve(gap, name)) is not None:
            one = {name: formula}
            solved = {
                n: f.substitute(one) if isinstance(f, RationalFunction) else f
                for n, f in known.solved.items()
            }
            return Unknowns(known.ranges, {**solved, **one})
    raise NotYetError(
        f'the constraint "{short_text(text)}" is not linear; such constraints are not built yet'
    )


def _solve(gap: RationalFunction, name: str) -> Prob | None:
    """The value of `name` where gap is 0, if gap's numerator is linear in it with a constant factor."""
    index = gap.names.index(name)
    with_it = {powers: c for powers, c in gap.numerator().items() if powers[index]}
    if len(with_it) != 1:
        return None
    ((powers, factor),) = with_it.items()
    if sum(powers) != 1:
        return None
    rest = {p: -c for p, c in gap.numerator().items() if p != powers}
    return RationalFunction.make(gap.names, rest, {(0,) * len(gap.names): factor})


def read_unknowns(parameters: Mapping[str, object], constraints: Sequence[object] = ()) -> Unknowns:
    """Read all parameters and constraints; the first that is wrong raises."""
    unknowns = Unknowns({name: read_range(name, text) for name, text in parameters.items()})
    for text in constraints:
        unknowns = read_constraint(text, unknowns)
    return unknowns
