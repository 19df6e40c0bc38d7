"""Symbols as JSON."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from numbers import Integral

from .text import exact_text


def symbol_record(symbol: Hashable) -> object:
    """A symbol as JSON: strings and integers as they are, tuples as lists, anything else as its text."""
    if symbol is None or isinstance(symbol, str | bool):
        return symbol
    if isinstance(symbol, Integral):
        return int(symbol)
    if isinstance(symbol, Fraction):
        return exact_text(symbol)
    if isinstance(symbol, Sequence):
        return [symbol_record(part) for part in symbol]
    if isinstance(symbol, Mapping):
        return {str(key): symbol_record(value) for key, value in symbol.items()}
    return str(symbol)
