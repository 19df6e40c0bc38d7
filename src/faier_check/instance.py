"""One model of a family: the one at given values of the parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from .errors import CertificateError
from .exponentials import sign
from .family import Family, Weights
from .model import Distribution
from .number import brief
from .polynomial import Poly, Ring, constant
from .quotient import Number, composed, make, parts
from .unknowns import Unknowns

Values = dict[int, tuple[Poly, int]]


def values_of(unknowns: Unknowns, given: Mapping[str, Fraction]) -> Values:
    """The values by number of parameter: one for each, in its range, and all constraints hold exactly."""
    scope = unknowns.scope
    for name in given:
        if name not in scope.index:
            raise CertificateError(f"the file has no parameter {name[:60]!r} with a range", rule="witness")
    values: Values = {}
    for i, (name, allowed) in enumerate(zip(scope.names, unknowns.ranges, strict=True)):
        if name not in given:
            raise CertificateError(f"the parameter {name} has no value", rule="witness")
        if given[name] not in allowed:
            raise CertificateError(f"{name} = {brief(given[name])} is not in its range", rule="witness")
        values[i] = constant(given[name].numerator), given[name].denominator
    for constraint in unknowns.constraints:
        found = sign(at(constraint.gap, scope.ring, values), scope)
        holds = {"==": found == 0, ">": found > 0, ">=": found >= 0}[constraint.relation]
        if not holds:
            raise CertificateError(f"the constraint {constraint.text[:80]!r} does not hold", rule="witness")
    return values


def at(value: Number, ring: Ring, values: Values) -> Number:
    """The value there, a number in x = e^(1/q) alone."""
    try:
        return composed(value, ring, values)
    except ZeroDivisionError:
        raise CertificateError("a number divides by zero at these values", rule="witness") from None


def row_at(row: Distribution | Weights, family: Family, values: Values) -> list[tuple[int, Number]]:
    """A row there; it is a distribution, or CertificateError."""
    if isinstance(row, Distribution):
        return [(i, Fraction(n, row.denominator)) for i, n in row.entries]
    scope = family.unknowns.scope
    entries = [(i, at(value, scope.ring, values)) for i, value in row]
    entries = [(i, value) for i, value in entries if value != 0]
    if any(sign(value, scope) < 0 for _, value in entries):
        raise CertificateError("a probability is negative at these values", rule="witness")
    if sum_of(scope.ring, [value for _, value in entries]) != 1:
        raise CertificateError("a row does not sum to 1 at these values", rule="witness")
    return entries


def sum_of(ring: Ring, values: Sequence[Number]) -> Number:
    """The sum, with equal denominators taken together first."""
    total: Number = Fraction(0)
    for value in values:
        total += value
        if not isinstance(total, Fraction):
            total = make(ring, *parts(total.reduced()))
    return total
