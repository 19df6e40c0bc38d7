"""Closing a node by several expanded ones together, where no single one is enough. [T3]

Floats find the scales, and prove them where there is room for their errors; scales that meet a row with equality are
found exactly, from the solver's basis.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from faier.comparison import Floats
from faier.engine.simulation import highs
from faier.engine.simulation.exact import exact_solution
from faier.engine.simulation.program import Program

from .batch import HALF_ULP, Batch
from .nodes import COMBINE
from .search import Search

_MOST_STATES = 60
_MOST_PARTS = 40
_AFTER = 200
_AT_ONCE = 4
_TRIALS = 60
_SECONDS = 1.0
_ROOM = 1e-7
_TINY = 1e-9
_LONGEST_BITS = 400
_BITS = 2**30


class Combination:
    """Keeps the rows of nodes that have been expanded; how often it is tried follows how often it has paid."""

    def __init__(self, search: Search):
        self._search = search
        self._pool: dict[bytes, Batch] = {}
        self._tried = self._closed = 0
        finite_both = search.both and search.length is not None
        self._possible = search.automaton.size <= _MOST_STATES and not finite_both

    def remember(self, parents: Batch) -> None:
        """Nodes that are being expanded."""
        if not self._possible or not len(parents):
            return
        parents = parents.pick(parents.safe & ((parents.depth > 0) | (not self._search.both)))
        key = parents.columns.tobytes()
        known = self._pool.get(key)
        joined = parents if known is None else Batch.join([known, parents])
        self._pool = {key: joined.pick(np.arange(max(0, len(joined) - _MOST_PARTS), len(joined)))}

    def close(self, batch: Batch, expanded: int) -> Batch:
        """The nodes that stay open."""
        pool = self._pool.get(batch.columns.tobytes())
        patient = self._tried < _TRIALS or self._closed * 20 > self._tried
        if not self._possible or expanded < _AFTER or not patient or pool is None or not len(pool):
            return batch
        if not highs.is_there():
            self._possible = False
            return batch
        keep = np.ones(len(batch), dtype=bool)
        for k in range(min(len(batch), _AT_ONCE)):
            if batch.safe[k] and not self._search.limits.reached():
                self._tried += 1
                self._search.limits.effort.combinations += 1
                keep[k] = not self._combine(batch, k, pool)
        return batch.pick(keep)

    def _combine(self, batch: Batch, k: int, pool: Batch) -> bool:
        relative = batch.shift[k] - pool.shift
        usable = (np.abs(relative) < 200) & (pool.ids != batch.ids[k])
        if self._search.length is not None:
            usable &= pool.depth <= batch.depth[k]
        if self._search.both:
            usable &= ~((batch.right[k][None] > 0) & (pool.right == 0)).any(axis=1)
        # A part may weigh only where the right side does.
        usable &= ~((batch.right[k][None] == 0) & (pool.right > 0)).any(axis=1)
        which = np.flatnonzero(usable)
        if not len(which):
            return False
        left = pool.left[which]
        right = np.ldexp(pool.right[which], relative[which][:, None])
        scales, equal = self._scales(batch.left[k], batch.right[k], left, right)
        if scales is None:
            return equal and self._exactly(int(batch.ids[k]), pool.ids[which].tolist())
        margin = float(self._search.margin.entry(np.array([max(batch.depth[k], pool.depth[which].max())]))[0])
        margin = 8 * (margin + HALF_ULP * (len(which) + 4))
        chosen = np.flatnonzero(scales)
        enough = scales @ left >= batch.left[k] * (1 + margin)
        little = (scales @ right) * (1 + margin) <= batch.right[k]
        if not (enough.all() and little.all()):
            return False
        parts = []
        for n in chosen.tolist():
            exponent = int(batch.left_exponent[k] - pool.left_exponent[which[n]])
            scale = Fraction(round(float(scales[n]) * _BITS), _BITS) * Fraction(2) ** exponent
            parts.append((int(pool.ids[which[n]]), scale))
        nodes = self._search.nodes
        node = int(batch.ids[k])
        nodes.rule[node] = COMBINE
        nodes.combined[node] = tuple(parts), False
        self._closed += 1
        return True

    def _exactly(self, node: int, others: list[int]) -> bool:
        """The same with exact rows and scales, where these are short."""
        search = self._search
        depth = max(int(search.nodes.depth[n]) for n in (node, *others))
        if depth * search.automaton.exact.common.bit_length() > _LONGEST_BITS:
            return False
        row, rows = search.exact.row(node), [search.exact.row(other) for other in others]
        count = len(others)
        conditions: list[dict[int, Fraction]] = []
        bounds: list[Fraction] = []
        for i in sorted({*row.left, *row.right, *(i for other in rows for i in (*other.left, *other.right))}):
            if x := row.left.get(i, 0):
                conditions.append({n: -y * o.unit for n, o in enumerate(rows) if (y := o.left.get(i, 0))})
                bounds.append(-x * row.unit)
            condition = {n: y * o.unit for n, o in enumerate(rows) if (y := o.right.get(i, 0))}
            if condition:
                conditions.append({**condition, count: -row.right.get(i, 0) * row.unit})
                bounds.append(Fraction(0))
        program = Program([(n, 0) for n in range(count)], conditions, bounds)
        if not all(conditions) or (basis := highs.minimise(program, _SECONDS)) is None:
            return False
        values = exact_solution(program, basis)
        if values is None or values.get(count, Fraction(0)) > 1:
            return False
        parts = tuple((other, values[n]) for n, other in enumerate(others) if n in values)
        search.nodes.rule[node] = COMBINE
        search.nodes.combined[node] = parts, True
        self._closed += 1
        return bool(parts)

    def _scales(self, one: Floats, two: Floats, left: Floats, right: Floats) -> tuple[Floats | None, bool]:
        """s >= 0 with one <= s left and s right <= two, with room to spare on both sides; multiples of 2^-30.

        None where there is no room; then whether both may be equal.
        """
        count = len(left)
        rows: list[dict[int, Fraction]] = []
        bounds: list[Fraction] = []
        for i in range(len(one)):
            if one[i] > 0:
                rows.append({n: Fraction(-float(left[n, i])) for n in range(count) if left[n, i] > 0})
                bounds.append(Fraction(-float(one[i])))
            if two[i] > 0:
                condition = {n: Fraction(float(right[n, i])) for n in range(count) if right[n, i] > 0}
                rows.append({**condition, count: Fraction(-float(two[i]))})
                bounds.append(Fraction(0))
        if not all(rows):
            return None, False
        basis = highs.minimise(Program([(n, 0) for n in range(count)], rows, bounds), _SECONDS)
        if basis is None or not basis.value < 1 - _ROOM:
            return None, basis is not None and basis.value < 1 + _ROOM
        scales = np.array(basis.solution[:count])
        scales[scales < _TINY * scales.max(initial=0.0)] = 0
        # In the middle, geometrically, between what left needs and what right allows.
        return np.asarray(np.round(scales / max(basis.value, 1e-12) ** 0.5 * _BITS) / _BITS), False
