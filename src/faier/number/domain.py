"""The values that parameters may have: a box of variables, the cuts through it, and polynomials on it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias

import flint
import numpy as np

from .bernstein import Box, Exact, coefficients, is_nonnegative
from .budget import exp_above, exp_below
from .exact import Prob
from .rational_function import RationalFunction, exponential_name
from .sign import sign_of_terms
from .unknowns import Range, Unknowns

Point: TypeAlias = tuple[Fraction, ...]

_FIRST_BITS = 256


@dataclass(frozen=True)
class PolynomialCut:
    """A polynomial in the variables that must be > 0, >= 0 or == 0."""

    polynomial: Any
    relation: Literal[">", ">=", "=="]


class Domain:
    """The variables of a question, in order, with the closed hull of their ranges.

    Where powers of e occur, e**(1/root) is the last variable. It has one value, which an interval of the hull
    encloses; nothing else is ever known of it, and a polynomial in it is 0 only where it vanishes identically.
    """

    def __init__(self, unknowns: Unknowns, values: Iterable[Prob] = (), bits: int = _FIRST_BITS):
        self.unknowns = unknowns
        self.ranges: dict[str, Range] = unknowns.variables
        functions = [v for v in values if isinstance(v, RationalFunction)]
        functions += [cut.function for cut in unknowns.cuts]
        functions += [f for f in unknowns.solved.values() if isinstance(f, RationalFunction)]
        roots = [f.root for f in functions if f.root]
        self.root = math.lcm(*roots) if roots else 0
        self.bits = bits
        names = list(self.ranges)
        if self.root:
            names.append(exponential_name(self.root))
        self.names = tuple(names)
        self.context = flint.fmpz_mpoly_ctx.get([f"x{i}" for i in range(len(names))], "degrevlex")
        hull = [(r.lower, r.upper) for r in self.ranges.values()]
        if self.root:
            power = Fraction(1, self.root)
            hull.append((exp_below(power, bits), exp_above(power, bits)))
        self.hull: Box = tuple(hull)
        self._lifted: dict[RationalFunction, tuple[Any, Any]] = {}

    @property
    def free(self) -> range:
        """The places of the variables proper."""
        return range(len(self.ranges))

    @cached_property
    def cuts(self) -> tuple[PolynomialCut, ...]:
        return tuple(PolynomialCut(self.lift(cut.function)[0], cut.relation) for cut in self.unknowns.cuts)

    @cached_property
    def one(self) -> Any:
        return self.context.constant(1)

    def lift(self, value: Prob) -> tuple[Any, Any]:
        """Numerator and denominator as polynomials in the variables."""
        if isinstance(value, RationalFunction):
            if (known := self._lifted.get(value)) is not None:
                return known
            simple = self.unknowns.simplify(value)
            if isinstance(simple, RationalFunction):
                simple = simple.with_root(self.root) if simple.root else simple
                lifted = simple.over(self.names)
            else:
                lifted = self.lift(simple)
            self._lifted[value] = lifted
            return lifted
        return self.context.constant(value.numerator), self.context.constant(value.denominator)

    def function(self, top: Any, bottom: Any) -> Prob:
        """The quotient of two polynomials as a function of the variables."""
        one, two = ({tuple(map(int, p)): int(c) for p, c in f.to_dict().items()} for f in (top, bottom))
        return RationalFunction.make(self.names, one, two)

    def holds(self, values: Sequence[Fraction]) -> bool:
        """Whether the variables proper may have these values: ranges with their open ends, and cuts, exactly."""
        if any(v not in r for v, r in zip(values, self.ranges.values(), strict=True)):
            return False
        for cut in self.cuts:
            sign = self.sign_at(cut.polynomial, values)
            if not (sign > 0 or (sign == 0 and cut.relation != ">") if cut.relation != "==" else sign == 0):
                return False
        return True

    def named(self, values: Sequence[Fraction]) -> dict[str, Fraction]:
        """The values of all unknown parameters where the variables proper have these."""
        return self.unknowns.originals(dict(zip(self.ranges, values, strict=True)))

    def sign_at(self, polynomial: Any, values: Sequence[Fraction]) -> int:
        """The exact sign where the variables proper have these values."""
        at = evaluate(polynomial, values)
        if isinstance(at, Fraction):
            return (at > 0) - (at < 0)
        return sign_of_terms(at, self.root)

    def sign_of_number(self, polynomial: Any) -> int | None:
        """The exact sign of a polynomial in which no variable proper occurs; None where one does."""
        if not self.root or any(int(d) > 0 for d in polynomial.degrees()[:-1]):
            return None
        return self.sign_at(polynomial, tuple(lo for lo, _ in self.hull[:-1]))

    def tensor(self, polynomial: Any, box: Box) -> Exact:
        """Its Bernstein coefficients on a box; for a number only its sign, as powers of e may be high."""
        if (sign := self.sign_of_number(polynomial)) is not None:
            return np.full((1,) * len(box), sign, dtype=object)
        tensor: Exact = coefficients([polynomial], box)
        return tensor.reshape(tensor.shape[1:])

    def is_nonnegative(self, polynomial: Any, box: Box) -> bool:
        """Whether a polynomial is >= 0 on a box, as its coefficients tell, or its value where it is a number."""
        # Without variables an array is one number, and comparing it gives no array.
        return bool(np.all(self.tensor(polynomial, box) >= 0))

    def misses(self, box: Box) -> int | None:
        """The first cut that no value of a box meets, as far as coefficients tell."""
        for k, cut in enumerate(self.cuts):
            if cut.relation == ">" and is_nonnegative(-cut.polynomial, box):
                return k
            if cut.relation != ">":
                tensor = coefficients([cut.polynomial], box)
                if (tensor < 0).all() or (cut.relation == "==" and (tensor > 0).all()):
                    return k
        return None

    def inside(self, corner: Sequence[Fraction], box: Box, wanted: Any) -> Point | None:
        """A point that the variables may have, near a corner of a box, where the polynomial is negative."""
        opposite = [hi if c == lo else lo for c, (lo, hi) in zip(corner, box, strict=True)]
        free = len(self.ranges)
        # Where a cut leaves out the corner, it leaves out all that is close to it.
        left_out = any(self.sign_at(cut.polynomial, corner[:free]) < 0 for cut in self.cuts)
        for k in range(12 if left_out else 81):
            share = Fraction(1, 2**k) if k else Fraction(0)
            point = tuple(c + (o - c) * share for c, o in zip(corner[:free], opposite[:free], strict=True))
            if self.holds(point) and self.sign_at(wanted, point) < 0:
                return point
        return None


def evaluate(polynomial: Any, values: Sequence[Fraction]) -> Fraction | dict[int, Fraction]:
    """The value at a point; a polynomial in the one variable that follows, where there is one."""
    free = len(values)
    degrees = [max(0, int(d)) for d in polynomial.degrees()]
    # Over the common denominator of all terms everything is an integer.
    powers: list[dict[int, int]] = [{} for _ in values]
    sums: dict[int, int] = {}
    for exponents, c in polynomial.to_dict().items():
        term = int(c)
        for i, value in enumerate(values):
            if not degrees[i]:
                continue
            known, e = powers[i], int(exponents[i])
            if (power := known.get(e)) is None:
                power = known[e] = value.numerator**e * value.denominator ** (degrees[i] - e)
            term *= power
        k = int(exponents[free]) if len(exponents) > free else 0
        sums[k] = sums.get(k, 0) + term
    common = math.prod(v.denominator**d for v, d in zip(values, degrees, strict=False))
    if sums and len(degrees) > free:
        return {k: Fraction(total, common) for k, total in sums.items()}
    return Fraction(sums.get(0, 0), common)
