"""Noisy max where every answer may move, by data sets of each kind: up to 3^20 data sets, and 11^5."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

import faier
from faier.comparison import Comparison

from .row import FLOOR, Options, Row, expect
from .solvers import Growth
from .timing import best, once

_ALL_DATA_SETS = 5
FAMILY = "noisy max, by queries"


def rows(options: Options) -> Iterator[Row]:
    solvers = Growth(FAMILY, options)
    for queries in (2, 3, 5, 7, 10) if options.quick else (2, 3, 4, 5, 6, 7, 8, 9, 10, 20):
        yield from _case(queries, 2, options, solvers)
    yield from _case(3 if options.quick else 5, 10, options, solvers)


def _case(queries: int, counts: int, options: Options, solvers: Growth) -> Iterator[Row]:
    def ask() -> faier.Scenario:
        # A new mechanism each time, as it remembers its distributions.
        noisy = faier.library.noisy_max(queries=queries, counts=counts)
        return faier.differential_privacy(noisy, adjacent=faier.each_within(1), exchangeable=True)

    scenario, build = best(ask, options.repeats)
    name = f"{queries} queries, counts 0..{counts}"
    sizes = f"{len(scenario.model.states):,} states, {len(scenario.pairs):,} pairs"
    yield Row(f"{name}: verify the symmetry, build the model", sizes, build)

    tight, time = best(lambda: faier.epsilon(scenario), options.repeats)
    worst = _worst_neighbours(queries, counts)
    expect(tight.ratio.lower == tight.ratio.upper == worst, f"tight ratio {tight.ratio}, not {worst}")
    comparison = Comparison(scenario)
    left = np.array([d.left for d in comparison.directions])
    right = np.array([d.right for d in comparison.directions])
    # One data set is one state, and its first symbol is the place that is told apart.
    states = np.array([next(comparison.weights(b))[0] for b in range(len(comparison.beliefs))])
    values = comparison.automaton.emit[states, 0]
    floor, product = best(lambda: float((values[left] / values[right]).max()), options.repeats)
    expect(abs(floor - float(worst)) < 1e-9, f"the floor says {floor}")
    answer = str(worst) if len(str(worst)) < 30 else f"exact, {float(worst):.9f}"
    found = Row(f"{name}: epsilon", answer, time, "gather and divide of the same pairs", product)
    if counts == 2:
        yield found.at(FAMILY, queries, "faier.epsilon, by symmetry")
        bare = Row(f"{name}: gather and divide of the same pairs", f"{floor:.9g}", product)
        yield bare.at(FAMILY, queries, FLOOR + "gather of the same pairs")
    else:
        yield found

    if queries <= _ALL_DATA_SETS and counts == 2:
        noisy = faier.library.noisy_max(queries=queries, counts=counts)
        whole, making = once(lambda: faier.differential_privacy(noisy, adjacent=faier.each_within(1)))
        listed, every = best(lambda: faier.epsilon(whole), options.repeats)
        expect(listed.ratio == tight.ratio, f"all data sets: {listed.ratio}")
        sizes = f"{len(whole.model.states):,} states, {len(whole.pairs):,} pairs"
        yield Row(f"{name}: all data sets, build the model", sizes, making)
        listing = Row(f"{name}: all data sets, epsilon", answer, every, "epsilon by symmetry", time)
        yield listing.at(FAMILY, queries, "faier.epsilon, all data sets")
        yield from solvers.rows(
            whole.claiming(ratio=worst), queries, "holds", f"{name}: all data sets, the tight ratio", every
        )


def _worst_neighbours(queries: int, counts: int) -> Fraction:
    """From the definition of the mechanism: one answer leaves the bottom, all others leave the top."""
    noisy = faier.library.noisy_max(queries=queries, counts=counts)
    left = noisy.distribution((1,) + (counts - 1,) * (queries - 1)).of(1)
    right = noisy.distribution((0,) + (counts,) * (queries - 1)).of(1)
    assert isinstance(left, Fraction)
    assert isinstance(right, Fraction)
    return left / right
