"""Simulations of large models: few entries, chosen by which states are likely together below the open prefixes. [T2]"""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np

from faier.comparison import Comparison, Floats, Ints
from faier.engine.progress import Limits
from faier.engine.simulation import highs
from faier.engine.simulation.exact import exact_entries
from faier.engine.simulation.matrix import Simulation
from faier.engine.simulation.program import Leaf, program_at
from faier.engine.simulation.support import Loops, Samples, normed, sparse_columns
from faier.engine.simulation.tables import Tables

from .batch import Batch
from .leaf import leaf_of
from .search import Search

_MOST_STATES = 20_000
_MOST_STEPS = 200_000
_MOST_ENTRIES = 40_000
_MOST_COEFFICIENTS = 600_000
_MOST_COLUMNS = 2000
_WORST = 8
_MIXED = 64
_SAMPLES = 96
_LONGEST_WALK = 400
_SHORT_WALK = 24


class SparseSimulations:
    """Looks for simulations of models whose runs come to no state twice, at a given ratio."""

    def __init__(self, search: Search):
        self._search = search
        self._comparison = search.comparison
        self._tables: Tables | None = None
        table = self._comparison.scenario.model.step
        small = search.automaton.size <= _MOST_STATES and table.stored <= _MOST_STEPS
        # A run that may stay in a state has no end to begin with.
        self.possible = small and search.margin.usable and not bool((table.row_of == table.indices).any())

    def find(self, batch: Batch, which: Ints, ratio: Fraction, seconds: float) -> Simulation | None:
        """One that comes near to closing these open prefixes of one direction, the worst first, all in all."""
        if not self.possible or len(batch.columns) > _MOST_COLUMNS:
            return None
        if self._tables is None:
            self._tables = Tables.of(self._comparison)
        tables, end = self._tables, time.monotonic() + seconds
        left, right = (
            set(batch.columns[(rows[which] > 0).any(axis=0)].tolist()) for rows in (batch.left, batch.right)
        )
        below = partial(samples_below, self._comparison, batch.pick(which))
        try:
            columns = sparse_columns(tables, left, right, below, _MOST_ENTRIES, lambda: time.monotonic() > end)
        except Loops:
            self.possible = False
            return None
        if columns is None:
            return None
        asked = program_at(tables, columns, self._leaves(batch, which), ratio, _MOST_COEFFICIENTS)
        if asked is None:
            return None
        self._search.limits.effort.programs += 1
        basis = highs.minimise(asked, max(0.0, end - time.monotonic()))
        entries = None if basis is None else exact_entries(asked, basis)
        if not entries:
            return None
        simulation = Simulation(self._search.automaton.size + 1, entries)
        return simulation if simulation.usable else None

    def _leaves(self, batch: Batch, which: Ints) -> list[Leaf]:
        """The worst prefixes, and the sum of some in which every state of the left side occurs."""
        worst = [leaf_of(self._search, batch, k) for k in which[:_WORST].tolist()]
        mixed: Leaf = {}, {}
        for k in _covering(batch, which):
            for total, row in zip(mixed, leaf_of(self._search, batch, k), strict=True):
                for i, x in row.items():
                    total[i] = total.get(i, Fraction(0)) + x
        return [*worst, mixed]


def _covering(batch: Batch, which: Ints) -> list[int]:
    """Prefixes that together have every left state of all of them, and others up to a number."""
    rows = batch.left[which] > 0
    missing = rows.any(axis=0)
    chosen: list[int] = []
    while missing.any():
        best = int(np.argmax((rows & missing).sum(axis=1)))
        chosen.append(best)
        missing &= ~rows[best]
    spread = range(0, len(which), max(1, len(which) // _MIXED))
    return [int(which[k]) for k in sorted({*chosen, *spread})]


def samples_below(comparison: Comparison, batch: Batch) -> Samples:
    """Rows along random words that start with these open prefixes."""
    samples = Samples()
    for below in _along_random_words(comparison, batch, _SAMPLES, _LONGEST_WALK):
        samples.add(below.columns, below.left, _to_scale(below))
    return samples


def alike_below(comparison: Comparison, batch: Batch) -> Floats:
    """alike[i, j]: how nearly the weights of i on the left and of j on the right go together, along such words."""
    sides: tuple[list[Floats], list[Floats]] = [], []
    for below in _along_random_words(comparison, batch, _SAMPLES, _SHORT_WALK):
        for rows, found in ((below.left, sides[0]), (below.right, sides[1])):
            all_states = np.zeros((len(below), comparison.automaton.size + 1))
            all_states[:, below.columns] = rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-300)
            found.append(all_states)
    # At first weights tell where runs began, and only later what the states have in common.
    left, right = (np.concatenate(found[len(found) // 2 :]) for found in sides)
    return np.asarray(normed(left - left.mean(axis=0)).T @ normed(right - right.mean(axis=0)))


def _along_random_words(comparison: Comparison, batch: Batch, most: int, longest: int) -> Iterator[Batch]:
    """Some of the open prefixes; then each with a random letter more, again and again, as long as there is one."""
    search, random = Search(comparison, Limits()), np.random.default_rng(0)
    batch = batch.pick(np.sort(random.permutation(len(batch))[:most]))
    roots = np.full(len(batch), -1)
    batch.ids = search.nodes.add(roots, roots, 0, np.zeros(len(batch), dtype=np.int64))
    for _ in range(longest):
        yield batch
        level = list(search.expand(batch))
        if not level:
            break
        children = Batch.join(level)
        order = random.permutation(len(children))
        _, first = np.unique(search.nodes.parent[children.ids[order]], return_index=True)
        batch = children.pick(np.sort(order[first]))


def _to_scale(batch: Batch) -> Floats:
    """The right rows, in the unit of the left ones."""
    return np.asarray(np.ldexp(batch.right, -np.clip(batch.shift, -900, 900)[:, None]))
