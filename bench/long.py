"""Long words: a two-state chain at horizons 10, 100 and 1000 exactly, and at every length."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import ceil
from pathlib import Path

import faier
from faier.engine.smt.replay import probability
from faier.scenario.scenario import Scenario
from faier.verdict import Tight

from .row import FLOOR, Options, Row, expect
from .solvers import Growth, name
from .timing import best

MODEL = Path(__file__).parent.parent / "examples" / "activity_chain.toml"
FAMILY = "two-state chain, by symbols"
LOW, HIGH = Fraction("8.35889"), Fraction("8.35890")


def rows(options: Options) -> Iterator[Row]:
    scenario = faier.load(MODEL)
    yield from _growth(scenario, options)
    for horizon in (10, 30, 100) if options.quick else (10, 30, 100, 300, 1000):
        tight, time = best(partial(faier.epsilon, scenario, horizon=horizon), options.repeats)
        expect(tight.exact, f"horizon {horizon}: {tight}")
        ratio, replay = best(partial(replayed, tight), options.repeats)
        expect(ratio == tight.ratio.lower, f"horizon {horizon}: the witness has ratio {ratio}")
        yield Row(
            f"epsilon, horizon {horizon}", f"{float(ratio):.12g}, exact", time,
            "exact replay of the worst word alone", replay,
            f"a fraction of {ratio.denominator.bit_length()} bits",
            family=FAMILY, size=horizon, series="faier.epsilon",
        )  # fmt: skip
        yield Row(
            f"replay of the worst word of {horizon}", f"{float(ratio):.12g}", replay,
            family=FAMILY, size=horizon, series=FLOOR + "replay of the worst word",
        )  # fmt: skip
    tight, time = best(lambda: faier.epsilon(scenario, horizon="any"), options.repeats)
    lower, upper = tight.ratio.lower, tight.ratio.upper
    expect(LOW < lower <= upper < HIGH, f"any: {tight}")
    yield Row("epsilon, any", f"{float(lower):.9g} to 1e-9", time)


def _growth(scenario: Scenario, options: Options) -> Iterator[Row]:
    """A claim a little above the tight ratio at a few symbols, until the solvers have stopped."""
    solvers = Growth(FAMILY, options)
    for horizon in (2, 4, 8, 16) if options.quick else (2, 4, 8, 16, 32, 64):
        tight = faier.epsilon(scenario, horizon=horizon)
        claim = scenario.claiming(ratio=rounded_up(tight), horizon=horizon)
        verdict, time = best(partial(faier.verify, claim), options.repeats)
        expect(name(verdict) == "holds", f"{horizon} symbols: {verdict}")
        what = f"a claim at {horizon} symbols"
        yield Row(f"verify, {what}", "holds", time, family=FAMILY, size=horizon, series="faier.verify")
        yield from solvers.rows(claim, horizon, "holds", what, time)


def rounded_up(tight: Tight) -> Fraction:
    """The tight ratio to three digits after the point, upwards: a claim that holds, of short numbers."""
    return Fraction(ceil(1000 * Fraction(tight.ratio.upper)), 1000)


def replayed(tight: Tight) -> Fraction:
    """The ratio of the witness, by fractions alone."""
    found = tight.witness
    assert found is not None
    pair = tight.scenario.pairs[found.pair]
    left, right = (pair.left, pair.right) if found.forward else (pair.right, pair.left)
    model = tight.scenario.model
    above = probability(model, left, found.word, ended=found.ended)
    return above / probability(model, right, found.word, ended=found.ended)
