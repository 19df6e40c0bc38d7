"""Dense random models, words of every length, to one part in a million: beside bare products of the same size."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np

import faier
from faier.comparison import Comparison, Floats
from faier.engine.progress import Limits
from faier.engine.tree.anytime import Anytime
from faier.scenario.scenario import Scenario

from . import certificates, models
from .row import FLOOR, Options, Row, expect
from .timing import best

SYMBOLS = 5
FAMILY = "random models at every length, by states"
TOLERANCE = Fraction(1, 10**6)


def rows(options: Options) -> Iterator[Row]:
    for states in (5, 10, 20, 50) if options.quick else (5, 10, 20, 50, 100, 200):
        scenario = Scenario.of(models.dense(states, SYMBOLS, seed=states), [("0", "1")], horizon="any")
        tight, time = best(partial(faier.epsilon, scenario, tolerance=TOLERANCE), options.repeats)
        lower, upper = tight.ratio.lower, tight.ratio.upper
        expect(tight.complete and lower <= upper <= lower * (1 + TOLERANCE), f"{states} states: {tight}")
        comparison = Comparison(scenario)
        search = Anytime(comparison, TOLERANCE, Limits())
        search.run()
        nodes = search.search.nodes.count
        step = comparison.automaton.dense_step
        assert step is not None
        left, right = np.random.default_rng(0).random((2, nodes, states))
        _, floor = best(partial(products, left, right, step), options.repeats)
        yield Row(
            f"epsilon, {states} states, any", f"{float(lower):.7g} to 1e-6", time,
            f"bare products for {nodes} nodes", floor,
            f"exact bounds of {Fraction(lower).denominator.bit_length()} bits",
            family=FAMILY, size=states, series="faier.epsilon",
        )  # fmt: skip
        yield Row(
            f"bare products for {nodes} nodes of {states} states", "", floor,
            family=FAMILY, size=states, series=FLOOR + "products for as many prefixes",
        )  # fmt: skip
        yield from certificates.rows(f"{states} states", tight, scenario, time, options)


def products(left: Floats, right: Floats, matrix: Floats) -> tuple[Floats, Floats]:
    return np.asarray(left @ matrix), np.asarray(right @ matrix)
