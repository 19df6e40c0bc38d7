"""Exact at the door: what may stand where a probability is expected."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from faier.errors import NumberError

if TYPE_CHECKING:
    from faier.number.rational_function import RationalFunction

Prob: TypeAlias = "Fraction | RationalFunction"
"""An exact probability: a constant, or a quotient of polynomials in parameters."""

Number: TypeAlias = "str | int | Fraction | RationalFunction"
"""What a user may write for one."""

Extended: TypeAlias = Fraction | float
"""A fraction, or `math.inf` for a ratio without bound; no other float."""


def prob(value: Number) -> Prob:
    """Read a number exactly: "0.1" is 1/10, "1/3" is 1/3, "2*p" has a parameter."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool):
        raise NumberError(f"a number is expected here, got {value!r}")
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, float):
        raise NumberError(f"a number must be exact, got the float {value!r}; write it as a string: \"{value!r}\"")
    from faier.number.expression import parse
    from faier.number.rational_function import RationalFunction

    if isinstance(value, RationalFunction):
        return value
    if isinstance(value, str):
        return parse(value)
    raise NumberError(f"a number is expected here, got {value!r}")


def common_denominator(values: Iterable[Fraction]) -> int:
    return math.lcm(*(v.denominator for v in values))


def text(value: Extended) -> str:
    """How JSON says an exact value: "2/3", "7", "infinity"."""
    return "infinity" if value == math.inf else str(value)
