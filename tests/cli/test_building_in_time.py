"""--timeout holds for the whole command, the building of the model included."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

SLOW = """
import faier


def spin(answer):
    for _ in range(10**9):
        pass
    return answer


slow = faier.Mechanism(spin, inputs=["a", "b"], adjacent=faier.any_two, name="slow")
"""
REASON = "the time limit of 0.3 s came while the model was being built"


@pytest.fixture
def target(tmp_path: Path) -> str:
    path = tmp_path / "slow_target.py"
    path.write_text(SLOW, encoding="utf-8")
    return f"{path}:slow"


@pytest.mark.parametrize("command", ["verify", "epsilon"])
def test_unknown_where_the_limit_comes_first(faier_run: Run, target: str, command: str) -> None:
    answer = faier_run(command, target, "--timeout", "0.3")
    assert (answer.status, answer.out) == (3, f"unknown: {REASON}\n")


def test_json_of_a_verdict(faier_run: Run, target: str) -> None:
    answer = faier_run("verify", target, "--ratio", "3", "--horizon", "2", "--timeout", "0.3", "--json")
    record = answer.json
    assert answer.status == 3
    assert (record["verdict"], record["reason"]) == ("unknown", REASON)
    assert record["claim"] == {"ratio": "3", "epsilon": "ln(3)", "horizon": 2, "possible": None, "delta": None}
    assert record["bounds"] == {"ratio": {"lower": "0", "upper": "infinity"}}
    answer = faier_run("verify", target, "--ratio", "3", "--delta", "1/10", "--timeout", "0.3", "--json")
    record = answer.json
    assert record["bounds"] == {"delta": {"lower": "0", "upper": "1"}}


def test_json_of_an_epsilon(faier_run: Run, target: str) -> None:
    answer = faier_run("epsilon", target, "--timeout", "0.3", "--json")
    record = answer.json
    assert answer.status == 3
    assert record["ratio"] == {"lower": "0", "upper": "infinity"}
    assert record["epsilon"] == {"lower": "-infinity", "upper": "infinity"}
    assert (record["exact"], record["reason"]) == (False, REASON)


@pytest.mark.parametrize(
    "arguments",
    [
        ("calibrate", "--minimise", "a"),
        ("region", "--over", "a"),
        ("profile",),
        ("measure", "--leakage"),
        ("bracket",),
    ],
)
def test_other_commands_end_with_the_status_of_unknown(faier_run: Run, target: str, arguments: tuple[str, ...]) -> None:
    name, *options = arguments
    answer = faier_run(name, target, *options, "--timeout", "0.3", "--json")
    assert answer.status == 3
    assert answer.json["errors"] == [{"place": "", "line": None, "message": REASON}]
    assert REASON in answer.err


def test_what_is_built_in_time_is_decided(faier_run: Run, model: Path) -> None:
    assert faier_run("verify", model, "--timeout", "60").status in (0, 1)
