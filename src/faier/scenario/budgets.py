"""Reading the budget of a claim: an epsilon or a ratio."""

from __future__ import annotations

from faier.number.budget import Budget
from faier.number.exact import prob


def read_ratio(value: object) -> Budget:
    from fractions import Fraction

    number = prob(value)  # type: ignore[arg-type]
    assert isinstance(number, Fraction)
    return Budget.of_ratio(number)


def read_epsilon(value: object) -> Budget:
    raise NotImplementedError
