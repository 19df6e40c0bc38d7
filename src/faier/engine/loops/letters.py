"""What letters and words do to supports, in floats and exactly: the common ground of T8 and T11."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TypeAlias

import numpy as np

from faier.comparison import Bools, Comparison, Floats

Rows: TypeAlias = dict[int, dict[int, Fraction]]
"""A matrix: state -> state -> entry; what is left out is 0."""


class Letters:
    """The matrices of the letters of one comparison, over all states and `done`."""

    def __init__(self, comparison: Comparison):
        self.comparison = comparison
        self.automaton = comparison.automaton
        self.size = self.automaton.size + 1

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


def necklaces(letters: Sequence[int], longest: int, most: int) -> Iterator[tuple[int, ...]]:
    """Words up to rotation, the shortest first: of those that rotate into one another the least, at most so many.

    Powers of shorter words are among them: where a loop only comes back to its states every other time, its square
    is the loop that counts.
    """
    given = 0
    for length in range(1, longest + 1):
        if len(letters) ** length > 64 * most:
            return
        for word in product(letters, repeat=length):
            if word == min(word[k:] + word[:k] for k in range(length)):
                if given == most:
                    return
                given += 1
                yield word


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
