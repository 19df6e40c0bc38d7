"""Numbers c * e**r, which a budget can say exactly."""

from __future__ import annotations

from fractions import Fraction

from .budget import Budget
from .rational_function import RationalFunction


def as_budget(value: RationalFunction) -> Budget | None:
    """The budget whose ratio is the value, where that is a positive rational times a power of e; else None."""
    if value.parameters or value.terms != 2:
        return None
    (((over,), top),) = value.numerator().items()
    (((under,), bottom),) = value.denominator().items()
    base = Fraction(top, bottom)
    return Budget(power=Fraction(over - under, value.root), base=base) if base > 0 else None
