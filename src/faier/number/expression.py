"""Reading exact numbers: rationals, decimals, and expressions over + - * / ^ ( ), exp and named parameters.

An expression is parsed and computed exactly, never run as code. Text length, nesting, exponents, and the size
of every intermediate result are capped, so that no text costs more than a moment.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache

from faier.errors import NumberError

from .digits import integer, short_text
from .exact import Prob
from .flat import FLAT, flat, is_flat
from .rational_function import MOST_BITS, RationalFunction
from .syntax import MOST_CHARACTERS, PlacedError, Token, fail, postfix

LARGEST_EXPONENT = 10_000
RESERVED = frozenset({"e", "exp", "ln"})
_MOST_WORK = 20_000_000
_NOT_NUMBERS = frozenset({"nan", "inf", "infinity"})

_SUM = re.compile(rf"\({FLAT}\)")
_PLAIN = re.compile(r"([0-9]{1,3000})(?:/([0-9]{1,3000}))?")


def parse(text: str, parameters: Collection[str] | None = None) -> Prob:
    """Read an expression exactly: "0.1" is 1/10, "2*p*(1-p)" is a polynomial in p.

    Where `parameters` is given, any other name is an error; where it is None, every name is a parameter.
    The result is a `Fraction` where no parameter is left after simplification. Anything else is a
    `NumberError` of one line that says what is wrong, and where.
    """
    match = _PLAIN.fullmatch(text)
    if match is not None and (match[2] is None or match[2].strip("0")):
        return Fraction(integer(match[1]), integer(match[2] or "1"))
    known = parameters if parameters is None or isinstance(parameters, frozenset) else frozenset(parameters)
    return _cached(text, known) if len(text) <= 200 else _read(text, known)


def is_parameter_name(name: str) -> bool:
    """Whether a parameter may have this name."""
    return re.fullmatch(r"[A-Za-z_]\w*", name) is not None and name not in RESERVED


def decimal(text: str, at: int, token: str) -> Fraction:
    """The exact value of the literal `token`, which stands at `at` in `text`."""
    mantissa, _, power = token.lower().partition("e")
    whole, _, part = mantissa.partition(".")
    if len(power) > 7 or abs(int(power or 0)) > LARGEST_EXPONENT:
        fail(text, at, f"the exponent of {short_text(token)} is too large")
    value = Fraction(integer((whole + part) or "0"), 10 ** len(part))
    return power_of(text, at, Fraction(10), int(power or 0)) * value


def check_size(text: str, at: int, value: Fraction) -> Fraction:
    """Refuse a value of more than `MOST_BITS` bits."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        fail(text, at, f"the number grows to more than {MOST_BITS} bits")
    return value


def power_of(text: str, at: int, base: Fraction, exponent: int) -> Fraction:
    """base ** exponent, refused before it is computed where it would be too large."""
    if base == 0 and exponent < 0:
        fail(text, at, "division by zero")
    size = max(base.numerator.bit_length(), base.denominator.bit_length()) - 1
    if abs(base) != 1 and (size or 1) * abs(exponent) > MOST_BITS:
        fail(text, at, f"the number grows to more than {MOST_BITS} bits")
    return base**exponent


def exponent_of(text: str, at: int, value: object) -> int:
    """An exponent as an integer: constant, whole, and not absurdly large."""
    if not isinstance(value, Fraction) or value.denominator != 1:
        got = f", got {short_text(value)}" if isinstance(value, Fraction) else ""
        fail(text, at, f"an exponent must be a whole number{got}")
    if abs(value.numerator) > LARGEST_EXPONENT:
        fail(
            text,
            at,
            f"the exponent {short_text(value)} is too large; the largest accepted is {LARGEST_EXPONENT}",
        )
    return value.numerator


@lru_cache(maxsize=8192)
def _cached(text: str, parameters: frozenset[str] | None) -> Prob:
    return _read(text, parameters)


def _read(text: str, parameters: frozenset[str] | None, *, at_once: bool = True) -> Prob:
    """The value; long sums, which files are full of, are read at once where there is no mistake in them."""
    at_once = at_once and len(text) <= MOST_CHARACTERS
    if at_once and is_flat(text) and (value := flat(text, parameters)) is not None:
        return value
    stack: list[Prob] = []
    work = 0
    for token in postfix(text, _SUM if at_once else None):
        if token.kind == "sum":
            if (value := flat(token.text[1:-1], parameters)) is None:
                return _read(text, parameters, at_once=False)
            stack.append(value)
        elif token.kind == "number":
            stack.append(check_size(text, token.at, decimal(text, token.at, token.text)))
        elif token.kind == "name":
            stack.append(_named(text, token, parameters))
        elif token.kind == "call":
            stack.append(_exponential(text, token, stack.pop()))
        elif token.kind == "negate":
            stack.append(-stack.pop())
        elif token.kind != "plus":
            right, left = stack.pop(), stack.pop()
            stack.append(_apply(text, token, left, right))
            work += _work(stack[-1])
            if work > _MOST_WORK:
                fail(text, token.at, "the expression takes too much work")
    return stack.pop()


def _apply(text: str, token: Token, left: Prob, right: Prob) -> Prob:
    result: Prob
    try:
        match token.kind:
            case "+":
                result = left + right
            case "-":
                result = left - right
            case "*":
                result = left * right
            case "/":
                if right == 0:
                    fail(text, token.at, "division by zero")
                result = left / right
            case _:
                if isinstance(left, RationalFunction):
                    _check_root(text, token.at, left, right)
                exponent = exponent_of(text, token.at, right)
                if isinstance(left, Fraction):
                    return power_of(text, token.at, left, exponent)
                result = left**exponent
    except PlacedError:
        raise
    except NumberError as error:
        fail(text, token.at, str(error))
    return check_size(text, token.at, result) if isinstance(result, Fraction) else result


def _check_root(text: str, at: int, base: RationalFunction, exponent: Prob) -> None:
    """Refuse a root of a parameter, and say what does instead."""
    if len(base.parameters) == 1 and isinstance(exponent, Fraction) and 1 < exponent.denominator <= LARGEST_EXPONENT:
        (name,) = base.parameters
        if base == RationalFunction.parameter(name):
            fail(
                text,
                at,
                f"an exponent must be a whole number, got {short_text(exponent)}; take the root of {name} as the "
                f"parameter, say r, and write r^{exponent.denominator} for {name}",
            )


def _work(result: Prob) -> int:
    """Roughly what an operation with this result costs; a long text of heavy ones is refused."""
    if isinstance(result, RationalFunction):
        return result.terms
    bits = result.denominator.bit_length() + result.numerator.bit_length()
    return bits if bits > 4096 else 1


def _named(text: str, token: Token, parameters: frozenset[str] | None) -> RationalFunction:
    name = token.text
    if name == "e":
        fail(text, token.at, "write exp(1) for e, and exp(1/2) for its powers")
    if name.lower() in _NOT_NUMBERS and name not in (parameters or ()):
        fail(text, token.at, f"{name} is not a number")
    if parameters is not None and name not in parameters:
        fail(text, token.at, f"unknown parameter {name!r}; {_known(name, parameters)}")
    return RationalFunction.parameter(name)


def _exponential(text: str, token: Token, argument: Prob) -> Prob:
    if token.text == "ln":
        fail(text, token.at, "ln has no place here; it stands only in an epsilon")
    if not isinstance(argument, Fraction):
        fail(text, token.at, "exp takes a rational number")
    try:
        return RationalFunction.exponential(argument)
    except NumberError as error:
        fail(text, token.at, str(error))


def _known(name: str, parameters: frozenset[str]) -> str:
    if not parameters:
        return "[parameters] names none"
    if near := get_close_matches(name, parameters, 1):
        return f"did you mean {near[0]!r}?"
    return f"[parameters] names {', '.join(sorted(parameters)[:20])}"
