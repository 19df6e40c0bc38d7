"""The rule `combine`: several expanded steps cover one together."""

from __future__ import annotations

from typing import Any

import pytest
from checker_cases import accepts, after, one_way, rejects, root, tree

EVEN = {"a": "1/4", "b": "1/4", "c": "1/2"}
FAN = one_way(
    {"0": EVEN, "1": EVEN},
    {"0": {"0": "1/2", "1": "1/2"}, "1": {"1": "1"}},
    {"0": "1/2", "1": "1/2"},
    {"0": "1/2", "1": "1/2"},
)
"""Both sides are equal; after c they are what they are after a and after b together."""


def covered(parts: list[list[Any]], ratio: str = "1", exact: bool = True, **where: Any) -> dict[str, Any]:
    more = {"exact": True} if exact else {}
    steps = [
        root("expand"),
        after(0, 0, "expand", **more),
        after(0, 1, "expand", **more),
        after(0, 2, "combine", parts=parts, **more),
    ]
    for parent in (1, 2):
        steps += [after(parent, symbol, "dominate", **more) for symbol in range(3)]
    return tree(FAN, steps, ratio=ratio, **where)


def test_accepts_several_steps_together():
    accepts(covered([[1, "1"], [2, "1"]]), FAN)
    accepts(covered([[1, "1/2"], [2, "3/2"]]), FAN)
    accepts(covered([[1, "1"], [1, "1"]]), FAN)
    accepts(covered([[1, "1"], [2, "1"]], horizon=5), FAN)
    accepts(covered([[1, "1"], [2, "1"]], possible="both"), FAN)


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ([[1, "1"], [2, f"{10**30 - 1}/{10**30}"]], "left exceeds the sum of left in the entry '0'"),
        ([[1, "1"], [2, f"{10**30 + 1}/{10**30}"]], "right is less than the sum of right in the entry '0'"),
        ([[1, "1"]], "left exceeds the sum of left"),
        ([[1, "1"], [2, "1"], [0, f"1/{10**30}"]], "right is less than the sum of right"),
        ([[1, "1"], [3, "1"]], "step 3 is not an expand step"),
        ([[1, "1"], [4, "1"]], "step 4 is not an expand step"),
        ([[1, "1"], [99, "1"]], "step 99 is not an expand step"),
        ([[1, "1"], [2, "0"]], "must be positive"),
        ([], "parts is empty"),
        ([[1]], "the number of a step and a scale"),
    ],
)
def test_rejects(parts: list[list[Any]], reason: str):
    rejects(covered(parts), FAN, reason)


def test_every_part_meets_the_conditions_of_subsume():
    """At a finite horizon no part may have fewer symbols left, under both all are as long."""
    steps = [
        root("expand"),
        after(0, 0, "expand", exact=True),
        after(1, 2, "expand", exact=True),
        after(0, 1, "dominate", exact=True),
        after(0, 2, "combine", parts=[[1, "1"], [2, "1"]]),
        after(1, 0, "dominate", exact=True),
        after(1, 1, "dominate", exact=True),
        *(after(2, symbol, "dominate", exact=True) for symbol in range(3)),
    ]
    rejects(tree(FAN, steps, ratio="1", horizon=4), FAN, "step 2 has fewer symbols left")
    steps[4] = after(0, 2, "combine", parts=[[1, "1"], [0, "1/4"]])
    rejects(tree(FAN, steps, ratio="1", horizon=4, possible="both"), FAN, "step 0 must be exactly as long under 'both'")
