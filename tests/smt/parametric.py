"""Small random questions with unknown parameters, and the same question at values of them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

import reference
from faier.errors import NumberError
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.number.budget import Budget
from faier.number.exact import Prob
from faier.scenario.scenario import Claim, Pair, Scenario

PAIRS = (
    ("p", "1-p"),
    ("p^2", "1-p^2"),
    ("p*q", "1-p*q"),
    ("1/(1+p)", "p/(1+p)"),
    ("(p+q)/2", "1-(p+q)/2"),
    ("(1+q)/(2+p+q)", "(1+p)/(2+p+q)"),
    ("1/2", "1/2"),
    ("1/4", "3/4"),
    ("0", "1"),
)
RANGES = ("0 < _ < 1", "1/4 <= _ <= 1/2", "0 <= _ < 1/2", "1/3 < _ <= 1")
BUDGETS = (
    Budget.of_ratio(2),
    Budget.of_ratio(1),
    Budget.of_ratio(Fraction(1, 2)),
    Budget.of_ratio(4),
    Budget(power=Fraction(1)),
)


def question(seed: int) -> Scenario:
    """Two or three states and two symbols; every probability a quotient of polynomials in p and q."""
    dice = random.Random(seed)
    states = [f"s{i}" for i in range(dice.randint(2, 3))]
    constraints = dice.choice(((), (), (), ("p + q <= 1",), ("p >= q^2",), ("p + 2*q == 1",)))
    parameters = {name: dice.choice(RANGES).replace("_", name) for name in "pq"}
    if constraints == ("p + 2*q == 1",):
        parameters = {"p": "0 < p < 1", "q": "0 < q < 1"}
    model = HMM(
        {s: _row(dice, ["a", "b"]) for s in states},
        {s: _row(dice, dice.sample(states, 2)) for s in states if dice.random() < 0.6},
        parameters,
        constraints,
    )
    pairs = tuple(
        Pair(_belief(dice, f"l{i}", model), _belief(dice, f"r{i}", model), one_way=dice.random() < 0.3)
        for i in range(dice.choice((1, 1, 2)))
    )
    claim = Claim(dice.choice(BUDGETS), dice.choice((1, 2)), dice.choice(("either", "either", "both")))
    scenario = Scenario(model, pairs, claim)
    return scenario.claiming(ratio="(1+p)/(p*p+q)") if seed % 7 == 0 else scenario


def _row(dice: random.Random, names: list[str]) -> dict[str, str]:
    return dict(zip(names, dice.choice(PAIRS), strict=True))


def _belief(dice: random.Random, name: str, model: HMM) -> Belief:
    states = [str(s) for s in model.states]
    if dice.random() < 0.3:
        return Belief.at(dice.choice(states))
    return Belief.of(name, _row(dice, dice.sample(states, 2)), model)


def grid(scenario: Scenario, steps: int = 6) -> Iterator[dict[str, Fraction]]:
    """Values in the ranges that keep the constraints, their ends and what is close to open ends included."""
    axes = []
    for name, r in scenario.model.unknowns.ranges.items():
        near = [Fraction(k, steps) for k in range(steps + 1)] + [Fraction(1, 1000), Fraction(999, 1000)]
        axes.append([(name, x) for t in near if (x := r.lower + (r.upper - r.lower) * t) in r])
    for point in itertools.product(*axes):
        values = dict(point)
        if scenario.model.constraints == ("p + 2*q == 1",):
            values["p"] = 1 - 2 * values["q"]
        if allowed(scenario, values):
            yield values


def allowed(scenario: Scenario, values: Mapping[str, Fraction]) -> bool:
    """The values lie in the ranges and keep the constraints, which are written in Python's syntax but for ^."""
    inside = all(values[name] in r for name, r in scenario.model.unknowns.ranges.items())
    return inside and all(eval(t.replace("^", "**"), {}, dict(values)) for t in scenario.model.constraints)


def at(scenario: Scenario, values: Mapping[str, Fraction]) -> Scenario | None:
    """The question where the parameters have these values; pairs that have no value there are left out."""

    def value(p: Prob) -> Fraction:
        return p if isinstance(p, Fraction) else p.evaluate(values)

    def belief(b: Belief) -> Belief:
        return Belief(b.name, {s: value(p) for s, p in b.weights.items()})

    emit = {s: {o: value(p) for o, p in row.items()} for s, row in scenario.model.emit_rows().items()}
    step = {s: {o: value(p) for o, p in row.items()} for s, row in scenario.model.step_rows().items()}
    pairs = []
    for pair in scenario.pairs:
        try:
            pairs.append(Pair(belief(pair.left), belief(pair.right), pair.one_way))
        except NumberError:
            continue
    if not pairs:
        return None
    budget = scenario.claim.budget
    if not isinstance(budget, Budget):
        budget = Budget.of_ratio(budget.evaluate(values))
    model = HMM(emit, step)
    return replace(scenario, model=model, pairs=tuple(pairs), claim=replace(scenario.claim, budget=budget), beliefs={})


def broken_at(scenario: Scenario, values: Mapping[str, Fraction]) -> bool:
    there = at(scenario, values)
    if there is None:
        return False
    words = reference.counted(there, there.claim.horizon)
    return any(
        not reference.allows(there.claim.budget, reference._ratio(left, right)) for *_, left, right in words
    )
