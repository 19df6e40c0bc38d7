"""Bad words by a plain beam in floats, their ratios exact: independent of the engine's search."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import numpy as np

from faier.comparison import Comparison, Floats
from faier.engine.words import Found, value_of
from faier.scenario.scenario import Scenario

LENGTH = 60
WIDTH = 20
_LEAST = 1e-280
"""Smaller numbers have lost digits."""


def worst_of_long_words(scenario: Scenario) -> Fraction | float:
    """The largest exact ratio among the words that the beam names, of up to so many symbols; infinite if one is."""
    comparison = Comparison(scenario)
    found = (best for number in range(len(comparison.directions)) for best in _beam(comparison, number))
    return max((value_of(comparison, word) for word in found), default=Fraction(0))


def _beam(comparison: Comparison, number: int) -> list[Found]:
    """The worst word of each reading, and the first that only the left side can say."""
    automaton, direction = comparison.automaton, comparison.directions[number]
    dense = automaton.dense_step
    assert dense is not None
    size = automaton.size
    rows = np.zeros((1, 2, size + 1))
    for side, belief in enumerate((direction.left, direction.right)):
        for i, p in comparison.weights(belief):
            rows[0, side, i] = float(p)
    words: list[tuple[int, ...]] = [()]
    best: dict[bool, tuple[float, Found]] = {}
    for _ in range(LENGTH):
        following = (rows[:, None, :, :size] * automaton.emit.T[None, :, None, :]) @ dense
        following = following.reshape(-1, 2, size + 1)

        def word(k: int, known: tuple[tuple[int, ...], ...] = tuple(words)) -> tuple[int, ...]:
            return (*known[k // automaton.letters], k % automaton.letters)

        for ended, sums in ((True, following[:, :, size]), (False, following.sum(axis=2))):
            ratio = _ratios(sums, comparison.scenario.claim.possible == "both")
            worst = int(ratio.argmax())
            if ratio[worst] > best.get(ended, (0.0, None))[0]:
                best[ended] = float(ratio[worst]), Found(number, word(worst), ended)
        order = np.argsort(-ratio, kind="stable")[:WIDTH]
        order = order[(ratio[order] > 0) & (ratio[order] < inf)]
        if not len(order):
            break
        words = [word(int(k)) for k in order]
        rows = following[order]
    return [found for _, found in best.values()]


def _ratios(sums: Floats, both: bool) -> Floats:
    left, right = sums[:, 0], sums[:, 1]
    possible = left > _LEAST
    ratio = np.divide(left, right, out=np.full(len(left), inf), where=right > _LEAST)
    # What is 0 on the right side is 0 exactly; what is merely small there is left out.
    counted = (right > _LEAST) if both else (right > _LEAST) | (right == 0)
    return np.where(possible & counted, ratio, 0.0)
