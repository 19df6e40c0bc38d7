"""Exact steps of a model: rows and columns as dictionaries state -> integer, up to a factor that the caller keeps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property

import flint

from faier.large_steps import LargeSteps
from faier.model.hmm import HMM

_SHORT_BITS = 256
_MANY_STATES = 20_000
_MANY_ENTRIES = 12
_MANY_ROWS = 16


class ExactSteps:
    """One letter further or back, in integers. The column after the last state is `done`."""

    def __init__(self, model: HMM):
        self._model = model
        self.size = len(model.states)
        self.done = self.size
        self._emit_rows: dict[int, tuple[int, dict[int, int]]] = {}
        self._step_rows: dict[int, tuple[int, list[tuple[int, int]]]] = {}

    @cached_property
    def common(self) -> int:
        """A denominator that serves one step from any state."""
        return self._model.emit.denominator * self._model.step.denominator

    def letters_of(self, row: Iterable[int]) -> set[int]:
        """The letters that some state of a row may produce."""
        return {s for i in row if i != self.done for s in self._letters_of(i)[1]}

    def advance(
        self, rows: Sequence[dict[int, int]], letter: int, *, over: int | None = None
    ) -> tuple[list[dict[int, int]], int]:
        """Return each row times L[letter], and the denominator over which the results stand.

        The denominator is common to all the rows given: `over` where that is said, else one that suits them.
        """
        states = max(map(len, rows), default=0)
        if states > _MANY_STATES:
            over = over or self.common
            return [self._large.advance(row, letter, over) for row in rows], over
        # A product of matrices is worth it for rows of many states, and for many rows of fewer.
        if self._is_dense and states * 4 > self.size and (self.size >= _MANY_ENTRIES or len(rows) >= _MANY_ROWS):
            over = over or self.common
            return self._advance_dense(rows, letter, over), over
        over = over or self._denominator(rows, letter)
        return [self._advance(row, letter, over) for row in rows], over

    def produce(self, rows: Sequence[dict[int, int]], letter: int) -> tuple[list[int], int]:
        """Return how much of each row produces a letter, and the denominator over which the results stand."""
        states = {i for row in rows for i in row if i != self.done}
        found = {i: (weight, own) for i in states for own, letters in [self._letters_of(i)]
                 if (weight := letters.get(letter, 0))}  # fmt: skip
        over = math.lcm(*{own for _, own in found.values()})
        column = {i: weight * (over // own) for i, (weight, own) in found.items()}
        return [sum(x * column[i] for i, x in row.items() if i in column) for row in rows], over

    def retreat(self, column: dict[int, int], letter: int) -> dict[int, int]:
        """Return L[letter] column, over `common`."""
        result: dict[int, int] = {}
        for i in range(self.size):
            emit_own, letters = self._letters_of(i)
            if weight := letters.get(letter, 0):
                step_own, successors = self._successors_of(i)
                if total := sum(p * column.get(j, 0) for j, p in successors):
                    result[i] = total * weight * (self.common // (emit_own * step_own))
        return result

    def _denominator(self, rows: Sequence[dict[int, int]], letter: int) -> int:
        # The common denominator of all states can have thousands of digits where that of a few has none.
        if len(self._emit_rows) == self.size and self.common.bit_length() <= _SHORT_BITS:
            return self.common
        states = {i for row in rows for i in row if i != self.done and letter in self._letters_of(i)[1]}
        return math.lcm(*{self._letters_of(i)[0] * self._successors_of(i)[0] for i in states})

    def _advance(self, row: dict[int, int], letter: int, over: int) -> dict[int, int]:
        result: dict[int, int] = {}
        for i, x in row.items():
            if i == self.done:
                continue
            emit_own, letters = self._letters_of(i)
            if weight := letters.get(letter, 0):
                step_own, successors = self._successors_of(i)
                y = x * weight * (over // (emit_own * step_own))
                for j, p in successors:
                    result[j] = result.get(j, 0) + y * p
        return result

    def _advance_dense(self, rows: Sequence[dict[int, int]], letter: int, over: int) -> list[dict[int, int]]:
        factors = [0] * self.size
        for i in {i for row in rows for i in row if i != self.done}:
            emit_own, letters = self._letters_of(i)
            if weight := letters.get(letter, 0):
                factors[i] = weight * (over // (emit_own * self._successors_of(i)[0]))
        moved = [[0] * self.size for _ in rows]
        for line, row in zip(moved, rows, strict=True):
            for i, x in row.items():
                if i != self.done:
                    line[i] = x * factors[i]
        after = (flint.fmpz_mat(moved) * self._weights).entries()
        width = self.size + 1
        return [
            {j: int(x) for j, x in enumerate(after[start : start + width]) if x}
            for start in range(0, len(after), width)
        ]

    def _letters_of(self, state: int) -> tuple[int, dict[int, int]]:
        """A denominator of a state's own, and letter -> integer weight over it."""
        if (found := self._emit_rows.get(state)) is None:
            own, row = self._model.emit.integer_row(state)
            found = self._emit_rows[state] = own, dict(row)
        return found

    def _successors_of(self, state: int) -> tuple[int, list[tuple[int, int]]]:
        """A denominator of a state's own, and its successors with integer weights over it."""
        if (found := self._step_rows.get(state)) is None:
            own, row = self._model.step.integer_row(state)
            found = self._step_rows[state] = (own, row) if row else (1, [(self.done, 1)])
        return found

    @cached_property
    def _is_dense(self) -> bool:
        """Whether exact steps are worth a matrix product of python-flint."""
        return self.size >= 3 and self._model.step.stored * 4 > self.size * self.size

    @cached_property
    def _weights(self) -> flint.fmpz_mat:
        """The successors' integer weights, row by row, each over its row's own denominator."""
        rows = [[0] * (self.size + 1) for _ in range(self.size)]
        for i in range(self.size):
            for j, p in self._successors_of(i)[1]:
                rows[i][j] = p
        return flint.fmpz_mat(rows)

    @cached_property
    def _large(self) -> LargeSteps:
        return LargeSteps(self._model)
