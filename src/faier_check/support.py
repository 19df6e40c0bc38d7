"""Which states a row reaches, exactly: the set of its non-zero entries, `done` among them. [T6]"""

from __future__ import annotations

import sys
from typing import TypeAlias

from .limits import Meter
from .model import Distribution, Model
from .recent import Recent

Support: TypeAlias = frozenset[int]


class Supports:
    """How one symbol moves a support. Possibility is decided here, never on rounded numbers."""

    def __init__(self, model: Model, meter: Meter):
        self._meter = meter
        emitters: list[list[int]] = [[] for _ in model.symbols]
        for i, row in enumerate(model.emit):
            for symbol, _ in row.entries:
                emitters[symbol].append(i)
        self._emitters = [frozenset(states) for states in emitters]
        self._emitted = [frozenset([symbol for symbol, _ in row.entries]) for row in model.emit]
        self._emitted.append(frozenset())
        ends = frozenset((model.done,))
        self._targets = [ends if row is None else self.start(row) for row in model.step]
        self._known: Recent[Support, Support] = Recent(meter.limits.memory_bytes // 8)

    def start(self, belief: Distribution) -> Support:
        return frozenset([i for i, _ in belief.entries])

    def emitted(self, support: Support) -> frozenset[int]:
        """The symbols with which some run that is in this support now goes on."""
        self._meter.spend(len(support))
        return frozenset().union(*[self._emitted[i] for i in support])

    def after(self, support: Support, symbol: int) -> Support:
        emitting = support & self._emitters[symbol]
        reached = self._known.get(emitting)
        if reached is None:
            targets = [self._targets[i] for i in emitting]
            self._meter.spend(sum(map(len, targets)))
            reached = frozenset().union(*targets)
            self._known.put(emitting, reached, size(emitting) + size(reached))
        return reached


def size(support: Support) -> int:
    """Roughly how many bytes it takes."""
    return 200 + sys.getsizeof(support)
