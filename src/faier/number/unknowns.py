"""Parameters of a model: their ranges, and the equations between them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from faier.errors import NumberError

from .bernstein import MOST_DEGREE
from .digits import exact_text, short_text
from .exact import Prob
from .expression import is_parameter_name, parse
from .rational_function import RationalFunction

_NAME = re.compile(r"[A-Za-z_]\w*")
_LARGEST_END = 10**300
"""What floats can hold, which look for values."""
_COMPARISON = re.compile(r"(<=|>=|==|!=|<|>|=)")


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
class Cut:
    """A condition that cuts the box: a polynomial in the variables is > 0, >= 0 or == 0."""

    function: RationalFunction
    relation: Literal[">", ">=", "=="]


@dataclass(frozen=True)
class Unknowns:
    """All parameters, and what is known of them.

    `ranges` are those of the unknown ones, `fixed` the values of the others. An equation gives the parameters in
    `solved` in terms of variables. A variable is an unknown of the same name, or, where that is in `solved` too,
    the part that it takes of what the ones before it have left (stick-breaking); `shares` has the ranges of
    these, and those that constraints narrow. `cuts` are what else must hold.
    """

    ranges: Mapping[str, Range] = field(default_factory=dict)
    fixed: Mapping[str, Prob] = field(default_factory=dict)
    solved: Mapping[str, Prob] = field(default_factory=dict)
    shares: Mapping[str, Range] = field(default_factory=dict)
    cuts: tuple[Cut, ...] = ()

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset((*self.ranges, *self.fixed))

    @cached_property
    def variables(self) -> dict[str, Range]:
        """What varies freely, but for the cuts, in the order of the file."""
        return {
            name: self.shares.get(name, range_)
            for name, range_ in self.ranges.items()
            if name not in self.solved or name in self.shares
        }

    def with_parameter(self, name: str, text: object) -> Unknowns:
        """Add a parameter: a range such as "0 < p < 1", or a constant such as "exp(-1/2)"."""
        value = read_parameter(name, text)
        if isinstance(value, Range):
            return replace(self, ranges={**self.ranges, name: value})
        return replace(self, fixed={**self.fixed, name: value})

    def simplify(self, value: Prob) -> Prob:
        """The same function in the variables."""
        if isinstance(value, RationalFunction) and not self._replaced.keys().isdisjoint(value.names):
            return value.substitute(self._replaced)
        return value

    @cached_property
    def _replaced(self) -> dict[str, Prob]:
        return {**self.fixed, **self.solved}

    def originals(self, point: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """The values of all unknown parameters where the variables have these."""
        values: dict[str, Fraction] = {}
        for name in self.ranges:
            value = self.solved.get(name)
            if isinstance(value, RationalFunction):
                value = value.evaluate(point)
            values[name] = point[name] if value is None else value
        return values


def read_parameter(name: str, text: object) -> Range | Prob:
    """Read a range such as "0 < p < 1", or a constant such as "exp(-1/2)"."""
    if isinstance(text, str) and not _COMPARISON.search(text):
        _check_name(name)
        return _constant(name, text)
    return read_range(name, text)


def with_constants(value: Prob, known: Unknowns) -> Prob:
    """The value with the parameters that have one replaced; a denominator that is then 0 is a `NumberError`."""
    if not isinstance(value, RationalFunction) or known.fixed.keys().isdisjoint(value.names):
        return value
    try:
        return value.substitute(known.fixed)
    except NumberError:
        given = {n: v for n, v in known.fixed.items() if n in value.names}
        at = ", ".join(f"{n} = {short_text(str(v), 60)}" for n, v in given.items())
        raise NumberError(f"the denominator of {short_text(value, 80)} is 0 at {at}") from None


def read_range(name: str, text: object) -> Range:
    """Read "0 < p < 1" for p: rational ends, each open or closed; an empty range is an error."""
    _check_name(name)
    if not isinstance(text, str):
        raise NumberError(f'a range is a string such as "0 < {name} < 1", and a constant one such as "1/3"')
    parts = [p.strip() for p in _COMPARISON.split(text)]
    shape = f'write the range as "0 < {name} < 1", with < or <= and rational ends'
    if len(parts) != 5 or parts[2] != name:
        raise NumberError(f"{shape}; got {short_text(text)!r}")
    first, second = parts[1], parts[3]
    if first in (">", ">=") and second in (">", ">="):
        parts, first, second = parts[::-1], second.replace(">", "<"), first.replace(">", "<")
    if first not in ("<", "<=") or second not in ("<", "<="):
        raise NumberError(f"{shape}; got {short_text(text)!r}")
    lower, upper = _end(parts[0], shape), _end(parts[4], shape)
    found = Range(lower, upper, first == "<", second == "<")
    if lower > upper or (lower == upper and (found.open_below or found.open_above)):
        raise NumberError(f'the range "{short_text(text)}" is empty')
    return found


def _check_name(name: str) -> None:
    if not is_parameter_name(name):
        raise NumberError(
            f"{name!r:.60} cannot be the name of a parameter; a name starts with a letter from a to z or _, goes on "
            "with letters, digits and _, and is not e, exp or ln"
        )


def _constant(name: str, text: str) -> Prob:
    if any(c in text for c in "[],;"):
        raise NumberError(f'write a range as "0 < {name} < 1", and a decimal as 0.5; got {short_text(text)!r}')
    value = parse(text)
    if isinstance(value, RationalFunction) and value.parameters:
        raise NumberError(
            f'a constant uses no parameters, but {short_text(text)!r} uses {min(value.parameters)!r}; '
            f'for a range write "0 < {name} < 1"'
        )
    return value


def _end(text: str, shape: str) -> Fraction:
    value = parse(text)
    if isinstance(value, RationalFunction):
        if value.parameters:
            raise NumberError(f"{shape}; {min(value.parameters)!r} is an unknown parameter there, not a number")
        raise NumberError(f"{shape}; {short_text(text)!r} is not rational")
    if abs(value) > _LARGEST_END:
        raise NumberError(f"the ends of a range are at most 10^300; {short_text(text)!r} is beyond")
    return value


def read_constraint(text: object, known: Unknowns, elsewhere: frozenset[str] = frozenset()) -> Unknowns:
    """Add an equation or inequality such as "p0 + p1 + p2 == 1" or "p <= q".

    Three and more parameters that sum to a constant, each with range from 0, become shares of it, unless one of
    them stands `elsewhere`, in other equations; an equation of another kind is solved for a parameter that it
    contains linearly, with a constant factor; what is left cuts the box.
    """
    if not isinstance(text, str):
        raise NumberError('a constraint is a string such as "p0 + p1 == 1"')
    parts = [part.strip() for part in _COMPARISON.split(text)]
    if len(parts) != 3 or parts[1] in ("=", "!=") or not (parts[0] and parts[2]):
        raise NumberError(f'write a constraint as "p0 + p1 == 1"{_advice(parts)}; got {short_text(text)!r}')
    gap = known.simplify(
        with_constants(parse(parts[0], known.names), known) - with_constants(parse(parts[2], known.names), known)
    )
    relation = parts[1]
    if isinstance(gap, Fraction):
        holds = {"==": gap == 0, "<=": gap <= 0, "<": gap < 0, ">=": gap >= 0, ">": gap > 0}[relation]
        if not holds:
            raise NumberError(f'the constraint "{short_text(text)}" can never hold')
        return known
    if relation == "==":
        return _equate(gap, known, elsewhere)
    wanted = -gap if relation in ("<", "<=") else gap
    return _cut(known, wanted, ">=" if "=" in relation else ">")


def sides(text: str, known: Unknowns) -> tuple[Prob, Prob]:
    """Both sides of a constraint that `read_constraint` accepts, as they are written."""
    left, _, right = _COMPARISON.split(text)
    one, two = (with_constants(parse(side.strip(), known.names), known) for side in (left, right))
    return one, two


def _advice(parts: list[str]) -> str:
    """What somebody may have meant who wrote something else."""
    if len(parts) == 3 and parts[1] == "=":
        return ", with two ="
    if len(parts) == 3 and parts[1] == "!=":
        return ", with ==, <=, <, >= or >"
    if len(parts) > 3 and all(parts[::2]):
        return ", one comparison in each"
    return ""


def named_elsewhere(constraints: Sequence[object], index: int) -> frozenset[str]:
    """The names in all equations but one."""
    others = [t for i, t in enumerate(constraints) if i != index and isinstance(t, str) and "==" in t]
    return frozenset(name for text in others for name in _NAME.findall(text))


def _equate(gap: RationalFunction, known: Unknowns, elsewhere: frozenset[str]) -> Unknowns:
    if elsewhere.isdisjoint(gap.names):
        try:
            found = _break_stick(gap, known)
        except NumberError:
            # The last of very many shares has too many terms.
            found = None
        if found is not None:
            return found
    for name in reversed(known.variables):
        if name in gap.names and name not in known.solved and (formula := _solve(gap, name)) is not None:
            return _solved(known, name, formula)
    return _cut(known, gap, "==")


def _solved(known: Unknowns, name: str, formula: Prob) -> Unknowns:
    """Replace a parameter by a function of the others; its range cuts the box."""
    one, range_ = {name: formula}, known.variables[name]
    solved = {n: f.substitute(one) if isinstance(f, RationalFunction) else f for n, f in known.solved.items()}
    cuts = known.cuts
    shares = {n: r for n, r in known.shares.items() if n != name}
    known = replace(known, solved={**solved, **one}, shares=shares, cuts=())
    for cut in cuts:
        known = _cut(known, cut.function.substitute(one), cut.relation)
    known = _cut(known, formula - range_.lower, ">" if range_.open_below else ">=")
    return _cut(known, range_.upper - formula, ">" if range_.open_above else ">=")


def _cut(known: Unknowns, wanted: Prob, relation: Literal[">", ">=", "=="]) -> Unknowns:
    """Demand that a function is > 0, >= 0 or == 0."""
    if isinstance(wanted, Fraction):
        holds = {">": wanted > 0, ">=": wanted >= 0, "==": wanted == 0}[relation]
        if not holds:
            raise NumberError("this can never hold")
        return known
    names, top, bottom = wanted.names, wanted.numerator(), wanted.denominator()
    polynomial = RationalFunction.make(names, top, {(0,) * len(names): 1})
    # The denominator's sign counts; where it is a number, it is positive.
    if relation != "==" and any(map(any, bottom)):
        polynomial = polynomial * RationalFunction.make(names, bottom, {(0,) * len(names): 1})
    if isinstance(polynomial, Fraction):
        return _cut(known, polynomial, relation)
    if (degree := max(map(max, polynomial.numerator()))) > MOST_DEGREE:
        raise NumberError(f"its degree is {degree}; the largest accepted in a constraint is {MOST_DEGREE}")
    if relation != "==" and len(polynomial.names) == 1 and polynomial.names[0] in known.variables:
        name = polynomial.names[0]
        terms = polynomial.numerator()
        if max(powers[0] for powers in terms) == 1:
            return _narrowed(known, name, Fraction(terms[(1,)]), Fraction(terms.get((0,), 0)), relation == ">")
    return replace(known, cuts=(*known.cuts, Cut(polynomial, relation)))


def _narrowed(known: Unknowns, name: str, factor: Fraction, constant: Fraction, strict: bool) -> Unknowns:
    """factor * variable + constant >= 0, or > 0, bounds the variable's range on one side."""
    end, range_ = -constant / factor, known.variables[name]
    if factor > 0 and end >= range_.lower:
        is_open = strict or (end == range_.lower and range_.open_below)
        range_ = replace(range_, lower=end, open_below=is_open)
    elif factor < 0 and end <= range_.upper:
        is_open = strict or (end == range_.upper and range_.open_above)
        range_ = replace(range_, upper=end, open_above=is_open)
    if range_.lower > range_.upper or (range_.lower == range_.upper and (range_.open_below or range_.open_above)):
        raise NumberError(f"no value of {name} is left by this constraint and its range")
    return replace(known, shares={**known.shares, name: range_})


def _break_stick(gap: RationalFunction, known: Unknowns) -> Unknowns | None:
    """Shares for p_1 + ... + p_k == t, or None where the equation or the ranges are of another kind."""
    terms = gap.numerator()
    factors = {c for powers, c in terms.items() if any(powers)}
    summed = [name for name in known.variables if name in gap.names]
    if len(summed) < 3 or len(summed) < len(gap.names) or len(factors) != 1:
        return None
    if any(sum(powers) > 1 for powers in terms) or any(name in known.solved for name in summed):
        return None
    if sum(1 for powers in terms if any(powers)) != len(summed):
        return None
    total = Fraction(-terms.get((0,) * len(gap.names), 0), factors.pop())
    ranges = [known.variables[name] for name in summed]
    if total <= 0 or any(r.lower != 0 or r.upper < total for r in ranges):
        return None
    solved: dict[str, Prob] = {}
    shares: dict[str, Range] = {}
    rest: Prob = total
    for i, name in enumerate(summed[:-1]):
        share = RationalFunction.parameter(name)
        solved[name] = rest * share
        rest = rest * (1 - share)
        later = any(r.open_below for r in ranges[i + 1 :])
        shares[name] = Range(Fraction(0), Fraction(1), ranges[i].open_below, later)
    solved[summed[-1]] = rest
    before = {n: f.substitute(solved) if isinstance(f, RationalFunction) else f for n, f in known.solved.items()}
    cuts = known.cuts
    shares = {n: r for n, r in known.shares.items() if n not in summed} | shares
    found = replace(known, solved={**before, **solved}, shares=shares, cuts=())
    for cut in cuts:
        found = _cut(found, cut.function.substitute(solved), cut.relation)
    for i, (name, range_) in enumerate(zip(summed, ranges, strict=True)):
        others_are_positive = any(r.open_below for j, r in enumerate(ranges) if j != i)
        if range_.upper == total and range_.open_above and not others_are_positive:
            found = _cut(found, total - solved[name], ">")
    return found


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
    unknowns = Unknowns()
    for name, text in parameters.items():
        unknowns = unknowns.with_parameter(name, text)
    for i, text in enumerate(constraints):
        unknowns = read_constraint(text, unknowns, named_elsewhere(constraints, i))
    return unknowns
