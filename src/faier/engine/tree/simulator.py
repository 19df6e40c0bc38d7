"""When to look for a simulation, for which open prefixes, and what it closes. [T2]"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import numpy as np

from faier.comparison import Ints
from faier.engine.simulation import highs
from faier.engine.simulation.matrix import Simulation
from faier.engine.words import Found

from .batch import YES, Batch, compare
from .guided import worse_word
from .paired import PairedSimulations
from .search import Search
from .sparse import SparseSimulations

_MOST_LEAVES = 24
_MANY = 16
_WELL_UNDER_WAY = 200
_MOST_SIMULATIONS = 12
_FIRST = 16
_PATIENT = 1000
_SHARE = 0.6
_SECONDS = 10.0
# At a finite horizon the search ends anyway, and mostly soon.
_SECONDS_OF_PAIRED = 0.5
_SECONDS_OF_SPARSE = 8.0
_BETTER = 1 - 1e-10

_Solve: TypeAlias = Callable[[float], Simulation | None]


class Simulator:
    """Looks for simulations of the worst open prefixes: after 16, 64, 256, ... expansions, while that has paid."""

    def __init__(self, search: Search):
        self._search = search
        self._comparison = search.comparison
        self._next = _FIRST
        self._spent = 0.0
        self._paired = PairedSimulations(search)
        self._sparse = SparseSimulations(search)
        self._guide: Simulation | None = None
        self.promise: Found | None = None
        self.found = 0

    def find(self, batch: Batch, ratio: Fraction, expanded: int, *, again: bool = False) -> bool:
        """Whether a simulation was found that lowers the bound of an open prefix; it then holds for all of them.

        `again` asks at once, for a ratio that has risen. At a finite horizon `promise` may then name a worse word.
        """
        if expanded < self._next and not again:
            return False
        if not self._paired.possible and not self._sparse.possible:
            self._search.limits.effort.too_large_to_simulate = not self._search.limits.effort.solver_missing
            return False
        self._next = max(4 * self._next, 4 * expanded) if again else 4 * self._next
        if not highs.is_there():
            self._search.limits.effort.solver_missing = True
            self._paired.possible = self._sparse.possible = False
            return False
        bound = self._search.bounds(batch)
        # Where dominance gives bounds, expanding may do as well: at first only small programs are worth their time.
        self._paired.eager = not np.isfinite(bound).all() or expanded >= _PATIENT
        before = self.found
        hot = compare(bound, ratio, self._search.margin_of_bounds(batch.depth)) != YES
        hot &= batch.safe
        directions = self._search.nodes.direction[batch.ids]
        for direction in np.unique(directions[hot]).tolist():
            which = np.flatnonzero(hot & (directions == direction))
            order = np.lexsort((batch.ids[which], -np.nan_to_num(bound[which], posinf=1e300)))
            self._for_direction(batch, which[order], ratio, expanded)
        return self.found > before

    def _for_direction(self, batch: Batch, which: Ints, ratio: Fraction, expanded: int) -> None:
        """One simulation for the worst of these prefixes, else one for the worst of all; of either kind.

        Where all entries of it are too many: one of few entries for all prefixes together.
        """
        before = self.found
        if self._paired.possible:
            some = which[:_MOST_LEAVES]
            for of_prefixes in (False, True):
                for leaves, solve in self._paired_ones(batch, some, of_prefixes):
                    if self._attempt(batch, leaves, solve, _SECONDS_OF_PAIRED):
                        break
        many = len(which) >= _MANY and expanded >= _WELL_UNDER_WAY
        if self.found > before or not self._sparse.possible or not many:
            return

        def few_entries(seconds: float) -> Simulation | None:
            return self._sparse.find(batch, which, ratio, seconds)

        search = self._search
        if self._attempt(batch, which, few_entries, _SECONDS_OF_SPARSE):
            self._guide = search.simulations[-1]
        if self._guide is not None and search.length is not None:
            word = worse_word(self._comparison, search.limits, search.nodes, batch.pick(which), self._guide, ratio)
            self.promise = word or self.promise

    def _paired_ones(
        self, batch: Batch, which: Ints, of_prefixes: bool
    ) -> Iterator[tuple[Ints, _Solve]]:
        """What to try, one after the other: few pairs of states, more of them, and few for the worst prefix alone."""
        for leaves, more in ((which, False), (which, True), (which[:1], False)):
            if len(leaves) < len(which) or leaves is which:
                yield leaves, partial(self._paired.find, batch, leaves, of_prefixes=of_prefixes, more=more)

    def _attempt(self, batch: Batch, which: Ints, solve: _Solve, least: float) -> bool:
        search, limits = self._search, self._search.limits
        left = max(least if search.length is not None else _SECONDS, _SHARE * limits.elapsed) - self._spent
        if limits.seconds is not None:
            left = min(left, limits.seconds - limits.elapsed)
        if left <= 0 or self.found >= _MOST_SIMULATIONS:
            return False
        started = time.monotonic()
        try:
            simulation = solve(left)
        finally:
            self._spent += time.monotonic() - started
        if simulation is None:
            return False
        first = len(search.simulations)
        search.simulations.append(simulation)
        old = search.bounds(batch)
        search.simulate(batch, first)
        if not (search.bounds(batch)[which] < old[which] * _BETTER).any():
            search.simulations.pop()
            gone = search.nodes.simulation[batch.ids] == first
            search.nodes.simulation[batch.ids[gone]], search.nodes.simulated[batch.ids[gone]] = -1, np.inf
            return False
        self.found += 1
        limits.effort.simulations += 1
        return True
