"""Prefixes of one length in one direction, as exact rows over one scale, and the same one symbol later."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from faier.comparison import Comparison
from faier.engine.progress import Limits, Stopped

Row: TypeAlias = dict[int, int]
Rows: TypeAlias = tuple[Row, Row]
"""The left and the right row of a prefix, or of several prefixes added together; entries that are 0 are left out."""

_ENTRY_BYTES = 250
_CHUNK = 64


@dataclass(frozen=True)
class Layer:
    """Rows of prefixes of one length; one unit of an entry stands for the probability 1/scale."""

    rows: list[Rows]
    scale: int


def first(comparison: Comparison, direction: int) -> Layer:
    """The empty prefix of a direction."""
    left, right, unit = comparison.start_exact(direction)
    return Layer([(left, right)], unit.denominator)


def after(comparison: Comparison, layer: Layer, limits: Limits) -> Layer:
    """The children of all rows, impossible ones left out; raises `Stopped` where a limit comes first."""
    exact = comparison.automaton.exact
    parts: list[tuple[list[Rows], int]] = []
    made = 0
    for letter, chosen in _by_letter(comparison, layer.rows):
        for start in range(0, len(chosen), _CHUNK):
            flat = [row for rows in chosen[start : start + _CHUNK] for row in rows]
            moved, over = exact.advance(flat, letter)
            parts.append((list(zip(moved[::2], moved[1::2], strict=True)), over))
            made += sum(map(len, moved))
            if reason := limits.reached(bytes_=made * _ENTRY_BYTES):
                raise Stopped(reason)
    common = math.lcm(*{over for _, over in parts})
    children: list[Rows] = []
    for rows, over in parts:
        factor = common // over
        children += rows if factor == 1 else [(_scaled(a, factor), _scaled(b, factor)) for a, b in rows]
    return _reduced(children, layer.scale * common)


def merged(rows: list[Rows], key: Callable[[Rows], Hashable]) -> list[Rows]:
    """One row for all that have the same key: their sum, which stands for whichever prefix comes."""
    found: dict[Hashable, Rows] = {}
    for one in rows:
        name = key(one)
        other = found.get(name)
        found[name] = one if other is None else (_sum(one[0], other[0]), _sum(one[1], other[1]))
    return list(found.values())


def _by_letter(comparison: Comparison, rows: list[Rows]) -> Iterator[tuple[int, list[Rows]]]:
    chosen: dict[int, list[Rows]] = {}
    for pair in rows:
        for letter in comparison.automaton.exact.letters_of(pair[0].keys() | pair[1].keys()):
            chosen.setdefault(letter, []).append(pair)
    yield from sorted(chosen.items())


def _reduced(rows: list[Rows], scale: int) -> Layer:
    """Without the factor that all entries and the scale have in common."""
    common = scale
    for left, right in rows:
        common = math.gcd(common, *left.values(), *right.values())
        if common == 1:
            return Layer(rows, scale)
    return Layer(
        [
            ({i: x // common for i, x in a.items()}, {i: x // common for i, x in b.items()})
            for a, b in rows
        ],
        scale // common,
    )


def _scaled(row: Row, factor: int) -> Row:
    return {i: x * factor for i, x in row.items()}


def _sum(one: Row, other: Row) -> Row:
    total = dict(one)
    for i, x in other.items():
        total[i] = total.get(i, 0) + x
    return total
