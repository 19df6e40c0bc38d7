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


@pytest.mark.parametrize("weights", [{"x": 0.5, "y": 0.5}, {"x": 0.3, "y": 0.3}, {"x": None}, {"x": True}])
def test_a_weight_is_exact(weights):
    with pytest.raises(ModelError, match=r"beliefs\.odd\.x"):
        Belief("odd", weights)


def test_weights_are_read_as_everywhere():
    belief = Belief("even", {"x": "1/2", "y": "0.5"})
    assert belief.weights == {"x": Fraction(1, 2), "y": Fraction(1, 2)}
    assert Belief("sure", {"x": 1}).is_constant
    with pytest.raises(ModelError, match="negative"):
        Belief("odd", {"x": 2, "y": -1})


@pytest.mark.parametrize("stranger", [0, ""])
def test_a_state_that_counts_as_false_is_no_exception(stranger):
    with pytest.raises(ModelError, match="unknown state"):
        Scenario.of(MODEL, [Pair(Belief.at(stranger), Belief.at("x"))], horizon=1)


def test_a_pair_is_of_beliefs():
    with pytest.raises(ModelError, match=r"Belief\.at\('x'\)"):
        Pair("x", "y")


@pytest.mark.parametrize("pair", [("x",), ("x", "y", "x"), "xy", 7])
def test_a_comparison_has_two_sides(pair):
    with pytest.raises(ModelError, match="a left and a right"):
        Scenario.of(MODEL, [pair], horizon=1)


def test_advice_about_a_float_of_numpy_can_be_followed():
    numpy = pytest.importorskip("numpy")
    with pytest.raises(ModelError, match=r'write it as a string: "0\.5"'):
        HMM(emit={"x": {"a": numpy.float64(0.5), "b": "1/2"}})
