"""The rule `limit` for words: what the ratio of u v^n z tends to."""

from __future__ import annotations

from typing import Any

import pytest
from checker_cases import BIT, STAY, accepts, holds, one_way, rejects

from faier_check import words_limit

TINY = f"1/{10**30}"
HIDDEN = one_way(BIT, STAY, {"0": "2/3", "1": "1/3"}, {"0": "1/3", "1": "2/3"})
"""A hidden bit, shown again and again with noise: the ratio of a^n tends to 2."""

HALF = [[0, 0, "1/2"], [0, 1, "1/2"], [1, 0, "1/2"], [1, 1, "1/2"]]
MIXING = one_way(
    {"0": {"a": "1"}, "1": {"a": "1"}}, {"0": {"0": "3/4", "1": "1/4"}, "1": {"0": "1/4", "1": "3/4"}},
    {"0": "1"}, {"1": "1"},
)  # fmt: skip


def limit(**changes: object) -> dict[str, Any]:
    return {
        "pair": 0,
        "forward": True,
        "prefix": [],
        "loop": ["a"],
        "suffix": [],
        "ended": False,
        "factor": "3/4",
        "left": [[0, 0, "1"]],
        "right": [[0, 0, "1"]],
        "squarings": 0,
        **changes,
    }


def approached(model: bytes, lower: str, stated: dict[str, Any], horizon: object = "any", possible: str = "either"):
    bounds = {"lower": lower, "upper": "infinity", "horizon": horizon, "possible": possible, "delta": "0"}
    return {**holds(model, bounds, {}), "kind": "epsilon", "proof": None, "limit": stated}


def test_accepts_what_is_approached_and_nothing_else():
    for possible in ("either", "both"):
        assert "tends to 2" in accepts(approached(HIDDEN, "2", limit(), possible=possible), HIDDEN).claim
    beyond = f"{2 * 10**30 + 1}/{10**30}"
    rejects(approached(HIDDEN, beyond, limit()), HIDDEN, "budget: the limit is not the claimed lower bound")
    accepts(approached(HIDDEN, "2", limit(prefix=["a", "b"])), HIDDEN)
    # The suffix is read in the state that is left over in the end, the same on both sides.
    accepts(approached(HIDDEN, "2", limit(suffix=["b"])), HIDDEN)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"left": [[0, 0, f"{10**30 + 1}/{10**30}"]]}, "left is not its own square"),
        ({"right": [[0, 0, "1"], [1, 1, "1"]]}, "multiply the projection of right by the factor"),
        ({"factor": "1/4"}, "multiply the projection of left by the factor"),
        ({"factor": "1/4", "left": [[1, 1, "1"]], "right": [[1, 1, "1"]]}, "not shown to tend"),
        ({"left": [], "right": []}, "not shown to tend"),
        ({"left": [[2, 2, "1"]]}, "in states that left does not reach"),
        ({"left": [[0, 0, "1"], [0, 0, "1"]]}, "twice"),
        ({"ended": True}, "left tends to nothing that is positive"),
        ({"loop": []}, "loop is empty"),
        ({"squarings": 65}, "at most 64"),
        ({"forward": False}, "no such direction"),
        ({"more": 1}, "unknown field"),
    ],
)
def test_rejects(changes: dict[str, Any], reason: str):
    rejects(approached(HIDDEN, "2", limit(**changes)), HIDDEN, reason)


def test_a_finite_horizon_has_no_limit():
    rejects(approached(HIDDEN, "2", limit(), horizon=10), HIDDEN, 'limit: .*at horizon "any" only')


def test_powers_that_come_near_only_after_some_squarings():
    stated = limit(factor="1", left=HALF, right=HALF)
    for squarings in (0, 1, 5):
        accepts(approached(MIXING, "1", {**stated, "squarings": squarings}), MIXING)
    slow = one_way(
        {"0": {"a": "1"}, "1": {"a": "1"}, "2": {"a": "1"}},
        {"0": {"0": "9/10", "1": "1/10"}, "1": {"1": "9/10", "2": "1/10"}, "2": {"2": "1"}},
        {"0": "1"}, {"1": "1"},
    )  # fmt: skip
    ends = [[0, 2, "1"], [1, 2, "1"], [2, 2, "1"]]
    stated = limit(factor="1", left=ends, right=[[1, 2, "1"], [2, 2, "1"]])
    rejects(approached(slow, "1", {**stated, "squarings": 1}), slow, "not shown to tend")
    accepts(approached(slow, "1", {**stated, "squarings": 5}), slow)


def test_a_loop_that_turns_round_has_no_limit():
    turning = one_way({"0": {"a": "1"}, "1": {"a": "1"}}, {"0": {"1": "1"}, "1": {"0": "1"}}, {"0": "1"}, {"1": "1"})
    for squarings in (0, 3, 64):
        stated = limit(factor="1", left=HALF, right=HALF, squarings=squarings)
        rejects(approached(turning, "1", stated), turning, "not shown to tend")


def test_rounding_is_added_to_what_is_shown(monkeypatch: pytest.MonkeyPatch):
    """With few bits the squares are still bounds: fewer are shown, none wrongly."""
    monkeypatch.setattr(words_limit, "_BITS", 8)
    stated = limit(factor="1", left=HALF, right=HALF)
    accepts(approached(MIXING, "1", stated), MIXING)
    monkeypatch.setattr(words_limit, "_BITS", 1)
    rejects(approached(MIXING, "1", stated), MIXING, "not shown to tend")


def test_words_that_no_run_begins_tend_to_nothing():
    model = one_way(
        BIT | {"2": {"c": "1"}}, STAY | {"2": {"2": "1"}}, {"0": "2/3", "1": "1/3"}, {"0": "1/3", "1": "2/3"}
    )
    for squarings in (0, 3):
        stated = limit(prefix=["c"], left=[], right=[], squarings=squarings)
        rejects(approached(model, "2", stated), model, "limit: left tends to nothing that is positive")
