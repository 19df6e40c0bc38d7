"""Random models with integer weights."""

from __future__ import annotations

import numpy as np

from faier.model.hmm import HMM
from faier.model.table import Table


def dense(states: int, symbols: int, seed: int) -> HMM:
    """Every entry positive, weights 1..1000."""
    random = np.random.default_rng(seed)
    return HMM.from_tables(_rows(random, states, symbols, 1), _rows(random, states, states, 1))


def sparse(states: int, successors: int, symbols: int, seed: int) -> HMM:
    """A few successors anywhere; emission weights 500..1000, so that two states differ by less than 3 in a symbol."""
    random = np.random.default_rng(seed)
    weights = random.integers(1, 1001, size=(states, successors))
    # Gaps that add up to less than once round make the successors of a state distinct.
    gaps = random.integers(1, states // successors, size=(states, successors))
    targets = (random.integers(0, states, size=(states, 1)) + gaps.cumsum(axis=1)) % states
    step = Table.from_arrays(
        states,
        np.arange(states + 1) * successors,
        np.sort(targets, axis=1).ravel(),
        weights.ravel(),
        weights.sum(axis=1),
    )
    return HMM.from_tables(_rows(random, states, symbols, 500), step)


def _rows(random: np.random.Generator, rows: int, columns: int, least: int) -> Table:
    weights = random.integers(least, 1001, size=(rows, columns))
    indices = np.tile(np.arange(columns), rows)
    return Table.from_arrays(columns, np.arange(rows + 1) * columns, indices, weights.ravel(), weights.sum(axis=1))
