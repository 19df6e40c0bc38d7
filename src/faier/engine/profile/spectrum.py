"""All that distinguishes two sides: how much probability each has at every ratio of the two. [T10]"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from faier.comparison import Comparison
from faier.engine.progress import Limits, Stopped
from faier.number.exact import Extended

from .layer import Layer, Rows, after, first, merged

MOST_CLASSES = 20_000


@dataclass(frozen=True)
class Spectrum:
    """The probabilities (left, right) of the words of each ratio left/right, from the largest ratio down.

    `open` are prefixes that were not followed further: their rows, over one scale.
    """

    direction: int
    classes: tuple[tuple[Fraction, Fraction], ...]
    open: Layer
    most: int

    @property
    def complete(self) -> bool:
        return not self.open.rows


def spectrum(
    comparison: Comparison,
    direction: int,
    limits: Limits,
    *,
    most: int = MOST_CLASSES,
    longest: int | None = None,
) -> Spectrum:
    """Every counted word by its ratio, exactly; prefixes whose two rows are proportional are not followed.

    Ends early, with prefixes left open, at `longest` symbols and where more than `most` of them would be open.
    """
    done, length = comparison.automaton.done, comparison.length
    found: dict[Extended, tuple[Fraction, Fraction]] = {}

    def add(left: int, right: int, scale: int) -> None:
        if left or right:
            ratio: Extended = Fraction(left, right) if right else inf
            a, b = found.get(ratio, (Fraction(0), Fraction(0)))
            found[ratio] = a + Fraction(left, scale), b + Fraction(right, scale)

    layer, depth = first(comparison, direction), 0
    while True:
        kept: list[Rows] = []
        for rows in layer.rows:
            left, right = rows
            if depth and depth != length:
                add(left.pop(done, 0), right.pop(done, 0), layer.scale)
            if depth == length or _proportional(rows):
                add(sum(left.values()), sum(right.values()), layer.scale)
            else:
                kept.append(rows)
        layer = Layer(merged(kept, _key), layer.scale)
        if not layer.rows or depth == longest or len(layer.rows) > most or len(found) > most:
            break
        try:
            layer = after(comparison, layer, limits)
        except Stopped:
            break
        depth += 1
    ordered = sorted(found.items(), key=lambda item: item[0], reverse=True)
    return Spectrum(direction, tuple(masses for _, masses in ordered), layer, most)


def _proportional(rows: Rows) -> bool:
    left, right = rows
    if not left or not right:
        return True
    if left.keys() != right.keys():
        return False
    state = next(iter(left))
    a, b = left[state], right[state]
    return all(x * b == right[i] * a for i, x in left.items())


def _key(rows: Rows) -> Hashable:
    left, right = rows
    common = math.gcd(*left.values(), *right.values())
    return (
        tuple(sorted((i, x // common) for i, x in left.items())),
        tuple(sorted((i, x // common) for i, x in right.items())),
    )
