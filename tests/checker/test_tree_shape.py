"""Which steps a proof by tree may have, whatever their rules say."""

from __future__ import annotations

import pytest
from checker_cases import BIT, STAY, accepts, after, one_way, rejects, root, toml, tree

MODEL = one_way(BIT, STAY, {"0": "1"}, {"0": "1"})
GOOD = [root("expand"), after(0, 0, "dominate"), after(0, 1, "dominate")]


def test_accepts_a_tree():
    accepts(tree(MODEL, GOOD), MODEL)


@pytest.mark.parametrize(
    ("steps", "match"),
    [
        ([], r"the direction \[0, true\] has no root"),
        ([root("dominate"), root("dominate")], r"root \(step 1\): the direction has a root already"),
        (
            [root("dominate"), root("dominate", forward=False)],
            r"root \(step 1\): the model has no such direction",
        ),
        ([root("dominate"), root("dominate", pair=1)], r"root \(step 1\): the model has no such direction"),
        ([*GOOD, after(0, 1, "dominate")], r"after \(step 3\): the prefix has a step already"),
        ([*GOOD, after(0, 2, "dominate")], r"after \(step 3\): there is no such symbol"),
        ([*GOOD, after(1, 0, "dominate")], r"after \(step 3\): the parent is not an earlier expand step"),
        ([*GOOD, after(3, 0, "expand")], r"after \(step 3\): the parent is not an earlier expand step"),
        ([after(1, 0, "expand"), after(0, 0, "expand")], r"after \(step 0\): the parent is not an earlier"),
        ([*GOOD, after(99, 0, "dominate")], r"after \(step 3\): the parent is not an earlier expand step"),
    ],
)
def test_rejects_other_shapes(steps, match):
    rejects(tree(MODEL, steps), MODEL, match)


def test_every_pair_needs_its_own_root_even_under_one_name():
    model = toml(BIT, STAY, {"l": {"0": "1"}, "r": {"0": "1"}}, [("l", "r", True), ("l", "r", True)])
    rejects(tree(model, [root("dominate")]), model, r"the direction \[1, true\] has no root")
    accepts(tree(model, [root("dominate"), root("dominate", pair=1)]), model)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"rule": "prune"}, r"step \(step 0\): rule must be one of"),
        ({"exact": False}, r"expand \(step 0\): exact must be true"),
        ({"exact": 1}, "exact must be true"),
        ({"by": 0}, "unknown field 'by'"),
        ({"after": [0, 0]}, "unknown field 'after'"),
        ({"root": [0]}, "root must have two entries"),
        ({"root": [True, True]}, "the pair of a root must be an integer"),
        ({"root": [0, 1]}, "the direction of a root must be true or false"),
        ({"root": [-1, True]}, "must be at least 0"),
        ({"root": "0"}, "root must be an array"),
    ],
)
def test_rejects_malformed_steps(change, match):
    rejects(tree(MODEL, [{**GOOD[0], **change}, *GOOD[1:]]), MODEL, match)


def test_rejects_missing_fields():
    rejects(tree(MODEL, [{"rule": "expand"}]), MODEL, "lacks the field 'after'")
    rejects(tree(MODEL, [{"root": [0, True]}]), MODEL, "rule must be one of")
    rejects(tree(MODEL, [root("subsume", by=0)]), MODEL, "lacks the field 'scale'")
    rejects(tree(MODEL, [["expand"]]), MODEL, "rule must be one of")


@pytest.mark.parametrize("precision", [15, 65537, -64, 0])
def test_rejects_a_precision_out_of_range(precision):
    rejects(tree(MODEL, GOOD, precision=precision), MODEL, "precision must be at")


@pytest.mark.parametrize("precision", [16, 65536])
def test_accepts_the_ends_of_the_range_of_precisions(precision):
    accepts(tree(MODEL, GOOD, precision=precision), MODEL)


def test_a_path_of_ten_thousand_steps_needs_no_recursion():
    model = one_way({"0": {"a": "1"}}, {"0": {"0": "1"}}, {"0": "1"}, {"0": "1"})
    steps = [root("expand"), *(after(i, 0, "expand") for i in range(9_999)), after(9_999, 0, "dominate")]
    assert accepts(tree(model, steps), model).steps == 10_001
