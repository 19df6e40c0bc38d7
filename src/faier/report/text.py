"""How numbers, symbols and words are written: in full for machines, shortened for people."""

from __future__ import annotations

import math
from collections.abc import Hashable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from faier.model.hmm import Word
from faier.model.stream import Letter
from faier.number.digits import digits
from faier.number.digits import exact_text as fraction_text
from faier.number.exact import Extended, Prob
from faier.number.rational_function import RationalFunction
from faier.number.sign import enclosure

_LONG = 24
_LONG_EXPRESSION = 60
_LONG_CELL = 20
_KEPT = 8
_SYMBOLS_KEPT = 6


def exact_text(value: Extended | Prob) -> str:
    """The value in full: "2/3", "7", "exp(1/2)/(exp(1/2) + 1)", "infinity"; however long that is."""
    if isinstance(value, float):
        return "infinity" if value > 0 else "-infinity"
    return fraction_text(value) if isinstance(value, Fraction) else str(value)


def short(value: Extended | Prob) -> str:
    """For people: exact; of long integers and expressions the middle is left out, and then a decimal is added."""
    if isinstance(value, float):
        return exact_text(value)
    if isinstance(value, RationalFunction):
        text = str(value)
        if len(text) <= _LONG_EXPRESSION:
            return text
        elided = f"{text[:24]}...{text[-24:]}"
        return elided if value.parameters else f"{elided} (about {decimal(value)})"
    top, bottom = digits(value.numerator), digits(value.denominator)
    text = _elide(top) + ("" if bottom == "1" else f"/{_elide(bottom)}")
    return f"{text} (about {decimal(value)})" if max(len(top), len(bottom)) > _LONG else text


def compact(value: Extended | Prob) -> str:
    """For a table: exact where that is short, else only the decimal, marked with a tilde."""
    if isinstance(value, float):
        return exact_text(value)
    if isinstance(value, RationalFunction):
        text = str(value)
        return text if len(text) <= _LONG_CELL else "~" + decimal(value)
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= 40:
        return str(value)
    return "~" + decimal(value)


def bound_below(value: Extended | Prob) -> str:
    """Guarantee: what is written is at most the value; exact where that is short."""
    return _bound(value, ROUND_FLOOR)


def bound_above(value: Extended | Prob) -> str:
    """Guarantee: what is written is at least the value; exact where that is short."""
    return _bound(value, ROUND_CEILING)


def decimal(value: Extended | Prob, figures: int = 7, rounding: str = ROUND_HALF_EVEN) -> str:
    """The value to so many significant figures, however large or small it is.

    Guarantee: at most the value with ROUND_FLOOR, at least the value with ROUND_CEILING; else for people only.
    """
    if isinstance(value, float):
        if math.isinf(value):
            return exact_text(value)
        value = Fraction(value)
    if isinstance(value, RationalFunction):
        low, high = enclosure(value, 64 + 4 * figures)
        value = high if rounding == ROUND_CEILING else low
    context = Context(prec=figures, Emax=MAX_EMAX, Emin=MIN_EMIN, rounding=rounding)
    quotient = context.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize(context)
    exponent = quotient.adjusted()
    return format(quotient, "f" if -5 <= exponent < figures + 3 else "e")


def symbol_text(symbol: Hashable) -> str:
    """A symbol on one line; quoted where it would otherwise not be seen for what it is. Of a stream: bot[0|1]."""
    if isinstance(symbol, Letter):
        asked = (symbol.left,) if symbol.left == symbol.right else (symbol.left, symbol.right)
        return f"{symbol_text(symbol.symbol)}[{'|'.join(map(symbol_text, asked))}]"
    text = symbol if isinstance(symbol, str) else repr(symbol)
    plain = text and text.isprintable() and not any(c.isspace() for c in text)
    return text if plain or not isinstance(symbol, str) else repr(symbol)


def name_text(name: str) -> str:
    """A belief's name on one line."""
    return name if name and name.isprintable() else repr(name)


def word_text(word: Word) -> str:
    """A word on one line; of a long one the two ends and the length."""
    if len(word) <= 2 * _SYMBOLS_KEPT + 2:
        return " ".join(map(symbol_text, word))
    ends = [*map(symbol_text, word[:_SYMBOLS_KEPT]), "...", *map(symbol_text, word[-_SYMBOLS_KEPT:])]
    return f"{' '.join(ends)} ({len(word)} symbols)"


def _bound(value: Extended | Prob, rounding: str) -> str:
    if not isinstance(value, float) and len(text := exact_text(value)) <= 12:
        return text
    return decimal(value, 13, rounding)


def _elide(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[:_KEPT]}...{text[-_KEPT:]}"
