"""The steps that every search over the tree of words is made of: expand, assess, compare.

A `Search` holds the nodes seen so far. Floats filter under the bound of T6; what they leave undecided is decided
exactly. Which nodes to expand, and when to stop, is left to the drivers beside this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

import numpy as np

from faier.comparison import Block, Bools, Comparison, Floats, Ints
from faier.engine.outcome import highest
from faier.engine.progress import Limits
from faier.engine.simulation.matrix import Simulation
from faier.number.exact import Extended

from .batch import HALF_ULP, NO, UNDECIDED, YES, Batch, Margin, bounds, compare, normalise, quotients
from .exact import ExactRows
from .nodes import DOMINATE, DROPPED, END, SIMULATE, Nodes

_CHUNK_BYTES = 64 << 20


@dataclass(frozen=True)
class Event:
    """A reading above the threshold: prefix or ended reading of `node`, and whether its word counts."""

    node: int
    ended: bool
    counted: bool
    value: float


class Search:
    def __init__(self, comparison: Comparison, limits: Limits):
        self.comparison = comparison
        self.automaton = comparison.automaton
        self.limits = limits
        self.nodes = Nodes()
        self.exact = ExactRows(comparison, self.nodes)
        self.margin = Margin(self.automaton)
        self.length = comparison.length
        self.both = comparison.both
        self._wide: Ints | None = None
        self.simulations: list[Simulation] = []
        # How long the numbers of an exact row may get where exactness is welcome but not needed.
        self.longest_bits: int | None = None

    def affordable(self, depth: int) -> bool:
        """Whether exact rows of prefixes of this length are short enough for what the driver is after."""
        if self.longest_bits is None:
            return True
        return depth * self.automaton.exact.common.bit_length() <= self.longest_bits

    def widen(self) -> None:
        """From now on give all rows the same columns: every state that a compared run can ever reach.

        For searches that hold prefixes of different lengths side by side.
        """
        reached = self.comparison.start_states
        while True:
            states = reached[reached < self.automaton.done]
            more = np.union1d(reached, self.automaton.block(states).columns) if len(states) else reached
            if len(more) == len(reached):
                break
            reached = more
        self._wide = reached

    # Roots and children

    def roots(self) -> Batch:
        """One node per direction, for the empty prefix."""
        columns = self.comparison.start_states if self._wide is None else self._wide
        rows = self.comparison.start_floats(columns)
        directions = self.comparison.directions
        count = len(directions)
        ids = self.nodes.add(np.full(count, -1), np.full(count, -1), 0, np.arange(count, dtype=np.int64))
        batch = Batch(
            columns,
            ids,
            np.zeros(count, dtype=np.int64),
            rows[directions.left],
            rows[directions.right],
            np.zeros(count, dtype=np.int64),
            np.zeros(count, dtype=np.int64),
            np.ones(count, dtype=bool),
        )
        self.nodes.wide[ids] = normalise(batch, self.margin)
        return batch

    def expand(self, batch: Batch) -> Iterator[Batch]:
        """The children that are possible (under `both`: on both sides), in chunks, in the order parent, letter."""
        states = batch.columns[batch.columns < self.automaton.done]
        if not len(states):
            return
        block = self.automaton.block(states)
        emit = self.automaton.emit[states]
        letters = np.flatnonzero(emit.any(axis=0))
        if not len(letters):
            return
        weights = np.ascontiguousarray(emit[:, letters].T)
        width = max(len(block.columns), len(states))
        size = max(1, _CHUNK_BYTES // (16 * len(letters) * width))
        for start in range(0, len(batch), size):
            chunk = batch.pick(np.arange(start, min(start + size, len(batch))))
            yield from self._children(chunk, len(states), letters, weights, block)

    def _children(
        self, parents: Batch, states: int, letters: Ints, weights: Floats, block: Block
    ) -> Iterator[Batch]:
        count, fan = len(parents), len(letters)
        sides = []
        for rows in (parents.left, parents.right):
            spread = rows[:, None, :states] * weights[None, :, :]
            sides.append(block.apply(spread.reshape(count * fan, states)))
        left, right = sides
        safe = np.repeat(parents.safe, fan)
        possible_left, possible_right = left.any(axis=1), right.any(axis=1)
        keep = (possible_left & possible_right) if self.both else possible_left
        keep |= ~safe  # zero patterns of unsafe rows are decided exactly below
        which = np.flatnonzero(keep)
        if not len(which):
            return
        parent = parents.ids[which // fan]
        letter = letters[which % fan]
        depth = int(parents.depth[0]) + 1 if (parents.depth == parents.depth[0]).all() else None
        ids = self._record(parent, letter, parents.depth[which // fan] + 1, depth)
        child = Batch(
            block.columns,
            ids,
            parents.depth[which // fan] + 1,
            left[which],
            right[which],
            parents.left_exponent[which // fan].copy(),
            parents.right_exponent[which // fan].copy(),
            safe[which],
        )
        unsafe = np.flatnonzero(~child.safe)
        if len(unsafe):
            child = self._repair(child, unsafe)
        if len(child):
            wide = normalise(child, self.margin)
            self.nodes.wide[child.ids] = np.maximum(self.nodes.wide[child.ids], wide)
            yield child if self._wide is None else self._widened(child)

    def _widened(self, batch: Batch) -> Batch:
        assert self._wide is not None
        if len(batch.columns) == len(self._wide):
            return batch
        place = np.searchsorted(self._wide, batch.columns)
        left, right = (np.zeros((len(batch), len(self._wide))) for _ in range(2))
        left[:, place], right[:, place] = batch.left, batch.right
        return replace(batch, columns=self._wide, left=left, right=right)

    def _record(self, parent: Ints, letter: Ints, depths: Ints, depth: int | None) -> Ints:
        direction = self.nodes.direction[parent]
        ids = self.nodes.add(parent, letter, depth or 0, direction)
        if depth is None:
            self.nodes.depth[ids] = depths
        return ids

    def _repair(self, batch: Batch, unsafe: Ints) -> Batch:
        """Recompute rows that may have underflowed from their exact values, and drop the impossible ones."""
        drop = np.zeros(len(batch), dtype=bool)
        place = {int(c): k for k, c in enumerate(batch.columns)}
        for k in unsafe.tolist():
            row = self.exact.row(int(batch.ids[k]))
            if not row.left or (self.both and not row.right):
                drop[k] = True
                continue
            for side, rows, exponents in (
                (row.left, batch.left, batch.left_exponent),
                (row.right, batch.right, batch.right_exponent),
            ):
                rows[k] = 0.0
                exponents[k] = _fill(rows[k], side, place, (row.numerator, row.denominator))
            wide = max(_wide(row.left), _wide(row.right))
            batch.safe[k] = wide < self.margin.widest
            self.nodes.wide[batch.ids[k]] = wide
        # A dropped node stays recorded; it has no left (or no counted) word, so it is closed by domination or
        # not part of the proof.
        for k in np.flatnonzero(drop).tolist():
            self.nodes.rule[int(batch.ids[k])] = DROPPED
        return batch.pick(~drop)

    # Decisions

    def measure(self, batch: Batch) -> tuple[Floats, Floats, Floats | None]:
        """Note and return the bound and the readings (prefix, and ended where some run may have ended)."""
        bound = bounds(batch)
        prefix = quotients(batch, batch.left.sum(axis=1), batch.right.sum(axis=1))
        ended = None
        if len(batch.columns) and batch.columns[-1] == self.automaton.done:
            ended = quotients(batch, batch.left[:, -1], batch.right[:, -1])
        return bound, prefix, ended

    def simulate(self, batch: Batch, first: int = 0) -> None:
        """Note the best bounds of the simulations from number `first` on. [T2]"""
        nodes = self.nodes
        for number in range(first, len(self.simulations)):
            with np.errstate(invalid="ignore", over="ignore"):
                bound = self.simulations[number].bounds(batch.columns, batch.left, batch.right)
                bound = np.ldexp(bound, np.clip(batch.shift, -5000, 5000))
            better = batch.safe & (bound < nodes.simulated[batch.ids])
            nodes.simulated[batch.ids[better]] = bound[better]
            nodes.simulation[batch.ids[better]] = number

    def bounds(self, batch: Batch) -> Floats:
        """The best bound on every longer word: by T1, or by T2 where that is lower."""
        return np.asarray(np.fmin(bounds(batch), self.nodes.simulated[batch.ids]))

    def margin_of_bounds(self, depth: Ints) -> Floats:
        """The bound on the error of `bounds`. A simulation costs a rounded entry, a product and a sum more."""
        margin = self.margin.entry(depth)
        return margin + 4.0 * HALF_ULP * (self.automaton.size + 5) if self.simulations else margin

    def bound_above(self, batch: Batch | None) -> Extended:
        """A rational no smaller than every bound of the rows; infinite where floats cannot tell."""
        if batch is None:
            return inf
        return highest(self.bounds(batch), self.margin_of_bounds(batch.depth)) if len(batch) else Fraction(0)

    def exact_bound(self, node: int) -> Extended:
        """The best bound of a node, exactly."""
        row = self.exact.row(node)
        number = int(self.nodes.simulation[node])
        return min(row.bound(), self.simulations[number].bound(row)) if number >= 0 else row.bound()

    def assess(self, batch: Batch, ratio: Fraction) -> tuple[Batch, list[Event]]:
        """Close what `ratio` closes; return the open rest and the readings above `ratio`. [T1, T2, T4]

        Open nodes of the horizon's length do not exist: they are closed by `end` or give an event.
        """
        bound, prefix, ended = self.measure(batch)
        margin = self.margin.entry(batch.depth)
        total = self.margin.total(batch.depth)
        finish = np.zeros(len(batch), dtype=bool) if self.length is None else batch.depth == self.length
        checked = np.where(finish, prefix, self._checked_reading(batch, prefix, ended))
        self.nodes.note(batch.ids, bound, checked)

        below = compare(bound, ratio, margin)
        for k in np.flatnonzero((below == UNDECIDED) & ~finish).tolist():
            known = self.affordable(int(batch.depth[k])) or not batch.safe[k]
            below[k] = YES if known and self.exact.row(int(batch.ids[k])).dominated(ratio) else NO
        closed = (below == YES) & ~finish
        self.nodes.rule[batch.ids[closed]] = DOMINATE
        if self.simulations:
            simulated = self._simulated(batch, ratio) & ~finish & ~closed
            self.nodes.rule[batch.ids[simulated]] = SIMULATE
            closed |= simulated

        events: list[Event] = []
        rest = ~closed
        above = self._above(batch, prefix, ratio, total, rest & self._prefix_matters(batch), ended=False)
        for k in above:
            counted = bool(finish[k]) or (self.length is None and batch.depth[k] > 0)
            events.append(Event(int(batch.ids[k]), False, counted, float(prefix[k])))
        if ended is not None:
            for k in self._above(batch, ended, ratio, margin, rest & ~finish, ended=True):
                events.append(Event(int(batch.ids[k]), True, True, float(ended[k])))
        self.nodes.rule[batch.ids[finish]] = END
        return batch.pick(rest & ~finish), events

    def _simulated(self, batch: Batch, ratio: Fraction) -> Bools:
        """Where a simulation's bound is at most `ratio` for sure."""
        fresh = self.nodes.simulation[batch.ids] < 0
        if fresh.any():
            self.simulate(batch.pick(fresh))
        bound = self.nodes.simulated[batch.ids]
        below = compare(bound, ratio, self.margin_of_bounds(batch.depth))
        for k in np.flatnonzero((below == UNDECIDED) & np.isfinite(bound)).tolist():
            node = int(batch.ids[k])
            known = self.affordable(int(batch.depth[k])) or not batch.safe[k]
            number = int(self.nodes.simulation[node])
            if known and self.simulations[number].bound(self.exact.row(node)) <= ratio:
                below[k] = YES
        return np.asarray(below == YES)

    def _prefix_matters(self, batch: Batch) -> Bools:
        """Where the prefix reading counts, or implies that a longer counted word breaks the claim. [T5]"""
        if self.both:
            return batch.depth > 0 if self.length is None else batch.depth == self.length
        return np.ones(len(batch), dtype=bool)

    def _checked_reading(self, batch: Batch, prefix: Floats, ended: Floats | None) -> Floats:
        matters = self._prefix_matters(batch)
        reading = np.where(matters, prefix, 0.0)
        if ended is not None:
            reading = np.maximum(reading, ended)
        return reading

    def _above(
        self, batch: Batch, value: Floats, ratio: Fraction, margin: Floats, where: Bools, *, ended: bool
    ) -> list[int]:
        """Rows whose reading exceeds ratio (under `both`: and is possible on both sides), exactly decided."""
        answer = compare(value, ratio, margin)
        if self.both:
            # Not told by the quotient: one too large for a float looks like one over nothing.
            right = batch.right[:, -1] if ended else batch.right.sum(axis=1)
            answer[batch.safe & (right == 0)] = YES
        found = []
        for k in np.flatnonzero(where & (answer != YES)).tolist():
            if answer[k] == UNDECIDED:
                row = self.exact.row(int(batch.ids[k]))
                left_sum, right_sum = row.ended(self.automaton.done) if ended else row.prefix()
                if left_sum * ratio.denominator <= ratio.numerator * right_sum or (
                    self.both and right_sum == 0
                ):
                    continue
            found.append(k)
        return found

    def value(self, node: int, ended: bool) -> Extended:
        """The exact ratio of a reading."""
        row = self.exact.row(node)
        left, right = row.ended(self.automaton.done) if ended else row.prefix()
        if right == 0:
            return inf if left else Fraction(0)
        return Fraction(left, right)

    def best_event(self, events: list[Event], most: int = 256) -> tuple[Event, Extended]:
        """The event of the largest exact ratio; among equals the first. Near ties are compared exactly.

        If more than `most` events nearly tie, or time is up, it is the worst of those compared.
        """
        order = sorted(events, key=lambda e: -e.value if e.value == e.value else -inf)
        top = order[0].value
        near = [e for e in order if not e.value < top * (1 - 1e-9)][:most]
        near.sort(key=self._place)
        best, best_value = near[0], self.value(near[0].node, near[0].ended)
        for event in near[1:]:
            if (value := self.value(event.node, event.ended)) > best_value:
                best, best_value = event, value
            if self.limits.reached():
                break
        return best, best_value

    def _place(self, event: Event) -> tuple[int, tuple[int, ...], bool]:
        return int(self.nodes.direction[event.node]), self.nodes.letters(event.node), not event.ended


def _fill(row: Floats, side: dict[int, int], place: dict[int, int], unit: tuple[int, int]) -> int:
    """Write an exact row as correctly scaled floats; return their power of two."""
    if not side:
        return 0
    largest = max(side.values())
    bits = largest.bit_length()
    for i, x in side.items():
        # A quotient of integers is rounded correctly, and needs no common divisor of such long ones.
        row[place[i]] = x / (1 << bits)
    # unit = mantissa * 2**power, and the mantissa is folded into the row.
    top, bottom = unit
    power = top.bit_length() - bottom.bit_length()
    row *= top / (bottom << power) if power >= 0 else (top << -power) / bottom
    return bits + power


def _wide(side: dict[int, int]) -> int:
    """How many bits lie between the largest and the smallest entry."""
    if not side:
        return 0
    return max(side.values()).bit_length() - min(side.values()).bit_length()
