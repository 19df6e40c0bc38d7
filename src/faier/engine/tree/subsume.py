"""Closing a node by another, expanded one that is at least as bad in every state. [T3]"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from faier.comparison import Bools, Floats, Ints

from .batch import Batch, bounds, quotients, rounded
from .nodes import EXPAND, OPEN, SUBSUME
from .search import Search

_HUGE = 1e300
_TIE = 1e-9
_IMPOSSIBLE = 1e120
_WORK = 40_000_000
_FIRST_WORK = 4_000_000
_BLOCK_ENTRIES = 1_000_000
_LONG = 500
_SIMPLE = 10**6


class Subsumption:
    """Keeps the rows of expanded nodes and closes new ones against them and against their siblings.

    How much is compared follows how often it has paid so far, so that models in which no prefix ever covers
    another lose little time here.
    """

    def __init__(self, search: Search, pool: int = 512):
        self._search = search
        self._size = pool
        self._pool: dict[bytes, Batch] = {}
        self._tried = 0
        self._closed = 0
        self._exact_tried = self._exact_closed = 0
        self._attempts: dict[int, int] = {}
        self.one_length = False

    def close(self, batch: Batch) -> Batch:
        """Return the nodes that stay open; they are put in the pool, so the caller must expand them."""
        if not len(batch):
            return batch
        order = self._strongest_first(batch)
        batch = batch.pick(order)
        self._attempts.clear()
        key = batch.columns.tobytes()
        # Under `both` at a finite horizon only prefixes of one length may cover each other. Nor may a shorter
        # prefix cover a longer one where it breaks the claim itself: its own long words might be the covered ones.
        alone = self.one_length or (self._search.both and self._search.length is not None)
        pool = None if alone else self._pool.get(key)
        batch = batch.pick(np.flatnonzero(self._different(batch)))
        keep = self._survivors(batch, pool)
        kept = batch.pick(np.flatnonzero(keep))
        joined = Batch.join([pool, kept]) if pool is not None else kept
        self._pool[key] = joined.pick(np.arange(max(0, len(joined) - self._size), len(joined)))
        if len(self._pool) > 4:
            self._pool.pop(next(iter(self._pool)))
        return kept.pick(np.argsort(kept.ids, kind="stable"))

    def _strongest_first(self, batch: Batch) -> Ints:
        """A node that covers another has at least its prefix ratio and at least its bound."""
        # An order proves nothing, so rows that are not safe are taken for what their floats say.
        rough = replace(batch, safe=np.ones(len(batch), dtype=bool))
        prefix = quotients(rough, batch.left.sum(axis=1), batch.right.sum(axis=1))
        bound = bounds(rough)
        keys = [np.nan_to_num(rounded(v), nan=np.inf, posinf=np.inf) for v in (prefix, bound)]
        return np.lexsort((batch.ids, -keys[1], -keys[0]))

    def _different(self, batch: Batch) -> Bools:
        """Close nodes whose two rows are both multiples of an earlier one's, as commuting letters make them.

        Found by equal looks, however many nodes there are; each is then decided like any other pair.
        """
        keep = np.ones(len(batch), dtype=bool)
        looks = np.concatenate([_look(batch.left), _look(batch.right)], axis=1)
        ratio = rounded(quotients(batch, batch.left.sum(axis=1), batch.right.sum(axis=1)))
        first: dict[bytes, int] = {}
        for u in range(len(batch)):
            key = looks[u].tobytes() + ratio[u].tobytes()
            t = first.setdefault(key, u)
            if t != u and self._covers(batch, t, batch, u, 1.0, _HUGE, _HUGE):
                keep[u] = False
                self._closed += 1
        return keep

    def _survivors(self, batch: Batch, pool: Batch | None) -> Bools:
        count, width = batch.left.shape
        keep = np.ones(count, dtype=bool)
        others = Batch.join([pool, batch]) if pool is not None else batch
        offset = len(others) - count
        work = _FIRST_WORK + (_WORK if self._closed * 50 > self._tried else 0)
        reach = int(work // max(1, count * width))
        if reach < 1:
            return keep
        # The pool's newest nodes first, then this batch's strongest.
        targets = list(range(offset - 1, max(-1, offset - 1 - reach // 2), -1))
        targets += list(range(offset, min(offset + count, offset + reach - len(targets))))
        self._tried += count
        # Where ties have never come to anything, only what floats alone decide is looked at.
        limit = 1 + _TIE if self._patience() else 1 - _TIE
        for t, nodes, factor, up, down in _candidates(others, batch, np.array(targets, dtype=np.int64), limit):
            # Of this batch only what is kept may cover, and only what is weaker than it.
            own = t - offset
            if own >= 0 and not keep[own]:
                continue
            for u in nodes.tolist():
                if u > own and keep[u] and self._covers(
                    others, t, batch, u, float(factor[u]), float(up[u]), float(down[u])
                ):
                    keep[u] = False
                    self._closed += 1
        return keep

    def _covers(
        self, others: Batch, t: int, batch: Batch, u: int, factor: float, up: float, down: float
    ) -> bool:
        """Decide exactly whether node t covers node u, and if so close u by it."""
        search, node, by = self._search, int(batch.ids[u]), int(others.ids[t])
        if node == by or not self._admissible(others, t, batch, u):
            return False
        margin = float(
            search.margin.entry(batch.depth[u : u + 1])[0] + search.margin.entry(others.depth[t : t + 1])[0]
        )
        safe = bool(batch.safe[u] and others.safe[t])
        if safe and up < _IMPOSSIBLE and down < _IMPOSSIBLE and factor * (1 + 4 * margin) < 1:
            # Halfway (geometrically) between the least and the largest scale, both clear of the margin.
            exponent = int(batch.left_exponent[u] - others.left_exponent[t])
            scale = Fraction(up / max(factor, 1e-30) ** 0.5) * Fraction(2) ** exponent
            self._record(node, by, scale, exact=False)
            return True
        if not search.affordable(max(int(batch.depth[u]), int(others.depth[t]))) or not self._worth_trying(node):
            return False
        closed = self._covers_exactly(node, by)
        self._exact_closed += closed
        return closed

    def _worth_trying(self, node: int) -> bool:
        """Whether to compare exactly: a few times for each node, less often the less it has led to."""
        if self._attempts.get(node, 0) >= self._patience():
            return False
        self._attempts[node] = self._attempts.get(node, 0) + 1
        self._exact_tried += 1
        return True

    def _patience(self) -> int:
        tried, closed = self._exact_tried, self._exact_closed
        if tried < 200 or closed * 10 > tried:
            return 8
        return 1 if tried < 400 or closed * 100 > tried else 0

    def _covers_exactly(self, node: int, by: int) -> bool:
        search = self._search
        a, b = search.exact.row(node), search.exact.row(by)
        # The least scale as top/bottom, not in lowest terms: the numbers are long, and most candidates fail.
        top, bottom = 0, 1
        for i, x in a.left.items():
            if x:
                y = b.left.get(i, 0)
                if y == 0:
                    return False
                if x * bottom > top * y:
                    top, bottom = x, y
        if top == 0 or (search.both and any(x and not b.right.get(i, 0) for i, x in a.right.items())):
            return False
        for i, y in b.right.items():
            if y and a.right.get(i, 0) * bottom < top * y:
                return False
        unit = _quotient(a.numerator * b.denominator, a.denominator * b.numerator)
        self._record(node, by, _quotient(top, bottom) * unit, exact=True)
        return True

    def _admissible(self, others: Batch, t: int, batch: Batch, u: int) -> bool:
        search = self._search
        if search.length is not None:
            if search.both and others.depth[t] != batch.depth[u]:
                return False
            if others.depth[t] > batch.depth[u]:
                return False
        if search.both:
            if search.length is None and others.depth[t] == 0:
                return False
            if batch.safe[u] and others.safe[t]:
                return not bool(((batch.right[u] > 0) & (others.right[t] == 0)).any())
        return True

    def _record(self, node: int, by: int, scale: Fraction, *, exact: bool) -> None:
        nodes = self._search.nodes
        nodes.rule[node] = SUBSUME
        nodes.subsumed[node] = (by, scale, exact)
        if nodes.rule[by] == OPEN:
            # What another rule has closed since it was put in the pool stays closed by that.
            nodes.rule[by] = EXPAND


def _candidates(
    others: Batch, batch: Batch, targets: Ints, limit: float
) -> Iterator[tuple[int, Ints, Floats, Floats, Floats]]:
    """The targets that may cover some nodes of a batch, by floats, in their order, with these nodes.

    Besides, for all nodes u: the factor, which covers below 1 and may do so up to `limit`, and its parts, without
    exponents: left_u <= up * left_t and right_t <= down * right_u.
    """
    right_inverse, shift = _inverse(batch.right), batch.shift
    block = max(1, _BLOCK_ENTRIES // max(1, batch.left.size))
    for start in range(0, len(targets), block):
        which = targets[start : start + block]
        left_inverse = _inverse(others.left[which])
        up = (batch.left[None] * left_inverse[:, None]).max(axis=2)
        down = (others.right[which][:, None] * right_inverse[None]).max(axis=2)
        # Clipping the difference is harmless: the largest entries lie in [1/2, 1), so beyond 2**900 nothing
        # is covered, and below 2**-900 the factor is only taken for larger than it is.
        relative = np.clip(shift[None] - others.shift[which][:, None], -900, 900)
        with np.errstate(over="ignore"):
            factor = np.ldexp(up * down, relative)
        passes = ~(factor > limit)
        # Most targets may cover nothing.
        for k in np.flatnonzero(passes.any(axis=1)).tolist():
            yield int(which[k]), np.flatnonzero(passes[k]), factor[k], up[k], down[k]


def _quotient(top: int, bottom: int) -> Fraction:
    """The fraction; where it is one of small numbers, it is guessed and confirmed without the divisor of long ones."""
    if bottom.bit_length() > _LONG and abs(top.bit_length() - bottom.bit_length()) < _LONG:
        guess = Fraction(top / bottom).limit_denominator(_SIMPLE)
        if guess.numerator * bottom == top * guess.denominator:
            return guess
    return Fraction(top, bottom)


def _inverse(rows: Floats) -> Floats:
    with np.errstate(divide="ignore", over="ignore"):
        inverse: Floats = np.where(rows > 0, np.minimum(1.0 / rows, _HUGE), _HUGE)
        return inverse


def _look(rows: Floats) -> Floats:
    """Rows over their largest entry, to about ten digits."""
    return rounded(rows / np.maximum(rows.max(axis=1, keepdims=True), 1e-300))
