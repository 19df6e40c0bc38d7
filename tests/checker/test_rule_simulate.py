"""The rule `simulate`: a matrix that carries every suffix from the right side to the left."""

from __future__ import annotations

from typing import Any

import pytest
from checker_cases import accepts, after, one_way, rejects, root, tree

TINY = f"1/{10**30}"
EMIT = {"x": {"a": "1/2", "b": "1/2"}, "y": {"a": "1/3", "b": "2/3"}}
STEP = {"x": {"x": "1/4", "y": "3/4"}, "y": {"x": "3/5", "y": "2/5"}}
COPIES = one_way(
    {**EMIT, **{f"{s}'": row for s, row in EMIT.items()}},
    {**STEP, **{f"{s}'": {f"{t}'": p for t, p in row.items()} for s, row in STEP.items()}},
    {"x": "1"},
    {"x'": "1"},
)
"""Two copies of one walk; the states are numbered x, y, x', y'."""

OWN_COPY = [[0, 2, "1"], [1, 3, "1"]]


def simulated(
    model: bytes, matrix: list[list[Any]], ratio: str = "1", step: dict[str, Any] | None = None, **where: Any
) -> dict[str, Any]:
    certificate = tree(model, [root("simulate", matrix=0) if step is None else step], ratio=ratio, **where)
    certificate["proof"]["matrices"] = [matrix]
    return certificate


def test_accepts_two_copies_and_rejects_one_part_in_1e30():
    for exact in ({}, {"exact": True}):
        step = root("simulate", matrix=0, **exact)
        for where in ({}, {"horizon": 7}, {"possible": "both"}):
            accepts(simulated(COPIES, OWN_COPY, step=step, **where), COPIES)
        less = f"{10**30 - 1}/{10**30}"
        certificate = simulated(COPIES, OWN_COPY, less, step)
        rejects(certificate, COPIES, r"simulate \(step 0\): left K exceeds .* in the entry \"x'\"")


def test_after_a_symbol():
    steps = [root("expand"), after(0, 0, "simulate", matrix=0), after(0, 1, "simulate", matrix=0)]
    certificate = tree(COPIES, steps, ratio="1")
    certificate["proof"]["matrices"] = [OWN_COPY]
    accepts(certificate, COPIES)


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        ([[0, 2, f"{10**30 - 1}/{10**30}"], [1, 3, "1"]], "row of 'x' sums to less than 1"),
        ([[0, 2, f"{10**30 + 1}/{10**30}"], [1, 3, "1"]], "L K exceeds K L for the symbol 'a'"),
        ([[0, 3, "1"], [1, 3, "1"]], "L K exceeds K L"),
        ([[0, 2, "1"]], "leads to 'y', for which the matrix has no row"),
        ([[1, 3, "1"]], "leads to 'x', for which the matrix has no row"),
        ([], "no row for 'x', where left is not 0"),
        ([[0, 2, "1"], [0, 2, "1"]], "twice"),
        ([[0, 2, "0"]], "must be positive"),
        ([[0, 9, "1"], [1, 3, "1"]], "beyond the states"),
        ([[0, 2]], "two numbers of states and a value"),
    ],
)
def test_rejects_what_is_no_simulation(matrix: list[list[Any]], reason: str):
    rejects(simulated(COPIES, matrix), COPIES, reason)


def test_rejects_a_matrix_that_is_not_there():
    rejects(tree(COPIES, [root("simulate", matrix=0)], ratio="1"), COPIES, "there is no matrix 0")
    rejects(simulated(COPIES, OWN_COPY, step=root("simulate", matrix=1)), COPIES, "there is no matrix 1")
    rejects(tree(COPIES, [root("simulate")], ratio="1"), COPIES, "lacks the field 'matrix'")
    rejects(tree(COPIES, [root("dominate", matrix=0)], ratio="1"), COPIES, "unknown field 'matrix'")


def test_the_end_of_a_run_is_carried_too():
    """The left side ends as prefixes do, but the right side never ends: complete runs are lost."""
    ending = one_way(
        {"x": {"a": "1"}, "z": {"a": "1"}}, {"x": {"x": "1/2", "z": "1/2"}}, {"x": "1"}, {"x": "1/2", "z": "1/2"}
    )
    done = 2
    identity = [[0, 0, "1"], [1, 1, "1"], [done, done, "1"]]
    accepts(simulated(ending, identity, "2"), ending)
    no_end = [[0, 0, "1"], [1, 1, "1"], [done, 0, "1"]]
    rejects(simulated(ending, no_end, "2"), ending, "row of done sums to less than 1")
    rejects(simulated(ending, identity[:2], "2"), ending, "leads to done, for which the matrix has no row")


def test_rounding_goes_up():
    """A step that is not exact rounds K up: with few bits less is accepted, never more."""
    third = [[0, 2, "4/3"], [1, 3, "4/3"]]
    accepts(simulated(COPIES, third, "4/3", root("simulate", matrix=0, exact=True)), COPIES)
    rejects(simulated(COPIES, third, "4/3", precision=16), COPIES, "left K exceeds")
    accepts(simulated(COPIES, third, "667/500", precision=16), COPIES)


EARLY = one_way(
    {**EMIT, "x>x": EMIT["x"], "x>y": EMIT["x"], "y>x": EMIT["y"], "y>y": EMIT["y"]},
    {
        **STEP,
        **{
            f"{s}>{t}": {f"{t}>{u}": p for u, p in STEP[t].items()}
            for s in STEP
            for t in STEP
        },
    },
    {"x>x": "1/4", "x>y": "3/4"},
    {"x": "1"},
)
"""The left side knows its next state one step ahead: x, y, x>x, x>y, y>x, y>y."""

AHEAD = [[0, 2, "1/4"], [0, 3, "3/4"], [1, 4, "3/5"], [1, 5, "2/5"]]


def cosimulated(matrix: list[list[Any]], ratio: str = "1", **step: Any) -> dict[str, Any]:
    return simulated(EARLY, matrix, ratio, root("cosimulate", matrix=0, **step))


def test_accepts_a_simulation_of_prefixes():
    for exact in ({}, {"exact": True}):
        accepts(cosimulated(AHEAD, **exact), EARLY)
        less = f"{10**30 - 1}/{10**30}"
        rejects(cosimulated(AHEAD, less, **exact), EARLY, r"cosimulate \(step 0\): left exceeds .* right K")
    rejects(simulated(EARLY, AHEAD), EARLY, "simulate")


@pytest.mark.parametrize(
    ("entry", "value", "reason"),
    [
        (1, f"{75 * 10**28 + 1}/{10**30}", "row of 'x' sums to more than 1"),
        (1, f"{75 * 10**28 - 1}/{10**30}", "K L exceeds L K for the symbol 'a'"),
        (3, f"{4 * 10**29 - 1}/{10**30}", "K L exceeds L K"),
    ],
)
def test_rejects_what_is_no_simulation_of_prefixes(entry: int, value: str, reason: str):
    matrix = [list(item) for item in AHEAD]
    matrix[entry][2] = value
    rejects(cosimulated(matrix), EARLY, f"no simulation of prefixes .*{reason}")


def test_a_simulation_of_prefixes_does_not_end_runs():
    rejects(cosimulated([*AHEAD[1:], [0, 6, "1/4"]]), EARLY, "it has an entry at done")
    rejects(cosimulated([*AHEAD, [6, 6, f"{10**30 + 1}/{10**30}"]]), EARLY, "row of done sums to more than 1")
    rejects(cosimulated([*AHEAD, [6, 2, "1"]]), EARLY, "at done: K L exceeds L K")
    rejects(cosimulated([*AHEAD, [7, 2, "1"]]), EARLY, "beyond the states")
    rejects(cosimulated(AHEAD[2:]), EARLY, "left exceeds 1 \\* right K|K L exceeds")
