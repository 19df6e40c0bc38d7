"""Ratios that grow like n, where both sides gain alike with every loop."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from math import inf
from pathlib import Path

import jsonschema
import pytest

import faier
import faier.report
from faier.model.toml_write import dumps
from faier.scenario.scenario import Scenario
from faier_check import check


def waiting(stay: str = "1/2", symbol: str = "1/2", possible: str = "either", rooms: int = 2) -> Scenario:
    """From A one moves to B at any time; with the arguments as they are, a gains 1/4 in both."""
    names = [f"A{i}" for i in range(rooms - 1)] + ["B"]
    emit = {name: {"a": symbol, "b": 1 - Fraction(symbol)} for name in names[:-1]}
    step = {one: {one: stay, two: 1 - Fraction(stay)} for one, two in pairwise(names)}
    model = faier.HMM(emit=emit | {"B": {"a": "1/4", "b": "3/4"}}, step=step | {"B": {"B": "1"}})
    pair = faier.Pair(faier.Belief.at("A0"), faier.Belief.at("B"))
    return Scenario.of(model, [pair], horizon="any", possible=possible)


@pytest.mark.parametrize("possible", ["either", "both"])
def test_a_ratio_that_grows_like_n(possible: str):
    scenario = waiting(possible=possible)
    found = faier.epsilon(scenario)
    assert found.ratio.lower == inf
    assert found.diverges is not None
    assert (found.diverges.growth, found.diverges.power) == (1, 1)
    assert found.to_dict()["diverges"]["growth"] == "1"
    assert found.to_dict()["diverges"]["polynomial"] == 1
    schema = Path(faier.report.__file__).with_name("epsilon.schema.json")
    jsonschema.validate(found.to_dict(), json.loads(schema.read_text(encoding="utf-8")))
    assert "the ratio grows at least like n; no epsilon exists" in str(found)
    proved = check(json.dumps(faier.certify(found)).encode(), dumps(scenario).encode())
    assert "at least like n, so that no finite ratio is kept" in proved.claim
    # a^n has (n + 1) / 4^n on the left.
    assert [faier.epsilon(scenario, horizon=n).ratio.lower for n in (1, 2, 5)] == [2, 3, 6]


def test_the_first_word_that_breaks_a_claim():
    found = faier.epsilon(waiting().claiming(ratio=50))
    assert found.witness is not None
    assert found.witness.ratio > 50
    assert len(found.witness.word) == 50


def test_a_word_that_no_computer_writes_down_is_not_looked_for():
    """The ratio after n loops is n + 1, of numbers of 2 n bits."""
    found = faier.epsilon(waiting().claiming(ratio=10**12))
    assert found.diverges is not None
    assert found.witness is None


def test_a_slower_room_before_is_bounded():
    """A gains less than B with every loop: the ratio tends to a limit, and nothing is said to grow."""
    found = faier.epsilon(waiting(symbol="2/5"), tolerance=Fraction(1, 10**4))
    assert found.complete
    assert found.diverges is None
    assert found.ratio.upper < inf


def test_a_faster_room_grows_exponentially():
    found = faier.epsilon(waiting(symbol="3/5"))
    assert found.diverges is not None
    assert found.diverges.growth == Fraction(6, 5)
    assert "polynomial" not in found.to_dict()["diverges"]


def test_sides_that_wait_alike_do_not_grow():
    """Right begins in a room before B as well: it has the same choice."""
    scenario = waiting(rooms=3)
    pair = faier.Pair(faier.Belief.at("A0"), faier.Belief.at("A1"))
    scenario = Scenario.of(scenario.model, [pair], horizon="any")
    found = faier.epsilon(scenario, timeout=2)
    # Left waits in two rooms and right in one, so that it does grow, but not by a certificate of this kind.
    assert found.diverges is None
    assert found.ratio.lower > 2


def test_two_states_in_each_room():
    """Rooms of two states with the same loop: a gains 1/4 in both."""
    first, last = {"a": "1/2", "b": "1/4", "c": "1/4"}, {"a": "1/4", "b": "1/4", "c": "1/2"}
    emit = {"p": first, "q": first, "r": last, "s": last}
    step = {"p": {"p": "1/4", "q": "1/4", "r": "1/2"}, "q": {"p": "1/8", "q": "3/8", "s": "1/2"}}
    step |= {"r": {"r": "1/3", "s": "2/3"}, "s": {"r": "1/2", "s": "1/2"}}
    model = faier.HMM(emit=emit, step=step)
    scenario = Scenario.of(model, [faier.Pair(faier.Belief.at("p"), faier.Belief.at("r"))], horizon="any")
    found = faier.epsilon(scenario)
    assert found.diverges is not None
    assert found.diverges.power == 1
    check(json.dumps(faier.certify(found)).encode(), dumps(scenario).encode())
