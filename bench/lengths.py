"""Words of every length on random models of six kinds: which share is decided, and is a bound ever wrong?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import inf

import numpy as np

from faier.comparison import Comparison
from faier.engine import epsilon
from faier.engine.words import Found, value_of
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.toml_write import dumps
from faier.scenario.load import loads
from faier.scenario.scenario import Claim, Pair, Scenario
from faier.verdict import Tight

from .chains import KINDS
from .row import Options, Row, expect
from .timing import Time, once

TOLERANCE = Fraction(1, 10**6)
SECONDS = 10.0
LENGTH = 60
WIDTH = 20
ACTIVITIES = 50


def rows(options: Options) -> Iterator[Row]:
    sizes = (2, 5) if options.quick else (2, 5, 10, 25, 100) if not options.full else (2, 5, 10, 25, 50, 100, 200)
    count = 5 if options.quick else 100 if options.full else 20
    for kind, make in KINDS.items():
        for states in sizes:
            if kind == "hidden" and states > 5:
                continue
            yield _share(kind, states, [make(states, seed) for seed in range(count if states <= 25 else count // 4)])
    yield _activities("the first state", activities())
    yield _activities("the fourth state", inside(activities()))


def _share(kind: str, states: int, scenarios: list[Scenario]) -> Row:
    """How many are decided to the tolerance within the seconds; no bound lies below a word that was found apart."""
    ends: Counter[str] = Counter()
    slowest = wall = process = 0.0
    for scenario in scenarios:
        tight, spent = once(partial(epsilon, scenario, tolerance=TOLERANCE, seconds=SECONDS))
        wall, process, slowest = wall + spent.wall, process + spent.process, max(slowest, spent.wall)
        ends[_end(tight)] += 1
        worst = _worst_of_long_words(scenario)
        expect(tight.ratio.upper == inf or worst <= tight.ratio.upper, f"{kind}, {states} states: {worst} > {tight}")
    share = 1 - ends["open"] / len(scenarios)
    listed = ", ".join(f"{n} {name}" for name, n in sorted(ends.items()))
    return Row(
        f"{len(scenarios)} {kind} models of {states} states", f"{100 * share:.0f} % decided",
        Time(wall, process), note=f"{listed}; the slowest {slowest:.2g} s",
    )  # fmt: skip


def _end(tight: Tight) -> str:
    if not tight.complete:
        return "open"
    if tight.diverges is not None:
        return "divergent"
    return "infinite by a word" if tight.ratio.upper == inf else "finite"


def _worst_of_long_words(scenario: Scenario) -> Fraction | float:
    """The worst word of a plain beam in floats, with its exact ratio: independent of the search."""
    comparison = Comparison(scenario)
    automaton = comparison.automaton
    dense = automaton.dense_step
    assert dense is not None
    size = automaton.size
    best: tuple[float, Found] | None = None
    for number, direction in enumerate(comparison.directions):
        rows = np.zeros((1, 2, size + 1))
        for side, belief in enumerate((direction.left, direction.right)):
            for i, p in comparison.weights(belief):
                rows[0, side, i] = float(p)
        words: list[tuple[int, ...]] = [()]
        for _ in range(LENGTH):
            following = (rows[:, None, :, :size] * automaton.emit.T[None, :, None, :]) @ dense
            following = following.reshape(-1, 2, size + 1)
            sums = following.sum(axis=2)
            possible = (sums > 1e-280).all(axis=1)
            ratio = np.where(possible, sums[:, 0] / np.where(possible, sums[:, 1], 1), 0.0)
            order = np.argsort(-ratio, kind="stable")[:WIDTH]
            order = order[ratio[order] > 0]
            words = [(*words[k // automaton.letters], int(k % automaton.letters)) for k in order]
            if not words:
                break
            rows = following[order]
            if best is None or ratio[order[0]] > best[0]:
                best = float(ratio[order[0]]), Found(number, words[0], False)
    return Fraction(0) if best is None else value_of(comparison, best[1])


def activities(states: int = ACTIVITIES, groups: int = 5) -> Scenario:
    """Activities at home in groups; one mostly goes on with what one does, and each reading is randomised response."""
    names = [f"activity {i}" for i in range(states)]
    labels = [f"group {g}" for g in range(groups)]
    other = Fraction(2, 5) / (groups - 1)
    emit = {
        name: {label: Fraction(3, 5) if g == i % groups else other for g, label in enumerate(labels)}
        for i, name in enumerate(names)
    }
    weights = {
        i: {j: 200 if i == j else 1 + (7 * i + 3 * j) % 5 for j in range(states)} for i in range(states)
    }
    step = {
        names[i]: {names[j]: Fraction(w, sum(row.values())) for j, w in row.items()} for i, row in weights.items()
    }
    model = HMM(emit, step)
    pairs = tuple(Pair(Belief.at(names[0]), Belief.at(name)) for name in names[1:groups])
    return Scenario(model, pairs, Claim(horizon="any"))


def inside(scenario: Scenario, at: int = 4) -> Scenario:
    """The same model, asked about the state that emits a symbol inside the run: two activities of different groups."""
    text = dumps(scenario)
    question = f"""
[[compare]]
from = "activity 0"
at = {at}
left = ["activity 1"]
right = ["activity 2"]

[claim]
horizon = "any"
"""
    return loads(text[: text.index("[[compare]]")] + question)


def _activities(secret: str, scenario: Scenario) -> Row:
    tight, spent = once(partial(epsilon, scenario, tolerance=TOLERANCE, seconds=120))
    expect(tight.complete, str(tight))
    worst = _worst_of_long_words(scenario)
    expect(worst <= tight.ratio.upper, f"{worst} > {tight}")
    return Row(
        f"epsilon of {ACTIVITIES} activities at home, {secret}", f"ratio {float(tight.ratio.lower):.7g}", spent,
        note="words of every length, to 1e-6",
    )  # fmt: skip
