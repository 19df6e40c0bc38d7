"""Certificates of kind epsilon: bounds of the tight ratio."""

from __future__ import annotations

import pytest
from checker_cases import CONTAGIOUS, accepts, claim, holds, one_way, rejects

WITNESS = {"pair": 0, "forward": True, "word": ["~2"], "ended": False, "left": "2/3", "right": "1/6"}
PROOF = {"rule": "enumerate", "ratio": "4"}


def tight(model=CONTAGIOUS, lower="4", upper="4", proof=PROOF, witness=WITNESS, horizon=1, possible="either"):
    bounds = {k: v for k, v in claim(horizon=horizon, possible=possible).items() if k != "budget"}
    return {
        **holds(model, {**bounds, "lower": lower, "upper": upper}, proof),
        "kind": "epsilon",
        "witness": witness,
    }


def test_accepts_an_exact_ratio():
    proved = accepts(tight(), CONTAGIOUS)
    assert proved.steps == 2
    assert proved.claim == (
        "for all 2 directions of 1 pair, every counted word of horizon 1 has left <= 4 * right, and the "
        "counted word of horizon 1 ['~2'] of 'sick' (left) against 'well' (right) has left = 4 * right"
    )


def test_accepts_an_enclosure():
    accepts(tight(upper="5", proof={"rule": "enumerate", "ratio": "5"}), CONTAGIOUS)
    accepts(tight(lower="0", witness=None), CONTAGIOUS)
    accepts(tight(upper="infinity", proof=None), CONTAGIOUS)
    assert accepts(tight(lower="0", upper="infinity", proof=None, witness=None), CONTAGIOUS).steps == 0


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"upper": "5"}, "budget: the proved ratio is not the claimed upper bound"),
        ({"lower": f"{4 * 10**30 + 1}/{10**30}"}, "the ratio of the witness is not the claimed lower bound"),
        ({"lower": "infinity"}, "the ratio of the witness is not the claimed lower bound"),
        ({"upper": "3", "proof": {"rule": "enumerate", "ratio": "3"}}, "enumerate: "),
        ({"proof": None}, "needs a proof"),
        ({"witness": None}, "needs a witness"),
        ({"upper": "infinity"}, "no place for a proof"),
        ({"lower": "0"}, "no place for a witness"),
        ({"lower": "-1"}, "must be at least 0"),
        ({"upper": "Infinity"}, "not an exact number"),
    ],
)
def test_rejects_other_bounds(change, match):
    rejects(tight(**change), CONTAGIOUS, match)


def test_an_infinite_ratio():
    model = one_way({"0": {"a": "1/2", "b": "1/2"}, "1": {"a": "1"}}, {}, {"0": "1"}, {"1": "1"})
    word = {"pair": 0, "forward": True, "word": ["b"], "ended": False, "left": "1/2", "right": "0"}
    infinite = {"model": model, "lower": "infinity", "upper": "infinity", "proof": None}
    assert "right = 0 < left" in accepts(tight(**infinite, witness=word), model).claim
    rejects(tight(**{**infinite, "lower": "7"}, witness=word), model, "is not the claimed lower bound")
    nothing = {**word, "word": ["a"], "ended": True, "left": "0", "right": "0"}
    ends = one_way(
        {"0": {"a": "1/2", "b": "1/2"}, "1": {"a": "1"}},
        {"0": {"0": "1"}, "1": {"1": "1"}},
        {"0": "1"},
        {"1": "1"},
    )
    rejects(
        tight(**{**infinite, "model": ends, "horizon": 2}, witness=nothing),
        ends,
        "is not the claimed lower bound",
    )


def test_the_ratio_is_0_where_no_word_counts():
    model = one_way({"0": {"a": "1"}, "1": {"b": "1"}}, {}, {"0": "1"}, {"1": "1"})
    none = {"lower": "0", "upper": "0", "witness": None, "proof": {"rule": "enumerate", "ratio": "0"}}
    accepts(tight(model, **none, possible="both"), model)
    rejects(tight(model, **none), model, "enumerate: ")
