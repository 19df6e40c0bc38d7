"""Row vectors times the matrices L[s] = diag(emit[.][s]) * step, in integers, rounded one way or not.

A state without a step row moves to `done`, the last column; `done` emits nothing, so its entry stays behind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from .limits import Meter
from .model import Distribution, Model
from .row import Rounding, Row

_GUARD = 8
"""Bits kept beyond the certificate's precision, so that a writer's own rounding is never the finer one."""

_DENSE = 12
"""From this many entries a row on, packed rows are faster than loops,"""

_WIDEST = 4_096
"""up to numbers of this many bits: beyond, the multiplications themselves take the time."""

_MOST_WIDTHS = 4


class Transition:
    """One step of a model for row vectors; rounded ones keep `precision` bits and a few more."""

    def __init__(self, model: Model, precision: int, meter: Meter):
        self._model = model
        self._bits = precision + _GUARD
        self._meter = meter
        ends = Distribution(((model.done, 1),), 1)
        self._step = tuple(ends if row is None else row for row in model.step)
        self._emit: tuple[list[tuple[int, int, int]], ...] = tuple([] for _ in model.symbols)
        for i, row in enumerate(model.emit):
            for symbol, n in row.entries:
                common = math.gcd(n, row.denominator)
                self._emit[symbol].append((i, n // common, row.denominator // common))
        self._rounded: dict[Rounding, _Matrix] = {}
        self._exact_factors: dict[int, tuple[list[tuple[int, int]], int]] = {}

    def start(self, belief: Distribution, rounding: Rounding) -> Row:
        """The row of the empty prefix."""
        entries = [0] * (self._model.done + 1)
        if rounding is Rounding.EXACT:
            for i, n in belief.entries:
                entries[i] = n
            return Row(entries, belief.denominator, 0)
        for i, n in belief.entries:
            entries[i] = _divide(n << self._bits, belief.denominator, rounding)
        return Row(entries, 1, -self._bits)

    def after(self, row: Row, symbol: int, rounding: Rounding) -> Row:
        """The row one symbol later.

        Guarantee: equal to it, or entry by entry at least or at most as large, as `rounding` says.
        """
        return (
            self._exactly(row, symbol) if rounding is Rounding.EXACT else self._roundly(row, symbol, rounding)
        )

    def _exactly(self, row: Row, symbol: int) -> Row:
        matrix = self._exact
        factors, scale = self._exact_emit(symbol)
        weights = [(i, row.entries[i] * f) for i, f in factors if row.entries[i]]
        entries = matrix.times(weights)
        denominator = row.denominator * scale
        # Left unreduced, numbers would grow by the common denominator of the whole model with every symbol;
        # but for long numbers a full greatest common divisor costs more than it saves.
        common = math.gcd(denominator if denominator.bit_length() <= _WIDEST else scale, *entries)
        if common > 1:
            entries = [x // common for x in entries]
            denominator //= common
        return Row(entries, denominator, row.exponent)

    def _roundly(self, row: Row, symbol: int, rounding: Rounding) -> Row:
        matrix = self._matrix(rounding)
        wanted = self._bits + matrix.spread + 2
        terms = [
            (i, row.entries[i] * a, b * matrix.denominators[i])
            for i, a, b in self._emit[symbol]
            if row.entries[i]
        ]
        # All weights get one power of two, so that the largest has the wanted bits. These are more than the
        # row's by what the denominators differ: where one is large, a small weight still weighs much.
        shift = wanted - max((t.bit_length() - b.bit_length() for _, t, b in terms), default=0)
        if shift < 0:
            terms = [(i, t, b << -shift) for i, t, b in terms]
        up = max(shift, 0)
        if rounding is Rounding.ABOVE:
            weights = [(i, -((-t << up) // b)) for i, t, b in terms]
        else:
            weights = [(i, (t << up) // b) for i, t, b in terms]
        entries = matrix.times(weights)
        excess = max(entries).bit_length() - self._bits
        exponent = row.exponent - shift
        if excess > 0:
            exponent += excess
            if rounding is Rounding.ABOVE:
                entries = [-(-x >> excess) for x in entries]
            else:
                entries = [x >> excess for x in entries]
        return Row(entries, 1, exponent)

    @cached_property
    def _exact(self) -> _Matrix:
        return _Matrix(self._step, self._model.done + 1, self._meter)

    def _exact_emit(self, symbol: int) -> tuple[list[tuple[int, int]], int]:
        """A factor for each state that emits the symbol, and the denominator common to them all."""
        if symbol not in self._exact_factors:
            entries, scale = self._emit[symbol], 1
            for i, _, b in entries:
                scale = math.lcm(scale, b * self._step[i].denominator)
                self._meter.spend(1 + scale.bit_length() // 64)
            factors = [(i, a * (scale // (b * self._step[i].denominator))) for i, a, b in entries]
            self._exact_factors[symbol] = factors, scale
        return self._exact_factors[symbol]

    def _matrix(self, rounding: Rounding) -> _Matrix:
        if rounding not in self._rounded:
            width = self._bits + _GUARD
            rows = [_shortened(row, width, rounding) for row in self._step]
            self._rounded[rounding] = _Matrix(rows, self._model.done + 1, self._meter)
        return self._rounded[rounding]


def _divide(top: int, bottom: int, rounding: Rounding) -> int:
    return -(-top // bottom) if rounding is Rounding.ABOVE else top // bottom


@dataclass(frozen=True)
class _Weights:
    """A row of a matrix: entry (j, n) is n / denominator. Unlike a distribution it need not sum to 1."""

    entries: tuple[tuple[int, int], ...]
    denominator: int


def _shortened(row: Distribution, width: int, rounding: Rounding) -> Distribution | _Weights:
    """The row itself where its numbers are short, else rounded to `width` bits after the point."""
    if row.denominator.bit_length() <= width:
        return row
    entries = tuple((j, _divide(n << width, row.denominator, rounding)) for j, n in row.entries)
    return _Weights(entries, 1 << width)


class _Matrix:
    """Integer rows; the caller divides by their denominators."""

    def __init__(self, rows: Sequence[Distribution | _Weights], columns: int, meter: Meter):
        self._rows = [row.entries for row in rows]
        self._columns = columns
        self._meter = meter
        self.denominators = [row.denominator for row in rows]
        self.widest = max(d.bit_length() for d in self.denominators)
        self.spread = self.widest - min(d.bit_length() for d in self.denominators)
        self._longest = max(len(row) for row in self._rows)
        self._packed: dict[int, dict[int, int]] = {}
        stored = sum(len(row) for row in self._rows)
        self._dense = stored >= _DENSE * len(self._rows)

    def times(self, weights: Sequence[tuple[int, int]]) -> list[int]:
        """The sum of weight * row over (row, weight) with weights >= 0, exactly."""
        width = (
            max((w.bit_length() for _, w in weights), default=0) + self.widest + 1 + len(weights).bit_length()
        )
        self._meter.spend(len(weights) * self._longest * (1 + width // 256) + self._columns)
        packs = self._dense and width <= _WIDEST
        return self._by_packing(weights, width) if packs else self._by_loops(weights)

    def _by_loops(self, weights: Sequence[tuple[int, int]]) -> list[int]:
        result = [0] * self._columns
        for i, weight in weights:
            for j, n in self._rows[i]:
                result[j] += weight * n
        return result

    def _by_packing(self, weights: Sequence[tuple[int, int]], width: int) -> list[int]:
        """All columns at once: a row is one long integer, with slots too wide for their sums to overflow."""
        slot = -(-width // 8)
        # A coarse grid of widths, so that rows of similar size share their packed matrix.
        unit = 1 << max(0, slot.bit_length() - 4)
        slot = -(-slot // unit) * unit
        if slot not in self._packed:
            if len(self._packed) == _MOST_WIDTHS:
                self._packed.clear()
            self._packed[slot] = {}
        rows = self._packed[slot]
        total = 0
        for i, weight in weights:
            packed = rows.get(i)
            if packed is None:
                packed = rows[i] = self._pack(i, slot)
            total += weight * packed
        data = total.to_bytes(slot * self._columns, "little")
        return [int.from_bytes(data[k : k + slot], "little") for k in range(0, len(data), slot)]

    def _pack(self, i: int, slot: int) -> int:
        data = bytearray(slot * self._columns)
        for j, n in self._rows[i]:
            data[j * slot : j * slot + slot] = n.to_bytes(slot, "little")
        return int.from_bytes(data, "little")
