"""The state at every step at once: at a horizon, and over words of every length, from two kinds of starts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import faier
from faier.model.backward import stationary
from faier.model.hmm import HMM
from faier.scenario.scenario import Horizon, Scenario
from faier.verdict import Tight

from . import models
from .lengths import activities
from .row import Options, Row, expect
from .timing import best

HORIZON = 30
SECONDS = 120
RANDOM = (5, 10, 20)
SYMBOLS = 4


def rows(options: Options) -> Iterator[Row]:
    chain = faier.library.markov_release()
    for horizon in (10 if options.quick else HORIZON, "any"):
        yield _row("a chain of 2 states, uniform at first", chain.scenario(at="every"), horizon, options)
    for states in RANDOM[:1] if options.quick else RANDOM:
        model = models.dense(states, SYMBOLS, seed=states)
        scenario = Scenario.of(model, [faier.Gate("0", "every", ["0"], ["1"])])
        for horizon in (10 if options.quick else HORIZON, "any"):
            yield _row(f"{states} random states, from the first", scenario, horizon, options)
    if not options.quick:
        home = _always(activities().model)
        yield _row(f"{len(home.model.states)} activities at home, as likely at first as ever", home, "any", options)


def _row(what: str, scenario: Scenario, horizon: Horizon, options: Options) -> Row:
    """No step of a short horizon exceeds what is said of all of them."""
    tight, time = best(partial(faier.epsilon, scenario, horizon=horizon, timeout=SECONDS), options.repeats)
    short: Tight = faier.epsilon(scenario, horizon=4)
    expect(tight.complete, f"{what}: {tight}")
    expect(short.ratio.lower <= tight.ratio.upper, f"{what}: {short} against {tight}")
    reach = "at every length" if horizon == "any" else f"at horizon {horizon}"
    note = "to 1e-9" if horizon == "any" else "exact"
    name = f"the state at every step {reach}, {what}"
    return Row(name, f"ratio {float(tight.ratio.lower):.7g}", time, note=note)


def _always(model: HMM) -> Scenario:
    """Two activities, in a home that has been lived in for long."""
    start = stationary(model, range(len(model.states)))
    assert start is not None
    beliefs = {"as ever": {model.states[i]: p for i, p in start.items()}}
    gate = faier.Gate("as ever", "every", [model.states[1]], [model.states[2]])
    return Scenario.of(model, [gate], beliefs=beliefs)
