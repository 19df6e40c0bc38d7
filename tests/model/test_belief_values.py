"""A belief made by hand is as valid as one that was read."""

from __future__ import annotations

from fractions import Fraction

import pytest

from faier.errors import ModelError
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.scenario.scenario import Pair, Scenario

MODEL = HMM(emit={"x": {"a": 1}, "y": {"a": "1/2", "b": "1/2"}})


def test_a_belief_sums_to_1():
    with pytest.raises(ModelError, match="sums to 1/2"):
        Belief("half", {"x": Fraction(1, 2)})


def test_a_belief_has_no_negative_weight():
    with pytest.raises(ModelError, match="negative"):
        Belief("odd", {"x": Fraction(3, 2), "y": Fraction(-1, 2)})


def test_zeros_are_left_out():
    assert Belief("sure", {"x": Fraction(1), "y": Fraction(0)}).weights == {"x": 1}


def test_a_compared_belief_names_states_of_the_model():
    stranger = Belief("stranger", {"z": Fraction(1)})
    with pytest.raises(ModelError, match="unknown state 'z'"):
        Scenario.of(MODEL, [Pair(stranger, Belief.at("x"))], horizon=1)
