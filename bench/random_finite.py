"""Dense random models at a finite horizon, by states and by symbols: beside bare products, and Algorithm 1."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

import faier
from faier.comparison import Comparison, Floats
from faier.scenario.scenario import Scenario

from . import models
from .long import rounded_up
from .row import FLOOR, Options, Row, expect
from .solvers import Growth, name
from .timing import best

HORIZON = 3
STATES, SYMBOLS = 4, 3
"""What is held while the other grows."""
BY_STATES = "random models at horizon 3, by states"
BY_SYMBOLS = "random models at horizon 3, by kinds of symbols"


def rows(options: Options) -> Iterator[Row]:
    solvers = Growth(BY_STATES, options)
    for states in (2, 4, 8, 16, 64) if options.quick else (2, 4, 8, 16, 32, 64, 128, 256):
        yield from _case(BY_STATES, states, models.dense(states, SYMBOLS, seed=states), solvers, options)
    solvers = Growth(BY_SYMBOLS, options)
    for symbols in (2, 4, 8, 16) if options.quick else (2, 4, 8, 16, 32, 64, 128):
        yield from _case(BY_SYMBOLS, symbols, models.dense(STATES, symbols, seed=symbols), solvers, options)


def _case(family: str, size: int, model: faier.HMM, solvers: Growth, options: Options) -> Iterator[Row]:
    scenario = Scenario.of(model, [("0", "1")], horizon=HORIZON)
    tight, time = best(partial(faier.epsilon, scenario), options.repeats)
    what = f"{len(model.states)} states, {len(model.symbols)} kinds of symbols, horizon {HORIZON}"
    comparison = Comparison(scenario)
    worst, floor = best(partial(_every_word, comparison), options.repeats)
    near = abs(worst - float(tight.ratio.upper)) < 1e-9 * worst
    expect(tight.exact and near, f"{what}: {tight}, by products {worst}")
    bare = "products for every word"
    yield Row(f"epsilon, {what}", f"{worst:.7g}, exact", time, bare, floor).at(family, size, "faier.epsilon")
    yield Row(f"{bare}, {what}", f"{worst:.7g}", floor).at(family, size, FLOOR + bare)
    claim = scenario.claiming(ratio=rounded_up(tight))
    verdict, time = best(partial(faier.verify, claim), options.repeats)
    expect(name(verdict) == "holds", f"{what}: {verdict}")
    yield Row(f"verify, {what}", "holds", time, bare, floor).at(family, size, "faier.verify")
    yield from solvers.rows(claim, size, "holds", what, time)


def _every_word(comparison: Comparison) -> float:
    """The largest ratio either way, by the forward vectors of all words in floats."""
    automaton = comparison.automaton
    step = automaton.dense_step
    assert step is not None
    size = automaton.size
    sides = [_start(comparison, belief) for belief in (comparison.directions[0].left, comparison.directions[0].right)]
    worst = 1.0
    for _ in range(HORIZON):
        seen = [(side[:, None, :size] * automaton.emit.T[None]).reshape(-1, size) for side in sides]
        above, below = (found.sum(axis=1) for found in seen)
        worst = max(worst, float((above / below).max()), float((below / above).max()))
        sides = [np.asarray(found @ step) for found in seen]
    return worst


def _start(comparison: Comparison, belief: int) -> Floats:
    row = np.zeros((1, comparison.automaton.size + 1))
    for state, weight in comparison.weights(belief):
        row[0, state] = float(weight)
    return row
