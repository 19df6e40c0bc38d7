"""Thousands of pairs, most of them equally bad, are one question."""

from __future__ import annotations

from fractions import Fraction

import faier


def test_the_first_of_thousands_of_equal_pairs_is_named():
    model = faier.HMM(emit={"x": {"a": "1/2", "b": "1/2"}, "y": {"a": "1/3", "b": "2/3"}})
    scenario = faier.Scenario.of(model, [("x", "y")] * 5000, ratio=Fraction(5, 4), horizon=1)
    verdict = faier.verify(scenario, timeout=60)
    assert isinstance(verdict, faier.Violated)
    assert (verdict.witness.pair, verdict.witness.forward, verdict.witness.word) == (0, True, ("a",))


def test_thousands_of_different_pairs_that_tie():
    emit = {str(i): {"a": Fraction(1 + i % 2, 4), "b": Fraction(3 - i % 2, 4)} for i in range(2000)}
    pairs = [(str(i), str(i + 1)) for i in range(1999)]
    tight = faier.epsilon(faier.Scenario.of(faier.HMM(emit=emit), pairs, horizon=1), timeout=60)
    assert tight.ratio.upper == 2
    assert tight.witness.pair == 0
