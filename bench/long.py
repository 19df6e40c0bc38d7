"""Long words: a two-state chain at horizons 10, 100 and 1000 exactly, and at every length."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path

import faier
from faier.engine.smt.replay import probability
from faier.verdict import Tight

from .row import Options, Row, expect
from .timing import best

MODEL = Path(__file__).parent.parent / "examples" / "activity_chain.toml"
LOW, HIGH = Fraction("8.35889"), Fraction("8.35890")


def rows(options: Options) -> Iterator[Row]:
    scenario = faier.load(MODEL)
    for horizon in (10, 100) if options.quick else (10, 100, 1000):
        tight, time = best(partial(faier.epsilon, scenario, horizon=horizon), options.repeats)
        expect(tight.exact, f"horizon {horizon}: {tight}")
        ratio, replay = best(partial(replayed, tight), options.repeats)
        expect(ratio == tight.ratio.lower, f"horizon {horizon}: the witness has ratio {ratio}")
        yield Row(
            f"epsilon, horizon {horizon}", f"{float(ratio):.12g}, exact", time,
            "exact replay of the worst word alone", replay,
            f"a fraction of {ratio.denominator.bit_length()} bits",
        )
    tight, time = best(lambda: faier.epsilon(scenario, horizon="any"), options.repeats)
    lower, upper = tight.ratio.lower, tight.ratio.upper
    expect(LOW < lower <= upper < HIGH, f"any: {tight}")
    yield Row("epsilon, any", f"{float(lower):.9g} to 1e-9", time)


def replayed(tight: Tight) -> Fraction:
    """The ratio of the witness, by fractions alone."""
    found = tight.witness
    assert found is not None
    pair = tight.scenario.pairs[found.pair]
    left, right = (pair.left, pair.right) if found.forward else (pair.right, pair.left)
    model = tight.scenario.model
    above = probability(model, left, found.word, ended=found.ended)
    return above / probability(model, right, found.word, ended=found.ended)
