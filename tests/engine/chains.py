"""Two-state chains whose answers are known."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.scenario.scenario import Claim, Pair, Scenario


def flipping(stay: Fraction, right_answer: Fraction = Fraction(3, 4)) -> Scenario:
    """A hidden bit that flips now and then and is shown through randomized response."""
    emit = {"0": {"a": right_answer, "b": 1 - right_answer}, "1": {"a": 1 - right_answer, "b": right_answer}}
    step = {"0": {"0": stay, "1": 1 - stay}, "1": {"0": 1 - stay, "1": stay}}
    model = HMM(emit, step)
    return Scenario(model, (Pair(Belief.at("0"), Belief.at("1")),), Claim(horizon="any"))


def flipping_worst(stay: Fraction, length: int) -> Fraction:
    """The ratio of the word aa...a: each letter takes t to 3 (stay t + flip) / (flip t + stay), from t = 1."""
    ratio = Fraction(1)
    for _ in range(length):
        ratio = 3 * (stay * ratio + 1 - stay) / ((1 - stay) * ratio + stay)
    return ratio


SIX = Fraction(11, 15)
"""Staying with this probability the ratios rise towards 6, the fixed point, which no word reaches."""


@st.composite
def mixing(draw: st.DrawFn) -> HMM:
    """All probabilities positive: ratios converge, and often no word reaches their supremum."""
    states, symbols = ("x", "y", "z")[: draw(st.integers(2, 3))], ("a", "b")

    def row(names: tuple[str, ...]) -> dict[str, Fraction]:
        weights = [draw(st.integers(1, 6)) for _ in names]
        return {n: Fraction(w, sum(weights)) for n, w in zip(names, weights, strict=True)}

    return HMM(emit={s: row(symbols) for s in states}, step={s: row(states) for s in states})
