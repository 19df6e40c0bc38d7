"""Attempts to prove one ratio near the best word's, while the tree of prefixes is searched worst first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from faier.comparison import Comparison
from faier.engine.progress import Limits
from faier.engine.simulation.matrix import Simulation
from faier.number.exact import Extended, simplest_between
from faier.trace import Tree

from .fixed import Exceeded, Fixed

_FIRST = 130
_FIRST_WHERE_UNBOUNDED = 40
_NODES = 20_000
_LEAST_SECONDS = 0.5
_SHARE = 0.5
_LARGEST = 10**60
_A_FEW = 100
_KEPT = 3


@dataclass(frozen=True)
class Proved:
    """No word of any length exceeds `ratio`."""

    ratio: Fraction
    trace: Tree


class Attempts:
    """After some expansions, and again after four times as many; each time with more patience."""

    def __init__(self, comparison: Comparison, limits: Limits, known: Sequence[Simulation]):
        self._comparison = comparison
        self._limits = limits
        self._known = known
        self._next = _FIRST
        self._nodes = _NODES
        self._begun: dict[Fraction, Fixed] = {}
        self.best: Proved | None = None

    def due(self, expanded: int, *, bounded: bool) -> bool:
        """Whether it is time for the next ones."""
        first = self._next == _FIRST and not bounded
        return expanded >= (_FIRST_WHERE_UNBOUNDED if first else self._next)

    def later(self) -> None:
        """Wait for four times as many expansions."""
        self._next *= 4
        self._nodes *= 4

    def exactly(self, lower: Fraction, proved: Proved) -> Proved | Exceeded | None:
        """At the ratio of the best word itself, with about the work that it took near it: it may be exact."""
        return self.at(lower, 4 * len(proved.trace.steps) + _A_FEW)

    def nearly(self, lower: Fraction, tolerance: Fraction) -> Proved | Exceeded | None:
        """Within the tolerance of the best word."""
        return self.at(simplest_between(lower * (1 + tolerance / 2), lower * (1 + tolerance)))

    def between(self, lower: Fraction, upper: Extended) -> Proved | Exceeded | None:
        """At some ratio between the bounds, for a better upper one."""
        if self.best is not None:
            upper = min(upper, self.best.ratio)
        return self.at(_mean(lower, upper) if isinstance(upper, Fraction) else lower * 4)

    def at(self, ratio: Fraction, nodes: int | None = None) -> Proved | Exceeded | None:
        """At any ratio, within a share of the time."""
        limits = self._limits
        if not 0 < ratio < _LARGEST or limits.reached():
            return None
        seconds = max(_LEAST_SECONDS, _SHARE * limits.elapsed)
        if limits.seconds is not None:
            seconds = min(seconds, limits.seconds - limits.elapsed)
        own = Limits(seconds, nodes=nodes or self._nodes)
        own.effort, before = limits.effort, limits.effort.nodes
        search = self._begun.pop(ratio, None) or Fixed(self._comparison, ratio, own, self._known)
        found = search.run(own)
        if isinstance(found, Tree):
            proved = Proved(ratio, found)
            if self.best is None or ratio < self.best.ratio:
                self.best = proved
            return proved
        limits.effort.nodes = before
        if found is None:
            # Where it stopped it goes on next time, should the ratio still be asked about.
            self._begun = {**dict(list(self._begun.items())[1 - _KEPT :]), ratio: search}
        return found


def _mean(low: Fraction, high: Fraction) -> Fraction:
    """Near the geometric mean."""
    middle = Fraction((float(low) * float(high)) ** 0.5)
    return simplest_between(middle, (middle + high) / 2) if low < middle < high else high
