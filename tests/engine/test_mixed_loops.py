"""Divergence by a loop of many symbols: two letters, each so often that no state of the right side keeps up."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import faier
from faier.comparison import Comparison
from faier.engine.loops.pump import Pumps
from faier.engine.progress import Limits
from faier.model.toml_write import dumps
from faier_check import check


def two_speeds(slow: str) -> faier.Scenario:
    """Left gains 1/4 with b and with c. Right is in one of two states, each fast (2/5) for one letter only."""
    rest = str(Fraction(3, 5) - Fraction(slow))
    model = faier.HMM(
        emit={
            "l": {"b": "1/4", "c": "1/4", "d": "1/2"},
            "r": {"b": slow, "c": "2/5", "d": rest},
            "s": {"b": "2/5", "c": slow, "d": rest},
        },
        step={name: {name: "1"} for name in "lrs"},
    )
    right = faier.Belief.of("right", {"r": "1/2", "s": "1/2"}, model)
    return faier.Scenario.of(model, [faier.Pair(faier.Belief.at("l"), right, one_way=True)], horizon="any")


@pytest.mark.parametrize("slow", ["1/10", "1/20"])
def test_no_letter_alone_makes_it_grow(slow: str):
    """(b c)^n: 1/16 against 2/5 slow, which is 1/25 or 1/50."""
    scenario = two_speeds(slow)
    found = faier.epsilon(scenario)
    assert found.diverges is not None
    assert found.diverges.growth > 1
    assert {"b", "c"} <= set(found.diverges.loop)
    check(json.dumps(faier.certify(found)).encode(), dumps(scenario).encode())


def test_a_longer_mixture():
    """b gains 2/3 on one state and 2 on the other, c 5/3 and 3/5: only some five b and seven c gain on both."""
    rows = {"l": ("3/10", "3/10"), "r": ("9/20", "9/50"), "s": ("3/20", "1/2")}
    model = faier.HMM(
        emit={name: {"b": b, "c": c, "d": 1 - Fraction(b) - Fraction(c)} for name, (b, c) in rows.items()},
        step={name: {name: "1"} for name in rows},
    )
    right = faier.Belief.of("right", {"r": "1/2", "s": "1/2"}, model)
    pair = faier.Pair(faier.Belief.at("l"), right, one_way=True)
    scenario = faier.Scenario.of(model, [pair], horizon="any")
    pumps = Pumps(Comparison(scenario), Limits())
    found = pumps.find_mixed()
    assert found is not None
    times = [found.loop.count(letter) for letter in "bc"]
    assert Fraction(2, 3) ** times[0] * Fraction(5, 3) ** times[1] > 1
    assert Fraction(2) ** times[0] * Fraction(3, 5) ** times[1] > 1
    assert faier.epsilon(scenario).diverges is not None


def test_none_where_the_right_side_may_be_as_fast():
    model = two_speeds("1/10").model
    right = faier.Belief.of("right", {"l": "1/2", "s": "1/2"}, model)
    pair = faier.Pair(faier.Belief.at("l"), right, one_way=True)
    assert Pumps(Comparison(faier.Scenario.of(model, [pair], horizon="any")), Limits()).find_mixed() is None
