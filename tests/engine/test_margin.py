"""Float rows against exact rows: the relative error never exceeds the margin that decides by floats. [T6]"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge import examples

import strategies
from faier.comparison import Comparison
from faier.engine.progress import Limits
from faier.engine.tree.batch import NO, UNDECIDED, YES, bounds, compare, quotients, split
from faier.engine.tree.search import Search
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.scenario.scenario import Claim, Pair, Scenario


def errors(scenario: Scenario, letters: int, dice: Random) -> list[tuple[float, float]]:
    """(relative error, claimed margin) of every entry's quotient and of every reading along one random path."""
    search = Search(Comparison(scenario), Limits())
    batch = search.roots()
    found: list[tuple[float, float]] = []
    for _ in range(letters):
        children = [c.pick(np.array([k])) for c in search.expand(batch) for k in range(len(c))]
        if not children:
            break
        batch = dice.choice(children)
        if not batch.safe[0]:
            break
        row = search.exact.row(int(batch.ids[0]))
        entry, total = search.margin.entry(batch.depth)[0], search.margin.total(batch.depth)[0]
        two = Fraction(2) ** int(batch.shift[0])
        worst = Fraction(0)
        for k, state in enumerate(batch.columns.tolist()):
            left, right = row.left.get(state, 0), row.right.get(state, 0)
            assert (batch.left[0, k] > 0, batch.right[0, k] > 0) == (left > 0, right > 0)
            if left and right:
                truth = Fraction(left, right)
                worst = max(worst, truth)
                mine = Fraction(batch.left[0, k]) / Fraction(batch.right[0, k]) * two
                found.append((float(abs(mine / truth - 1)), float(entry)))
        if worst and all(row.right.get(i) for i, x in row.left.items() if x):
            found.append((float(abs(Fraction(bounds(batch)[0]) / worst - 1)), float(entry)))
        left, right = row.prefix()
        if right:
            value = quotients(batch, batch.left.sum(axis=1), batch.right.sum(axis=1))[0]
            found.append((float(abs(Fraction(value) * right / left - 1)), float(total)))
    return found


def dense(states: int, symbols: int, dice: Random) -> Scenario:
    """A full model with awkward denominators; both starts have all states."""

    def row(names):
        weights = [dice.randint(1, 10**6) for _ in names]
        return {n: Fraction(w, sum(weights)) for n, w in zip(names, weights, strict=True)}

    names = [f"s{i}" for i in range(states)]
    model = HMM(
        emit={s: row([f"o{i}" for i in range(symbols)]) for s in names}, step={s: row(names) for s in names}
    )
    left, right = (Belief.of(name, row(names), model) for name in ("left", "right"))
    return Scenario(model, (Pair(left, right),), Claim(horizon="any"))


@examples(60)
@given(scenario=strategies.scenarios(horizons=("any",)), seed=st.integers(0, 10**6))
def test_small_models(scenario, seed):
    for error, margin in errors(scenario, 30, Random(seed)):
        assert error <= margin / 2, "half the margin is kept for the comparison's own roundings"


@pytest.mark.parametrize(("states", "letters"), [(3, 120), (12, 40), (60, 12)])
def test_dense_models(states, letters):
    for error, margin in errors(dense(states, 3, Random(states)), letters, Random(1)):
        assert error <= margin / 2


@pytest.mark.slow
def test_a_dense_model_of_60_states_over_40_letters():
    found = errors(dense(60, 3, Random(7)), 40, Random(7))
    assert len(found) > 40 * 60
    for error, margin in found:
        assert error <= margin / 2


def test_the_margin_is_needed_and_not_absurd():
    """Some error is above the roundings of one operation; the margin stays far below what a claim could hide in."""
    found = errors(dense(12, 3, Random(12)), 40, Random(1))
    assert max(error for error, _ in found) > 2.0**-52
    assert max(margin for _, margin in found) < 1e-11


@examples(200)
@given(
    value=st.floats(min_value=1e-30, max_value=1e30),
    steps=st.integers(-3, 3),
    margin=st.sampled_from([2.0**-50, 2.0**-40, 1e-6]),
)
def test_comparisons_are_proofs(value, steps, margin):
    """Whatever the truth within the margin of a float, YES and NO are right."""
    for part in (-1, Fraction(-1, 2), 0, Fraction(1, 2), 1):
        truth = Fraction(value) / (1 + part * Fraction(margin) / 2)
        ratio = Fraction(value) * (1 + steps * Fraction(margin) / 3)
        answer = int(compare(np.array([value]), ratio, np.array([margin]))[0])
        assert answer != YES or truth <= ratio
        assert answer != NO or truth > ratio


@examples(100)
@given(exponent=st.integers(-2000, 2000), top=st.integers(1, 10**20))
def test_ratios_beyond_floats_are_split(exponent, top):
    ratio = top * Fraction(2) ** exponent
    mantissa, power = split(ratio)
    assert abs(Fraction(mantissa) * Fraction(2) ** power / ratio - 1) <= Fraction(1, 2**53)
    answer = compare(np.array([1.0, np.nan, np.inf]), ratio, np.full(3, 1e-10))
    assert answer[1] == UNDECIDED
    if ratio > 2:
        assert answer[0] in (YES, UNDECIDED)
    if ratio < Fraction(1, 2):
        assert answer[0] in (NO, UNDECIDED)
    assert answer[2] in (NO, UNDECIDED)
