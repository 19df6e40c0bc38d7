"""Exact steps of very large sparse models: Python integers in numpy object arrays, so that no loop runs in Python."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from faier.model.hmm import HMM
from faier.model.table import Table


class LargeSteps:
    """Rows and columns as dictionaries state -> integer, as in `Automaton`, with the same units."""

    def __init__(self, model: HMM):
        self._model = model
        self._size = len(model.states)
        self._step_factor = _factors(model.step)
        self._emit_factor = _factors(model.emit)

    def advance(self, row: dict[int, int], letter: int) -> dict[int, int]:
        step = self._model.step
        x = self._dense(row)
        y = x * self._weights(letter) * self._step_factor
        after = np.zeros(self._size + 1, dtype=object)
        if step.stored:
            by_column, starts, columns = self._by_column
            parts = y[step.row_of[by_column]] * self._numerators[by_column]
            after[columns] = np.add.reduceat(parts, starts)
        after[self._size] = y[step.empty_rows].sum() if step.empty_rows.any() else 0
        return _sparse(after)

    def retreat(self, column: dict[int, int], letter: int) -> dict[int, int]:
        step = self._model.step
        v = self._dense(column)
        done = column.get(self._size, 0)
        before = np.zeros(self._size, dtype=object)
        full = np.flatnonzero(~step.empty_rows)
        if len(full):
            before[full] = np.add.reduceat(v[step.indices] * self._numerators, step.indptr[full])
        before[step.empty_rows] = done
        return _sparse(before * self._step_factor * self._weights(letter))

    def _dense(self, values: dict[int, int]) -> npt.NDArray[Any]:
        dense = np.zeros(self._size, dtype=object)
        values = {i: x for i, x in values.items() if i < self._size}
        places = np.fromiter(values, dtype=np.int64, count=len(values))
        filled = np.empty(len(values), dtype=object)
        filled[:] = list(values.values())
        dense[places] = filled
        return dense

    def _weights(self, letter: int) -> npt.NDArray[Any]:
        """The integer weight of a letter in each state, over the common denominator of emit."""
        emit = self._model.emit
        weights = np.zeros(self._size, dtype=object)
        where = np.flatnonzero(emit.indices == letter)
        states = emit.row_of[where]
        weights[states] = _numerators(emit, where) * self._emit_factor[states]
        return weights

    @cached_property
    def _numerators(self) -> npt.NDArray[Any]:
        return _numerators(self._model.step, np.arange(self._model.step.stored))

    @cached_property
    def _by_column(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        indices = self._model.step.indices
        order = np.argsort(indices, kind="stable")
        columns, starts = np.unique(indices[order], return_index=True)
        return order, starts, columns


def _factors(table: Table) -> npt.NDArray[Any]:
    """For each row the common denominator of the table over the row's own (1/1 for an empty row)."""
    own = table.own_denominators()
    scale = table.denominator
    factors = np.empty(len(own), dtype=object)
    factors[:] = [scale // d for d in own]
    return factors


def _numerators(table: Table, entries: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Entries as integers over their rows' own denominators."""
    found = np.empty(len(entries), dtype=object)
    found[:] = table.own_numerators(entries)
    return found


def _sparse(dense: npt.NDArray[Any]) -> dict[int, int]:
    where = np.flatnonzero(dense)
    return dict(zip(where.tolist(), dense[where].tolist(), strict=True))
