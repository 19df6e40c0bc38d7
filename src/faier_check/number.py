"""Exact numbers as text: read and written at any length, whatever Python's limit on digits.

Python refuses to convert long integers from and to decimal text. The limit is a global setting, which a
library must not touch, so long numbers are converted in pieces that every setting allows.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

MOST_DIGITS = 200_000
_PIECE = 600
_PIECE_BITS = 1_900
_EXACT = re.compile(r"(-?)(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?", re.ASCII)


def read_exact(text: str) -> Fraction:
    """Read "7" or "-7/10": lowest terms, plain digits, and nothing else; raises ValueError."""
    if len(text) > 2 * MOST_DIGITS:
        raise ValueError("is longer than any number may be")
    found = _EXACT.fullmatch(text)
    if found is None:
        raise ValueError('is not an exact number such as "7" or "-7/10"')
    sign, top, bottom = found.groups()
    numerator, denominator = integer(top), integer(bottom or "1")
    if bottom == "1" or math.gcd(numerator, denominator) != 1 or (sign and numerator == 0):
        raise ValueError("is not in lowest terms")
    return Fraction(-numerator if sign else numerator, denominator)


def integer(digits: str) -> int:
    """The value of a string of decimal digits of any length."""
    if len(digits) <= _PIECE:
        return int(digits)
    low = len(digits) // 2
    shift: int = 10**low
    return integer(digits[:-low]) * shift + integer(digits[-low:])


def decimal(value: int) -> str:
    """The decimal digits of an integer of any length."""
    if value < 0:
        return "-" + decimal(-value)
    if value.bit_length() <= _PIECE_BITS:
        return str(value)
    low = value.bit_length() * 3 // 20
    high, rest = divmod(value, 10**low)
    return decimal(high) + decimal(rest).rjust(low, "0")


def exact(numerator: int, denominator: int = 1) -> str:
    """A fraction in lowest terms, integers without a denominator."""
    common = math.gcd(numerator, denominator)
    top = decimal(numerator // common)
    return top if denominator == common else f"{top}/{decimal(denominator // common)}"


def brief(value: Fraction) -> str:
    """A number for a sentence: exact where it is short, else its first digits."""
    if max(abs(value.numerator), value.denominator).bit_length() <= 200:
        return exact(value.numerator, value.denominator)
    if value < 0:
        return "-" + brief(-value)
    power = (value.numerator.bit_length() - value.denominator.bit_length()) * 30_103 // 100_000
    scaled = value / Fraction(10) ** (power - 12)
    return f"about {decimal(scaled.numerator // scaled.denominator)}e{power - 12}"
