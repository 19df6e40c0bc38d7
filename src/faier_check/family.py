"""A model whose numbers may use parameters: one model for each of their values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from .model import Distribution, Model, Pair
from .quotient import Number
from .unknowns import Unknowns

Weights: TypeAlias = tuple[tuple[int, Number], ...]
"""(i, value) for what is not 0 identically, ascending."""


@dataclass(frozen=True)
class FamilyPair:
    """Two beliefs to compare, by number, both ways round unless `one_way`."""

    left_name: str
    right_name: str
    one_way: bool
    left: int
    right: int


@dataclass(frozen=True)
class Family:
    """Constant numbers are not negative, constant rows sum to 1; of other rows nothing is known yet."""

    unknowns: Unknowns
    symbols: tuple[str, ...]
    states: tuple[str, ...]
    emit: tuple[Distribution | Weights, ...]
    step: tuple[Distribution | Weights | None, ...]
    beliefs: tuple[Distribution | Weights, ...]
    pairs: tuple[FamilyPair, ...]
    written: tuple[Distribution | Weights, ...] = ()
    """Rows of the file that the model was compiled from: where they are no probabilities nothing is claimed."""
    inputs: tuple[int, ...] = ()
    """Of a stream, the number of the pair of inputs in each symbol: these are drawn uniformly in the model."""

    @cached_property
    def plain(self) -> Model | None:
        """The model itself, where no number of it and of its compared beliefs depends on anything."""
        rows = (*self.emit, *self.step, *self.beliefs)
        if not all(row is None or isinstance(row, Distribution) for row in rows):
            return None
        return Model(
            self.symbols,
            self.states,
            tuple(row for row in self.emit if isinstance(row, Distribution)),
            tuple(row if isinstance(row, Distribution) else None for row in self.step),
            tuple(
                Pair(p.left_name, p.right_name, p.one_way, left, right)
                for p in self.pairs
                if isinstance(left := self.beliefs[p.left], Distribution)
                and isinstance(right := self.beliefs[p.right], Distribution)
            ),
        )

    @property
    def done(self) -> int:
        """The index of `done` in a row vector."""
        return len(self.states)

    @cached_property
    def directions(self) -> tuple[tuple[int, bool], ...]:
        """Every (pair, forward) that a claim speaks about."""
        return tuple(
            (i, forward)
            for i, p in enumerate(self.pairs)
            for forward in ((True,) if p.one_way else (True, False))
        )

    def sides(self, direction: tuple[int, bool]) -> tuple[int, int]:
        """The numbers of the left and right belief of a direction."""
        pair = self.pairs[direction[0]]
        return (pair.left, pair.right) if direction[1] else (pair.right, pair.left)

    def names(self, direction: tuple[int, bool]) -> tuple[str, str]:
        """The names of the left and right belief of a direction."""
        pair = self.pairs[direction[0]]
        names = pair.left_name, pair.right_name
        return names if direction[1] else names[::-1]

    def entry_name(self, index: int) -> str:
        """How a message calls an entry of a row vector."""
        return "done" if index == self.done else repr(self.states[index])
