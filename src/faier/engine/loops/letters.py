"""What letters and words do to supports, in floats and exactly: the common ground of T8 and T11."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np

from faier.comparison import Bools, Comparison, Floats

Rows: TypeAlias = dict[int, dict[int, Fraction]]
"""A matrix: state -> state -> entry; what is left out is 0."""


_MOST_STATES = 400
_MOST_BITS = 2000
_MOST_ENTRIES = 10_000_000


class Letters:
    """The matrices of the letters of one comparison, over all states and `done`."""

    def __init__(self, comparison: Comparison):
        self.comparison = comparison
        self.automaton = comparison.automaton
        self.size = self.automaton.size + 1

    @property
    def too_large(self) -> bool:
        """Whether the model is too large, or its numbers too long or too small, to look at loops."""
        automaton = self.automaton
        return (
            automaton.size > _MOST_STATES
            or automaton.letters * self.size**2 > _MOST_ENTRIES
            or automaton.smallest_entry < 2.0**-200
            or automaton.exact.common.bit_length() > _MOST_BITS
        )

    @cached_property
    def floats(self) -> Floats:
        """floats[letter] is L[letter]."""
        dense = self.automaton.dense_step
        step = self.automaton.step.toarray() if dense is None else dense
        matrices = np.zeros((self.automaton.letters, self.size, self.size))
        matrices[:, : self.size - 1] = self.automaton.emit.T[:, :, None] * step[None]
        return matrices

    @cached_property
    def moves(self) -> Bools:
        """moves[letter, i, j]: whether L[letter] leads from i to j; exact, as model entries never round to 0."""
        return np.asarray(self.floats > 0)

    def float_word(self, word: Sequence[int]) -> Floats:
        matrix = np.eye(self.size)
        for letter in word:
            matrix = matrix @ self.floats[letter]
        return matrix

    def reaches(self, word: Sequence[int]) -> Bools:
        """reaches[i, j]: whether the word leads from i to j."""
        matrix = np.eye(self.size, dtype=bool)
        for letter in word:
            matrix = (matrix.astype(np.float32) @ self.moves[letter].astype(np.float32)) > 0
        return matrix

    def reading(self, word: Sequence[int], ended: bool) -> Bools:
        """The states from which the word can be read."""
        states = np.ones(self.size, dtype=bool)
        if ended:
            states[:-1] = False
        for letter in reversed(word):
            states = (self.moves[letter].astype(np.float32) @ states.astype(np.float32)) > 0
        return states

    def exact_rows(self, states: Iterable[int], word: Sequence[int]) -> Rows:
        """The rows of L[word] for some states, exactly."""
        exact, over = self.automaton.exact, self.automaton.exact.common
        rows: Rows = {}
        for i in states:
            row = {i: 1}
            for letter in word:
                (row,), _ = exact.advance((row,), letter, over=over)
            scale = over ** len(word)
            rows[i] = {j: Fraction(x, scale) for j, x in row.items() if x}
        return rows

    def exact_column(self, word: Sequence[int], ended: bool) -> dict[int, Fraction]:
        """L[word] 1, or L[word] e of complete runs: the exact probability of the word from each state."""
        exact = self.automaton.exact
        column = {self.automaton.done: 1} if ended else dict.fromkeys(range(self.size), 1)
        for letter in reversed(word):
            column = exact.retreat(column, letter)
        scale = exact.common ** len(word)
        return {i: Fraction(x, scale) for i, x in column.items() if x}


def necklaces(moves: Bools, longest: int, most: int, stop: Callable[[], object]) -> Iterator[tuple[int, ...]]:
    """Words up to rotation that some state can repeat for ever, the shortest first: the least rotation of each.

    At most so many are looked at, and no more once `stop` says something. Powers of shorter words are among them:
    where a loop only comes back to its states every other time, its square is the loop that counts.
    """
    letters = [s for s in range(len(moves)) if moves[s].any()]
    numbers = moves.astype(np.float32)
    level: list[tuple[tuple[int, ...], Bools]] = [((), np.eye(moves.shape[1], dtype=bool))]
    looked = 0
    for _ in range(longest):
        following = []
        for word, reaches in level:
            for letter in letters:
                # The least rotation begins with its least letter.
                if word and letter < word[0]:
                    continue
                looked += 1
                if looked > most or stop():
                    return
                onward = (reaches.astype(np.float32) @ numbers[letter]) > 0
                if not onward.any():
                    continue
                longer = (*word, letter)
                following.append((longer, onward))
                if longer == min(longer[k:] + longer[:k] for k in range(len(longer))) and _turns(onward):
                    yield longer
        level = following


def _turns(reaches: Bools) -> bool:
    """Whether some state comes back to itself."""
    closed = reaches
    while closed.any():
        if closed.diagonal().any():
            return True
        more = closed | ((closed.astype(np.float32) @ closed.astype(np.float32)) > 0)
        if (more == closed).all():
            return False
        closed = more
    return False


def closure(support: Bools, reaches: Bools) -> Bools:
    """The states that some power of a word, the empty one included, leads to."""
    while True:
        more = support | np.asarray((support.astype(np.float32) @ reaches.astype(np.float32)) > 0)
        if (more == support).all():
            return support
        support = more


def reachable(reaches: Bools) -> Bools:
    """The reflexive transitive closure of a relation."""
    closed = reaches | np.eye(len(reaches), dtype=bool)
    while True:
        more = (closed.astype(np.float32) @ closed.astype(np.float32)) > 0
        if (more == closed).all():
            return closed
        closed = more


def classes(closed: Bools) -> list[list[int]]:
    """The strongly connected classes of a reachability relation, in the order of their first members."""
    mutual = closed & closed.T
    seen: set[int] = set()
    found = []
    for i in range(len(closed)):
        if i not in seen:
            members = np.flatnonzero(mutual[i]).tolist()
            seen.update(members)
            found.append(members)
    return found
