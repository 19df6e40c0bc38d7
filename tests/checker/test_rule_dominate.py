from __future__ import annotations

from fractions import Fraction

import pytest
from checker_cases import BIT, STAY, accepts, after, one_way, rejects, root, toml, tree

HALVES = {"0": "1/2", "1": "1/2"}
THIRDS = {"0": "1/3", "1": "2/3"}


def heavier(part: Fraction) -> bytes:
    """Left is twice as heavy as right in state 0, and `part` more."""
    return one_way(BIT, STAY, {"0": Fraction(2, 3) + part, "1": Fraction(1, 3) - part}, THIRDS)


def test_accepts_a_bound_met_with_equality():
    proved = accepts(tree(heavier(Fraction(0)), [root("dominate", exact=True)]), heavier(Fraction(0)))
    assert proved.steps == 1
    assert proved.rests_on == ()
    assert proved.claim == (
        "for 1 direction of 1 pair, every counted word of any length has left <= 2 * right (epsilon = ln(2))"
    )


def test_rejects_one_part_in_1e30():
    model = heavier(Fraction(1, 10**30))
    rejects(
        tree(model, [root("dominate", exact=True)]),
        model,
        r"dominate \(step 0\): left exceeds 2 .* entry '0'",
    )


def test_rejects_equality_that_rounding_cannot_see():
    model = heavier(Fraction(0))
    rejects(tree(model, [root("dominate")], precision=200), model, r"dominate \(step 0\)")


def test_precision_decides_what_rounding_can_see():
    model = heavier(Fraction(-1, 10**30))
    accepts(tree(model, [root("dominate")], precision=128), model)
    rejects(tree(model, [root("dominate")], precision=64), model, r"dominate \(step 0\)")


def test_compares_the_done_entry():
    # After "a" state 0 ends and state 1 goes on: only `done` is heavier on the left.
    emit = {"0": {"a": "1"}, "1": {"a": "1"}}
    model = one_way(emit, {"1": {"1": "1"}}, {"0": "2/3", "1": "1/3"}, {"0": "1/3", "1": "2/3"})
    steps = [root("expand", exact=True), after(0, 0, "dominate", exact=True)]
    accepts(tree(model, steps, ratio="2"), model)
    rejects(tree(model, steps, ratio="199/100"), model, r"dominate \(step 1\): .* entry done")


def test_root_of_other_direction_is_needed():
    model = toml(BIT, STAY, {"l": {"0": "1"}, "r": {"0": "1"}}, [("l", "r", False)])
    rejects(tree(model, [root("dominate")]), model, r"root: the direction \[0, false\] has no root")
    accepts(tree(model, [root("dominate"), root("dominate", forward=False)]), model)


def test_same_row_needs_exactness_only_where_the_ratio_is_1():
    model = one_way(BIT, STAY, THIRDS, THIRDS)
    accepts(tree(model, [root("dominate", exact=True)], ratio="1"), model)
    rejects(tree(model, [root("dominate")], ratio="1"), model, "dominate")
    accepts(tree(model, [root("dominate")], ratio="1000001/1000000"), model)


@pytest.mark.parametrize("ratio", ["0", "1/2"])
def test_rejects_ratios_below_1_on_equal_rows(ratio: str):
    model = one_way(BIT, STAY, HALVES, HALVES)
    rejects(tree(model, [root("dominate", exact=True)], ratio=ratio), model, "dominate")
