"""The whole curve of delta against the ratio: its corners where the words can be listed, else a grid. [T10]"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from faier.approximate import Point
from faier.comparison import Comparison
from faier.engine.progress import Limits
from faier.number.budget import Budget
from faier.number.mass import Mass
from faier.verdict import Between

from .point import made, point
from .spectrum import MOST_CLASSES, Spectrum, spectrum
from .worst import distinct

_MOST_IN_ALL = 10 * MOST_CLASSES
_GRID = ("1", "5/4", "3/2", "7/4", "2", "5/2", "3", "4", "5", "6", "8", "10", "12", "16", "24", "32", "64", "128")
_NEXT_TO_NOTHING = Fraction(1, 10**9)


@dataclass(frozen=True)
class Line:
    """An event: delta at c is at least left - c right."""

    left: Fraction
    right: Fraction
    direction: int


def corners(comparison: Comparison, limits: Limits) -> list[Point] | None:
    """The points from the ratio 1 on between which delta is linear; None where there are too many words."""
    spectra = complete_spectra(comparison, limits)
    if spectra is None:
        return None
    envelope = upper_envelope(line for one in spectra for line in events(one))
    meetings = [_meeting(a, b) for a, b in itertools.pairwise(envelope)]
    start = bisect_right(meetings, Fraction(1))
    found = [_point(comparison, Fraction(1), envelope[start])]
    for ratio, line in zip(meetings[start:], envelope[start + 1 :], strict=True):
        found.append(_point(comparison, ratio, line))
    return found


def complete_spectra(comparison: Comparison, limits: Limits) -> list[Spectrum] | None:
    """The spectra of all directions, of those that are alike only the first; None where there are too many words."""
    if comparison.length is None or len(comparison.scenario.choices) > 1:
        return None
    known: dict[tuple[tuple[Fraction, Fraction], ...], Spectrum] = {}
    size = 0
    for direction in distinct(comparison):
        one = spectrum(comparison, direction, limits)
        size += len(one.classes)
        if not one.complete or size > _MOST_IN_ALL:
            return None
        known.setdefault(one.classes, one)
    return list(known.values())


def events(one: Spectrum) -> Iterable[Line]:
    """The events of the largest ratios, one for each ratio: delta at c is what the best of them shows."""
    left = right = Fraction(0)
    yield Line(left, right, one.direction)
    for a, b in one.classes:
        left, right = left + a, right + b
        yield Line(left, right, one.direction)


def upper_envelope(lines: Iterable[Line]) -> list[Line]:
    """The lines that are the highest at some ratio >= 0, from the steepest to the flattest."""
    ordered = sorted(lines, key=lambda e: (-e.right, -e.left))
    best: list[Line] = []
    for line in ordered:
        if best and (line.right == best[-1].right or line.left >= best[-1].left):
            # Steeper and nowhere higher from the ratio 0 on; or parallel and not higher.
            if line.right == best[-1].right:
                continue
            while best and line.left >= best[-1].left:
                best.pop()
        while len(best) > 1 and _meeting(best[-1], line) <= _meeting(best[-2], best[-1]):
            best.pop()
        best.append(line)
    return best


def grid(comparison: Comparison, limits: Limits, tolerance: Fraction) -> tuple[list[Point], str | None]:
    """Points at fixed ratios from 1 on, until next to nothing is left or a limit is reached."""
    found: list[Point] = []
    for text in _GRID:
        one, search = point(comparison, Budget.of_ratio(Fraction(text)), limits, tolerance=tolerance)
        found.append(one)
        if search.reason is not None:
            return found, search.reason
        if one.delta.upper <= _NEXT_TO_NOTHING:
            break
    return found, None


def _meeting(steep: Line, flat: Line) -> Fraction:
    """The ratio at which the flatter line takes over."""
    return (steep.left - flat.left) / (steep.right - flat.right)


def _point(comparison: Comparison, ratio: Fraction, line: Line) -> Point:
    budget, value = Budget.of_ratio(ratio), line.left - ratio * line.right
    return made(comparison, budget, Between(value, value), Mass(line.left, line.right, budget), line.direction)

