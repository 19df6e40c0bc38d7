"""Symbols that stand for many outputs may not overlap: else a model would tell outputs apart that are the same."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from faier.errors import MechanismError

from .distribution import Distribution


def require_apart(rows: Iterable[Distribution], name: str) -> None:
    """An error where a symbol with `covers`, such as a tail of noise on all integers, covers another one.

    That comes of noise whose tails begin at different places for different data sets, and makes the model wrong: the
    same output would be one symbol here, and another there.
    """
    symbols = list(dict.fromkeys(symbol for row in rows for symbol in row))
    suspects = _suspects(symbols)
    for wide in suspects:
        for other in symbols:
            if other is not wide and _overlap(wide, other):
                raise MechanismError(
                    f"{name} releases {wide!r} and {other!r}, which have outputs in common; draw noise with the same "
                    "low and high for all data sets"
                )


def _suspects(symbols: list[Hashable]) -> list[Hashable]:
    """Symbols that may cover another one: wide ones, of tuples those with an entry that covers another of its place.

    Of many tuples there are few different entries, so that this is quick where nothing is wrong.
    """
    alone = [symbol for symbol in symbols if not isinstance(symbol, tuple)]
    found = [symbol for symbol in alone if _is_wide(symbol)]
    lengths: dict[int, list[tuple[Any, ...]]] = {}
    for symbol in symbols:
        if isinstance(symbol, tuple):
            lengths.setdefault(len(symbol), []).append(symbol)
    for length, tuples in lengths.items():
        for place in range(length):
            # By their texts, as tails of different noise may stand in different tuples, and have no equality.
            entries = {repr(symbol[place]): symbol[place] for symbol in tuples}
            covering = {
                text
                for text, one in entries.items()
                if _is_wide(one) and any(text != another and _overlap(one, two) for another, two in entries.items())
            }
            found += [symbol for symbol in tuples if covering and repr(symbol[place]) in covering]
    return found


def _is_wide(symbol: Hashable) -> bool:
    return any(map(_is_wide, symbol)) if isinstance(symbol, tuple) else hasattr(symbol, "covers")


def _overlap(one: Any, two: Any) -> bool:
    if isinstance(one, tuple):
        if not isinstance(two, tuple) or len(one) != len(two):
            return False
        return all(_overlap(a, b) for a, b in zip(one, two, strict=True))
    if hasattr(one, "covers"):
        return bool(one.covers(two))
    return bool(two.covers(one)) if hasattr(two, "covers") else bool(one == two)
