"""One-shot mechanisms with probabilities far below the smallest float are answered from columns, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest

import faier
from faier.comparison import Comparison
from faier.definition import tight_by_definition
from faier.engine import columns
from faier.engine.columns import TooSmall
from faier.engine.progress import Limits
from faier.engine.scaled import one_letter_values
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.scenario.scenario import Claim, Pair, Scenario


def _noisy(counts, alpha):
    """Geometric noise on every count, clamped to the counts: entries from 1 to alpha^counts."""

    def of(count, output):
        tail = alpha ** abs(count - output)
        return tail / (1 + alpha) if output in (0, counts) else tail * (1 - alpha) / (1 + alpha)

    return HMM(emit={str(k): {str(z): of(k, z) for z in range(counts + 1)} for k in range(counts + 1)})


def _scenario(counts, alpha, one, other):
    model = _noisy(counts, alpha)
    sides = []
    for name, rate in (("left", one), ("right", other)):
        weights = {str(k): rate**k for k in range(counts + 1)}
        total = sum(weights.values(), Fraction(0))
        sides.append(Belief(name, {k: w / total for k, w in weights.items()}))
    return Scenario(model, (Pair(*sides),), Claim(horizon=1))


@pytest.mark.parametrize(
    ("alpha", "one", "other"),
    [
        (Fraction(1, 10**30), Fraction(1, 10**20), Fraction(1, 10**21)),
        (Fraction(1, 10**100), Fraction(1, 3), Fraction(1, 2)),
        (Fraction(1, 2), Fraction(1, 10**90), Fraction(1, 10**91)),
    ],
)
def test_the_tight_ratio_is_the_one_of_the_definition(alpha, one, other):
    scenario = _scenario(5, alpha, one, other)
    outcome = columns.tight_at(Comparison(scenario), Limits())
    assert outcome.lower == outcome.upper == tight_by_definition(scenario, 1)
    assert faier.epsilon(scenario).ratio.upper == outcome.upper


def test_scaled_values_are_right_up_to_the_margin():
    scenario = _scenario(6, Fraction(1, 10**60), Fraction(1, 10**40), Fraction(1, 10**41))
    comparison = Comparison(scenario)
    values, usable = one_letter_values(comparison, Limits())
    assert usable.all()
    emit = scenario.model.emit_rows()
    for letter, symbol in enumerate(scenario.model.symbols):
        exact = [
            sum(Fraction(w) * emit[state].get(symbol, 0) for state, w in belief.weights.items())
            for belief in comparison.beliefs
        ]
        ratio = Fraction(values[0, letter]) / Fraction(values[1, letter])
        assert abs(ratio * exact[1] / exact[0] - 1) < Fraction(1, 10**14)


def test_beliefs_that_are_too_far_apart_for_one_scale_are_left_to_the_tree():
    scenario = _scenario(5, Fraction(1, 10**200), Fraction(1, 10**150), Fraction(1, 2))
    with pytest.raises(TooSmall):
        columns.tight_at(Comparison(scenario), Limits())
    assert faier.epsilon(scenario).ratio.upper == tight_by_definition(scenario, 1)
