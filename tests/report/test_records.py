"""The JSON of results is the contract's, to the letter."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import faier.report
from faier.report.records import error_record, symbol_record, tight_record, verdict_record
from faier.scenario.scenario import Scenario
from faier.verdict import Holds, Tight, Unknown, Violated, Witness

SCHEMAS = Path(faier.report.__file__).parent


def conforms(record: dict[str, Any]) -> None:
    kind = record["kind"]
    schema = json.loads((SCHEMAS / f"{kind}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(json.dumps(record, allow_nan=False)), schema)


def test_violated_record_is_the_one_in_the_contract(violated: Violated) -> None:
    assert verdict_record(violated) == {
        "faier": 1,
        "kind": "verdict",
        "verdict": "violated",
        "claim": {"ratio": "2", "epsilon": "ln(2)", "horizon": 1, "possible": "either", "delta": "0"},
        "witness": {
            "left": "sick",
            "right": "well",
            "word": ["~2"],
            "ended": False,
            "left_probability": "2/3",
            "right_probability": "1/6",
            "ratio": "4",
            "parameters": {},
        },
        "bounds": None,
        "reason": None,
        "engine": "tree",
        "certificate": None,
        "seconds": 0.002,
    }


def test_keys_stand_in_the_order_of_the_contract(violated: Violated, exact: Tight) -> None:
    assert " ".join(verdict_record(violated)) == (
        "faier kind verdict claim witness bounds reason engine certificate seconds"
    )
    assert " ".join(tight_record(exact)) == (
        "faier kind exact attained ratio epsilon horizon witness limit diverges engine certificate seconds"
    )


def test_epsilon_record(exact: Tight) -> None:
    record = tight_record(exact, "proof.json")
    assert record["exact"] is True
    assert record["ratio"] == {"lower": "4", "upper": "4"}
    assert record["certificate"] == "proof.json"
    epsilon = record["epsilon"]
    assert isinstance(epsilon, dict)
    assert epsilon["lower"] < epsilon["upper"] <= math.nextafter(epsilon["lower"], 2) * (1 + 2**-52)


def test_every_result_conforms_to_its_schema(
    violated: Violated,
    holds: Holds,
    nothing_counts: Holds,
    unknown: Unknown,
    exact: Tight,
    enclosed: Tight,
    stopped: Tight,
    infinite: Tight,
) -> None:
    for result in (violated, holds, nothing_counts, unknown, exact, enclosed, stopped, infinite):
        conforms(result.to_dict())
    conforms(error_record([("model.emit.x", 3, "the row is empty"), ("", None, "no budget")]))


def test_unknown_has_its_bounds_and_reason(unknown: Unknown) -> None:
    record = verdict_record(unknown)
    assert record["bounds"] == {"ratio": {"lower": "4/3", "upper": "infinity"}}
    assert record["reason"] == "interrupted"
    assert record["witness"] is None


def test_infinite_epsilon_is_a_string(infinite: Tight) -> None:
    record = tight_record(infinite)
    assert record["epsilon"] == {"lower": "infinity", "upper": "infinity"}
    assert record["exact"] is True
    assert record["witness"]["ratio"] == "infinity"  # type: ignore[index]


def test_reason_is_there_only_for_an_incomplete_search(stopped: Tight, exact: Tight) -> None:
    assert tight_record(stopped)["reason"] == "interrupted"
    assert "reason" not in tight_record(exact)


def test_what_is_left_out_is_there_only_when_something_was(nothing_counts: Holds, holds: Holds) -> None:
    assert verdict_record(nothing_counts)["left_out"] == [
        {
            "left": "sick",
            "right": "well",
            "left_probability": "1",
            "right_probability": "1/3",
            "nothing_counts": True,
        }
    ]
    assert "left_out" not in verdict_record(holds)


@pytest.mark.parametrize(
    ("epsilon", "expected"),
    [("ln 2", ("2", "ln(2)")), ("0.7", ("exp(7/10)", "7/10")), ("ln(3)/2", (None, "ln(3)/2"))],
)
def test_claims_are_normalised(
    make_scenario: Callable[..., Scenario], epsilon: str, expected: tuple[str | None, str]
) -> None:
    asked = make_scenario(ratio=None, epsilon=epsilon)
    claim = verdict_record(Holds(asked, "tree", 0, None))["claim"]
    assert isinstance(claim, dict)
    assert (claim["ratio"], claim["epsilon"]) == expected


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [
        ("~2", "~2"),
        (3, 3),
        (("a", "b", ("c", 1)), ["a", "b", ["c", 1]]),
        (None, None),
        (True, True),
        (F(1, 2), "1/2"),
        (frozenset(), "frozenset()"),
    ],
)
def test_python_symbols_as_json(symbol: Any, expected: object) -> None:
    assert symbol_record(symbol) == expected


def test_numbers_longer_than_python_prints_are_written_in_full(
    make_scenario: Callable[..., Scenario],
) -> None:
    small = F(1, 3**20_000)
    witness = Witness(0, True, "sick", "well", ("~2",), False, F(1), small)
    record = verdict_record(Violated(make_scenario(), "tree", 0, None, witness=witness))
    ratio = record["witness"]["ratio"]  # type: ignore[index]
    assert len(ratio) == 9543
    conforms(record)
