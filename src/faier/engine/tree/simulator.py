"""When to look for a simulation, for which open prefixes, and what it closes. [T2]"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from faier.comparison import Bools, Ints
from faier.engine.simulation import highs
from faier.engine.simulation.exact import exact_simulation
from faier.engine.simulation.matrix import Simulation
from faier.engine.simulation.pairs import allowed_pairs, allowed_pairs_of_prefixes, moves_of
from faier.engine.simulation.program import program
from faier.engine.simulation.tables import Tables
from faier.engine.words import Found

from .batch import YES, Batch, compare
from .guided import worse_word
from .leaf import leaf_of
from .search import Search
from .sparse import SparseSimulations

_MOST_STATES = 150
_MOST_ENTRIES = 10_000_000
_MOST_PAIRS = 900
_FEW_PAIRS = 150
_MOST_COEFFICIENTS = 400_000
_MOST_LEAVES = 24
_MANY = 16
_MOST_SIMULATIONS = 12
_FIRST = 16
_PATIENT = 1000
_SHARE = 0.6
_SECONDS = 10.0
_BETTER = 1 - 1e-10


class Simulator:
    """Looks for simulations of the worst open prefixes: after 16, 64, 256, ... expansions, while that has paid."""

    def __init__(self, search: Search):
        self._search = search
        self._comparison = search.comparison
        self._next = _FIRST
        self._spent = 0.0
        self._most_pairs = _MOST_PAIRS
        self._moves: Bools | None = None
        self._tables: Tables | None = None
        self._sparse = SparseSimulations(search)
        self._guide: Simulation | None = None
        self.promise: Found | None = None
        self.found = 0
        automaton = search.automaton
        small = automaton.size <= _MOST_STATES and automaton.letters * automaton.size**2 <= _MOST_ENTRIES
        self._possible = small and search.margin.usable

    def find(self, batch: Batch, ratio: Fraction, expanded: int, *, again: bool = False) -> bool:
        """Whether a simulation was found that lowers the bound of an open prefix; it then holds for all of them.

        `again` asks at once, for a ratio that has risen. At a finite horizon `promise` may then name a worse word.
        """
        if expanded < self._next and not again:
            return False
        if not self._possible and not self._sparse.possible:
            self._search.limits.effort.too_large_to_simulate = not self._search.limits.effort.solver_missing
            return False
        self._next = max(4 * self._next, 4 * expanded) if again else 4 * self._next
        if not highs.is_there():
            self._search.limits.effort.solver_missing = True
            self._possible = self._sparse.possible = False
            return False
        bound = self._search.bounds(batch)
        # Where dominance gives bounds, expanding may do as well: at first only small programs are worth their time.
        eager = not np.isfinite(bound).all() or expanded >= _PATIENT
        self._most_pairs = _MOST_PAIRS if eager else _FEW_PAIRS
        before = self.found
        hot = compare(bound, ratio, self._search.margin_of_bounds(batch.depth)) != YES
        hot &= batch.safe
        directions = self._search.nodes.direction[batch.ids]
        for direction in np.unique(directions[hot]).tolist():
            which = np.flatnonzero(hot & (directions == direction))
            order = np.lexsort((batch.ids[which], -np.nan_to_num(bound[which], posinf=1e300)))
            self._for_direction(batch, which[order], ratio)
        return self.found > before

    def _for_direction(self, batch: Batch, which: Ints, ratio: Fraction) -> None:
        """One simulation for the worst of these prefixes, else one for the worst of all; of either kind.

        Where all entries of it are too many: one of few entries for all prefixes together.
        """
        before = self.found
        if self._possible:
            some = which[:_MOST_LEAVES]
            for of_prefixes in (False, True):
                if not self._attempt(batch, some, self._full(batch, some, of_prefixes)) and len(some) > 1:
                    self._attempt(batch, some[:1], self._full(batch, some[:1], of_prefixes))
        if self.found > before or not self._sparse.possible or len(which) < _MANY:
            return

        def few_entries(seconds: float) -> Simulation | None:
            return self._sparse.find(batch, which, ratio, seconds)

        search = self._search
        if self._attempt(batch, which, few_entries):
            self._guide = search.simulations[-1]
        if self._guide is not None and search.length is not None:
            word = worse_word(self._comparison, search.limits, search.nodes, batch.pick(which), self._guide, ratio)
            self.promise = word or self.promise

    def _full(self, batch: Batch, which: Ints, of_prefixes: bool) -> Callable[[float], Simulation | None]:
        return lambda seconds: self._solve(batch, which, seconds, of_prefixes)

    def _attempt(self, batch: Batch, which: Ints, solve: Callable[[float], Simulation | None]) -> bool:
        search, limits = self._search, self._search.limits
        # At a finite horizon the search ends anyway, and mostly soon.
        least = _SECONDS if search.length is None or self._sparse.possible else _SECONDS / 20
        left = max(least, _SHARE * limits.elapsed) - self._spent
        if limits.seconds is not None:
            left = min(left, limits.seconds - limits.elapsed)
        if left <= 0 or self.found >= _MOST_SIMULATIONS:
            return False
        started = time.monotonic()
        limits.effort.programs += 1
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

    def _solve(self, batch: Batch, which: Ints, seconds: float, of_prefixes: bool) -> Simulation | None:
        search, size = self._search, self._search.automaton.size + 1
        if self._moves is None or self._tables is None:
            self._moves, self._tables = moves_of(self._comparison), Tables.of(self._comparison)
        left, right = (np.zeros((len(which), size), dtype=bool) for _ in range(2))
        left[:, batch.columns], right[:, batch.columns] = batch.left[which] > 0, batch.right[which] > 0
        pairs = allowed_pairs_of_prefixes if of_prefixes else allowed_pairs
        allowed = pairs(self._moves, left, right)
        if allowed is None or allowed.sum() > self._most_pairs:
            return None
        leaves = [leaf_of(search, batch, k) for k in which.tolist()]
        columns = {int(i): np.flatnonzero(allowed[i]).tolist() for i in np.flatnonzero(allowed.any(axis=1))}
        asked = program(self._tables, columns, leaves, _MOST_COEFFICIENTS, of_prefixes=of_prefixes)
        if asked is None:
            return None
        basis = highs.minimise(asked, seconds)
        if basis is None:
            return None
        entries = exact_simulation(asked, basis)
        if entries is None:
            return None
        simulation = Simulation(size, entries, of_prefixes)
        return simulation if simulation.usable else None
