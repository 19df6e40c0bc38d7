"""What the checker knows of a model: exact rows as integers, and the compared beliefs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Distribution:
    """Non-negative numbers with sum 1: (i, n) is n / denominator at i; zeros left out, ascending."""

    entries: tuple[tuple[int, int], ...]
    denominator: int


@dataclass(frozen=True)
class Pair:
    """Two beliefs to compare, both ways round unless `one_way`."""

    left_name: str
    right_name: str
    one_way: bool
    left: Distribution
    right: Distribution


@dataclass(frozen=True)
class Model:
    """A hidden Markov model with its compared pairs; a state whose `step` is None ends the run."""

    symbols: tuple[str, ...]
    states: tuple[str, ...]
    emit: tuple[Distribution, ...]
    step: tuple[Distribution | None, ...]
    pairs: tuple[Pair, ...]

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

    def sides(self, direction: tuple[int, bool]) -> tuple[Distribution, Distribution]:
        """The left and right belief of a direction."""
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
