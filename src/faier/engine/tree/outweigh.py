"""Closing a node by differences: c right - left outweighs a sum of those of expanded nodes. [T17]

Floats find the scales, and prove them where there is room for their errors; where there is none the node stays open.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from faier.comparison import Bools, Comparison, Floats
from faier.engine.simulation import highs
from faier.engine.simulation.slack import Slacks

from .batch import HALF_ULP, Batch
from .nodes import OUTWEIGH
from .search import Search

_MOST_STATES = 60
_MOST_PARTS = 3000
_TRIALS = 300
_MOST_SHIFT = 200
_LARGEST_RATIO = 10**60
_BITS = (16, 30, 53)
_NO_ROOM = -2.0
_MOST_COLUMNS = 200
_CLEAR = 1e-9
_TINY = 1e-14


class Outweighing:
    """Keeps the rows of all nodes that have been expanded, at one fixed ratio; the search has to be widened."""

    def __init__(self, search: Search, ratio: Fraction):
        self._search = search
        self._ratio = ratio
        self._pool: Batch | None = None
        self._tried = self._closed = 0
        self._slacks: Slacks | None = None
        self._possible = True
        self._columns: Floats = np.zeros((0, 0))

    @staticmethod
    def suits(comparison: Comparison, ratio: Fraction) -> bool:
        """Whether the programs are small enough, and the ratio such that floats hold it."""
        return comparison.automaton.size <= _MOST_STATES and Fraction(1, _LARGEST_RATIO) < ratio < _LARGEST_RATIO

    def sift(self, batch: Batch) -> Batch:
        """Close what expanded nodes outweigh; return the others, of which every one has to be expanded."""
        keep = np.ones(len(batch), dtype=bool)
        for k in range(len(batch)):
            keep[k] = not np.isnan(self._room(batch, k))
            if keep[k]:
                self._remember(batch.pick(np.array([k])))
        return batch.pick(keep)

    def close(self, batch: Batch) -> Floats:
        """Close what expanded nodes outweigh: NaN; for each other node the room that was found, at most 0."""
        return np.array([self._room(batch, k) for k in range(len(batch))])

    def _remember(self, node: Batch) -> None:
        fits = node.safe & (np.abs(node.shift) < _MOST_SHIFT) & ((node.depth > 0) | (not self._search.both))
        if not fits.all() or (self._pool is not None and len(self._pool) >= _MOST_PARTS):
            return
        self._pool = node if self._pool is None else Batch.join([self._pool, node])
        if len(self._columns):
            difference = float(self._ratio) * np.ldexp(node.right[0], -int(node.shift[0])) - node.left[0]
            self._columns = self._columns[self._columns @ difference >= 0]

    def _room(self, batch: Batch, k: int) -> float:
        """NaN where the node was closed."""
        search, pool = self._search, self._pool
        patient = self._tried < _TRIALS or self._closed * 20 > self._tried
        if not self._possible or pool is None or search.limits.reached():
            return _NO_ROOM
        if not batch.safe[k] or abs(int(batch.shift[k])) >= _MOST_SHIFT:
            return _NO_ROOM
        c = float(self._ratio)
        left, right = batch.left[k], c * np.ldexp(batch.right[k], -int(batch.shift[k]))
        size = left + right
        if len(self._columns):
            shown = float(((self._columns @ (right - left)) / np.maximum(self._columns @ size, _TINY)).min())
            if shown < -_CLEAR:
                return shown
        if not patient:
            return _NO_ROOM
        if self._slacks is None:
            if not highs.is_there():
                search.limits.effort.solver_missing, self._possible = True, False
                return _NO_ROOM
            self._slacks = Slacks()
        self._tried += 1
        search.limits.effort.outweighings += 1
        parts_left, parts_right = pool.left, c * np.ldexp(pool.right, -pool.shift[:, None])
        within = size > 0
        which = np.flatnonzero(self._usable(batch, k, pool) & ~(parts_right[:, ~within] > 0).any(axis=1))
        columns = (parts_right[which] - parts_left[which])[:, within] / size[within]
        room, weights, prices = self._slacks.below(columns, (right - left)[within] / size[within])
        if room <= 0:
            if prices is not None:
                self._show(prices / size[within], within, parts_right - parts_left)
            return room
        which, weights = which[weights > 0], weights[weights > 0]
        if not len(which):
            return 0.0
        deepest = max(int(batch.depth[k]), *pool.depth[which].tolist())
        margin = 8 * (float(search.margin.entry(np.array([deepest]))[0]) + HALF_ULP * (len(which) + 8))
        for bits in _BITS:
            short = _rounded(weights, bits)
            # Sums of terms that are not negative, on both sides: the count of roundings is that of T6.
            with np.errstate(over="ignore", invalid="ignore"):
                enough = right + short @ parts_left[which]
                needed = left + short @ parts_right[which]
            # Numbers that are too large for floats prove nothing; terms too small for them do no harm, as they
            # are beside ones that are not, or are 0.
            if np.isfinite(enough).all() and (needed * (1 + margin) <= enough).all():
                break
        else:
            return 0.0
        parts = tuple(
            (int(pool.ids[n]), Fraction(s) * Fraction(2) ** int(batch.left_exponent[k] - pool.left_exponent[n]))
            for n, s in zip(which.tolist(), short.tolist(), strict=True)
        )
        node = int(batch.ids[k])
        search.nodes.rule[node] = OUTWEIGH
        search.nodes.combined[node] = parts, False
        self._closed += 1
        return float("nan")

    def _show(self, prices: Floats, within: Bools, differences: Floats) -> None:
        """Keep a column on which no difference of an expanded node is negative: where one is, it is not outweighed."""
        column = np.zeros(len(within))
        column[within] = prices / max(float(prices.max()), _TINY)
        if np.isfinite(column).all() and (differences @ column >= -_TINY * np.abs(differences).sum(axis=1)).all():
            known = self._columns.reshape(-1, len(column))[-_MOST_COLUMNS:]
            self._columns = np.vstack([known, column])

    def _usable(self, batch: Batch, k: int, pool: Batch) -> Bools:
        """The conditions on parts that do not depend on scales."""
        usable = np.ones(len(pool), dtype=bool)
        if self._search.both:
            usable &= ~((batch.right[k][None] > 0) & (pool.right == 0)).any(axis=1)
        return usable


def _rounded(weights: Floats, bits: int) -> Floats:
    """To so many bits each, as few as do, so that they are short in a certificate."""
    mantissa, exponent = np.frexp(weights)
    return np.asarray(np.ldexp(np.round(np.ldexp(mantissa, bits)), exponent - bits))
