"""Small random questions, the same every time: zeros, ends of runs, several pairs, ties with the budget."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction

import reference
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Pair, Scenario

BUDGETS = (
    Budget.of_ratio(2),
    Budget.of_ratio(Fraction(1, 2)),
    Budget.of_ratio(Fraction(7, 2)),
    Budget(power=Fraction(1)),
    Budget(power=Fraction(1, 3), base=Fraction(2)),
    Budget(base=Fraction(5), root=2),
)


def question(seed: int) -> Scenario:
    """A question of 2 to 4 states; every third one claims its own tight ratio, or a little less."""
    dice = random.Random(seed)
    states = [f"s{i}" for i in range(dice.randint(2, 4))]
    symbols = [f"o{i}" for i in range(dice.randint(2, 3))]
    model = HMM(
        emit={s: _row(dice, symbols) for s in states},
        step={s: _row(dice, states) for s in states if dice.random() < 0.8},
    )
    pairs = tuple(
        Pair(_belief(dice, f"left{i}", model), _belief(dice, f"right{i}", model), one_way=dice.random() < 0.3)
        for i in range(dice.choice((1, 1, 2, 3)))
    )
    claim = Claim(dice.choice(BUDGETS), dice.randint(1, 4), dice.choice(("either", "both")))
    scenario = Scenario(model, pairs, claim)
    tight = reference.tight(scenario, claim.horizon)
    if seed % 3 == 0 and tight not in (0, math.inf):
        tied = Budget.of_ratio(Fraction(tight) * (1 - Fraction(seed % 2, 10**9)))
        scenario = replace(scenario, claim=replace(claim, budget=tied))
    return scenario


def _row(dice: random.Random, names: list[str]) -> dict[str, Fraction]:
    weights = [dice.choice((0, 1, 1, 2, 5)) for _ in names]
    weights[dice.randrange(len(names))] += 1
    return {name: Fraction(w, sum(weights)) for name, w in zip(names, weights, strict=True) if w}


def _belief(dice: random.Random, name: str, model: HMM) -> Belief:
    states = [str(s) for s in model.states]
    if dice.random() < 0.5:
        return Belief.at(dice.choice(states))
    return Belief.of(name, _row(dice, states), model)
