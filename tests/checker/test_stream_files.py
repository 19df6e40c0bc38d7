"""Streams and secrets inside a run as the checker reads and compiles them: what it refuses, what it makes of them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from faier_check import ModelFileError
from faier_check.family import Family
from faier_check.model import Model
from faier_check.model_file import read_model

STREAM = """faier = 1
[stream]
adjacent = [["0", "1"]]
[stream.on."0"]
m = [["x", "m", "3/4"], ["y", "1/4"]]
n = [["x", "m", "3/4"], ["y", "1/4"]]
[stream.on."1"]
m = [["x", "n", "1/2"], ["y", "1/2"]]
n = [["x", "n", "1/2"], ["y", "1/2"]]
[[compare]]
left = "m"
right = "m"
"""

SAME, INSIDE = 'left = "m"\nright = "m"', 'from = "m"\nat = 2\nleft = ["m"]\nright = ["n"]'

CHAIN = """faier = 1
[model.emit]
a = { s = "3/4", t = "1/4" }
b = { s = "1/4", t = "3/4" }
[model.step]
a = { a = "4/5", b = "1/5" }
b = { a = "1/5", b = "4/5" }
[beliefs]
start = { a = "1/2", b = "1/2" }
[[compare]]
from = "start"
at = 2
left = ["a"]
right = ["b"]
"""


def read(text: str) -> Model:
    found = read_model(text.encode())
    assert isinstance(found, Model)
    return found


def test_a_stream_by_hand() -> None:
    """Both memories behave alike, so each side has one class; only what ends a run is shared."""
    model = read(STREAM)
    assert model.symbols == tuple(f"({a}, {b}, {s})" for a in "01" for b in "01" for s in "xy")
    # Of the left side: asked 0 and x, or the end with one of its letters; the same with 1; then of the right side.
    assert model.states == tuple(map(str, range(8)))
    ends = [i for i, row in enumerate(model.step) if row is None]
    assert len(ends) == 4
    assert all(len(model.emit[i].entries) == 1 for i in ends)
    for i in set(range(8)) - set(ends):
        assert [n for _, n in model.emit[i].entries] == [1, 1]
    (pair,) = model.pairs
    assert pair.one_way
    weights = {i: Fraction(n, pair.left.denominator) for i, n in pair.left.entries}
    assert sum(weights.values()) == 1
    assert sum(weights[i] for i in ends) == (Fraction(1, 4) + Fraction(1, 2)) / 2


def test_a_gate_by_hand() -> None:
    model = read(CHAIN)
    assert model.states == ("a", "b", "0:1:a", "0:1:b", "1:1:a", "1:1:b")
    assert model.pairs[0].left_name == "start, a at 2"
    assert model.pairs[0].left.entries == ((2, 4), (3, 1))
    assert model.pairs[0].right.entries == ((4, 1), (5, 4))
    assert [model.step[i].entries for i in range(2, 6)] == [((0, 1),), ((0, 1),), ((1, 1),), ((1, 1),)]  # type: ignore[union-attr]
    assert model.emit[2] == model.emit[0]


def test_a_gate_that_no_run_passes_is_left_out() -> None:
    never = CHAIN.replace('b = { a = "1/5", b = "4/5" }', 'b = { b = 1 }').replace('a = "1/2", b = "1/2"', "b = 1")
    with pytest.raises(ModelFileError, match="no run passes a gate"):
        read(never)
    model = read(never + '[[compare]]\nleft = "a"\nright = "b"\n')
    assert [pair.left_name for pair in model.pairs] == ["a"]


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        (SAME, INSIDE, "of a stream .* cannot be checked"),
        ('["y", "1/4"]', '["y", "1/3"]', r"stream.on.0.m: the row sums to 13/12, not 1"),
        ('["y", "1/4"]', '["y", "5/4"], ["z", "-1"]', "cannot be negative"),
        ('["y", "1/4"]', '["y", 0.25]', "must be exact"),
        ('["y", "1/4"]', '["y", "o", "1/4"]', "unknown memory 'o'"),
        ('["y", "1/4"]', '["x", "m", "1/4"]', "is given twice"),
        ('["y", "1/4"]', '[1, "1/4"]', "names are strings"),
        ('["y", "1/4"]', '"y"', "is expected here"),
        ('[["x", "m", "3/4"], ["y", "1/4"]]', "[]", "a list of"),
        ('n = [["x", "m", "3/4"], ["y", "1/4"]]\n', "", r"stream.on.0.n: is missing"),
        ('[["0", "1"]]', '[["0", "2"]]', r"stream.adjacent\[0\]: unknown input"),
        ('[["0", "1"]]', '[["0"]]', "a pair of inputs"),
        ('[["0", "1"]]', '"all"', "a list of pairs"),
        ('[["0", "1"]]', "[]\nmore = 1", "unknown key 'more'"),
        ('left = "m"', 'left = "o"', "unknown belief or state 'o'"),
        ('left = "m"', 'from = "m"\nat = 2\nleft = ["m"]', r"compare\[0\].right: a list of states"),
        ('[stream.on."1"]', '[stream.on."0, 0"]', "unknown input"),
        ("[stream]\n", "[model]\n[stream]\n", "not both"),
    ],
)
def test_streams_that_are_refused(old: str, new: str, match: str) -> None:
    read(STREAM)
    assert old in STREAM
    with pytest.raises(ModelFileError, match=match):
        read(STREAM.replace(old, new, 1))


def test_letters_that_would_be_written_alike_are_refused() -> None:
    text = STREAM.replace('"1"', '"0, 0"').replace('"x"', '"0, x"')
    text = text.replace('["y",', '["x",')
    with pytest.raises(ModelFileError, match="two letters would be written alike"):
        read(text)


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("at = 2", "at = 0", "a number from 1"),
        ("at = 2", "at = true", "a number from 1"),
        ("at = 2\n", "", "a number from 1"),
        ('from = "start"\n', "", "the name of a belief or a state"),
        ('left = ["a"]', 'left = "a"', "a list of states"),
        ('left = ["a"]', "left = []", "a list of states"),
        ('left = ["a"]', 'left = ["c"]', "unknown state"),
    ],
)
def test_gates_that_are_refused(old: str, new: str, match: str) -> None:
    assert old in CHAIN
    with pytest.raises(ModelFileError, match=match):
        read(CHAIN.replace(old, new, 1))


def test_states_that_are_named_like_copies_are_refused() -> None:
    text = CHAIN.replace("[model.step]", '"0:1:a" = { s = 1 }\n[model.step]')
    with pytest.raises(ModelFileError, match="named like copies"):
        read(text)


def test_rows_with_parameters_have_to_sum_to_1_each() -> None:
    """Not only on average over the inputs, as the rows of the compiled model do."""
    text = STREAM.replace("[stream]\n", '[parameters]\np = "0 < p < 1/8"\n[stream]\n', 1)
    good = text.replace('["x", "m", "3/4"], ["y", "1/4"]', '["x", "m", "3/4 + p"], ["y", "1/4 - p"]')
    assert isinstance(read_model(good.encode()), Family)
    bad = text.replace('["y", "1/4"]', '["y", "1/4 + p"]').replace('["y", "1/2"]', '["y", "1/2 - p"]')
    with pytest.raises(ModelFileError, match="does not sum to 1"):
        read_model(bad.encode())
