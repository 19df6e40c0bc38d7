"""Words that floats promise: whether they count is decided exactly."""

from __future__ import annotations

import pytest

import faier
from faier.engine.tree import levels
from faier.engine.words import Found

ROOMS = faier.HMM(
    emit={"A": {"a": "1/2", "b": "1/2"}, "B": {"a": "1/2", "b": "1/4", "c": "1/4"}, "C": {"a": "3/4", "c": "1/4"}},
    step={"A": {"B": "1"}, "B": {"B": "1"}, "C": {"B": "1"}},
)


@pytest.mark.parametrize(("possible", "kind"), [("both", faier.Holds), ("either", faier.Violated)])
def test_a_promised_word_that_only_one_side_can_say(
    monkeypatch: pytest.MonkeyPatch, possible: str, kind: type[faier.Verdict]
) -> None:
    """Under `both` it does not count, and so breaks nothing."""
    monkeypatch.setattr(levels.Levels, "word_far_ahead", lambda self: Found(0, (1, 0), False))
    pair = faier.Pair(faier.Belief.at("A"), faier.Belief.at("C"), one_way=True)
    scenario = faier.Scenario.of(ROOMS, [pair], horizon="any", possible=possible)
    found = faier.verify(scenario, ratio=3)
    assert isinstance(found, kind)
