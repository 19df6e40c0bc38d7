"""Row vectors times the matrices L[s] = diag(emit[.][s]) * step, in integers, rounded one way or not.

A state without a step row moves to `done`, the last column; `done` emits nothing, so its entry stays behind.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from .limits import Meter
from .model import Distribution, Model
from .recent import Recent
from .row import Rounding, Row

_GUARD = 8
"""Bits kept beyond the certificate's precision, so that a writer's own rounding is never the finer one."""

_COARSE = 64
"""Factors of a symbol differ by powers of 2^64 in their scales, so that usually all have the same one."""

_WIDEST_PACKED = 400
"""Up to weights of so many bits, packed rows are faster than loops where most entries are not 0."""

_PACKED_BYTES = 1 << 25
_MOST_WIDTHS = 2

_LONG = 4_096
"""For denominators of more bits a full greatest common divisor costs more than it saves."""


class Transition:
    """One step of a model for row vectors; rounded ones keep `precision` bits and a few more."""

    def __init__(self, model: Model, precision: int, meter: Meter):
        self._model = model
        self._bits = precision + _GUARD
        self._meter = meter
        ends = Distribution(((model.done, 1),), 1)
        self._step = tuple(ends if row is None else row for row in model.step)
        # By symbol and state: a probability as numerator and denominator, in lowest terms.
        self._emit: tuple[dict[int, tuple[int, int]], ...] = tuple({} for _ in model.symbols)
        for i, row in enumerate(model.emit):
            for symbol, n in row.entries:
                common = math.gcd(n, row.denominator)
                self._emit[symbol][i] = n // common, row.denominator // common
        self._rounded: dict[Rounding, _Matrix] = {}
        self._factors: Recent[tuple[int, Rounding], _Factors] = Recent(meter.limits.memory_bytes // 8)

    def start(self, belief: Distribution, rounding: Rounding) -> Row:
        """The row of the empty prefix."""
        if rounding is Rounding.EXACT:
            return Row(dict(belief.entries), belief.denominator, 0)
        entries = {i: _divide(n << self._bits, belief.denominator, rounding) for i, n in belief.entries}
        return Row({i: x for i, x in entries.items() if x}, 1, -self._bits)

    def after(self, row: Row, symbol: int, rounding: Rounding) -> Row:
        """The row one symbol later.

        Guarantee: equal to it, or entry by entry at least or at most as large, as `rounding` says.
        """
        return (
            self._exactly(row, symbol) if rounding is Rounding.EXACT else self._roundly(row, symbol, rounding)
        )

    def _exactly(self, row: Row, symbol: int) -> Row:
        emit, step = self._emit[symbol], self._exact.denominators
        emitting = [(i, *emit[i]) for i in row.entries.keys() & emit.keys()]
        # Only the states at hand: the denominators of a whole model may have a very long one in common.
        scale = math.lcm(*[b * step[i] for i, _, b in emitting])
        self._meter.spend(len(emitting) * (1 + scale.bit_length() // 64))
        entries = self._exact.times(
            {i: row.entries[i] * (a * (scale // (b * step[i]))) for i, a, b in emitting}
        )
        denominator = row.denominator * scale
        # Left unreduced, numbers would grow by the denominators of the model with every symbol.
        common = math.gcd(denominator if denominator.bit_length() <= _LONG else scale, *entries.values())
        if common > 1:
            entries = {i: x // common for i, x in entries.items()}
            denominator //= common
        return Row(entries, denominator, row.exponent)

    def _roundly(self, row: Row, symbol: int, rounding: Rounding) -> Row:
        factors, held = self._factors_of(symbol, rounding), row.entries
        emitting = held.keys() & factors.numerators.keys()
        if not emitting:
            return Row({}, 1, row.exponent)
        weights = {i: held[i] * factors.numerators[i] for i in emitting}
        # All weights get one power of two: that of the largest factor, whose bits are enough for the result.
        scales = set(map(factors.scales.__getitem__, emitting))
        scale = min(scales)
        if len(scales) > 1:
            weights = {
                i: y for i, x in weights.items() if (y := _halve(x, factors.scales[i] - scale, rounding))
            }
        weights, loss = _shorten(weights, factors.bits, rounding)
        entries, excess = _shorten(self._matrix(rounding).times(weights), self._bits, rounding)
        return Row(entries, 1, row.exponent - scale + loss + excess)

    @cached_property
    def _exact(self) -> _Matrix:
        return _Matrix(self._step, self._model.done + 1, self._meter)

    def _matrix(self, rounding: Rounding) -> _Matrix:
        if rounding not in self._rounded:
            width = self._bits + _GUARD
            rows = [_shortened(row, width, rounding) for row in self._step]
            self._rounded[rounding] = _Matrix(rows, self._model.done + 1, self._meter)
        return self._rounded[rounding]

    def _factors_of(self, symbol: int, rounding: Rounding) -> _Factors:
        factors = self._factors.get((symbol, rounding))
        if factors is None:
            matrix, emit = self._matrix(rounding), self._emit[symbol]
            # More bits than a row's by what the denominators differ: where one is large, a small weight
            # still weighs much.
            factors = _Factors(self._bits + matrix.spread + 2, {}, {})
            self._meter.spend(len(emit) * (1 + factors.bits // 64))
            for i, (a, b) in emit.items():
                b *= matrix.denominators[i]
                scale = factors.bits + b.bit_length() - a.bit_length()
                scale = -(-scale // _COARSE) * _COARSE
                factors.numerators[i] = _divide(a << scale, b, rounding)
                factors.scales[i] = scale
            self._factors.put((symbol, rounding), factors, 500 + len(emit) * (300 + factors.bits // 7))
        return factors


@dataclass(frozen=True)
class _Factors:
    """Of a symbol, by state: emit / denominator of step is about numerator / 2**scale, with `bits` or more."""

    bits: int
    numerators: dict[int, int]
    scales: dict[int, int]


def _divide(top: int, bottom: int, rounding: Rounding) -> int:
    return -(-top // bottom) if rounding is Rounding.ABOVE else top // bottom


def _halve(value: int, times: int, rounding: Rounding) -> int:
    return -(-value >> times) if rounding is Rounding.ABOVE else value >> times


def _shorten(values: dict[int, int], bits: int, rounding: Rounding) -> tuple[dict[int, int], int]:
    """Numbers in units of 2**k and k >= 0, so that the largest has at most so many bits (or one more).

    What is 0 then is left out.
    """
    excess = max(values.values(), default=0).bit_length() - bits
    if excess <= 0:
        return values, 0
    if rounding is Rounding.ABOVE:
        return {i: -(-x >> excess) for i, x in values.items()}, excess
    return {i: y for i, x in values.items() if (y := x >> excess)}, excess


@dataclass(frozen=True)
class _Weights:
    """A row of a matrix: entry (j, n) is n / denominator. Unlike a distribution it need not sum to 1."""

    entries: tuple[tuple[int, int], ...]
    denominator: int


def _shortened(row: Distribution, width: int, rounding: Rounding) -> Distribution | _Weights:
    """The row itself where its numbers are short, else rounded to `width` bits after the point."""
    if row.denominator.bit_length() <= width:
        return row
    entries = ((j, _divide(n << width, row.denominator, rounding)) for j, n in row.entries)
    return _Weights(tuple((j, n) for j, n in entries if n), 1 << width)


class _Matrix:
    """Rows of positive integers; the caller divides by their denominators."""

    def __init__(self, rows: Sequence[Distribution | _Weights], columns: int, meter: Meter):
        self._rows = [row.entries for row in rows]
        self._columns = columns
        self._meter = meter
        self.denominators = [row.denominator for row in rows]
        self._widest = max((n.bit_length() for row in rows for _, n in row.entries), default=0)
        denominators = [d.bit_length() for d in self.denominators]
        self.spread = max(denominators) - min(denominators)
        self._lengths = [len(row) for row in self._rows]
        self._packed: dict[int, dict[int, int]] = {}

    def times(self, weights: Mapping[int, int]) -> dict[int, int]:
        """The entries that are not 0 of the sum of weight * row, by row, with weights > 0; exactly."""
        widest = max(weights.values(), default=0).bit_length()
        stored = sum(map(self._lengths.__getitem__, weights))
        self._meter.spend(stored * (1 + (widest + self._widest) // 256))
        packs = (
            widest <= _WIDEST_PACKED
            and 4 * stored > self._columns * (len(weights) + 4)
            and self._columns * self._columns * (widest + self._widest) <= 8 * _PACKED_BYTES
        )
        return self._by_packing(weights) if packs else self._by_loops(weights)

    def _by_loops(self, weights: Mapping[int, int]) -> dict[int, int]:
        result: dict[int, int] = {}
        for i, weight in weights.items():
            for j, n in self._rows[i]:
                result[j] = result.get(j, 0) + weight * n
        return result

    def _by_packing(self, weights: Mapping[int, int]) -> dict[int, int]:
        """All columns at once: a row is one long integer, with slots too wide for their sums to overflow."""
        widest = max(weights.values(), default=0).bit_length()
        slot = 1 + (widest + self._widest + len(weights).bit_length()) // 8
        # A coarse grid of widths, so that rows of similar size share their packed matrix.
        unit = 1 << max(0, slot.bit_length() - 4)
        slot = -(-slot // unit) * unit
        if slot not in self._packed:
            if len(self._packed) == _MOST_WIDTHS:
                self._packed.clear()
            self._packed[slot] = {}
        rows = self._packed[slot]
        total = 0
        for i, weight in weights.items():
            packed = rows.get(i)
            if packed is None:
                packed = rows[i] = self._pack(i, slot)
            total += weight * packed
        data = total.to_bytes(slot * self._columns, "little")
        starts = range(0, len(data), slot)
        return {j: x for j, k in enumerate(starts) if (x := int.from_bytes(data[k : k + slot], "little"))}

    def _pack(self, i: int, slot: int) -> int:
        data = bytearray(slot * self._columns)
        for j, n in self._rows[i]:
            data[j * slot : j * slot + slot] = n.to_bytes(slot, "little")
        return int.from_bytes(data, "little")
