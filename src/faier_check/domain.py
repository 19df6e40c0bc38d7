"""The values that a proof covers: a box of variables, cut by constraints, derived from the model file alone. [T9]"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from .errors import ModelFileError
from .family import Family, Weights
from .model import Distribution
from .polynomial import (
    ONE,
    Poly,
    Ring,
    constant,
    content,
    degree,
    divided,
    exponent,
    minus,
    occurring,
    plus,
    scaled,
    variable,
)
from .quotient import Number, composed, make, parts
from .unknowns import Constraint, Range, Unknowns

Image: TypeAlias = tuple[Poly, int]
"""A polynomial over a positive number."""


@dataclass(frozen=True)
class Cut:
    """gap `relation` 0, where the relation is one of == > >=."""

    gap: Poly
    relation: str


@dataclass
class Domain:
    """Every admissible value of the parameters is the image of a point of the box that no cut excludes."""

    unknowns: Unknowns
    ranges: dict[int, Range]
    """The variables that are left, with their ranges."""
    images: dict[int, Image] = field(default_factory=dict)
    """Parameters that are functions of the variables; the others are variables themselves."""
    cuts: list[Cut] = field(default_factory=list)

    @property
    def ring(self) -> Ring:
        return self.unknowns.scope.ring

    def on(self, value: Number) -> Number:
        """A function of the parameters as one of the variables."""
        return composed(value, self.ring, self.images) if self.images else value

    def replace(self, images: dict[int, Image]) -> None:
        """Let variables be functions of the others from now on."""
        for i, (image, scale) in self.images.items():
            composed_image, more = self.ring.compose(image, images)
            self.images[i] = composed_image, scale * more
        self.images.update(images)
        cuts, self.cuts = self.cuts, []
        for cut in cuts:
            self.cut(self.ring.compose(cut.gap, images)[0], cut.relation)

    def cut(self, gap: Poly, relation: str) -> None:
        """Demand gap `relation` 0: what bounds one variable narrows its range, and what always holds is left out."""
        common = content(gap) or 1
        gap = divided(gap, common)
        if not gap.keys() - {0}:
            value = gap.get(0, 0)
            if not (value == 0 if relation == "==" else value > 0 or (value == 0 and relation == ">=")):
                raise ModelFileError("a constraint, or a range, can never hold", "constraints")
            return
        used = occurring(gap)
        if relation != "==" and len(used) == 1 and used[0] in self.ranges and degree(gap, used[0]) == 1:
            self._narrow(used[0], Fraction(-gap.get(0, 0), gap[max(gap)]), gap[max(gap)] > 0, relation == ">")
        else:
            self.cuts.append(Cut(gap, relation))

    def _narrow(self, i: int, end: Fraction, below: bool, strict: bool) -> None:
        """Let the range of a variable begin, or end, there, where that is inside it."""
        found = self.ranges[i]
        if below and end >= found.lower:
            is_open = strict or (end == found.lower and found.open_below)
            found = Range(end, found.upper, is_open, found.open_above)
        elif not below and end <= found.upper:
            is_open = strict or (end == found.upper and found.open_above)
            found = Range(found.lower, end, found.open_below, is_open)
        if found.lower > found.upper or (
            found.lower == found.upper and (found.open_below or found.open_above)
        ):
            raise ModelFileError("a constraint leaves no value", "constraints")
        self.ranges[i] = found


def derive(unknowns: Unknowns, sticks: bool = True) -> Domain:
    """The domain of a file, constraint by constraint; see docs/certificates.md.

    Without sticks, equations are only solved: then every variable keeps its meaning as a parameter.
    """
    domain = Domain(unknowns, dict(enumerate(unknowns.ranges)))
    broken: set[int] = set()
    for i, constraint in enumerate(unknowns.constraints):
        try:
            gap = domain.on(constraint.gap)
        except ZeroDivisionError:
            raise ModelFileError("divides by zero", f"constraints[{i}]") from None
        if isinstance(gap, Fraction):
            _settled(gap, constraint, f"constraints[{i}]")
            continue
        if constraint.relation != "==":
            domain.cut(domain.ring.times(gap.top, gap.bottom), constraint.relation)
        elif sticks and (stick := _stick(domain, gap.top, broken)) is not None:
            _break(domain, *stick)
            broken.update(stick[0])
        elif (solved := _solvable(domain, gap.top, broken)) is not None:
            _solve(domain, gap.top, solved)
        else:
            domain.cut(gap.top, "==")
    return domain


def _settled(gap: Fraction, constraint: Constraint, place: str) -> None:
    holds = gap == 0 if constraint.relation == "==" else gap > 0 or (gap == 0 and constraint.relation == ">=")
    if not holds:
        raise ModelFileError("can never hold", place)


def _linear(p: Poly) -> dict[int, int] | None:
    """The factors of the variables and the constant (at -1), where no product of variables occurs."""
    found: dict[int, int] = {}
    for monomial, c in p.items():
        used = occurring({monomial: 1})
        if len(used) > 1 or (used and exponent(monomial, used[0]) > 1):
            return None
        found[used[0] if used else -1] = c
    return found


def _stick(domain: Domain, gap: Poly, broken: set[int]) -> tuple[list[int], Fraction] | None:
    """Parameters that add up to t > 0, each between 0 and t or more; in order, with t."""
    factors = _linear(gap)
    if factors is None:
        return None
    offset = factors.pop(-1, 0)
    members = sorted(factors)
    if len(members) < 3 or len(set(factors.values())) != 1 or broken & set(members):
        return None
    whole = Fraction(-offset, factors[members[0]])
    if whole <= 0:
        return None
    for i in members:
        if i not in domain.ranges or domain.ranges[i].lower != 0 or domain.ranges[i].upper < whole:
            return None
    return members, whole


def _break(domain: Domain, members: list[int], whole: Fraction) -> None:
    """Each takes its share of what those before it left: values in [0, 1] that know nothing of one another."""
    images: dict[int, Image] = {}
    rest: Poly = constant(whole.numerator)
    ranges = [domain.ranges[i] for i in members]
    for place, i in enumerate(members[:-1]):
        images[i] = domain.ring.times(rest, variable(i)), whole.denominator
        rest = domain.ring.times(rest, minus(ONE, variable(i)))
        later = any(r.open_below for r in ranges[place + 1 :])
        domain.ranges[i] = Range(Fraction(0), Fraction(1), ranges[place].open_below, later)
    images[members[-1]] = rest, whole.denominator
    del domain.ranges[members[-1]]
    domain.replace(images)
    for place, i in enumerate(members):
        others_are_positive = any(r.open_below for k, r in enumerate(ranges) if k != place)
        if ranges[place].upper == whole and ranges[place].open_above and not others_are_positive:
            domain.cut(scaled(_above(images[i], whole), -1), ">")


def _solvable(domain: Domain, gap: Poly, broken: set[int]) -> int | None:
    """The last parameter that stands in the equation alone, with a constant factor and to the first power."""
    for i in sorted(domain.ranges.keys() - broken, reverse=True):
        with_it = [monomial for monomial in gap if exponent(monomial, i)]
        if with_it == list(variable(i)):
            return i
    return None


def _solve(domain: Domain, gap: Poly, i: int) -> None:
    (own,) = variable(i)
    factor = gap[own]
    rest = {monomial: -c for monomial, c in gap.items() if monomial != own}
    image = (rest, factor) if factor > 0 else (scaled(rest, -1), -factor)
    found = domain.ranges.pop(i)
    domain.replace({i: image})
    for gap_there, is_open in (
        (_above(image, found.lower), found.open_below),
        (scaled(_above(image, found.upper), -1), found.open_above),
    ):
        domain.cut(gap_there, ">" if is_open else ">=")


def _above(image: Image, bound: Fraction) -> Poly:
    """image - bound, times a positive number."""
    p, scale = image
    return minus(scaled(p, bound.denominator), constant(bound.numerator * scale))


def validate(family: Family, domain: Domain) -> None:
    """Every row sums to 1 identically on the domain, or ModelFileError."""
    rows = [
        *((row, f"model.emit.{name}") for row, name in zip(family.emit, family.states, strict=True)),
        *((row, f"model.step.{name}") for row, name in zip(family.step, family.states, strict=True)),
        *((row, f"a compared belief ({i + 1})") for i, row in enumerate(family.beliefs)),
        *((row, f"row {i + 1} of the stream, or a belief") for i, row in enumerate(family.written)),
    ]
    for row, place in rows:
        if row is None or isinstance(row, Distribution):
            continue
        try:
            on_domain(row, domain)
        except ZeroDivisionError:
            raise ModelFileError("divides by zero", place) from None
        except ValueError:
            raise ModelFileError("the row does not sum to 1 for all parameter values", place) from None


def on_domain(row: Weights, domain: Domain) -> list[tuple[int, Number]]:
    """The row's entries that are not 0 identically; ValueError where they do not sum to 1 identically."""
    entries = [(i, domain.on(value)) for i, value in row]
    sums: dict[tuple[tuple[int, int], ...], tuple[Poly, Poly]] = {}
    for _, value in entries:
        top, bottom = parts(value)
        key = tuple(sorted(bottom.items()))
        sums[key] = (plus(sums[key][0], top) if key in sums else top), bottom
    total: Number = Fraction(0)
    for top, bottom in sums.values():
        total += make(domain.ring, top, bottom)
    if total != 1:
        raise ValueError
    return [(i, value) for i, value in entries if value != 0]
