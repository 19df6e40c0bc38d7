"""The rule `budget`: a proved ratio, or a word's, against the claimed one.

That is c = e^power * base^(1/root), or a function of the parameters. [T7]
"""

from __future__ import annotations

from fractions import Fraction

from .certificate import Budget
from .errors import CertificateError
from .exponential import LARGEST_POWER, exp_above, exp_below
from .exponentials import sign
from .number import brief
from .quotient import Number, same
from .scope import ExpressionError, Scope

_FIRST_BITS, _MOST_BITS = 64, 1 << 16
_MOST_POWERED_BITS = 4_000_000
_MOST_POWERED_TERMS = 10_000


def budget(ratio: Fraction, claimed: Budget) -> None:
    """ratio <= c: what holds for the ratio holds for the budget."""
    if _exceeds(ratio, claimed):
        raise CertificateError(f"the proved ratio {brief(ratio)} exceeds the claimed one", rule="budget")


def excess(left: Fraction, right: Fraction, claimed: Budget) -> None:
    """left > c * right: a word with these probabilities breaks the claim."""
    if left == 0 or (right != 0 and not _exceeds(left / right, claimed)):
        raise CertificateError("the witness does not exceed the claimed ratio", rule="budget")


def function_budget(ratio: Number, claimed: Number) -> None:
    """Two functions of the parameters must be the same one; constants are compared."""
    if isinstance(ratio, Fraction) and isinstance(claimed, Fraction):
        if ratio > claimed:
            raise CertificateError(f"the proved ratio {brief(ratio)} exceeds the claimed one", rule="budget")
    elif not same(ratio, claimed):
        raise CertificateError("the proved ratio is not, as a function, the claimed one", rule="budget")


def as_number(claimed: Budget, scope: Scope) -> Number:
    """The claimed ratio as a power of x = e^(1/q) times a fraction; for root 1 alone."""
    if claimed.root != 1:
        raise CertificateError("the proved ratio uses exp, and the claimed one a root", rule="budget")
    return _exponential(claimed.power, scope) * claimed.base


def excess_of_numbers(left: Number, right: Number, claimed: Budget | Number, scope: Scope) -> None:
    """left > c * right, for numbers without parameters."""
    if isinstance(claimed, Budget):
        root = claimed.root
        if max(len(_terms(left)), len(_terms(right))) * root > _MOST_POWERED_TERMS:
            raise CertificateError("the claimed ratio is too large to compare with", rule="budget")
        gap = left**root - _exponential(claimed.power * root, scope) * claimed.base * right**root
    else:
        gap = left - claimed * right
    if left == 0 or sign(gap, scope) <= 0:
        raise CertificateError("the witness does not exceed the claimed ratio", rule="budget")


def _exponential(power: Fraction, scope: Scope) -> Number:
    try:
        return scope.exp(power)
    except ExpressionError as error:
        raise CertificateError(str(error), rule="budget") from None


def _terms(value: Number) -> tuple[object, ...]:
    return (None,) if isinstance(value, Fraction) else (*value.top, *value.bottom)


def _exceeds(ratio: Fraction, claimed: Budget) -> bool:
    """Whether ratio > c, for ratio >= 0: both to the power of the root, e^r between ever closer bounds."""
    bits = max(ratio.numerator.bit_length(), ratio.denominator.bit_length())
    power = claimed.power * claimed.root
    if bits * claimed.root > _MOST_POWERED_BITS or abs(power) > LARGEST_POWER:
        raise CertificateError("the claimed ratio is too large to compare with", rule="budget")
    powered = ratio**claimed.root
    if power == 0:
        return powered > claimed.base
    # e^r is irrational for rational r other than 0, so that some number of bits decides.
    precision = _FIRST_BITS
    while precision <= _MOST_BITS:
        if powered <= claimed.base * exp_below(power, precision):
            return False
        if powered > claimed.base * exp_above(power, precision):
            return True
        precision *= 2
    raise CertificateError(
        f"the ratio is too close to the claimed one to tell in {_MOST_BITS} bits", rule="budget"
    )
