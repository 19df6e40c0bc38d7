"""The normal form that engines work on: one automaton, and pairs of start rows for it.

A state without a `step` row moves, after its symbol, to `done`, the extra last column of every row, which
produces no symbols. A word w has two readings for a start row x: prefix, the sum of x L[w], and ended, its
`done` entry.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import flint
import numpy as np
import numpy.typing as npt

from faier.large_steps import LargeSteps
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.table import SMALLEST_NORMAL
from faier.scenario.scenario import Horizon, Possible, Scenario

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]

_DENSE_ENTRIES = 4_000_000
_MANY_STATES = 20_000


@dataclass(frozen=True)
class Direction:
    """One side of a pair against the other: pair `pair` as written where `forward`, else exchanged."""

    pair: int
    forward: bool
    left: int
    right: int


@dataclass(frozen=True)
class Block:
    """The part of the step matrix from some states to the states they can reach (the last of which may be done)."""

    rows: Ints
    columns: Ints
    matrix: Floats | csr_array[Any]

    def apply(self, vectors: Floats) -> Floats:
        """Return vectors @ matrix."""
        return np.asarray(vectors @ self.matrix)


class Automaton:
    """A constant HMM seen as letters acting on row vectors, in floats and exactly."""

    def __init__(self, model: HMM):
        self.model = model
        self.size = len(model.states)
        self.letters = len(model.symbols)
        self.done = self.size
        self._blocks: dict[bytes, Block] = {}
        self._emit_rows: dict[int, dict[int, int]] = {}
        self._step_rows: dict[int, tuple[int, list[tuple[int, int]]]] = {}

    @cached_property
    def emit(self) -> Floats:
        """emit[state, letter], each entry correctly rounded."""
        table = self.model.emit
        dense = np.zeros((self.size, self.letters))
        dense[table.row_of, table.indices] = table.floats
        return dense

    @cached_property
    def ends(self) -> Bools:
        """The states that end the run."""
        return self.model.step.empty_rows

    @cached_property
    def can_end(self) -> bool:
        return bool(self.ends.any())

    @cached_property
    def step(self) -> csr_array[Any]:
        """The step matrix with its done column, in compressed rows."""
        from scipy.sparse import csr_array

        table = self.model.step
        ends = np.flatnonzero(self.ends)
        rows = np.concatenate([table.row_of, ends])
        columns = np.concatenate([table.indices, np.full(len(ends), self.done)])
        values = np.concatenate([table.floats, np.ones(len(ends))])
        return csr_array((values, (rows, columns)), shape=(self.size, self.size + 1))

    @cached_property
    def dense_step(self) -> Floats | None:
        """The same as a dense matrix, where it is small enough."""
        if self.size * (self.size + 1) > _DENSE_ENTRIES:
            return None
        dense = np.zeros((self.size, self.size + 1))
        table = self.model.step
        dense[table.row_of, table.indices] = table.floats
        dense[np.flatnonzero(self.ends), self.done] = 1.0
        return dense

    @cached_property
    def most_terms(self) -> int:
        """The largest number of terms in an entry of a product with the step matrix, from either side."""
        table = self.model.step
        into = np.bincount(table.indices, minlength=self.size + 1)
        into[self.done] = int(self.ends.sum())
        out = np.diff(table.indptr)
        return int(max(into.max(initial=1), out.max(initial=1)))

    @cached_property
    def smallest_entry(self) -> float:
        """The smallest positive probability of the model, as a float."""
        values = [t.floats for t in (self.model.emit, self.model.step)]
        return min((float(v.min()) for v in values if v.size), default=1.0)

    def forward(self, row: Floats, letters: Sequence[int]) -> Floats:
        """A float row (states, then done) after these letters; relative error as in T6 while nothing underflows."""
        for letter in letters:
            moved = row[: self.size] * self._emit_of(letter)
            row = np.asarray(moved @ (self.step if self.dense_step is None else self.dense_step))
        return row

    def _emit_of(self, letter: int) -> Floats:
        return np.ascontiguousarray(self.emit[:, letter])

    def block(self, rows: Ints) -> Block:
        """The step matrix from `rows` (states, ascending, without done) to all they can reach."""
        key = rows.tobytes()
        if (found := self._blocks.get(key)) is not None:
            return found
        dense = self.dense_step
        if dense is not None:
            part = dense if len(rows) == self.size else dense[rows]
            columns = np.flatnonzero(part.any(axis=0))
            block = Block(rows, columns, np.ascontiguousarray(part[:, columns]))
        else:
            sparse = self.step if len(rows) == self.size else self.step[rows]
            columns = np.unique(sparse.indices).astype(np.int64)
            sparse = sparse[:, columns] if len(columns) <= self.size else sparse
            small = len(rows) * len(columns) <= _DENSE_ENTRIES
            block = Block(rows, columns, sparse.toarray() if small else sparse.tocsr())
        if len(self._blocks) > 256:
            self._blocks.clear()
        self._blocks[key] = block
        return block

    # Exact rows are dictionaries state -> integer, up to a positive factor that the caller keeps.

    def _letters_of(self, state: int) -> dict[int, int]:
        """letter -> integer weight, over the common denominator of emit."""
        if (found := self._emit_rows.get(state)) is None:
            own, row = self.model.emit.integer_row(state)
            factor = self.model.emit.denominator // own
            found = self._emit_rows[state] = {s: v * factor for s, v in row}
        return found

    def _successors_of(self, state: int) -> tuple[int, list[tuple[int, int]]]:
        """A factor and small weights: weight * factor is over the common denominator of step.

        The factor is kept apart because the common denominator is often far larger than one row's own.
        """
        if (found := self._step_rows.get(state)) is None:
            own, row = self.model.step.integer_row(state)
            found = self._step_rows[state] = (self.model.step.denominator // own, row or [(self.done, 1)])
        return found

    def letters_of(self, row: Iterable[int]) -> set[int]:
        """The letters that some state of a row may produce."""
        return {s for i in row if i != self.done for s in self._letters_of(i)}

    def advance(self, row: dict[int, int], letter: int) -> dict[int, int]:
        """Return row L[letter], exactly, in units that are `unit` times those of `row`."""
        if self._is_dense and len(row) * 4 > self.size:
            return self._advance_dense(row, letter)
        if len(row) > _MANY_STATES:
            return self._large.advance(row, letter)
        result: dict[int, int] = {}
        for i, x in row.items():
            weight = 0 if i == self.done else self._letters_of(i).get(letter, 0)
            if weight:
                factor, successors = self._successors_of(i)
                y = x * weight * factor
                for j, p in successors:
                    result[j] = result.get(j, 0) + y * p
        return result

    @cached_property
    def _is_dense(self) -> bool:
        """Whether exact steps are worth a matrix product of python-flint."""
        return self.size >= 12 and self.model.step.stored * 4 > self.size * self.size

    @cached_property
    def _weights(self) -> flint.fmpz_mat:
        """Small integer weights of all successors, row by row; see `_successors_of` for their factors."""
        rows = [[0] * (self.size + 1) for _ in range(self.size)]
        for i in range(self.size):
            for j, p in self._successors_of(i)[1]:
                rows[i][j] = p
        return flint.fmpz_mat(rows)

    def _advance_dense(self, row: dict[int, int], letter: int) -> dict[int, int]:
        moved = [0] * self.size
        for i, x in row.items():
            if i != self.done and (weight := self._letters_of(i).get(letter, 0)):
                moved[i] = x * weight * self._successors_of(i)[0]
        after = (flint.fmpz_mat([moved]) * self._weights).entries()
        return {j: int(x) for j, x in enumerate(after) if x}

    def retreat(self, column: dict[int, int], letter: int) -> dict[int, int]:
        """Return L[letter] column, exactly, in units that are `unit` times those of `column`."""
        if self.size > _MANY_STATES:
            return self._large.retreat(column, letter)
        result: dict[int, int] = {}
        for i in range(self.size):
            weight = self._letters_of(i).get(letter, 0)
            if weight:
                factor, successors = self._successors_of(i)
                if total := sum(p * column.get(j, 0) for j, p in successors):
                    result[i] = total * weight * factor
        return result

    @cached_property
    def _large(self) -> LargeSteps:
        return LargeSteps(self.model)

    @cached_property
    def unit(self) -> Fraction:
        """What one exact step multiplies the unit of a row or column by."""
        return Fraction(1, self.model.emit.denominator * self.model.step.denominator)


class Comparison:
    """A scenario in normal form: one automaton, distinct start beliefs, directions, and what counts."""

    def __init__(self, scenario: Scenario):
        scenario.require_built()
        self.scenario = scenario
        self.automaton = Automaton(scenario.model)
        self.horizon: Horizon = scenario.require_horizon()
        self.possible: Possible = scenario.claim.possible
        self.beliefs: list[Belief] = []
        place: dict[tuple[tuple[Any, Any], ...], int] = {}

        def index(belief: Belief) -> int:
            key = tuple(belief.weights.items())
            if key not in place:
                place[key] = len(self.beliefs)
                self.beliefs.append(belief)
            return place[key]

        directions: list[Direction] = []
        for k, pair in enumerate(scenario.pairs):
            a, b = index(pair.left), index(pair.right)
            directions.append(Direction(k, True, a, b))
            if not pair.one_way:
                directions.append(Direction(k, False, b, a))
        self.directions = tuple(directions)

    @property
    def length(self) -> int | None:
        """The horizon as a number, None where it is `any`."""
        return None if self.horizon == "any" else self.horizon

    @property
    def both(self) -> bool:
        return self.possible == "both"

    def weights(self, belief: int) -> Iterator[tuple[int, Fraction]]:
        """state index -> probability of a start belief."""
        index = self.scenario.model.state_index
        for state, value in self.beliefs[belief].weights.items():
            assert isinstance(value, Fraction)
            yield index[state], value

    def start_exact(self, direction: int) -> tuple[dict[int, int], dict[int, int], Fraction]:
        """The two start rows of a direction as integers, and what one unit of them stands for."""
        d = self.directions[direction]
        left, right = dict(self.weights(d.left)), dict(self.weights(d.right))
        scale = math.lcm(*(v.denominator for v in (*left.values(), *right.values())))
        return (
            {i: v.numerator * (scale // v.denominator) for i, v in left.items()},
            {i: v.numerator * (scale // v.denominator) for i, v in right.items()},
            Fraction(1, scale),
        )

    @cached_property
    def start_states(self) -> Ints:
        """All states in which a compared run may start, ascending."""
        states = {i for b in range(len(self.beliefs)) for i, _ in self.weights(b)}
        return np.array(sorted(states), dtype=np.int64)

    def start_floats(self, columns: Ints) -> Floats:
        """One row per start belief over the given states, each entry correctly rounded, none rounded to 0."""
        place = {int(c): k for k, c in enumerate(columns)}
        rows = np.zeros((len(self.beliefs), len(columns)))
        for b in range(len(self.beliefs)):
            for i, value in self.weights(b):
                rows[b, place[i]] = max(float(value), SMALLEST_NORMAL)
        return rows
