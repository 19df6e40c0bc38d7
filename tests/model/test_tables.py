"""Large models come in as integer tables; whatever is wrong with them is refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import faier
from faier.errors import ModelError
from faier.model.hmm import HMM
from faier.model.table import Table
from faier.scenario.scenario import Scenario


def bits(rows: list[list[int]]) -> Table:
    flat = [x for row in rows for x in row]
    return Table.from_arrays(2, range(0, 2 * len(rows) + 1, 2), [0, 1] * len(rows), flat, [sum(row) for row in rows])


def ends(states: int) -> Table:
    nothing = np.array([], dtype=np.int64)
    starts, ones = np.zeros(states + 1, dtype=np.int64), np.ones(states, dtype=np.int64)
    return Table.from_arrays(states, starts, nothing, nothing, ones)


def test_a_table_is_the_same_model_as_its_rows():
    model = HMM.from_tables(bits([[1, 3], [3, 1]]), ends(2))
    rows = HMM(emit={"0": {"0": "1/4", "1": "3/4"}, "1": {"0": "3/4", "1": "1/4"}})
    assert model == rows
    assert faier.epsilon(Scenario.of(model, [("0", "1")], horizon=1)).ratio.upper == 3


def test_entries_may_come_in_any_order():
    table = Table.from_arrays(3, [0, 3], [2, 0, 1], [1, 2, 3], [6])
    assert table.row(0) == {0: Fraction(1, 3), 1: Fraction(1, 2), 2: Fraction(1, 6)}


def test_a_column_named_twice_in_a_row_is_refused():
    with pytest.raises(ModelError, match="twice"):
        Table.from_arrays(2, [0, 2], [0, 0], [1, 1], [2])


def test_sums_beyond_64_bits_do_not_wrap_round_to_1():
    count, top = 2049, 2**53 - 1
    wrapped = (count * top) % 2**64
    denominator = wrapped if 0 < wrapped < 2**53 else 2**53 - count
    emit = Table.from_arrays(count, [0, count], np.arange(count), np.full(count, top), [denominator])
    assert emit.bad_rows()
    with pytest.raises(ModelError, match="sums to"):
        HMM.from_tables(emit, ends(1))


def test_negative_entries_are_refused():
    emit = Table.from_rows(2, [{0: Fraction(3, 2), 1: Fraction(-1, 2)}])
    with pytest.raises(ModelError, match="negative"):
        HMM.from_tables(emit, ends(1))


def test_equal_names_are_refused():
    with pytest.raises(ModelError, match="same name"):
        HMM.from_tables(bits([[1, 3], [3, 1]]), ends(2), states=["x", "x"])


def test_floats_are_refused():
    with pytest.raises(ModelError, match="integer arrays"):
        Table.from_arrays(1, [0, 1], [0], [1.0], [1])
