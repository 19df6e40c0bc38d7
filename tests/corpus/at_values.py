"""A model file at given values of its parameters, for the reference: read and evaluated without faier.

Expressions are trees of Python's own parser over fractions; powers of e are fractions of sixty digits.
"""

from __future__ import annotations

import ast
import operator
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace

Values = Mapping[str, Fraction]
Expression = Callable[[Values], Fraction]

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
RELATIONS = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq}
DIGITS = 60


class Undefined(Exception):
    """A belief is not defined at these values."""


@dataclass(frozen=True)
class Rows:
    """Rows as the reference reads them."""

    symbols: tuple[str, ...]
    emit: dict[str, dict[str, Fraction]]
    step: dict[str, dict[str, Fraction]]

    def emit_rows(self) -> dict[str, dict[str, Fraction]]:
        return self.emit

    def step_rows(self) -> dict[str, dict[str, Fraction]]:
        return self.step


class ModelText:
    """A model file whose expressions were parsed by this module."""

    def __init__(self, source: Path | str):
        self.data = tomllib.loads(source if isinstance(source, str) else source.read_text("utf-8"))
        model = self.data["model"]
        self.emit, self.step = (_parsed_rows(model.get(k, {})) for k in ("emit", "step"))
        self.beliefs = _parsed_rows(self.data.get("beliefs", {}))
        self.ranges = {name: Range.read(name, text) for name, text in self.data.get("parameters", {}).items()}
        self.constraints = [_comparison(text) for text in self.data.get("constraints", [])]
        claim = self.data["claim"]
        self.horizon = claim["horizon"]
        self.possible = claim.get("possible", "either")
        self.budget = expression(claim["ratio"]) if "ratio" in claim else _of_epsilon(claim["epsilon"])

    def allows(self, values: Values) -> bool:
        """Whether the parameters may have these values."""
        inside = all(values[name] in range_ for name, range_ in self.ranges.items())
        return inside and all(holds(values) for holds in self.constraints)

    def at(self, values: Values) -> SimpleNamespace:
        """What the reference calls a scenario; no row is anything but a distribution."""
        emit, step = (
            {state: _row(row, values) for state, row in rows.items()} for rows in (self.emit, self.step)
        )
        symbols = tuple(dict.fromkeys(symbol for row in emit.values() for symbol in row))
        pairs = []
        for pair in self.data["compare"]:
            sides = [self._belief(pair[side], values) for side in ("left", "right")]
            pairs.append(SimpleNamespace(left=sides[0], right=sides[1], one_way=pair.get("one_way", False)))
        claim = SimpleNamespace(horizon=self.horizon, possible=self.possible)
        return SimpleNamespace(model=Rows(symbols, emit, step), pairs=pairs, claim=claim)

    def _belief(self, name: str, values: Values) -> SimpleNamespace:
        try:
            weights = _row(self.beliefs[name], values) if name in self.beliefs else {name: Fraction(1)}
        except ZeroDivisionError:
            raise Undefined(name) from None
        return SimpleNamespace(name=name, weights=weights)

    def grid(self, counts: Sequence[int]) -> Iterator[dict[str, Fraction]]:
        """Allowed values, near the ends among them; an equation with sum 1 gives the last parameter."""
        names = list(self.ranges)
        free = names[:-1] if self.data.get("constraints") else names
        columns = [self.ranges[name].spread(counts[min(len(free), len(counts)) - 1]) for name in free]
        for choice in product(*columns):
            values = dict(zip(free, choice, strict=True))
            if len(free) < len(names):
                values[names[-1]] = 1 - sum(values.values())
            if self.allows(values):
                yield values

    def near(self, limit: Mapping[str, Fraction], distance: Fraction) -> dict[str, Fraction]:
        """Values that close to a limit, moved away from the ends of ranges."""
        values: dict[str, Fraction] = {}
        for name, value in limit.items():
            range_ = self.ranges[name]
            way = distance * (range_.upper - range_.lower)
            values[name] = value + (way if value == range_.lower else -way if value == range_.upper else 0)
        if self.data.get("constraints"):
            last = list(self.ranges)[-1]
            values[last] = 1 - sum(v for name, v in values.items() if name != last)
        assert self.allows(values), values
        return values


@dataclass(frozen=True)
class Range:
    lower: Fraction
    upper: Fraction
    open_below: bool
    open_above: bool

    @classmethod
    def read(cls, name: str, text: str) -> Range:
        low, below, middle, above, high = re.split(r"\s*(<=?)\s*", text)
        assert middle == name
        return cls(Fraction(low), Fraction(high), below == "<", above == "<")

    def __contains__(self, value: Fraction) -> bool:
        return (self.lower < value or (value == self.lower and not self.open_below)) and (
            value < self.upper or (value == self.upper and not self.open_above)
        )

    def spread(self, count: int) -> list[Fraction]:
        """So many values: evenly spaced ones, the ends where they belong, and values next to the ends."""
        width = self.upper - self.lower
        shares = [Fraction(k, count - 1) for k in range(count)]
        shares[0], shares[-1] = (
            Fraction(1, 1000) if self.open_below else Fraction(0),
            Fraction(999, 1000) if self.open_above else Fraction(1),
        )
        return [self.lower + width * share for share in shares]


@cache
def expression(text: str | int) -> Expression:
    """An expression of the file format as a function of the parameters."""
    # In the file format ^ binds as ** does here.
    return _compiled(ast.parse(str(text).replace("^", "**"), mode="eval").body)


def power_of_e(exponent: Fraction) -> Fraction:
    """e ** exponent to sixty digits."""
    with localcontext(prec=DIGITS):
        return Fraction((Decimal(exponent.numerator) / exponent.denominator).exp())


def _compiled(node: ast.expr) -> Expression:
    match node:
        case ast.Constant(value=int() as number):
            whole = Fraction(number)
            return lambda _: whole
        case ast.Constant(value=float()):
            decimal = Fraction(ast.unparse(node))
            return lambda _: decimal
        case ast.Name(id=name):
            return lambda values: values[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _compiled(operand)
            return lambda values: -inner(values)
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
            one, two = _compiled(base), _compiled(exponent)
            return lambda values: one(values) ** int(two(values))
        case ast.BinOp(left=left, op=op, right=right):
            combine, one, two = OPERATORS[type(op)], _compiled(left), _compiled(right)
            return lambda values: combine(one(values), two(values))
        case ast.Call(func=ast.Name(id="exp"), args=[argument]):
            number = power_of_e(_compiled(argument)({}))
            return lambda _: number
    raise AssertionError(ast.dump(node))


def _comparison(text: str) -> Callable[[Values], bool]:
    node = ast.parse(text.replace("^", "**"), mode="eval").body
    assert isinstance(node, ast.Compare)
    relation, left, right = RELATIONS[type(node.ops[0])], _compiled(node.left), _compiled(node.comparators[0])
    return lambda values: bool(relation(left(values), right(values)))


def _of_epsilon(text: str) -> Expression:
    if found := re.fullmatch(r"ln (\d+)", text):
        return expression(found[1])
    return expression(f"exp({text})")


def _parsed_rows(rows: Mapping[str, Mapping[str, str | int]]) -> dict[str, dict[str, Expression]]:
    return {name: {key: expression(value) for key, value in row.items()} for name, row in rows.items()}


def _row(row: Mapping[str, Expression], values: Values) -> dict[str, Fraction]:
    """A row without its zeros; it sums to 1, but for the last digits of powers of e."""
    found = {key: value for key, of in row.items() if (value := of(values))}
    assert all(value > 0 for value in found.values()), found
    assert abs(sum(found.values()) - 1) < Fraction(1, 10 ** (DIGITS - 10))
    return found
