"""The prefixes that a search has seen, as growing columns; a node's number is its place."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from faier.comparison import Floats, Ints

OPEN, EXPAND, END, DOMINATE, SUBSUME, DROPPED, SIMULATE, COMBINE, OUTWEIGH = range(9)
RULE_NAMES = {
    EXPAND: "expand",
    END: "end",
    DOMINATE: "dominate",
    SUBSUME: "subsume",
    SIMULATE: "simulate",
    COMBINE: "combine",
    OUTWEIGH: "outweigh",
}


class Nodes:
    """Parent, letter, depth, direction and closing rule of each node; roots have parent -1.

    `bound` is the float mediant bound (largest left/right over states) and `reading` the largest ratio of a checked
    reading, both within the margin of their depth, NaN where floats cannot tell. `wide` is how many bits lie between
    the largest and the smallest entry of either row. `simulated` is the best bound by a simulation, infinite where
    there is none, and `simulation` its number. `combined` are the parts of those closed by `combine` or `outweigh`, and
    whether that needs exact rows.
    """

    def __init__(self) -> None:
        self.count = 0
        self.parent = np.empty(1024, dtype=np.int64)
        self.letter = np.empty(1024, dtype=np.int64)
        self.depth = np.empty(1024, dtype=np.int64)
        self.direction = np.empty(1024, dtype=np.int64)
        self.rule = np.empty(1024, dtype=np.int8)
        self.bound = np.empty(1024)
        self.reading = np.empty(1024)
        self.wide = np.empty(1024, dtype=np.int64)
        self.simulated = np.empty(1024)
        self.simulation = np.empty(1024, dtype=np.int64)
        self.subsumed: dict[int, tuple[int, Fraction, bool]] = {}
        self.combined: dict[int, tuple[tuple[tuple[int, Fraction], ...], bool]] = {}

    _columns = ("parent", "letter", "depth", "direction", "rule", "bound", "reading", "wide", "simulated", "simulation")

    def add(self, parent: Ints, letter: Ints, depth: int, direction: Ints) -> Ints:
        """Record nodes of one depth and return their numbers."""
        first, last = self.count, self.count + len(parent)
        if last > len(self.parent):
            for name in self._columns:
                old: npt.NDArray[np.generic] = getattr(self, name)
                new = np.empty(max(last, 2 * len(old)), dtype=old.dtype)
                new[: self.count] = old[: self.count]
                setattr(self, name, new)
        span = slice(first, last)
        self.parent[span], self.letter[span], self.depth[span] = parent, letter, depth
        self.direction[span], self.rule[span] = direction, OPEN
        self.bound[span] = self.reading[span] = np.nan
        self.wide[span] = 0
        self.simulated[span], self.simulation[span] = np.inf, -1
        self.count = last
        return np.arange(first, last)

    def letters(self, node: int) -> tuple[int, ...]:
        """The prefix of a node, as letters."""
        found: list[int] = []
        while (up := int(self.parent[node])) >= 0:
            found.append(int(self.letter[node]))
            node = up
        return tuple(reversed(found))

    def note(self, ids: Ints, bound: Floats, reading: Floats) -> None:
        self.bound[ids], self.reading[ids] = bound, reading
