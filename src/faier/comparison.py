"""The normal form that engines work on: one automaton, and pairs of start rows for it.

A state without a `step` row moves, after its symbol, to `done`, the extra last column of every row, which
produces no symbols. A word w has two readings for a start row x: prefix, the sum of x L[w], and ended, its
`done` entry.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from faier.errors import NotYetError, UsageError
from faier.exact_steps import ExactSteps
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.table import SMALLEST_NORMAL
from faier.scenario.every import asks_every_step
from faier.scenario.scenario import Horizon, Possible, Scenario

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]

_DENSE_ENTRIES = 4_000_000


@dataclass(frozen=True)
class Direction:
    """One side of a pair against the other: pair `pair` as written where `forward`, else exchanged."""

    pair: int
    forward: bool
    left: int
    right: int


class Directions(Sequence[Direction]):
    """All directions of a comparison, as arrays: there may be hundreds of thousands."""

    def __init__(self, pair: Ints, forward: Bools, left: Ints, right: Ints):
        self.pair, self.forward, self.left, self.right = pair, forward, left, right

    @classmethod
    def of(cls, scenario: Scenario, left: Ints, right: Ints) -> Directions:
        """Each pair as written and, unless it is one way, exchanged; `left` and `right` are its two beliefs."""
        times = np.array([1 if pair.one_way else 2 for pair in scenario.pairs])
        pair = np.repeat(np.arange(len(times)), times)
        forward = np.ones(len(pair), dtype=bool)
        forward[1:] = pair[1:] != pair[:-1]
        one, two = left[pair], right[pair]
        return cls(pair, forward, np.where(forward, one, two), np.where(forward, two, one))

    def __len__(self) -> int:
        return len(self.pair)

    @overload
    def __getitem__(self, which: int) -> Direction: ...
    @overload
    def __getitem__(self, which: slice) -> Directions: ...
    def __getitem__(self, which: int | slice) -> Direction | Directions:
        if isinstance(which, slice):
            return Directions(self.pair[which], self.forward[which], self.left[which], self.right[which])
        return Direction(
            int(self.pair[which]), bool(self.forward[which]), int(self.left[which]), int(self.right[which])
        )


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
        self.exact = ExactSteps(model)

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
        try:
            from scipy.sparse import csr_array
        except ImportError as error:
            raise UsageError(
                f"a model of {self.size:,} states needs scipy for its sparse matrix: pip install 'faier[sparse]'"
            ) from error

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
    def most_successors(self) -> int:
        return int(np.diff(self.model.step.indptr).max(initial=1))

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


class Comparison:
    """A scenario in normal form: one automaton, distinct start beliefs, directions, and what counts."""

    def __init__(self, scenario: Scenario):
        scenario.require_built()
        if scenario.claim.horizon == "any" and asks_every_step(scenario.written):
            raise NotYetError(
                'of secrets at every step (at = "every") only ratios are asked about at the horizon "any", without a '
                "delta; the rest is not built yet: take a number as horizon"
            )
        self.scenario = scenario
        self.automaton = Automaton(scenario.model)
        self.horizon: Horizon = scenario.require_horizon()
        self.possible: Possible = scenario.claim.possible
        self.beliefs: list[Belief] = []
        compared, lefts, rights = scenario.sides
        known: dict[tuple[tuple[Any, Any], ...], int] = {}
        place: list[int] = []
        for belief in compared:
            number = known.setdefault(tuple(belief.weights.items()), len(known))
            if number == len(self.beliefs):
                self.beliefs.append(belief)
            place.append(number)
        self.directions = Directions.of(scenario, np.array(place)[lefts], np.array(place)[rights])

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
