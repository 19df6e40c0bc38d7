"""Constant expressions: integers, decimals, + - * / ^ and brackets; parsed, never evaluated as code."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from .number import integer

LONGEST = 100_000
DEEPEST = 100
LARGEST_EXPONENT = 10_000
MOST_BITS = 100_000

_TOKEN = re.compile(
    r"\s*(?:((?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|([A-Za-z_]\w*)|([-+*/^()]))"
)
_PLAIN = re.compile(r"([0-9]{1,600})(?:/([0-9]{1,600}))?", re.ASCII)


class ExpressionError(Exception):
    """The text is not a constant expression."""


@lru_cache(maxsize=65_536)
def constant(text: str) -> Fraction:
    """The exact value of an expression without names: "0.1" is 1/10, "2/3" two thirds, "-2^2" is -4."""
    if (plain := _PLAIN.fullmatch(text)) is not None:
        top, bottom = int(plain[1]), int(plain[2] or "1")
        if bottom == 0:
            raise ExpressionError("division by zero")
        return Fraction(top, bottom)
    if len(text) > LONGEST:
        raise ExpressionError(f"an expression is longer than {LONGEST} characters")
    parser = _Parser(_tokens(text))
    value = parser.sum(0)
    if parser.next is not None:
        raise ExpressionError(f"unexpected {parser.next!r}")
    return value


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise ExpressionError(f"unexpected {text[position:].lstrip()[:1]!r}")
        if match[2] is not None:
            what = "functions" if match[2] in ("exp", "ln") else "parameters"
            raise ExpressionError(f"uses {what} ({match[2][:40]!r}); only rational constants can be checked")
        found.append(match[0].strip())
        position = match.end()
    return found


class _Parser:
    """Recursive descent over sum, product, sign, power and atom; the depth counts the recursion."""

    def __init__(self, tokens: list[str]):
        self._tokens = tokens
        self._position = 0

    @property
    def next(self) -> str | None:
        return self._tokens[self._position] if self._position < len(self._tokens) else None

    def _take(self) -> str:
        token = self.next
        if token is None:
            raise ExpressionError("the expression ends too early")
        self._position += 1
        return token

    def sum(self, depth: int) -> Fraction:
        value = self._product(depth)
        while self.next in ("+", "-"):
            negative = self._take() == "-"
            term = self._product(depth)
            value = _capped(value - term if negative else value + term)
        return value

    def _product(self, depth: int) -> Fraction:
        value = self._signed(depth)
        while self.next in ("*", "/"):
            divide = self._take() == "/"
            factor = self._signed(depth)
            if divide and factor == 0:
                raise ExpressionError("division by zero")
            value = _capped(value / factor if divide else value * factor)
        return value

    def _signed(self, depth: int) -> Fraction:
        negative = False
        while self.next in ("+", "-"):
            negative ^= self._take() == "-"
        value = self._power(depth)
        return -value if negative else value

    def _power(self, depth: int) -> Fraction:
        if depth > DEEPEST:
            raise ExpressionError(f"an expression is nested deeper than {DEEPEST}")
        base = self._atom(depth)
        if self.next != "^":
            return base
        self._take()
        exponent = self._signed(depth + 1)
        if exponent.denominator != 1 or abs(exponent) > LARGEST_EXPONENT:
            raise ExpressionError(f"an exponent must be an integer of at most {LARGEST_EXPONENT}")
        if base == 0 and exponent < 0:
            raise ExpressionError("division by zero")
        if _bits(base) * abs(exponent.numerator) > MOST_BITS:
            raise ExpressionError("a power is too large")
        return base**exponent.numerator

    def _atom(self, depth: int) -> Fraction:
        token = self._take()
        if token == "(":
            value = self.sum(depth + 1)
            if self._take() != ")":
                raise ExpressionError("a bracket is not closed")
            return value
        if not (token[0].isdigit() or token[0] == "."):
            raise ExpressionError(f"unexpected {token!r}")
        mantissa, _, power = token.lower().partition("e")
        whole, _, places = mantissa.partition(".")
        exponent = (int(power) if len(power) < 8 else LARGEST_EXPONENT + 1) if power else 0
        if abs(exponent) > LARGEST_EXPONENT:
            raise ExpressionError(f"a power of ten must be at most {LARGEST_EXPONENT}")
        scale = exponent - len(places)
        digits = integer(whole + places)
        return Fraction(digits * 10**scale) if scale >= 0 else Fraction(digits, 10**-scale)


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _capped(value: Fraction) -> Fraction:
    if _bits(value) > MOST_BITS:
        raise ExpressionError("a number is too large")
    return value
