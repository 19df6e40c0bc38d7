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


def test_thousands_of_words_that_tie_but_for_rounding():
    """The worst is named, though floats cannot tell it from a thousand others."""
    left = {f"w{k}": Fraction(3, 4000) + Fraction(k, 10**26) for k in range(1000)}
    left["rest"] = 1 - sum(left.values())
    right = {name: Fraction(1, 2000) for name in left} | {"rest": Fraction(1, 2)}
    model = faier.HMM(emit={"x": left, "y": right})
    pair = faier.Pair(faier.Belief.at("x"), faier.Belief.at("y"), one_way=True)
    scenario = faier.Scenario.of(model, [pair], ratio=Fraction(5, 4), horizon=1)
    for engine in ("auto", "tree"):
        verdict = faier.verify(scenario, engine=engine)
        assert verdict.witness.word == ("w999",)
