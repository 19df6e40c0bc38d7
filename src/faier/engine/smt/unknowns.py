"""The unknown parameters of a question as solvers see them: their region, and weights without denominators."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from faier.errors import ModelError, NotYetError
from faier.number.digits import exact_text
from faier.number.exact import Prob
from faier.number.expression import parse
from faier.number.rational_function import RationalFunction
from faier.scenario.scenario import Scenario

from .region import Cut, Polynomial, Region, sign
from .simple import Point
from .terms import symbol

_COMPARISON = re.compile(r"(<=|>=|==|<|>)")


@dataclass(frozen=True)
class Unknowns:
    """The unknown parameters in the order of the file, what they are called in scripts, and where they lie.

    `fixed` are the parameters that are constants.
    """

    parameters: tuple[str, ...]
    region: Region
    fixed: Mapping[str, Prob]

    @classmethod
    def of(cls, scenario: Scenario) -> Unknowns:
        """Those of the model; constraints are read again from their texts."""
        known = scenario.model.unknowns
        parameters = tuple(known.ranges)
        box = tuple((r.lower, r.upper, r.open_below, r.open_above) for r in known.ranges.values())
        bare = cls(parameters, Region(tuple(map(symbol, parameters)), box), known.fixed)
        cuts = [cut for text in scenario.model.constraints for cut in bare._read(text)]
        return cls(parameters, Region(bare.region.names, box, tuple(cuts)), known.fixed)

    def __bool__(self) -> bool:
        return bool(self.parameters)

    def plain(self, value: Prob) -> Prob:
        """The value with its constants put in; one that uses powers of e is not for solvers."""
        if isinstance(value, Fraction):
            return value
        if not self.fixed.keys().isdisjoint(value.names):
            value = value.substitute(self.fixed)
        if isinstance(value, RationalFunction) and not set(value.names) <= set(self.parameters):
            raise NotYetError("the solver engines do not decide models with exp(...)")
        return value

    def polynomial(self, value: Prob) -> Polynomial:
        """The numerator of a value."""
        if isinstance(value, Fraction):
            return {(0,) * len(self.parameters): value.numerator}
        return value.numerator(self.parameters)

    def positive(self, values: Iterable[Prob]) -> list[Cut]:
        """The conditions that these polynomials are greater than 0, without those that are plain."""
        unlike = dict.fromkeys(value for value in values if isinstance(value, RationalFunction))
        return [(self.polynomial(value), ">") for value in unlike]

    def factor(self, values: Iterable[Prob]) -> Prob:
        """A polynomial that makes all values polynomials when they are multiplied by it.

        Nowhere negative, and 0 only where some value has no value.
        """
        common: Prob = Fraction(1)
        for value in dict.fromkeys(v for v in values if isinstance(v, RationalFunction)):
            rest = common / denominator(value)
            if isinstance(rest, RationalFunction):
                common = common * denominator(rest)
        if isinstance(common, Fraction):
            return Fraction(1)
        match sign(self.polynomial(common), self.region.box):
            case 1:
                return common
            case -1:
                return -common
        return common * common

    @property
    def constants(self) -> dict[str, Fraction]:
        """The fixed parameters."""
        return {name: value for name, value in self.fixed.items() if isinstance(value, Fraction)}

    def values(self, point: Point) -> dict[str, Fraction]:
        return dict(zip(self.parameters, point, strict=True))

    def _read(self, text: str) -> list[Cut]:
        left, relation, right = _COMPARISON.split(text)
        if relation in ("<", "<="):
            left, relation, right = right, relation.replace("<", ">"), left
        names = frozenset((*self.parameters, *self.fixed))
        gap = self.plain(parse(left, names) - parse(right, names))
        if isinstance(gap, Fraction):
            return []
        bottom = gap.denominator(self.parameters)
        top = gap if relation == "==" else gap * denominator(gap) * denominator(gap)
        cuts: list[Cut] = [(self.polynomial(top), relation)]
        if len(bottom) > 1 or any(map(any, bottom)):
            cuts.append((bottom, "!="))
        return cuts


def evaluated(value: Prob, values: Mapping[str, Fraction]) -> Fraction:
    return value if isinstance(value, Fraction) else value.evaluate(values)


def evaluated_row(row: Mapping[int, Prob], values: Mapping[str, Fraction], where: str) -> dict[int, Fraction]:
    """The row where the parameters have these values; an entry below 0 is an error of the model."""
    found = {i: evaluated(value, values) for i, value in row.items()}
    if (worst := min(found.values(), default=Fraction(0))) < 0:
        at = ", ".join(f"{name} = {exact_text(value)}" for name, value in values.items())
        raise ModelError(f"a probability cannot be negative, but one is {exact_text(worst)} at {at}", where)
    return {i: value for i, value in sorted(found.items()) if value}


def denominator(value: RationalFunction) -> Prob:
    return RationalFunction.make(value.names, value.denominator(), {(0,) * len(value.names): 1})
