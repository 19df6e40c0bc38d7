"""Words of every length on random models of many kinds: which share is decided, and is a bound ever wrong?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import inf

from faier.certificate import certify
from faier.engine import epsilon
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.toml_write import dumps
from faier.scenario.load import loads
from faier.scenario.scenario import Claim, Pair, Scenario
from faier.trace import Tree
from faier.verdict import Tight
from faier_check import check

from .beam import worst_of_long_words
from .chains import KINDS
from .row import Options, Row, expect
from .timing import Time, once

TOLERANCE = Fraction(1, 10**6)
SECONDS = 10.0
SIZES = 2, 5, 10, 25, 50, 100, 200
MOST = {"hidden": 10, "reducible": 25}
"""A hidden model of n states has n^2 + n. Of larger reducible ones most stay open, each until its limit."""
MODELS = "{} models of {} to {} states"
ACTIVITIES = 50


@dataclass(frozen=True)
class Answer:
    """How one model was answered. Seconds are of the processor: a busy machine must not make an answer look late."""

    end: str
    seconds: float
    rules: frozenset[str]

    @property
    def decided(self) -> bool:
        return self.end != "open" and self.seconds <= SECONDS


def rows(options: Options) -> Iterator[Row]:
    for kind in KINDS:
        sizes = [n for n in (SIZES[:3] if options.quick else SIZES) if n <= MOST.get(kind, n)]
        every: list[Answer] = []
        for states in sizes:
            answers, time = once(partial(_answers, kind, states, _count(states, options)))
            every += answers
            yield _row(f"{kind}, {states} states", answers, time)
        yield _row(MODELS.format(kind, sizes[0], sizes[-1]), every, Time(*[sum(a.seconds for a in every)] * 2))
    yield _activities("the first state", activities())
    yield _activities("the fourth state", inside(activities()))


def _count(states: int, options: Options) -> int:
    """How many models of a kind and a size."""
    count = 4 if options.quick else 100 if options.full else 20
    return count if states <= 25 else count // 2 if states <= 50 else count // 4


def _answers(kind: str, states: int, count: int) -> list[Answer]:
    """No bound lies below a word that was found apart from the search, and every certificate is accepted."""
    found = []
    for seed in range(count):
        scenario = KINDS[kind](states, seed)
        tight, seconds = _within(scenario)
        worst = worst_of_long_words(scenario)
        expect(
            worst <= tight.ratio.upper,
            f"{kind}, {states} states, seed {seed}: a word has the ratio {float(worst)}, beyond {tight}",
        )
        _accepted(scenario, tight)
        rules = {step.rule for step in tight.trace.steps} if isinstance(tight.trace, Tree) else set()
        found.append(Answer(_end(tight), seconds, frozenset(rules)))
    return found


def _within(scenario: Scenario) -> tuple[Tight, float]:
    """The answer, and its seconds: once more where the clock ended it and the processor was somebody else's."""
    limit = SECONDS
    for _ in range(2):
        tight, spent = once(partial(epsilon, scenario, tolerance=TOLERANCE, seconds=limit))
        if tight.complete or spent.process >= 0.9 * SECONDS or spent.wall < 0.9 * limit:
            break
        limit = 1.2 * SECONDS * spent.wall / spent.process
    return tight, spent.process


def _accepted(scenario: Scenario, tight: Tight) -> None:
    if tight.complete:
        check(json.dumps(certify(tight)).encode(), dumps(scenario).encode())


def _row(what: str, answers: list[Answer], time: Time) -> Row:
    decided = sum(a.decided for a in answers)
    ends = Counter(a.end for a in answers)
    rules = Counter(rule for a in answers for rule in a.rules - {"expand", "end", "dominate"})
    listed = ", ".join(f"{n} {end}" for end, n in sorted(ends.items()))
    used = "".join(f", {rule} in {n}" for rule, n in sorted(rules.items()))
    slowest = f"; the slowest decided {max(a.seconds for a in answers if a.decided):.2g} s" if decided else ""
    return Row(what, f"{decided} of {len(answers)} decided", time, note=f"{listed}{slowest}{used}")


def _end(tight: Tight) -> str:
    if not tight.complete:
        return "open"
    if tight.diverges is not None:
        return "divergent"
    return "infinite by a word" if tight.ratio.upper == inf else "finite"


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
    worst = worst_of_long_words(scenario)
    expect(worst <= tight.ratio.upper, f"{float(worst)} > {tight}")
    _accepted(scenario, tight)
    return Row(
        f"epsilon of {ACTIVITIES} activities at home, {secret}", f"ratio {float(tight.ratio.lower):.7g}", spent,
        note="words of every length, to 1e-6",
    )  # fmt: skip
