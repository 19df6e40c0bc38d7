"""Dear rules wait while expanding prefixes gets on, and are tried at once where it does not."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import numpy as np

from faier.engine import epsilon
from faier.engine.tree.pace import Pace, Width
from faier.model.hmm import HMM
from faier.model.table import Table
from faier.scenario.scenario import Scenario

TOLERANCE = Fraction(1, 10**6)


def _after(gaps: list[float], each: int = 5) -> bool:
    pace = Pace(TOLERANCE)
    pace.start(bounded=True)
    for number, gap in enumerate(gaps):
        pace.note(number * each, 2 * (1 + gap), Fraction(2))
    return pace.good


def test_a_gap_that_shrinks_by_a_factor_will_soon_be_closed() -> None:
    assert _after([0.5 * 0.5**k for k in range(6)])


def test_a_gap_that_stays_will_not() -> None:
    assert not _after([0.5] * 6)
    assert not _after([0.5 * (1 - 1e-4) ** k for k in range(6)])


def test_infinite_bounds_are_not_waited_for() -> None:
    assert not _after([inf] * 3)
    pace = Pace(TOLERANCE)
    pace.start(bounded=False)
    assert not pace.good
    pace.note(0, inf, Fraction(1))
    assert not pace.good


def test_many_expansions_for_little_are_too_many() -> None:
    gaps = [0.5 * 0.9**k for k in range(6)]
    assert _after(gaps, each=1)
    assert not _after(gaps, each=1000)


def test_a_dense_model_needs_no_simulation() -> None:
    random = np.random.default_rng(10)

    def rows(count: int, columns: int) -> Table:
        weights = random.integers(1, 1001, size=(count, columns))
        indices = np.tile(np.arange(columns), count)
        starts = np.arange(count + 1) * columns
        return Table.from_arrays(columns, starts, indices, weights.ravel(), weights.sum(axis=1))

    model = HMM.from_tables(rows(10, 5), rows(10, 10))
    tight = epsilon(Scenario.of(model, [("0", "1")], horizon="any"), tolerance=TOLERANCE)
    assert tight.complete
    assert tight.explanation is not None
    assert not any("simulations" in said for said in tight.explanation.tried)


def test_few_prefixes_that_stay_few_are_simply_followed() -> None:
    def after(counts: list[int]) -> bool:
        width = Width()
        for count in counts:
            width.note(count)
        return width.good

    assert after([2, 2, 2, 2])
    assert after([9, 9, 8, 8, 8])
    assert not after([2, 2])
    assert not after([2, 3, 4, 5])
    assert not after([100, 100, 100, 100])
