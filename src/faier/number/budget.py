"""The factor c of a claim, exact: c = e**power * base**(1/root), compared with rationals without error.

Every budget that a file can name has this form: "ln 2" is base 2, "1/2" is power 1/2, "ln(3)/2" is base 3
with root 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import flint

from faier.errors import NumberError

from .digits import exact_text, short_text

LARGEST_EPSILON = 10_000
LARGEST_ROOT = 10_000
_MOST_BITS = 1 << 20
_LONGEST = 1_000_000


@dataclass(frozen=True)
class Budget:
    """The ratio c = e**power * base**(1/root) that a claim allows."""

    power: Fraction = Fraction(0)
    base: Fraction = Fraction(1)
    root: int = 1

    def __post_init__(self) -> None:
        if self.base <= 0:
            raise NumberError(f"a ratio must be positive, got {short_text(self.base)}")
        if self.root < 1:
            raise NumberError(f"the root of a budget must be at least 1, got {self.root}")
        if self.root > LARGEST_ROOT:
            raise NumberError(f"the root of a budget is too large; the largest accepted is {LARGEST_ROOT}")
        top, bottom = self.base.numerator.bit_length(), self.base.denominator.bit_length()
        if max(top, bottom) > _LONGEST:
            raise NumberError(
                f"a ratio is written with numbers of up to {_LONGEST:,} bits, got {max(top, bottom):,}; round it"
            )
        if abs(self.power) + Fraction(abs(top - bottom), self.root) > 2 * LARGEST_EPSILON:
            raise NumberError(
                f"the ratio is absurdly large or small; its logarithm is accepted from -{LARGEST_EPSILON} to "
                f"{LARGEST_EPSILON}"
            )
        _simplify_root(self)

    @classmethod
    def of_ratio(cls, ratio: int | Fraction) -> Budget:
        return cls(base=Fraction(ratio))

    @property
    def exact(self) -> Fraction | None:
        """The ratio where it is rational, else None (T7: e**r is irrational for r != 0)."""
        return self.base if self.power == 0 and self.root == 1 else None

    def compare(self, value: Fraction) -> int:
        """Return the sign of value - c, exactly. [T7]"""
        if self.exact is not None:
            return (value > self.exact) - (value < self.exact)
        if value <= 0:
            return -1
        if value < self.below(64):
            return -1
        if value > self.above(64):
            return 1
        if self.power == 0:
            powered = value**self.root
            return (powered > self.base) - (powered < self.base)
        bits = 128
        while bits <= _MOST_BITS:
            if value <= self.below(bits):
                return -1
            if value >= self.above(bits):
                return 1
            bits *= 2
        raise NumberError(f"cannot tell {self.epsilon_text} from ln of a rational within {_MOST_BITS} bits")

    def allows(self, left: Fraction, right: Fraction) -> bool:
        """True exactly when left <= c * right."""
        if right == 0:
            return left == 0
        return self.compare(left / right) <= 0

    def below(self, bits: int = 128) -> Fraction:
        """Guarantee: result <= c, within a relative 2**-bits or so; equal where c is rational."""
        return _enclose(self, bits)[0]

    def above(self, bits: int = 128) -> Fraction:
        """Guarantee: result >= c, within a relative 2**-bits or so; equal where c is rational."""
        return _enclose(self, bits)[1]

    @property
    def ratio_text(self) -> str | None:
        """c as the JSON says it: a fraction, "exp(7/10)", or None where it is neither."""
        if self.exact is not None:
            return exact_text(self.exact)
        return f"exp({exact_text(self.power)})" if self.base == 1 else None

    @property
    def epsilon_text(self) -> str:
        """ln c, normalised: "ln(2)", "7/10", "7/10 + ln(3)/2"."""
        logarithm = (
            ""
            if self.base == 1
            else f"ln({exact_text(self.base)})" + (f"/{self.root}" if self.root > 1 else "")
        )
        if self.power == 0:
            return logarithm or "0"
        power = exact_text(self.power)
        return f"{power} + {logarithm}" if logarithm else power

    def __str__(self) -> str:
        return self.epsilon_text


def _simplify_root(budget: Budget) -> None:
    """Take roots that come out rational, so that equal budgets are equal values."""
    root, base = budget.root, budget.base
    for divisor in range(2, root + 1):
        while root % divisor == 0:
            top, exact_top = flint.fmpz(base.numerator).root(divisor), None
            bottom = flint.fmpz(base.denominator).root(divisor)
            exact_top = int(top) ** divisor == base.numerator and int(bottom) ** divisor == base.denominator
            if not exact_top:
                break
            base, root = Fraction(int(top), int(bottom)), root // divisor
    if base == 1:
        root = 1
    object.__setattr__(budget, "base", base)
    object.__setattr__(budget, "root", root)


@lru_cache(maxsize=1024)
def _enclose(budget: Budget, bits: int) -> tuple[Fraction, Fraction]:
    if budget.exact is not None:
        return budget.exact, budget.exact
    saved = flint.ctx.prec
    # Enough working bits that the ball stays far narrower than asked, however large the power is.
    flint.ctx.prec = bits + 64 + 2 * max(1, int(abs(budget.power))).bit_length()
    try:
        ball = flint.arb(flint.fmpq(budget.power.numerator, budget.power.denominator)).exp()
        if budget.base != 1:
            ball *= flint.arb(flint.fmpq(budget.base.numerator, budget.base.denominator)).root(budget.root)
        low, high = ball.lower(), ball.upper()
    finally:
        flint.ctx.prec = saved
    return _dyadic(low), _dyadic(high)


def _dyadic(point: flint.arb) -> Fraction:
    mantissa, exponent = point.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def exp_below(power: Fraction, bits: int = 128) -> Fraction:
    """Guarantee: result <= e**power."""
    return Budget(power=power).below(bits)


def exp_above(power: Fraction, bits: int = 128) -> Fraction:
    """Guarantee: result >= e**power."""
    return Budget(power=power).above(bits)
