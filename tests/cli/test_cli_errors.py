"""Every expected error: exit status, one clear line, and a JSON object where it was asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from faier.errors import FaierError, ModelError, NotYetError, Problem, SolverError
from faier.model.hmm import HMM
from faier.scenario.scenario import Claim, Scenario

Run = Callable[..., Any]

WRONG_USAGE = [
    (["verify"], "Missing argument 'FILE'"),
    (["verify", "m.toml", "--nonsense"], "No such option"),
    (["verify", "m.toml", "extra"], "extra"),
    (["verify", "m.toml", "--epsilon", "1", "--ratio", "2"], "not both"),
    (["verify", "m.toml", "--epsilon"], "requires an argument"),
    (["verify", "m.toml", "--epsilon", "2 +"], "--epsilon 2 +"),
    (["verify", "m.toml", "--ratio", "0"], "must be positive, got 0"),
    (["verify", "m.toml", "--ratio", "-1"], "must be positive, got -1"),
    (["verify", "m.toml", "--horizon", "0"], "a horizon is a number, at least 1"),
    (["verify", "m.toml", "--horizon", "1.5"], "a horizon is a number, at least 1"),
    (["verify", "m.toml", "--possible", "left"], "either"),
    (["verify", "m.toml", "--engine", "magic"], "cvc5"),
    (["verify", "m.toml", "--timeout", "0"], "positive number of seconds"),
    (["verify", "m.toml", "--timeout", "nan"], "positive number of seconds"),
    (["verify", "m.toml", "--timeout", "inf"], "positive number of seconds"),
    (["verify", "m.toml", "--size-limit", "lots"], "a size is a number of bytes"),
    (["verify", "m.toml", "--jobs", "0"], "a number of processes, from 1 to 1024; got '0'"),
    (["verify", "m.toml", "--jobs", "many"], "a number of processes, from 1 to 1024; got 'many'"),
    (["epsilon", "m.toml", "--tolerance", "0"], "greater than 0"),
    (["epsilon", "m.toml", "--tolerance", "-1e-9"], "a tolerance is a number"),
    (["epsilon", "m.toml", "--tolerance", "1/0"], "a tolerance is a number"),
    (["epsilon", "m.toml", "--tolerance", "1e-99999999"], "a tolerance is a number"),
    (["epsilon", "m.toml", "--tolerance", "small"], "a tolerance is a number"),
    (["epsilon", "m.toml", "--ratio", "2"], "No such option"),
    (["convert", "m.toml"], "--to toml or --to smtlib"),
    (["convert", "m.toml", "--to", "prism"], "smtlib"),
    (["convert", "m.toml", "--to", "toml", "--encoding", "linear"], "--encoding goes with --to smtlib"),
    (["check", "proof.json"], "Missing argument 'FILE'"),
    (["nonsense"], "No such command"),
    (["report", "m.toml"], "faier report is not built yet"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG_USAGE)
def test_wrong_usage(faier_run: Run, fakes: Any, arguments: list[str], message: str) -> None:
    answer = faier_run(*arguments)
    assert answer.status == 2
    assert answer.out == ""
    assert answer.err.startswith("error: ")
    assert message in answer.err
    assert answer.err.count("\n") == 1
    assert fakes.asked is None


@pytest.mark.parametrize(("arguments", "message"), WRONG_USAGE)
def test_wrong_usage_as_json(faier_run: Run, fakes: Any, arguments: list[str], message: str) -> None:
    answer = faier_run(*arguments, "--json")
    if "--json" in answer.err and "convert" in arguments:
        pytest.skip("convert has no --json")
    assert answer.status == 2
    (error,) = answer.json["errors"]
    assert answer.err == f"error: {error['message']}\n"
    assert message in error["message"] or "--json" in error["message"]


def test_no_budget_and_no_horizon(faier_run: Run, fakes: Any) -> None:
    whole = fakes.scenario
    fakes.scenario = replace(whole, claim=Claim(horizon=1))
    assert "no budget" in faier_run("verify", "m.toml").err
    fakes.scenario = replace(whole, claim=Claim(budget=whole.claim.budget))
    for command in ("verify", "epsilon"):
        answer = faier_run(command, "m.toml")
        assert answer.status == 2
        assert "no horizon" in answer.err


def test_what_is_not_built_yet_is_said_so(faier_run: Run, fakes: Any) -> None:
    unknown = HMM(emit={"0": {"a": "p", "b": "1-p"}, "1": {"a": 1}}, parameters={"p": "0 < p < 1"})
    fakes.scenario = Scenario.of(unknown, [("0", "1")], ratio=2, horizon=1, delta="1/2")
    answer = faier_run("verify", "m.toml")
    assert answer.status == 2
    assert "not built yet" in answer.err


def failing(fakes: Any, error: BaseException) -> None:
    def fail(scenario: object) -> object:
        raise error

    fakes.answer = fail


PROBLEMS = [
    Problem("model.emit.x", "the row sums to 5/6, not 1", 3),
    Problem("beliefs.mixed", "unknown state 'z'"),
]


def test_all_problems_of_a_model_are_listed(faier_run: Run, fakes: Any) -> None:
    failing(fakes, ModelError(PROBLEMS))
    answer = faier_run("verify", "m.toml", "--json")
    assert answer.status == 2
    assert answer.err == (
        "model.emit.x (line 3): the row sums to 5/6, not 1\nbeliefs.mixed: unknown state 'z'\n"
    )
    assert answer.json == {
        "faier": 1,
        "kind": "error",
        "errors": [
            {"place": "model.emit.x", "line": 3, "message": "the row sums to 5/6, not 1"},
            {"place": "beliefs.mixed", "line": None, "message": "unknown state 'z'"},
        ],
    }


@pytest.mark.parametrize(
    "error",
    [
        NotYetError("no"),
        SolverError("z3 is not installed"),
        FaierError("x"),
        FileNotFoundError(2, "gone", "m"),
    ],
)
def test_expected_errors_exit_with_2(faier_run: Run, fakes: Any, error: Exception) -> None:
    failing(fakes, error)
    answer = faier_run("verify", "m.toml")
    assert answer.status == 2
    assert answer.err.startswith("error: ")


@pytest.mark.parametrize("command", ["verify", "epsilon"])
def test_interruption_outside_the_engine_is_unknown(faier_run: Run, fakes: Any, command: str) -> None:
    failing(fakes, KeyboardInterrupt())
    answer = faier_run(command, "m.toml", "--json")
    assert answer.status == 3
    assert answer.err == "error: interrupted\n"
    assert answer.json["errors"][0]["message"] == "interrupted"


def test_interruption_elsewhere(faier_run: Run, fakes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("faier.api.load_with_warnings", interrupted)
    assert faier_run("convert", "m.toml", "--to", "toml").status == 130


def test_internal_errors_show_no_traceback(
    faier_run: Run, fakes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FAIER_DEBUG", raising=False)
    failing(fakes, ZeroDivisionError("a\nb"))
    answer = faier_run("verify", "m.toml", "--json")
    assert answer.status == 70
    assert answer.err == (
        "error: internal error: ZeroDivisionError: a b; please report it (FAIER_DEBUG=1 shows where)\n"
    )
    assert len(answer.json["errors"]) == 1
    monkeypatch.setenv("FAIER_DEBUG", "1")
    assert "Traceback" in faier_run("verify", "m.toml").err


def test_out_of_memory_is_unknown(faier_run: Run, fakes: Any) -> None:
    failing(fakes, MemoryError())
    assert faier_run("verify", "m.toml").status == 3


def test_bare_command_shows_its_help_on_stderr(faier_run: Run) -> None:
    answer = faier_run()
    assert answer.status == 2
    assert answer.out == ""
    assert "Usage: faier" in answer.err
