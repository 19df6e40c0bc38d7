"""Two experiments around the one that is asked about: what tells less than it, and what tells more. [T10]"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from faier.comparison import Comparison
from faier.engine.progress import Limits

from .spectrum import Spectrum, spectrum

Classes: TypeAlias = tuple[tuple[Fraction, Fraction], ...]
"""Probabilities (left, right) of outcomes that have nothing in common."""

_FIRST_DEPTH = 2


@dataclass(frozen=True)
class Experiment:
    """`coarse` tells the sides apart at most as well as the words do, `fine` at least as well; often they are the same.

    Whatever never grows when outcomes are taken together lies between its values for the two.
    """

    direction: int
    coarse: Classes
    fine: Classes

    @property
    def exact(self) -> bool:
        return self.coarse is self.fine


def experiment(
    comparison: Comparison, direction: int, limits: Limits, enough: Callable[[Experiment], bool]
) -> tuple[Experiment, str | None]:
    """The experiments of a direction; where all words are too many, the first that is `enough`, or the last and why."""
    depth: int | None = None if comparison.length is not None else _FIRST_DEPTH
    while True:
        found = spectrum(comparison, direction, limits, longest=depth)
        around = _around(found)
        if around.exact or enough(around):
            return around, None
        if reason := limits.reached():
            return around, reason
        if depth is None or len(found.open.rows) > found.most:
            return around, f"there are more than {found.most:,} open prefixes"
        depth *= 2


def _around(found: Spectrum) -> Experiment:
    if found.complete:
        return Experiment(found.direction, found.classes, found.classes)
    coarse, fine = list(found.classes), list(found.classes)
    unit = found.open.scale
    for left, right in found.open.rows:
        coarse.append((Fraction(sum(left.values()), unit), Fraction(sum(right.values()), unit)))
        for i in left.keys() | right.keys():
            fine.append((Fraction(left.get(i, 0), unit), Fraction(right.get(i, 0), unit)))
    return Experiment(found.direction, tuple(coarse), tuple(fine))
