"""Decimal digits of integers of any length; Python's own conversion stops where a setting of the process says."""

from __future__ import annotations

from fractions import Fraction

import flint

_SAFE_DIGITS = 640  # the strictest setting
_SAFE_BITS = 2_000


def digits(value: int) -> str:
    """The decimal digits of an integer, however many."""
    return str(value) if abs(value).bit_length() <= _SAFE_BITS else str(flint.fmpz(value))


def integer(text: str) -> int:
    """The integer that a text of ASCII digits means, however many."""
    return int(text) if len(text) <= _SAFE_DIGITS else int(flint.fmpz(text))


def exact_text(value: Fraction) -> str:
    """A fraction as "2/3" or "7", whatever its size."""
    top = digits(value.numerator)
    return top if value.denominator == 1 else f"{top}/{digits(value.denominator)}"


def short_text(value: object, longest: int = 60) -> str:
    """A value for a message: exact where it is short, else its beginning and how long it is."""
    text = exact_text(value) if isinstance(value, Fraction) else str(value)
    if len(text) <= longest:
        return text
    return f"{text[: longest - 20]}... ({len(text)} characters)"
