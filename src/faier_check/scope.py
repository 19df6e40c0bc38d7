"""What the names of an expression mean: the parameters of a file, and exp of rational numbers. [T7]"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from .polynomial import ONE, Ring, variable
from .quotient import Number, Quotient

LARGEST_EXPONENT = 10_000
LARGEST_FINENESS = 10_000


class ExpressionError(Exception):
    """The text is not an expression that has a value here."""


class Finer(Exception):
    """An exp that is no power of e^(1/fineness): all must be read again with this fineness."""

    def __init__(self, fineness: int):
        self.fineness = fineness
        super().__init__(f"e^(1/{fineness}) is needed")


class Scope:
    """Variables by number: first the parameters in order, last x = e^(1/fineness), of which every exp is a power."""

    def __init__(self, ring: Ring, names: Sequence[str], fineness: int):
        self.ring, self.names, self.fineness = ring, tuple(names), fineness
        self.index = {name: i for i, name in enumerate(self.names)}
        self.known: dict[str, Number] = {}
        """Values of texts that have been read."""
        self.powers: dict[str, int] = {}
        """Monomials of powers such as p^2 that have been read."""
        self.constants: dict[str, Number] = {}
        """Parameters that have a value instead of a range."""

    @property
    def x(self) -> int:
        """The number of the variable x."""
        return self.ring.count - 1

    def __contains__(self, name: str) -> bool:
        return name in self.index or name in self.constants

    def parameter(self, name: str) -> Number:
        if name in self.constants:
            return self.constants[name]
        return Quotient(self.ring, variable(self.index[name]), ONE)

    def exp(self, power: Fraction) -> Number:
        """e^power as a power of x."""
        if power == 0:
            return Fraction(1)
        if self.fineness % power.denominator:
            fineness = math.lcm(self.fineness, power.denominator)
            if fineness > LARGEST_FINENESS:
                raise ExpressionError("the arguments of exp have too large a common denominator")
            raise Finer(fineness)
        exponent = int(power * self.fineness)
        if abs(exponent) > LARGEST_EXPONENT:
            raise ExpressionError("the argument of exp is too large")
        return Quotient(self.ring, variable(self.x), ONE) ** exponent
