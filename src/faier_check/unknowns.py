"""The parameters of a model file: their ranges, and the constraints between them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from .errors import ModelFileError
from .expression import ExpressionError, Scope, constant, expression
from .limits import Meter
from .polynomial import Ring
from .quotient import Number

MOST_PARAMETERS = 100

_COMPARISON = re.compile(r"(<=|>=|==|!=|<|>|=)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_RESERVED = frozenset(("e", "exp", "ln"))


@dataclass(frozen=True)
class Range:
    """lower < parameter < upper; an end belongs to it where it is not open."""

    lower: Fraction
    upper: Fraction
    open_below: bool
    open_above: bool

    def __contains__(self, value: Fraction) -> bool:
        above = self.lower < value or (self.lower == value and not self.open_below)
        return above and (value < self.upper or (value == self.upper and not self.open_above))


@dataclass(frozen=True)
class Constraint:
    """gap `relation` 0, where the relation is one of == > >=."""

    text: str
    gap: Number
    relation: str


@dataclass(frozen=True)
class Unknowns:
    """The names of the scope are the parameters with a range, in the order of the file."""

    scope: Scope
    ranges: tuple[Range, ...]
    constraints: tuple[Constraint, ...]
    texts: tuple[tuple[str, str], ...]
    """Name and text of every parameter, those with a value included."""


def read_unknowns(
    parameters: Mapping[str, object], constraints: object, fineness: int, meter: Meter
) -> Unknowns:
    """Read [parameters] and constraints, or raise ModelFileError."""
    texts: list[tuple[str, str]] = []
    ranges: dict[str, Range] = {}
    values: dict[str, str] = {}
    for name, text in parameters.items():
        place = f"parameters.{name}"
        if _NAME.fullmatch(name) is None or name in _RESERVED:
            raise ModelFileError("this cannot be the name of a parameter", place)
        if isinstance(text, int) and not isinstance(text, bool):
            text = str(text)
        if not isinstance(text, str):
            raise ModelFileError('a range such as "0 < p < 1" is expected here', place)
        texts.append((name, text.strip()))
        if _COMPARISON.search(text):
            ranges[name] = _range(name, text, place)
        else:
            values[name] = text
    if len(ranges) > MOST_PARAMETERS:
        raise ModelFileError(f"more than {MOST_PARAMETERS} parameters cannot be checked", "parameters")
    ring = Ring(len(ranges) + 1, meter)
    scope = Scope(ring, tuple(ranges), fineness)
    bare = Scope(ring, (), fineness)
    for name, text in values.items():
        scope.constants[name] = _value(text, bare, f"parameters.{name}")
    if not isinstance(constraints, list):
        raise ModelFileError("an array of strings is expected here", "constraints")
    read = tuple(_constraint(text, scope, f"constraints[{i}]") for i, text in enumerate(constraints))
    return Unknowns(scope, tuple(ranges.values()), read, tuple(texts))


def _range(name: str, text: str, place: str) -> Range:
    parts = [part.strip() for part in _COMPARISON.split(text)]
    if len(parts) == 5 and parts[1] in (">", ">=") and parts[3] in (">", ">="):
        parts = [part.replace(">", "<") for part in reversed(parts)]
    if len(parts) != 5 or parts[2] != name or not {parts[1], parts[3]} <= {"<", "<="}:
        raise ModelFileError(f'a range such as "0 < {name} < 1" is expected here', place)
    try:
        found = Range(constant(parts[0]), constant(parts[4]), parts[1] == "<", parts[3] == "<")
    except ExpressionError as error:
        raise ModelFileError(str(error), place) from None
    if found.lower > found.upper or (found.lower == found.upper and (found.open_below or found.open_above)):
        raise ModelFileError("the range is empty", place)
    return found


def _constraint(text: object, scope: Scope, place: str) -> Constraint:
    parts = _COMPARISON.split(text) if isinstance(text, str) else []
    if len(parts) != 3 or parts[1] in ("=", "!="):
        raise ModelFileError('a constraint such as "p + q == 1" is expected here', place)
    assert isinstance(text, str)
    gap = _value(parts[0], scope, place) - _value(parts[2], scope, place)
    if parts[1] in ("<", "<="):
        gap = -gap
    return Constraint(text.strip(), gap, parts[1].replace("<", ">"))


def _value(text: str, scope: Scope, place: str) -> Number:
    try:
        return expression(text, scope)
    except ExpressionError as error:
        raise ModelFileError(str(error), place) from None
