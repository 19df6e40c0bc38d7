from __future__ import annotations

import pytest
from checker_cases import BIT, CONTAGIOUS, STAY, accepts, claim, one_way, rejects, violated

from faier_check.number import exact

SICK = {"pair": 0, "forward": True, "word": ["~2"], "ended": False, "left": "2/3", "right": "1/6"}


def test_accepts_the_word_and_says_it():
    proved = accepts(violated(CONTAGIOUS, claim("2", 1), SICK), CONTAGIOUS)
    assert proved.kind == "violated"
    assert proved.claim == (
        "the counted word of horizon 1 ['~2'] of 'sick' (left) against 'well' (right) has left > 2 * right "
        "(epsilon = ln(2))"
    )


def test_accepts_the_other_direction():
    other = {**SICK, "forward": False, "word": ["~0"]}
    accepts(violated(CONTAGIOUS, claim("2", 1), other), CONTAGIOUS)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"left": f"{(2 * 10**30 + 1) // 3}/{10**30}"}, "witness: left is 2/3, not 66666666666"),
        ({"right": "1/7"}, "witness: right is 1/6, not 1/7"),
        ({"forward": False}, "witness: left is 1/6, not 2/3"),
        ({"word": ["~1"]}, "witness: left is 1/6, not 2/3"),
        ({"word": ["~9"]}, "witness: the model has no symbol '~9'"),
        ({"word": []}, "witness: the empty word does not count"),
        ({"word": ["~2", "~2"]}, "witness: a prefix of 2 symbols does not count at horizon 1"),
        ({"ended": True}, "witness: a complete run of 1 symbols does not count at horizon 1"),
        ({"pair": 1}, "witness: the model has no such direction"),
        ({"pair": -1}, "witness.pair must be at least 0"),
        ({"pair": False}, "witness.pair must be an integer"),
        ({"ended": 0}, "witness.ended must be true or false"),
        ({"word": "~2"}, "witness.word must be an array"),
        ({"word": [2]}, "a symbol of witness.word must be a string"),
        ({"left": "4/6"}, "not in lowest terms"),
        ({"left": "-2/3"}, "must be at least 0"),
        ({"left": 1}, "witness.left must be a string"),
        ({"parameters": {}}, "unknown field 'parameters'"),
    ],
)
def test_rejects_other_words(change, match):
    rejects(violated(CONTAGIOUS, claim("2", 1), {**SICK, **change}), CONTAGIOUS, match)


def test_a_shorter_word_counts_as_a_complete_run():
    ended = {**SICK, "ended": True}
    accepts(violated(CONTAGIOUS, claim("2", 2), ended), CONTAGIOUS)
    rejects(
        violated(CONTAGIOUS, claim("2", 2), SICK),
        CONTAGIOUS,
        "a prefix of 1 symbols does not count at horizon 2",
    )


def test_both_readings_count_at_any():
    for ended in (False, True):
        accepts(violated(CONTAGIOUS, claim("2"), {**SICK, "ended": ended}), CONTAGIOUS)


def test_a_word_that_right_cannot_produce():
    emit = {"0": {"a": "1/2", "b": "1/2"}, "1": {"a": "1"}}
    model = one_way(emit, {}, {"0": "1"}, {"1": "1"})
    word = {"pair": 0, "forward": True, "word": ["b"], "ended": False, "left": "1/2", "right": "0"}
    accepts(violated(model, claim("1000", 1), word), model)
    rejects(
        violated(model, claim("1000", 1, "both"), word),
        model,
        "witness: the word is not possible on both sides",
    )


def test_a_direction_that_is_not_claimed():
    model = one_way(BIT, {}, {"0": "1"}, {"1": "1"})
    word = {"pair": 0, "forward": False, "word": ["b"], "ended": False, "left": "3/4", "right": "1/4"}
    rejects(violated(model, claim("2", 1), word), model, "witness: the model has no such direction")


def test_numbers_longer_than_python_converts_by_itself():
    model = one_way(BIT, STAY, {"0": "1"}, {"1": "1"})
    length = 10_000
    word = {
        "pair": 0,
        "forward": True,
        "word": ["a"] * length,
        "ended": False,
        "left": exact(3**length, 4**length),
        "right": exact(1, 4**length),
    }
    proved = accepts(violated(model, claim("2", length), word), model)
    assert "..." in proved.claim
    rejects(
        violated(model, claim("2", length), {**word, "right": exact(1, 4**length + 1)}),
        model,
        "right is about",
    )
