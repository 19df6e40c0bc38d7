"""The command line of the checker."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from checker_cases import CONTAGIOUS, claim, holds, toml, violated

from faier_check.__main__ import main

GOOD = holds(CONTAGIOUS, claim("4", 1), {"rule": "enumerate", "ratio": "4"})
BAD = holds(CONTAGIOUS, claim("3", 1), {"rule": "enumerate", "ratio": "3"})


@pytest.fixture
def run(tmp_path, capsys):
    """Write the two files, run, and return the exit status with what was printed."""

    def run(certificate: object, model: bytes = CONTAGIOUS, *options: str) -> tuple[int, str, str]:
        text = certificate if isinstance(certificate, bytes) else json.dumps(certificate).encode()
        (tmp_path / "c.json").write_bytes(text)
        (tmp_path / "m.toml").write_bytes(model)
        status = main([str(tmp_path / "c.json"), str(tmp_path / "m.toml"), *options])
        out, err = capsys.readouterr()
        return status, out, err

    return run


def test_valid(run):
    status, out, err = run(GOOD)
    assert (status, err) == (0, "")
    assert out.startswith(
        "valid: for all 2 directions of 1 pair, every counted word of horizon 1 has left <= 4 * right"
    )


def test_rejected(run):
    status, out, err = run(BAD)
    assert (status, err) == (1, "")
    assert out.startswith("rejected: enumerate: 'well' exceeds 3 * 'sick' on the prefix reading of ['~0']")


def test_valid_as_json(run):
    status, out, err = run(GOOD, CONTAGIOUS, "--json")
    verdict = json.loads(out)
    assert (status, err) == (0, "")
    assert verdict.pop("seconds") >= 0
    assert verdict.pop("proves").startswith("for all 2 directions")
    assert verdict == {
        "faier": 1,
        "kind": "check",
        "valid": True,
        "claim": GOOD["claim"],
        "rests_on": [],
        "reason": None,
    }


def test_rejected_as_json(run):
    status, out, _ = run(BAD, CONTAGIOUS, "--json")
    verdict = json.loads(out)
    assert status == 1
    assert (verdict["valid"], verdict["claim"], verdict["proves"]) == (False, None, None)
    assert verdict["reason"].startswith("enumerate: ")


@pytest.mark.parametrize(
    "text",
    [b"", b"not JSON", b"[" * 200_000, b"\xff", b"{}", b'{"faier_certificate": 2}', b'"\\ud800"'],
)
def test_what_is_no_certificate_is_rejected(run, text):
    status, out, err = run(text)
    assert (status, err) == (1, "")
    assert out.startswith("rejected: ")


def test_another_model_is_rejected(run):
    status, out, _ = run(
        GOOD, CONTAGIOUS.replace(b'"~1" = "1/6", "~2" = "1/6"', b'"~2" = "1/6", "~1" = "1/6"')
    )
    assert status == 1
    assert out.startswith("rejected: model: it is about another model")


@pytest.mark.parametrize("model", [b"", b"[[[", b"\xff", CONTAGIOUS.replace(b"2/3", b"1/3")])
def test_an_invalid_model_is_no_verdict(run, model):
    status, out, err = run(GOOD, model)
    assert (status, out) == (2, "")
    assert err.startswith("error: ")
    status, out, _ = run(GOOD, model, "--json")
    assert status == 2
    error = json.loads(out)
    assert (error["faier"], error["kind"]) == (1, "error")
    assert set(error["errors"][0]) == {"place", "line", "message"}


def test_unreadable_files_are_no_verdict(tmp_path, capsys):
    for name in ("missing", ".", "nul\0"):
        assert main([str(tmp_path / name), str(tmp_path / name), "--json"]) == 2
        assert json.loads(capsys.readouterr().out)["kind"] == "error"


def test_wrong_usage(capsys):
    assert main(["--json", "one"]) == 2
    assert json.loads(capsys.readouterr().out)["errors"][0]["message"].startswith("the following arguments")
    assert main(["one", "two", "three"]) == 2
    assert capsys.readouterr().err.startswith("error: unrecognized arguments: three")


def test_limits_can_be_set(run):
    status, out, _ = run(GOOD, CONTAGIOUS, "--operations", "3")
    assert status == 1
    assert "more than 3 operations" in out
    assert run(GOOD, CONTAGIOUS, "--file-bytes", "10")[0] == 2


def test_prints_any_name_on_any_terminal(tmp_path):
    model = toml({"漢\n": {"\u202e": "1"}, "x": {"y": "1"}}, {}, {}, [("漢\n", "x", True)])
    word = {"pair": 0, "forward": True, "word": ["\u202e"], "ended": False, "left": "1", "right": "0"}
    (tmp_path / "c.json").write_text(json.dumps(violated(model, claim("2", 1), word)))
    (tmp_path / "m.toml").write_bytes(model)
    run = subprocess.run(
        [sys.executable, "-m", "faier_check", "c.json", "m.toml"],
        cwd=tmp_path,
        capture_output=True,
        env={"PYTHONPATH": ":".join(sys.path), "PYTHONIOENCODING": "ascii", "PATH": ""},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(b"valid: ")
    assert run.stdout.count(b"\n") == 1
    assert run.stderr == b""


def test_running_out_of_memory_is_said(run, monkeypatch):
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("faier_check.__main__.check", fail)
    status, out, _ = run(GOOD)
    assert status == 1
    assert out.startswith("rejected: checking it takes more memory than there is")
