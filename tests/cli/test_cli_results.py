"""What commands print for each result, and with which exit status they end."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from faier.errors import UsageError

Run = Callable[..., Any]
Answers = dict[str, Callable[..., Any]]


@pytest.mark.parametrize(("answer", "status"), [("holds", 0), ("violated", 1), ("unknown", 3)])
def test_verify_ends_with_the_verdict(
    faier_run: Run, fakes: Any, answers: Answers, answer: str, status: int
) -> None:
    fakes.answer = answers[answer]
    plain = faier_run("verify", "m.toml")
    assert plain.status == status
    assert plain.out.splitlines()[0].startswith(f"{answer}: ")
    assert plain.err == ""
    as_json = faier_run("verify", "m.toml", "--json")
    assert as_json.status == status
    assert as_json.json["verdict"] == answer


@pytest.mark.parametrize(("answer", "status"), [("tight", 0), ("stopped", 3)])
def test_epsilon_ends_with_how_far_it_came(
    faier_run: Run, fakes: Any, answers: Answers, answer: str, status: int
) -> None:
    fakes.answer = answers[answer]
    plain = faier_run("epsilon", "m.toml")
    assert plain.status == status
    assert plain.out.startswith("epsilon ")
    as_json = faier_run("epsilon", "m.toml", "--json")
    assert as_json.status == status
    assert as_json.json["ratio"]["lower"] == "4"


def test_first_line_is_the_verdict_and_the_rest_a_table(faier_run: Run, fakes: Any) -> None:
    lines = faier_run("verify", "m.toml").out.splitlines()
    assert lines[0] == "violated: sick against well: after ~2, 2/3 against 1/6, ratio 4 > 2 (epsilon ln(2))"
    assert "symbol  sick  well  ratio" in lines[2]
    assert "\x1b" not in "".join(lines)


def test_options_override_the_file(faier_run: Run, fakes: Any) -> None:
    options = [
        "--epsilon",
        "ln 3",
        "--horizon",
        "any",
        "--possible",
        "both",
        "--engine",
        "z3",
        "--timeout",
        "5",
    ]
    claim = faier_run("verify", "m.toml", *options, "--json").json["claim"]
    assert claim == {"ratio": "3", "epsilon": "ln(3)", "horizon": "any", "possible": "both", "delta": "0"}
    assert fakes.options["engine"] == "z3"
    # What was not spent on reading the file is left for the search.
    assert fakes.options["seconds"].of == 5.0
    assert 0 < fakes.options["seconds"] <= 5.0


def test_ratio_replaces_the_epsilon_of_the_file(faier_run: Run, fakes: Any) -> None:
    fakes.scenario = fakes.scenario.claiming(epsilon="0.7")
    assert faier_run("verify", "m.toml", "--ratio", "7/2", "--json").json["claim"]["ratio"] == "7/2"


@pytest.mark.parametrize(("text", "value"), [("1e-9", F(1, 10**9)), ("1/1000", F(1, 1000)), ("0.5", F(1, 2))])
def test_tolerance_is_exact(faier_run: Run, fakes: Any, answers: Answers, text: str, value: F) -> None:
    fakes.answer = answers["tight"]
    assert faier_run("epsilon", "m.toml", "--tolerance", text).status == 0
    assert fakes.options["tolerance"] == value


def test_warnings_go_to_stderr(faier_run: Run, fakes: Any) -> None:
    fakes.warnings = ("the belief 'mixed' is never compared",)
    answer = faier_run("verify", "m.toml", "--json")
    assert answer.err == "warning: the belief 'mixed' is never compared\n"
    assert answer.json["verdict"] == "violated"


def test_certificate_is_written_and_named(faier_run: Run, fakes: Any, tmp_path: Path) -> None:
    out = tmp_path / "proof.json"
    answer = faier_run("verify", "m.toml", "--certificate", out, "--json")
    assert answer.json["certificate"] == str(out)
    assert json.loads(out.read_text()) == {"faier_certificate": 1}
    assert list(tmp_path.iterdir()) == [out]


def test_certificate_replaces_an_old_one_and_keeps_its_mode(
    faier_run: Run, fakes: Any, tmp_path: Path
) -> None:
    out = tmp_path / "proof.json"
    out.write_text("old")
    out.chmod(0o640)
    assert faier_run("verify", "m.toml", "--certificate", out).status == 1
    assert "old" not in out.read_text()
    assert out.stat().st_mode & 0o777 == 0o640


def test_certificate_may_go_to_a_device(faier_run: Run, fakes: Any) -> None:
    assert faier_run("verify", "m.toml", "--certificate", "/dev/null").status == 1
    assert Path("/dev/null").is_char_device()


def test_a_verdict_without_certificate_is_not_lost(
    faier_run: Run, fakes: Any, answers: Answers, tmp_path: Path
) -> None:
    def refuse(result: object) -> dict[str, object]:
        raise UsageError("an unknown verdict has no certificate")

    fakes.answer, fakes.certificate = answers["unknown"], refuse
    out = tmp_path / "proof.json"
    answer = faier_run("verify", "m.toml", "--certificate", out, "--json")
    assert answer.status == 3
    assert answer.json["certificate"] is None
    assert answer.err.startswith(f"warning: no certificate was written to {out}: ")
    assert not out.exists()


def test_unwritable_certificate_is_an_error_before_the_search(
    faier_run: Run, fakes: Any, tmp_path: Path
) -> None:
    for out in (tmp_path / "no" / "proof.json", tmp_path, "-"):
        answer = faier_run("verify", "m.toml", "--certificate", out)
        assert answer.status == 2
        assert answer.out == ""
        assert answer.err.startswith("error: ")
    assert fakes.asked is None


def test_certificate_never_overwrites_the_model(faier_run: Run, fakes: Any, model: Path) -> None:
    before = model.read_text()
    answer = faier_run("verify", model, "--certificate", model)
    assert answer.status == 2
    assert "is the file that is read" in answer.err
    assert model.read_text() == before


def test_explain_says_what_was_tried(faier_run: Run, fakes: Any, answers: Answers) -> None:
    for command in ("verify", "epsilon"):
        fakes.answer = answers["holds" if command == "verify" else "tight"]
        assert "tried" in faier_run(command, "m.toml", "--explain").out
        assert "tried" not in faier_run(command, "m.toml").out
        assert faier_run(command, "m.toml", "--explain", "--json").json["explanation"] is None
        assert "explanation" not in faier_run(command, "m.toml", "--json").json
