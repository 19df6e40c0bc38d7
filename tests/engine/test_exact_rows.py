"""Exact rows and columns, however they are computed, against the definition."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge import examples

import strategies
from faier import exact_steps
from faier.comparison import Comparison
from faier.definition import forward
from faier.engine.words import row_after
from faier.exact_steps import ExactSteps
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.scenario.scenario import Claim, Pair, Scenario

ways = pytest.mark.parametrize("many", [20_000, 0], ids=["loops", "arrays"])


def judge_rows(scenario: Scenario, letters: tuple[int, ...]) -> None:
    comparison, model = Comparison(scenario), scenario.model
    word = tuple(model.symbols[s] for s in letters)
    for number, direction in enumerate(comparison.directions):
        pair = scenario.pairs[direction.pair]
        sides = (pair.left, pair.right) if direction.forward else (pair.right, pair.left)
        row = row_after(comparison, number, letters)
        for found, belief in zip((row.left, row.right), sides, strict=True):
            truth = forward(model, dict(belief.weights), word)
            names = [*model.states, None]
            assert {names[i]: x * row.unit for i, x in found.items() if x} == truth


@ways
def test_small_models(many):
    @examples(40)
    @given(scenario=strategies.scenarios(), letters=st.lists(st.integers(0, 2), max_size=4))
    def agree(scenario, letters):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(exact_steps, "_MANY_STATES", many)
            judge_rows(scenario, tuple(s % len(scenario.model.symbols) for s in letters))

    agree()


def wide_model(dice: Random, zeros: float) -> HMM:
    """Thirteen states, so that matrix products serve where few entries are 0."""
    states = [f"s{i}" for i in range(13)]

    def row(names):
        weights = [0 if dice.random() < zeros else dice.randint(1, 10**dice.randint(1, 30)) for _ in names]
        weights[dice.randrange(len(names))] += 1
        return {n: Fraction(w, sum(weights)) for n, w in zip(names, weights, strict=True) if w}

    return HMM(
        emit={s: row("ab") for s in states}, step={s: row(states) for s in states if dice.random() < 0.9}
    )


@ways
@pytest.mark.parametrize("zeros", [0.0, 0.3, 0.8])
def test_wide_models(zeros, many, monkeypatch):
    monkeypatch.setattr(exact_steps, "_MANY_STATES", many)
    dice = Random(int(10 * zeros))
    model = wide_model(dice, zeros)
    for left, right in (("s0", "s1"), ("s2", "s2")):
        scenario = Scenario(model, (Pair(Belief.at(left), Belief.at(right)),), Claim(horizon=4))
        judge_rows(scenario, (0, 1, 1, 0))


@pytest.mark.parametrize("zeros", [0.0, 0.8])
def test_columns_are_rows_read_from_the_other_side(zeros):
    """start L[w] 1, from the front and from the back."""
    model = wide_model(Random(5), zeros)
    steps = ExactSteps(model)
    word = (0, 1, 0)
    column, unit = dict.fromkeys(range(len(model.states) + 1), 1), Fraction(1)
    for letter in reversed(word):
        column = steps.retreat(column, letter)
        unit /= steps.common
    for i, state in enumerate(model.states):
        row = forward(model, {state: Fraction(1)}, tuple(model.symbols[s] for s in word))
        assert column.get(i, 0) * unit == sum(row.values())
