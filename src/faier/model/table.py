"""A sparse matrix of exact probabilities, the storage behind a model's rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from faier.errors import ModelError

if TYPE_CHECKING:
    from faier.number.exact import Prob

Indices: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]

_EXACT_IN_FLOAT = 1 << 53
_LARGEST_SUM = 1 << 62
SMALLEST_NORMAL = 2.0**-1022


class Table:
    """Rows of exact numbers in compressed form: row i holds `indptr[i]:indptr[i+1]` of `indices` and values.

    Values are either Python objects (fractions, or quotients of polynomials in parameters) or, for models
    too large for those, int64 numerators over one int64 denominator a row.
    """

    def __init__(
        self,
        columns: int,
        indptr: Indices,
        indices: Indices,
        values: Sequence[Prob] | None = None,
        numerators: npt.NDArray[np.int64] | None = None,
        denominators: npt.NDArray[np.int64] | None = None,
    ):
        self.rows = len(indptr) - 1
        self.columns = columns
        self.indptr = indptr
        self.indices = indices
        self._values = None if values is None else tuple(values)
        self._numerators = numerators
        self._denominators = denominators

    @classmethod
    def from_rows(cls, columns: int, rows: Sequence[dict[int, Prob]]) -> Table:
        """Build from one dictionary (column -> non-zero value) a row; entries are put in the order of columns."""
        rows = [{j: v for j, v in sorted(row.items()) if v != 0} for row in rows]
        if any(not 0 <= j < columns for row in rows for j in row):
            raise ModelError(f"a column lies outside 0..{columns - 1}")
        indptr = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in rows], out=indptr[1:])
        indices = np.fromiter((j for row in rows for j in row), dtype=np.int64, count=int(indptr[-1]))
        return cls(columns, indptr, indices, values=[v for row in rows for v in row.values()])

    @property
    def stored(self) -> int:
        """How many entries are stored."""
        return len(self.indices)

    @cached_property
    def row_of(self) -> Indices:
        """The row of each stored entry."""
        return np.repeat(np.arange(self.rows, dtype=np.int64), np.diff(self.indptr))

    @cached_property
    def empty_rows(self) -> npt.NDArray[np.bool_]:
        return np.asarray(np.diff(self.indptr) == 0)

    @cached_property
    def is_constant(self) -> bool:
        """True where no entry uses a parameter."""
        return self._values is None or all(isinstance(v, Fraction) for v in self._values)

    def row(self, i: int) -> dict[int, Prob]:
        """Row i as column -> value."""
        span = slice(int(self.indptr[i]), int(self.indptr[i + 1]))
        columns = self.indices[span].tolist()
        if self._values is not None:
            return dict(zip(columns, self._values[span], strict=True))
        assert self._numerators is not None
        assert self._denominators is not None
        den = int(self._denominators[i])
        return {j: Fraction(n, den) for j, n in zip(columns, self._numerators[span].tolist(), strict=True)}

    def entry(self, k: int) -> Fraction:
        """The stored entry number k. Constant tables only."""
        if self._values is not None:
            return self._fractions()[k]
        assert self._numerators is not None
        assert self._denominators is not None
        return Fraction(int(self._numerators[k]), int(self._denominators[self.row_of[k]]))

    @cached_property
    def floats(self) -> Floats:
        """Each stored entry, correctly rounded (one rounding each). Constant tables only.

        Entries below the smallest normal float stand as that float, so that none looks impossible; whoever
        computes with them has to look at the smallest entry first.
        """
        if self._values is not None:
            values = np.fromiter(
                (v.numerator / v.denominator for v in self._fractions()), dtype=np.float64, count=self.stored
            )
        else:
            assert self._numerators is not None
            assert self._denominators is not None
            values = self._numerators / self._denominators[self.row_of]
        return np.maximum(values, SMALLEST_NORMAL)

    @cached_property
    def denominator(self) -> int:
        """A common denominator of all entries. Constant tables only."""
        if self._values is not None:
            return math.lcm(*{v.denominator for v in self._fractions()})
        assert self._denominators is not None
        return math.lcm(*set(self._denominators.tolist()))

    def integer_row(self, i: int) -> tuple[int, list[tuple[int, int]]]:
        """Row i as its own denominator and (column, numerator) pairs. Constant tables only."""
        a, b = int(self.indptr[i]), int(self.indptr[i + 1])
        columns = self.indices[a:b].tolist()
        if self._values is None:
            assert self._numerators is not None
            assert self._denominators is not None
            tops = self._numerators[a:b].tolist()
            return int(self._denominators[i]), list(zip(columns, tops, strict=True))
        values = self._fractions()[a:b]
        own = math.lcm(*(v.denominator for v in values))
        return own, [(j, v.numerator * (own // v.denominator)) for j, v in zip(columns, values, strict=True)]

    def own_denominators(self) -> list[int]:
        """A common denominator of each row's own entries, 1 where it has none. Constant tables only."""
        if self._denominators is not None:
            return [
                1 if empty else d
                for d, empty in zip(self._denominators.tolist(), self.empty_rows, strict=True)
            ]
        return [self.integer_row(i)[0] for i in range(self.rows)]

    def own_numerators(self, entries: Indices) -> list[int]:
        """Stored entries as integers over their own rows' denominators. Constant tables only."""
        if self._numerators is not None:
            return [int(n) for n in self._numerators[entries]]
        own = self.own_denominators()
        values, rows = self._fractions(), self.row_of
        return [values[k].numerator * (own[int(rows[k])] // values[k].denominator) for k in entries.tolist()]

    def bad_rows(self) -> list[tuple[int, Prob]]:
        """The non-empty rows that do not sum to 1 (identically, where parameters occur), with their sums."""
        if self._values is None:
            assert self._numerators is not None
            assert self._denominators is not None
            longest = int(np.diff(self.indptr).max(initial=0))
            if int(self._numerators.max(initial=0)) * longest < _LARGEST_SUM:
                sums = np.zeros(self.rows, dtype=np.int64)
                np.add.at(sums, self.row_of, self._numerators)
                suspects = np.flatnonzero((sums != self._denominators) & ~self.empty_rows)
            else:
                suspects = np.flatnonzero(~self.empty_rows)
            totals = ((i, sum(self.row(i).values(), Fraction(0))) for i in suspects.tolist())
            return [(i, total) for i, total in totals if total != 1]
        found: list[tuple[int, Prob]] = []
        for i in np.flatnonzero(~self.empty_rows).tolist():
            total: Prob = sum(self.row(i).values(), Fraction(0))
            if total != 1:
                found.append((i, total))
        return found

    def negative_entries(self) -> list[tuple[int, Fraction]]:
        """The negative entries, with their rows. Integer tables have none."""
        if self._values is None:
            return []
        rows = self.row_of.tolist()
        return [(i, v) for i, v in zip(rows, self._fractions(), strict=True) if v < 0]

    def _fractions(self) -> Sequence[Fraction]:
        assert self._values is not None
        if not self.is_constant:
            raise ModelError("a table with parameters has no constant entries")
        return self._values  # type: ignore[return-value]

    @classmethod
    def from_arrays(
        cls,
        columns: int,
        indptr: npt.ArrayLike,
        indices: npt.ArrayLike,
        numerators: npt.ArrayLike,
        denominators: npt.ArrayLike,
    ) -> Table:
        """Build from integer arrays; entry k of row i is numerators[k] / denominators[i]."""
        arrays = [np.asarray(a) for a in (indptr, indices, numerators, denominators)]
        if any(a.dtype.kind not in "iu" for a in arrays):
            raise ModelError("a table is built from integer arrays: numerators and denominators, not floats")
        start, column, top, bottom = (a.astype(np.int64) for a in arrays)
        if bottom.ndim == 0:
            bottom = np.full(len(start) - 1, int(bottom), dtype=np.int64)
        if len(start) < 1 or start[0] != 0 or np.any(np.diff(start) < 0) or start[-1] != len(column):
            raise ModelError("indptr must rise from 0 to the number of entries")
        if len(top) != len(column) or len(bottom) != len(start) - 1:
            raise ModelError("numerators go with indices, denominators with rows")
        if len(column) and (column.min() < 0 or column.max() >= columns):
            raise ModelError(f"a column index lies outside 0..{columns - 1}")
        if np.any(top < 0) or np.any(bottom <= 0):
            raise ModelError("entries must be non-negative fractions with positive denominators")
        if len(bottom) and max(int(top.max(initial=0)), int(bottom.max())) >= _EXACT_IN_FLOAT:
            raise ModelError(
                "numerators and denominators must lie below 2**53; use Fractions for larger ones"
            )
        row = np.repeat(np.arange(len(start) - 1, dtype=np.int64), np.diff(start))
        within = np.diff(row) == 0
        if np.any(within & (np.diff(column) <= 0)):
            order = np.lexsort((column, row))
            column, top = column[order], top[order]
            if np.any(within & (np.diff(column) == 0)):
                raise ModelError("a row names a column twice")
        keep = top > 0
        if not keep.all():
            counts = np.zeros(len(start), dtype=np.int64)
            np.cumsum(np.bincount(row[keep], minlength=len(start) - 1), out=counts[1:])
            start, column, top = counts, column[keep], top[keep]
        return cls(columns, start, column, numerators=top, denominators=bottom)
