"""Which states a row reaches, exactly: a row's support is a bit mask, the highest bit `done`. [T6]"""

from __future__ import annotations

from .limits import Meter
from .model import Distribution, Model


class Supports:
    """How one symbol moves a support. Possibility is decided here, never on rounded numbers."""

    def __init__(self, model: Model, meter: Meter):
        self._meter = meter
        self._emitters = [0] * len(model.symbols)
        for i, row in enumerate(model.emit):
            for symbol, _ in row.entries:
                self._emitters[symbol] |= 1 << i
        self._targets = [1 << model.done if row is None else self.start(row) for row in model.step]
        self._known: dict[int, int] = {}

    def start(self, belief: Distribution) -> int:
        return sum(1 << i for i, _ in belief.entries)

    def can_emit(self, support: int, symbol: int) -> bool:
        """Whether some run that is in this support now goes on with the symbol."""
        return support & self._emitters[symbol] != 0

    def after(self, support: int, symbol: int) -> int:
        emitting = support & self._emitters[symbol]
        if emitting not in self._known:
            self._meter.spend(emitting.bit_count())
            reached, rest = 0, emitting
            while rest:
                lowest = rest & -rest
                reached |= self._targets[lowest.bit_length() - 1]
                rest ^= lowest
            self._known[emitting] = reached
        return self._known[emitting]
