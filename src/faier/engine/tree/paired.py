"""Simulations of models of some hundred states: among all pairs of states, or those that are most alike. [T2]"""

from __future__ import annotations

import numpy as np

from faier.comparison import Bools, Ints
from faier.engine.simulation import highs
from faier.engine.simulation.exact import exact_simulation
from faier.engine.simulation.matrix import Simulation
from faier.engine.simulation.pairs import allowed_pairs, allowed_pairs_of_prefixes, fewer_pairs, moves_of
from faier.engine.simulation.program import program
from faier.engine.simulation.tables import Tables

from .batch import Batch
from .leaf import leaf_of
from .search import Search
from .sparse import alike_below

_MOST_STATES = 400
_MOST_ENTRIES = 10_000_000
_MOST_PAIRS = 900
_SOME_PAIRS = 450
_FEW_PAIRS = 150
_MOST_COEFFICIENTS = 400_000


class PairedSimulations:
    """Looks for the least ratio at which a simulation closes given prefixes."""

    def __init__(self, search: Search):
        self._search = search
        self._comparison = search.comparison
        self._moves: Bools | None = None
        self._tables: Tables | None = None
        self.eager = False
        automaton = search.automaton
        small = automaton.size <= _MOST_STATES and automaton.letters * automaton.size**2 <= _MOST_ENTRIES
        self.possible = small and search.margin.usable

    def find(
        self, batch: Batch, which: Ints, seconds: float, *, of_prefixes: bool, more: bool
    ) -> Simulation | None:
        """One for all these prefixes, among few pairs of states; `more` asks for more of them, where there are more."""
        search, size = self._search, self._search.automaton.size + 1
        if self._moves is None or self._tables is None:
            self._moves, self._tables = moves_of(self._comparison), Tables.of(self._comparison)
        left, right = (np.zeros((len(which), size), dtype=bool) for _ in range(2))
        left[:, batch.columns], right[:, batch.columns] = batch.left[which] > 0, batch.right[which] > 0
        pairs = allowed_pairs_of_prefixes if of_prefixes else allowed_pairs
        allowed = pairs(self._moves, left, right)
        if allowed is None:
            return None
        count, most = int(allowed.sum()), _MOST_PAIRS if more else _SOME_PAIRS
        if (count > _FEW_PAIRS and not self.eager) or (more and count <= _SOME_PAIRS):
            return None
        if count > most:
            alike = alike_below(self._comparison, batch.pick(which))
            allowed = fewer_pairs(allowed, alike.T if of_prefixes else alike, most)
        leaves = [leaf_of(search, batch, k) for k in which.tolist()]
        columns = {int(i): np.flatnonzero(allowed[i]).tolist() for i in np.flatnonzero(allowed.any(axis=1))}
        asked = program(self._tables, columns, leaves, _MOST_COEFFICIENTS, of_prefixes=of_prefixes)
        if asked is None:
            return None
        search.limits.effort.programs += 1
        basis = highs.minimise(asked, seconds)
        entries = None if basis is None else exact_simulation(asked, basis)
        if not entries:
            return None
        simulation = Simulation(size, entries, of_prefixes)
        return simulation if simulation.usable else None
