"""What an engine says of its own search."""

from __future__ import annotations

from pathlib import Path

from chains import SIX, flipping

import faier
from faier.engine.simulation import highs

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_rules_that_closed_prefixes_are_counted():
    tight = faier.epsilon(flipping(SIX), tolerance="1e-6")
    said = tight.explanation
    assert any("T11" in text for text in said.tried)
    assert said.closed["dominate"] > 0
    assert said.closed["expand"] + said.closed["dominate"] + said.closed.get("subsume", 0) >= len(tight.trace.steps)
    assert not said.helps
    again = faier.epsilon(flipping(SIX), tolerance="1e-6")
    assert again.explanation == said


def test_divergence_is_explained():
    said = faier.epsilon(EXAMPLES / "above_threshold_any.toml").explanation
    assert any("T8" in text and "grows without end" in text for text in said.tried)
    assert any("horizon" in text for text in said.helps)


def test_words_one_by_one():
    said = faier.verify(EXAMPLES / "contagious.toml").explanation
    assert any("3 words" in text for text in said.tried)


def test_what_would_help():
    infinite = faier.verify(EXAMPLES / "impossible_word.toml")
    assert any('possible = "both"' in text for text in infinite.explanation.helps)
    narrow = faier.epsilon(flipping(SIX), tolerance="1e-9000", timeout=3)
    assert not narrow.complete
    assert any("--tolerance" in text for text in narrow.explanation.helps)


def test_what_is_missing_is_named(monkeypatch):
    from test_simulation import copies

    monkeypatch.setattr(highs, "is_there", lambda: False)
    open_ended = faier.epsilon(copies(1, zeros=0.0), timeout=1)
    assert any("faier[lengths]" in text for text in open_ended.explanation.helps)
    assert any("--horizon" in text for text in open_ended.explanation.helps)


def test_what_was_not_begun_is_not_said():
    said = faier.epsilon(EXAMPLES / "above_threshold_any.toml").explanation
    assert not said.closed
    assert not any("prefixes" in text for text in said.tried)
    closed_at_once = faier.epsilon(EXAMPLES / "two_copies.toml", horizon="any").explanation
    assert any("only the empty one, in 2 directions" in text for text in closed_at_once.tried)


def test_loops_are_not_called_too_many_where_there_was_no_need_for_them():
    stopped = faier.epsilon(flipping(SIX), tolerance="1e-9000", timeout=0.3)
    assert not stopped.complete
    assert not any("smaller model" in text for text in stopped.explanation.helps)
