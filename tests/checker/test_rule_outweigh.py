"""The rule `outweigh`: a difference of right and left that is at least a sum of others."""

from __future__ import annotations

from typing import Any

import pytest
from checker_cases import accepts, after, one_way, rejects, root, tree

from faier_check import Limits

ROOMS = one_way(
    {"A": {"a": "1/2", "b": "1/2"}, "C": {"a": "3/4", "b": "1/4"}},
    {"A": {"A": "1/4", "C": "3/4"}, "C": {"C": "1"}},
    {"A": "3/4", "C": "1/4"},
    {"A": "1/2", "C": "1/2"},
)
"""Room A is left for ever. In A the ratio is 3/2 after every word, so that nothing below it is ever dominated; the
supremum is 5/4, which b b b ... approaches. At 5/4 the difference is (-1/8, 3/8); b makes it an eighth of that."""


def proof(parts: Any = None, ratio: str = "5/4", exact: bool = True, **where: Any) -> dict[str, Any]:
    more = {"exact": True} if exact else {}
    parts = [[0, "1/8"]] if parts is None else parts
    steps = [
        root("expand"),
        after(0, 0, "outweigh", parts=[[0, "1/4"]]),
        after(0, 1, "outweigh", parts=parts, **more),
    ]
    return tree(ROOMS, steps, ratio=ratio, **where)


def test_accepts_what_is_met_with_equality():
    accepts(proof(), ROOMS)
    accepts(proof(horizon=7), ROOMS)


def test_accepts_rounded_rows_where_there_is_room():
    accepts(proof(ratio="1251/1000", exact=False), ROOMS)
    near = [[0, "157/1250"]]
    accepts(proof(near, ratio="1251/1000", exact=False), ROOMS)


def test_dominance_cannot_show_it():
    steps = [root("expand"), after(0, 0, "dominate"), after(0, 1, "dominate")]
    rejects(tree(ROOMS, steps, ratio="7/5"), ROOMS, "left exceeds 7/5 \\* right in the entry 'A'")


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ([[0, f"{10**30 - 1}/{8 * 10**30}"]], "difference of right and left in the entry 'A'"),
        ([[0, f"{10**30 + 1}/{8 * 10**30}"]], "in the entry 'C'"),
        ([[1, "1/8"]], "step 1 is not an expand step"),
        ([[2, "1"]], "step 2 is not an expand step"),
        ([[99, "1"]], "step 99 is not an expand step"),
        ([[0, "0"]], "must be positive"),
        ([[0, "-1/8"]], "must be"),
        ([], "parts is empty"),
    ],
)
def test_rejects(parts: list[list[Any]], reason: str):
    rejects(proof(parts), ROOMS, reason)


def test_a_smaller_ratio_is_refused():
    rejects(proof(ratio=f"{5 * 10**30 - 1}/{4 * 10**30}"), ROOMS, "in the entry 'C'")


def test_parts_meet_the_conditions_of_subsume():
    """Under both, a part has to be possible on the right wherever this prefix is; at a horizon exactly as long."""
    rejects(proof(horizon=7, possible="both"), ROOMS, "step 0 must be exactly as long under 'both'")
    accepts(proof(possible="both"), ROOMS)
    narrow = one_way(
        {"A": {"a": "1/2", "b": "1/2"}, "C": {"a": "1"}},
        {"A": {"A": "1/2", "C": "1/2"}, "C": {"C": "1"}},
        {"A": "1/2", "C": "1/2"},
        {"C": "1"},
    )
    # Only words of a count; on the right, state A is not reached, but C's difference alone would do.
    steps = [root("expand"), after(0, 0, "outweigh", parts=[[0, "1"]])]
    rejects(tree(narrow, steps, ratio="1", possible="both"), narrow, "in the entry")


def test_a_step_is_no_part_of_a_proof_of_itself_without_being_expanded():
    """One state that keeps a ratio of 1: the claim 1/2 is false, and a step may not vouch for itself."""
    tick = one_way({"o": {"t": "1"}}, {"o": {"o": "1"}}, {"o": "1"}, {"o": "1"})
    steps = [root("expand"), after(0, 0, "outweigh", parts=[[1, "1"]])]
    rejects(tree(tick, steps, ratio="1", possible="both"), tick, "step 1 is not an expand step")
    steps = [root("expand"), after(0, 0, "outweigh", parts=[[0, "1"]], exact=True)]
    rejects(tree(tick, steps, ratio="1/2"), tick, "the empty prefix needs a ratio of at least 1")
    rejects(tree(tick, steps, ratio="1/2", possible="both"), tick, "step 0 is a root")


def test_work_is_counted():
    few = Limits(operations=50)
    with pytest.raises(Exception, match="operations"):
        accepts(proof(), ROOMS, few)
