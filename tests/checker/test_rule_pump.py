"""The rule `pump`: words whose ratio grows without end."""

from __future__ import annotations

from typing import Any

import pytest
from checker_cases import BIT, STAY, accepts, holds, one_way, rejects, toml

TINY = f"1/{10**30}"
MEMORYLESS = one_way(BIT, STAY, {"0": "1"}, {"1": "1"})
"""The same bit again and again: a^n has (3/4)^n against (1/4)^n."""


def pump(**changes: object) -> dict[str, Any]:
    return {
        "pair": 0,
        "forward": True,
        "prefix": [],
        "loop": ["a"],
        "suffix": [],
        "ended": False,
        "row": [[0, "1"]],
        "row_factor": "3/4",
        "column": [[1, "1"]],
        "column_factor": "1/4",
        **changes,
    }


def diverging(
    model: bytes, stated: dict[str, Any], horizon: object = "any", possible: str = "either", **changes: object
) -> dict[str, Any]:
    bounds = {"lower": "infinity", "upper": "infinity", "horizon": horizon, "possible": possible, "delta": "0"}
    return {**holds(model, bounds, {}), "kind": "epsilon", "proof": None, "diverges": stated, **changes}


def test_accepts_growth_and_says_how_fast():
    proved = accepts(diverging(MEMORYLESS, pump()), MEMORYLESS)
    assert "at least like (3)^n, so that no finite ratio is kept" in proved.claim
    accepts(diverging(MEMORYLESS, pump(), possible="both"), MEMORYLESS)
    accepts(diverging(MEMORYLESS, pump(suffix=["b"], column=[[1, "3/4"]])), MEMORYLESS)
    # The column may be larger, and its factor too, as long as the row's is larger still.
    accepts(diverging(MEMORYLESS, pump(column=[[1, "7"]], column_factor="1/2")), MEMORYLESS)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"row_factor": f"{75 * 10**28 + 1}/{10**30}"}, "does not multiply the row by its factor in the entry '0'"),
        ({"column_factor": f"{25 * 10**28 - 1}/{10**30}"}, "the column by more than its factor in the entry '1'"),
        ({"column": [[1, f"{10**30 - 1}/{10**30}"]]}, "the column is below the suffix in the entry '1'"),
        ({"column": []}, "the column is below the suffix"),
        ({"row": [[1, "1"]], "row_factor": "1/4", "column_factor": "1/4"}, "the row is 0, or not 0 where left is"),
        ({"row": []}, "the row is 0"),
        ({"column_factor": "3/4"}, "does not exceed"),
        ({"loop": []}, "loop is empty"),
        ({"loop": ["c"]}, "has no symbol 'c'"),
        ({"pair": 1}, "no such direction"),
        ({"forward": False}, "no such direction"),
        ({"ended": True}, "the suffix cannot follow the row"),
        ({"row": [[0, "1"], [0, "1"]]}, "twice"),
        ({"row": [[0, "-1"]]}, "must be positive"),
        ({"row_factor": "0"}, "must be positive"),
        ({"more": 1}, "unknown field 'more'"),
    ],
)
def test_rejects(changes: dict[str, Any], reason: str):
    rejects(diverging(MEMORYLESS, pump(**changes)), MEMORYLESS, reason)


def test_rejects_what_is_no_statement_about_every_length():
    rejects(diverging(MEMORYLESS, pump(), horizon=100), MEMORYLESS, 'pump: .*at horizon "any" only')
    certificate = diverging(MEMORYLESS, pump())
    certificate["claim"] = {**certificate["claim"], "lower": "3", "upper": "infinity"}
    rejects(certificate, MEMORYLESS, "not the claimed lower bound")
    limit = {"pair": 0, "forward": True, "word": ["a"], "ended": False, "approach": []}
    rejects(diverging(MEMORYLESS, pump(), limit=limit), MEMORYLESS, "not both")
    rejects({**diverging(MEMORYLESS, pump()), "kind": "holds"}, MEMORYLESS, "unknown field 'diverges'")


def test_every_state_that_the_right_side_reaches_counts():
    """The right side may leave for a state in which it keeps up: then nothing grows."""
    model = one_way(
        {"0": {"a": "3/4", "b": "1/4"}, "1": {"a": "1/4", "b": "3/4"}, "2": {"a": "1"}},
        {"0": {"0": "1"}, "1": {"1": "1/2", "2": "1/2"}, "2": {"2": "1"}},
        {"0": "1"},
        {"1": "1"},
    )
    rejects(diverging(model, pump(column_factor="1/8")), model, "the column is below the suffix in the entry '2'")
    # Only state 1 can read b, so that a^n b does grow.
    grows = pump(suffix=["b"], column=[[1, "3/4"]], column_factor="1/8")
    assert "like (6)^n" in accepts(diverging(model, grows), model).claim


def test_under_both_every_word_must_be_possible_on_the_right():
    model = one_way(
        {"0": {"a": "1"}, "1": {"a": "1"}, "2": {"b": "1"}},
        {"0": {"0": "1"}, "1": {"1": "1/4", "2": "3/4"}, "2": {"2": "1"}},
        {"0": "1"},
        {"1": "1"},
    )
    stated = pump(row_factor="1", column=[[1, "1"]], column_factor="1/4", suffix=["a"])
    assert "like (4)^n" in accepts(diverging(model, stated, possible="both"), model).claim
    swapping = one_way(
        {"0": {"a": "1/2", "c": "1/2"}, "1": {"a": "1/4", "c": "3/4"}, "2": {"a": "1/4", "b": "3/4"}},
        {"0": {"0": "1"}, "1": {"2": "1"}, "2": {"1": "1"}},
        {"0": "1"},
        {"1": "1"},
    )
    stated = pump(row_factor="1/2", column=[[1, "1"], [2, "1"]], suffix=["c"])
    accepts(diverging(swapping, stated), swapping)
    rejects(diverging(swapping, stated, possible="both"), swapping, "impossible on the right")


def test_models_with_parameters_are_refused():
    model = toml(
        {"0": {"a": "p", "b": "1-p"}, "1": {"a": "1/4", "b": "3/4"}}, STAY,
        compare=[("0", "1", True)], extra='[parameters]\np = "1/2 < p < 1"',
    )  # fmt: skip
    from faier_check.digest import digest as digest_of
    from faier_check.limits import Meter
    from faier_check.model_file import read_family

    certificate = {**diverging(MEMORYLESS, pump()), "model": digest_of(read_family(model, 1, Meter()))}
    rejects(certificate, model, "models without parameters")


WAITING = one_way(
    {"0": {"a": "1/2", "b": "1/2"}, "1": {"a": "1/4", "b": "3/4"}},
    {"0": {"0": "1/2", "1": "1/2"}, "1": {"1": "1"}},
    {"0": "1"},
    {"1": "1"},
)
"""State 0 gives way to 1 at any time; a gains 1/4 in both, so that a^n has n + 1 against 1."""


def slow(**changes: object) -> dict[str, Any]:
    stated = {"row": [[0, "4"]], "further_rows": [[[1, "1"]]], "row_factor": "1/4", "column_factor": "1/4"}
    return pump(**{**stated, **changes})


def test_accepts_growth_like_a_power():
    proved = accepts(diverging(WAITING, slow()), WAITING)
    assert "at least like n, so that no finite ratio is kept" in proved.claim
    accepts(diverging(WAITING, slow(row=[[0, "5"]])), WAITING)
    # A row that gives nothing besides shows no growth, but what comes before it does.
    accepts(diverging(WAITING, slow(further_rows=[[[1, "1/2"]]])), WAITING)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"row": [[0, f"{4 * 10**30 - 1}/{10**30}"]]}, "does not give the next row besides in the entry '1'"),
        ({"further_rows": []}, "does not exceed"),
        ({"further_rows": [[]]}, "a further row is 0"),
        ({"further_rows": [[[1, "1"]], [[1, TINY]]]}, "the next row besides in the entry '1'"),
        ({"further_rows": [[[0, "1"]]]}, "the next row besides in the entry '0'"),
        ({"row_factor": f"{25 * 10**28 - 1}/{10**30}"}, "does not exceed"),
        ({"row_factor": f"{25 * 10**28 + 1}/{10**30}"}, "does not multiply the row by its factor"),
        ({"column_factor": f"{25 * 10**28 - 1}/{10**30}"}, "the column by more than its factor"),
        ({"row": [[1, "1"]], "further_rows": [[[1, "1"]]]}, "the row is 0, or not 0 where left is"),
        ({"further_rows": [[[1, "-1"]]]}, "must be positive"),
        ({"further_rows": [[[99, "1"]]]}, "beyond the states"),
        ({"further_rows": [[[1, "1"], [99, "1"]]]}, "beyond the states"),
        ({"further_rows": 1}, "further_rows"),
    ],
)
def test_rejects_growth_that_is_none(changes: dict[str, Any], reason: str):
    rejects(diverging(WAITING, slow(**changes)), WAITING, reason)
