"""Exact at the door: what may stand where a probability is expected."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from faier.errors import NumberError

from .digits import exact_text

if TYPE_CHECKING:
    from faier.number.rational_function import RationalFunction

Prob: TypeAlias = "Fraction | RationalFunction"
"""An exact probability: a constant, or a quotient of polynomials in parameters."""

Number: TypeAlias = "str | int | Fraction | RationalFunction"
"""What a user may write for one."""

Extended: TypeAlias = Fraction | float
"""A fraction, or `math.inf` for a ratio without bound; no other float."""


def prob(value: Number, parameters: Collection[str] | None = None) -> Prob:
    """Read a number exactly: "0.1" is 1/10, "1/3" is 1/3, "2*p" has a parameter.

    Where `parameters` is given, any other name is an error; where it is None, every name is a parameter.
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool):
        raise NumberError(f"a number is expected here, got {value!r}")
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, float):
        text = repr(float(value))
        advice = f'; write it as a string: "{text}"' if math.isfinite(value) else ""
        raise NumberError(f"a number must be exact and finite, got the float {text}{advice}")
    from faier.number.expression import parse
    from faier.number.rational_function import RationalFunction

    if isinstance(value, RationalFunction):
        return value
    if isinstance(value, str):
        return parse(value, parameters)
    raise NumberError(f"a number is expected here, got {kind_of(value)}")


def kind_of(value: object) -> str:
    """What a value is, for a message: short and in words where its text could be long."""
    if value is None or isinstance(value, (bool, int, float, str)):
        text = (
            repr(value)
            if not isinstance(value, int) or isinstance(value, bool)
            else exact_text(Fraction(value))
        )
        return text if len(text) <= 60 else f"{text[:40]}... ({len(text)} characters)"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, (list, tuple)):
        return "a list"
    return f"a {type(value).__name__}"


def common_denominator(values: Iterable[Fraction]) -> int:
    return math.lcm(*(v.denominator for v in values))


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of least denominator in [low, high], for 0 <= low <= high."""
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    floor = whole - 1
    return floor + 1 / simplest_between(1 / (high - floor), 1 / (low - floor))
