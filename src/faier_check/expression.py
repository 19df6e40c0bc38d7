"""Expressions: integers, decimals, + - * / ^, brackets, named parameters and exp; parsed, never run as code."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from .flat import flat
from .number import integer
from .polynomial import ONE
from .quotient import Number, make
from .scope import LARGEST_EXPONENT, ExpressionError, Scope

LONGEST = 100_000
DEEPEST = 100
MOST_BITS = 100_000

# A bracket without others in it is one token, as it is often a long sum.
_TOKEN = re.compile(
    r"\s*(?:((?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|([A-Za-z_]\w*)|\([^()]*\)|([-+*/^()]))"
)
_PLAIN = re.compile(r"([0-9]{1,600})(?:/([0-9]{1,600}))?", re.ASCII)
# A letter that is not the e of a number begins a name.
_NAME = re.compile(r"(?<![0-9.])[A-Za-z_]")

__all__ = ["ExpressionError", "Scope", "constant", "expression"]


def expression(text: str, scope: Scope) -> Number:
    """The exact value of an expression in the names of the scope; a fraction where it is constant."""
    if _NAME.search(text) is None:
        return constant(text)
    if (known := scope.known.get(text)) is None:
        polynomial = flat(text, scope) if len(text) <= LONGEST else None
        value = _parse(text, scope) if polynomial is None else make(scope.ring, polynomial, ONE)
        known = scope.known[text] = value if isinstance(value, Fraction) else value.reduced()
    return known


@lru_cache(maxsize=65_536)
def constant(text: str) -> Fraction:
    """The exact value of an expression without names: "0.1" is 1/10, "2/3" two thirds, "-2^2" is -4."""
    if (plain := _PLAIN.fullmatch(text)) is not None:
        top, bottom = int(plain[1]), int(plain[2] or "1")
        if bottom == 0:
            raise ExpressionError("division by zero")
        return Fraction(top, bottom)
    value = _parse(text, None)
    assert isinstance(value, Fraction)
    return value


def _parse(text: str, scope: Scope | None) -> Number:
    if len(text) > LONGEST:
        raise ExpressionError(f"an expression is longer than {LONGEST} characters")
    parser = _Parser(_tokens(text, scope), scope)
    value = parser.sum(0)
    if parser.next is not None:
        raise ExpressionError(f"unexpected {parser.next!r}")
    return value


def _tokens(text: str, scope: Scope | None) -> list[str]:
    found: list[str] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise ExpressionError(f"unexpected {text[position:].lstrip()[:1]!r}")
        name = match[2]
        if name is not None and (scope is None or (name != "exp" and name not in scope)):
            what = "functions" if name in ("exp", "ln") else "parameters"
            raise ExpressionError(f"uses {what} ({name[:40]!r}) that are not known here")
        found.append(match[0].strip())
        position = match.end()
    return found


class _Parser:
    """Recursive descent over sum, product, sign, power and atom; the depth counts the recursion."""

    def __init__(self, tokens: list[str], scope: Scope | None):
        self._tokens = tokens
        self._scope = scope
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

    def sum(self, depth: int) -> Number:
        value = self._product(depth)
        while self.next in ("+", "-"):
            negative = self._take() == "-"
            term = self._product(depth)
            value = _capped(value - term if negative else value + term)
        return value

    def _product(self, depth: int) -> Number:
        value = self._signed(depth)
        while self.next in ("*", "/"):
            divide = self._take() == "/"
            factor = self._signed(depth)
            if divide and factor == 0:
                raise ExpressionError("division by zero")
            value = _capped(value / factor if divide else value * factor)
        return value

    def _signed(self, depth: int) -> Number:
        negative = False
        while self.next in ("+", "-"):
            negative ^= self._take() == "-"
        value = self._power(depth)
        return -value if negative else value

    def _power(self, depth: int) -> Number:
        if depth > DEEPEST:
            raise ExpressionError(f"an expression is nested deeper than {DEEPEST}")
        base = self._atom(depth)
        if self.next != "^":
            return base
        self._take()
        exponent = self._signed(depth + 1)
        if (
            not isinstance(exponent, Fraction)
            or exponent.denominator != 1
            or abs(exponent) > LARGEST_EXPONENT
        ):
            raise ExpressionError(f"an exponent must be an integer of at most {LARGEST_EXPONENT}")
        if not isinstance(base, Fraction):
            return base**exponent.numerator
        if base == 0 and exponent < 0:
            raise ExpressionError("division by zero")
        if _bits(base) * abs(exponent.numerator) > MOST_BITS:
            raise ExpressionError("a power is too large")
        return base**exponent.numerator

    def _atom(self, depth: int) -> Number:
        token = self._take()
        if token[0] == "(" and token != "(":
            return self._bracket(token[1:-1], depth)
        if token == "(":
            value = self.sum(depth + 1)
            if self._take() != ")":
                raise ExpressionError("a bracket is not closed")
            return value
        if self._scope is not None and (token[0] == "_" or token[0].isalpha()):
            return self._named(token, depth, self._scope)
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

    def _bracket(self, text: str, depth: int) -> Number:
        """What stands in a bracket that has no others in it."""
        scope = self._scope
        if scope is not None and (polynomial := flat(text, scope)) is not None:
            return make(scope.ring, polynomial, ONE)
        parser = _Parser(_tokens(text, scope), scope)
        value = parser.sum(depth + 1)
        if parser.next is not None:
            raise ExpressionError("a bracket is not closed")
        return value

    def _named(self, token: str, depth: int, scope: Scope) -> Number:
        if token != "exp":
            return scope.parameter(token)
        if self.next is None or self.next[0] != "(":
            raise ExpressionError("exp needs its argument in brackets")
        power = self._atom(depth)
        if not isinstance(power, Fraction):
            raise ExpressionError("the argument of exp must be a rational number")
        return scope.exp(power)


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _capped(value: Number) -> Number:
    if isinstance(value, Fraction) and _bits(value) > MOST_BITS:
        raise ExpressionError("a number is too large")
    return value
