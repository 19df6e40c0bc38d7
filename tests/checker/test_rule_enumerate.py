from __future__ import annotations

import json

import pytest
from checker_cases import BIT, CONTAGIOUS, STAY, accepts, claim, holds, one_way, rejects, toml

from faier_check import CertificateError, Limits, check


def enumerated(model, ratio, horizon=1, possible="either"):
    return holds(model, claim(ratio, horizon, possible), {"rule": "enumerate", "ratio": ratio})


def test_accepts_a_bound_met_with_equality():
    proved = accepts(enumerated(CONTAGIOUS, "4"), CONTAGIOUS)
    assert proved.steps == 1
    assert proved.claim.startswith(
        "for all 2 directions of 1 pair, every counted word of horizon 1 has left <= 4 * "
    )


def test_rejects_one_part_in_1e30():
    ratio = f"{4 * 10**30 - 1}/{10**30}"
    rejects(enumerated(CONTAGIOUS, ratio), CONTAGIOUS, r"enumerate: .*'~\d'")


def test_looks_at_both_directions():
    emit = {"0": {"a": "3/4", "b": "1/4"}, "1": {"a": "7/8", "b": "1/8"}}
    forward, both = ([("0", "1", one)] for one in (True, False))
    accepts(enumerated(model := toml(emit, {}, {}, forward), "2"), model)
    rejects(enumerated(model, "199/100"), model, "'0' exceeds .* prefix reading of \\['b'\\]")
    swapped = toml(emit, {}, {}, [("1", "0", True)])
    accepts(enumerated(swapped, "7/6"), swapped)
    model = toml(emit, {}, {}, both)
    rejects(enumerated(model, "7/6"), model, "'0' exceeds")
    accepts(enumerated(model, "2"), model)


def test_looks_at_every_length_up_to_the_horizon():
    model = one_way(BIT, STAY, {"0": "1"}, {"1": "1"})
    accepts(enumerated(model, "27", 3), model)
    rejects(enumerated(model, "26", 3), model, "enumerate: .*'a', 'a', 'a'")


def test_shorter_words_count_as_complete_runs():
    # "ends" has run out after one symbol: alike at horizon 1, but at horizon 2 the left has surely ended.
    emit = {"ends": {"a": "1"}, "stays": {"a": "1"}}
    model = one_way(emit, {"stays": {"stays": "1"}}, {"ends": "1"}, {"ends": "1/5", "stays": "4/5"})
    accepts(enumerated(model, "1", 1), model)
    accepts(enumerated(model, "5", 2), model)
    rejects(enumerated(model, "4", 2), model, r"ended reading of \['a'\]")


def test_words_that_one_side_cannot_produce_count_unless_both_must():
    emit = {"0": {"a": "1/2", "b": "1/2"}, "1": {"a": "1"}}
    model = one_way(emit, {}, {"0": "1"}, {"1": "1"})
    rejects(enumerated(model, "1000"), model, r"prefix reading of \['b'\]")
    accepts(enumerated(model, "1/2", possible="both"), model)
    rejects(enumerated(model, "49/100", possible="both"), model, r"prefix reading of \['a'\]")


def test_beliefs_that_are_mixed():
    model = one_way(BIT, {}, {"0": "1/3", "1": "2/3"}, {"0": "2/7", "1": "5/7"})
    # a: 5/12 against 11/28, b: 7/12 against 17/28.
    accepts(enumerated(model, "35/33"), model)
    rejects(enumerated(model, "34/33"), model, r"\['a'\]")


def test_rejects_the_horizon_any():
    rejects(
        enumerated(CONTAGIOUS, "4", "any"),
        CONTAGIOUS,
        'enumerate: there is no end of words at the horizon "any"',
    )


def test_a_far_horizon_costs_nothing_where_runs_end():
    accepts(enumerated(CONTAGIOUS, "4", 10**17), CONTAGIOUS)


def test_refuses_what_would_take_for_ever():
    model = one_way(BIT, STAY, {"0": "1"}, {"0": "1"})
    with pytest.raises(CertificateError, match="more than 100000 operations"):
        check(json.dumps(enumerated(model, "1", 40)).encode(), model, Limits(operations=100_000))
    accepts(enumerated(model, "1", 4), model, Limits(operations=100_000))
