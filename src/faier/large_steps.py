"""Exact steps of very large sparse models: Python integers in numpy object arrays, so that no loop is in Python."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from faier.model.hmm import HMM
from faier.model.table import Table


class LargeSteps:
    """Rows as dictionaries state -> integer, as in `ExactSteps`."""

    def __init__(self, model: HMM):
        self._model = model
        self._size = len(model.states)
        self._own = [
            a * b for a, b in zip(model.emit.own_denominators(), model.step.own_denominators(), strict=True)
        ]
        self._factors: tuple[int, npt.NDArray[Any]] | None = None

    def advance(self, row: dict[int, int], letter: int, over: int) -> dict[int, int]:
        """Return row L[letter], over the denominator `over`."""
        step = self._model.step
        x = self._dense(row)
        y = x * self._weights(letter) * self._factors_for(over)
        after = np.zeros(self._size + 1, dtype=object)
        if step.stored:
            by_column, starts, columns = self._by_column
            parts = y[step.row_of[by_column]] * self._numerators[by_column]
            after[columns] = np.add.reduceat(parts, starts)
        after[self._size] = y[step.empty_rows].sum() if step.empty_rows.any() else 0
        return _sparse(after)

    def _dense(self, values: dict[int, int]) -> npt.NDArray[Any]:
        dense = np.zeros(self._size, dtype=object)
        values = {i: x for i, x in values.items() if i < self._size}
        places = np.fromiter(values, dtype=np.int64, count=len(values))
        filled = np.empty(len(values), dtype=object)
        filled[:] = list(values.values())
        dense[places] = filled
        return dense

    def _weights(self, letter: int) -> npt.NDArray[Any]:
        """The integer weight of a letter in each state, over the state's own denominator."""
        emit = self._model.emit
        weights = np.zeros(self._size, dtype=object)
        where = np.flatnonzero(emit.indices == letter)
        states = emit.row_of[where]
        weights[states] = _numerators(emit, where)
        return weights

    def _factors_for(self, over: int) -> npt.NDArray[Any]:
        """What each state's own denominator lacks of `over`."""
        if self._factors is None or self._factors[0] != over:
            factors = np.empty(self._size, dtype=object)
            factors[:] = [over // own for own in self._own]
            self._factors = over, factors
        return self._factors[1]

    @cached_property
    def _numerators(self) -> npt.NDArray[Any]:
        return _numerators(self._model.step, np.arange(self._model.step.stored))

    @cached_property
    def _by_column(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        indices = self._model.step.indices
        order = np.argsort(indices, kind="stable")
        columns, starts = np.unique(indices[order], return_index=True)
        return order, starts, columns


def _numerators(table: Table, entries: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Entries as integers over their rows' own denominators."""
    found = np.empty(len(entries), dtype=object)
    found[:] = table.own_numerators(entries)
    return found


def _sparse(dense: npt.NDArray[Any]) -> dict[int, int]:
    where = np.flatnonzero(dense)
    return dict(zip(where.tolist(), dense[where].tolist(), strict=True))
