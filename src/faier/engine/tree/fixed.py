"""One fixed ratio at horizon `any`: is every prefix closed at it, or does some word exceed it?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from faier.comparison import Comparison, Floats
from faier.engine.progress import Limits
from faier.engine.simulation.matrix import Simulation
from faier.engine.words import Found
from faier.number.exact import Extended
from faier.trace import Tree

from .batch import Batch
from .nodes import EXPAND
from .outweigh import Outweighing
from .proof import proof
from .search import Event, Search
from .subsume import Subsumption

_SHORTEST = 6
_WORST = 2


@dataclass(frozen=True)
class Exceeded:
    """A counted word whose ratio is larger."""

    found: Found
    value: Extended


def closed_at(
    comparison: Comparison, ratio: Fraction, limits: Limits, simulations: Sequence[Simulation] = ()
) -> Tree | Exceeded | None:
    """A proof that no word of any length exceeds the ratio, or a word that does; None where neither was found."""
    return Fixed(comparison, ratio, limits, simulations).run(limits)


class Fixed:
    """The search at one ratio; it may be stopped and taken up again.

    With one ratio for all prefixes differences close them [T17]; often few of them, where bounds for each prefix of
    its own would need words of hundreds of symbols. Open prefixes are looked at again when their turn comes.
    """

    def __init__(
        self, comparison: Comparison, ratio: Fraction, limits: Limits, simulations: Sequence[Simulation]
    ):
        self.search = Search(comparison, limits)
        self.search.widen()
        self.search.simulations = list(simulations)
        self.ratio = ratio
        self.subsumption = Subsumption(self.search)
        self.outweighing = Outweighing(self.search, ratio)
        self.open: Batch | None = None
        self.room: Floats = np.zeros(0)
        """For each open node how much room its program left; negative, but that a float may hide it."""

    def run(self, limits: Limits) -> Tree | Exceeded | None:
        """Go on within these limits."""
        if not Outweighing.suits(self.search.comparison, self.ratio):
            return None
        self.search.limits = limits
        limits.effort.nodes = self.search.nodes
        if self.open is None and (answer := self._admit(self.search.roots())) is not None:
            return answer
        while self.open is not None and len(self.open):
            if limits.reached(self.search.nodes.count, self.open.nbytes):
                return None
            parents = self.outweighing.sift(self._next())
            if not len(parents):
                continue
            self.search.nodes.rule[parents.ids] = EXPAND
            for children in self.search.expand(parents):
                if (answer := self._admit(children)) is not None:
                    return answer
        return proof(self.search, self.ratio)

    def _next(self) -> Batch:
        """Some of the shortest prefixes, of which a proof has most, and some of the worst, which lead to a bad word."""
        assert self.open is not None
        shortest = np.lexsort((self.room, self.open.depth))[:_SHORTEST]
        worst = np.lexsort((self.open.ids, self.room))[:_WORST]
        chosen = np.zeros(len(self.open), dtype=bool)
        chosen[shortest] = chosen[worst] = True
        batch = self.open.pick(chosen)
        self.open, self.room = self.open.pick(~chosen), self.room[~chosen]
        return batch

    def _admit(self, batch: Batch) -> Exceeded | None:
        """Close what can be closed among new nodes, and put the rest with the open ones."""
        rest, events = self.search.assess(batch, self.ratio)
        if events:
            return self._exceeded(events)
        rest = self.subsumption.close(rest)
        room = self.outweighing.close(rest)
        kept = np.flatnonzero(~np.isnan(room))
        rest, room = rest.pick(kept), room[kept]
        self.open = rest if self.open is None else Batch.join([self.open, rest])
        self.room = np.concatenate([self.room, room])
        return None

    def _exceeded(self, events: list[Event]) -> Exceeded | None:
        if not (counted := [event for event in events if event.counted]):
            return None
        event, value = self.search.best_event(counted)
        nodes = self.search.nodes
        return Exceeded(Found(int(nodes.direction[event.node]), nodes.letters(event.node), event.ended), value)
