"""Ten thousand questions, the same every time and everywhere: one for each seed."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from random import Random

import reference
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Pair, Scenario

BUDGETS = (
    Budget.of_ratio(1),
    Budget.of_ratio(2),
    Budget.of_ratio(Fraction(7, 2)),
    Budget.of_ratio(10),
    Budget.of_ratio(Fraction(2, 3)),
    Budget(power=Fraction(1)),
    Budget(power=Fraction(1, 3), base=Fraction(2)),
    Budget(base=Fraction(5), root=2),
)
WEIGHTS = ((0, 1, 1, 2, 5), (0, 0, 1), (1, 2, 3, 7, 100), (1,), (0, 1, 10**9, 10**12))


def question(seed: int) -> Scenario:
    """Up to 5 states and 3 symbols, up to 4 letters; every fourth claims its own tight ratio, or hardly less."""
    dice = Random(seed)
    weights = dice.choice(WEIGHTS)
    states = [f"s{i}" for i in range(dice.randint(1, 5))]
    symbols = [f"o{i}" for i in range(dice.randint(1, 3))]
    goes_on = dice.choice((0.5, 0.8, 1.0))
    model = HMM(
        emit={s: _row(dice, symbols, weights) for s in states},
        step={s: _row(dice, states, weights) for s in states if dice.random() < goes_on},
    )
    pairs = tuple(
        Pair(
            _belief(dice, f"left{i}", model, weights),
            _belief(dice, f"right{i}", model, weights),
            one_way=dice.random() < 0.3,
        )
        for i in range(dice.choice((1, 1, 1, 2, 3)))
    )
    length = dice.randint(1, 4)
    scenario = Scenario(model, pairs, Claim(dice.choice(BUDGETS), length, dice.choice(("either", "both"))))
    tight = reference.tight(scenario, length)
    if seed % 4 == 0 and tight not in (0, math.inf):
        tied = Budget.of_ratio(Fraction(tight) * (1 - Fraction(seed % 8, 4 * 10**12)))
        scenario = replace(scenario, claim=replace(scenario.claim, budget=tied))
    return scenario


def _row(dice: Random, names: list[str], weights: tuple[int, ...]) -> dict[str, Fraction]:
    drawn = [dice.choice(weights) for _ in names]
    if not any(drawn):
        drawn[dice.randrange(len(names))] = 1
    return {name: Fraction(w, sum(drawn)) for name, w in zip(names, drawn, strict=True) if w}


def _belief(dice: Random, name: str, model: HMM, weights: tuple[int, ...]) -> Belief:
    states = [str(s) for s in model.states]
    if dice.random() < 0.5:
        return Belief.at(dice.choice(states))
    return Belief.of(name, _row(dice, states, weights), model)
