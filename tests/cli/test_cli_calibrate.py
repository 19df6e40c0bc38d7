"""`faier calibrate` and `faier region`, from the command line to the files that they write."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction as F
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

Run = Callable[..., Any]

NOISE = """\
faier = 1
[parameters]
alpha = "0 < alpha < 1"
[model.emit]
"0" = { "~0" = "1 / (1 + alpha)", "~1" = "(1 - alpha)*alpha / (1 + alpha)", "~2" = "alpha^2 / (1 + alpha)" }
"2" = { "~0" = "alpha^2 / (1 + alpha)", "~1" = "(1 - alpha)*alpha / (1 + alpha)", "~2" = "1 / (1 + alpha)" }
[[compare]]
left = "2"
right = "0"
[claim]
epsilon = "ln 2"
horizon = 1
"""

RATES = """\
faier = 1
[parameters]
p = "0 <= p <= 1"
q = "0 <= q <= 1"
[model.emit]
a = { "x" = "1/4 + p/4", "y" = "3/4 - p/4" }
b = { "x" = "1/4 + q/4", "y" = "3/4 - q/4" }
[[compare]]
left = "a"
right = "b"
[claim]
ratio = "5/4"
horizon = 1
"""


@pytest.fixture
def noise(tmp_path: Path) -> Path:
    path = tmp_path / "noise.toml"
    path.write_text(NOISE, encoding="utf-8")
    return path


@pytest.fixture
def rates(tmp_path: Path) -> Path:
    path = tmp_path / "rates.toml"
    path.write_text(RATES, encoding="utf-8")
    return path


def test_the_least_noise_for_a_contagious_disease(faier_run: Run, noise: Path) -> None:
    """1/sqrt(2), enclosed to 1e-9."""
    answer = faier_run("calibrate", noise, "--minimise", "alpha")
    assert answer.status == 0
    assert answer.out.startswith("safe: alpha = 33461/47321 (about 0.7071067813) and every larger value keep")
    assert answer.err == ""
    record = faier_run("calibrate", noise, "--minimise", "alpha", "--json").json
    safe, unsafe = F(record["safe"]), F(record["unsafe"])
    assert unsafe**2 < F(1, 2) <= safe**2
    assert safe - unsafe <= F(1, 10**9)
    assert (record["parameter"], record["monotone"], record["complete"]) == ("alpha", True, True)
    assert record["witness"]["parameters"] == {"alpha": record["unsafe"]}
    assert F(record["witness"]["ratio"]) > 2


def test_american_spelling(faier_run: Run, noise: Path) -> None:
    assert faier_run("calibrate", noise, "--minimize", "alpha").status == 0
    assert faier_run("calibrate", noise, "--maximize", "alpha").status == 0


def test_options_replace_the_claim(faier_run: Run, noise: Path) -> None:
    record = faier_run("calibrate", noise, "--minimise", "alpha", "--ratio", "4", "--tolerance", "1/100", "--json").json
    assert record["claim"]["ratio"] == "4"
    assert record["tolerance"] == "1/100"
    assert (F(record["safe"]), F(record["unsafe"]) < F(1, 2)) == (F(1, 2), True)


def test_the_certificate_of_the_safe_end_and_its_model(faier_run: Run, noise: Path, tmp_path: Path) -> None:
    certificate = tmp_path / "safe.json"
    record = faier_run("calibrate", noise, "--minimise", "alpha", "--certificate", certificate, "--json").json
    assert record["certificate"] == str(certificate)
    assert record["model"] == str(tmp_path / "safe.model.toml")
    checked = faier_run("check", certificate, record["model"])
    assert checked.status == 0
    assert "for all admissible values of alpha" in checked.out
    assert f"{record['safe']} <= alpha < 1" in Path(record["model"]).read_text("utf-8")
    assert faier_run("check", certificate, noise).status == 1


def test_no_value_is_safe(faier_run: Run, noise: Path, tmp_path: Path) -> None:
    certificate = tmp_path / "safe.json"
    answer = faier_run("calibrate", noise, "--minimise", "alpha", "--ratio", "9/10", "--certificate", certificate)
    assert answer.status == 1
    assert answer.out.startswith("none: every alpha in 0 < alpha < 1 breaks the ratio 9/10")
    assert "warning: no certificate was written" in answer.err
    assert "nothing was proved to be safe" in answer.err
    assert not certificate.exists()
    record = faier_run("calibrate", noise, "--minimise", "alpha", "--ratio", "9/10", "--json").json
    assert record["safe"] is None
    assert record["unsafe"] == "1/2"
    assert record["witness"]["parameters"] == {"alpha": "1/2"}


def test_every_value_is_safe(faier_run: Run, noise: Path) -> None:
    answer = faier_run("calibrate", noise, "--minimise", "alpha", "--ratio", "1/alpha^2", "--json")
    record = answer.json
    assert answer.status == 0
    assert (record["unsafe"], record["witness"], record["safe_beyond"]) == (None, None, True)


def test_a_time_limit(faier_run: Run, noise: Path) -> None:
    answer = faier_run("calibrate", noise, "--minimise", "alpha", "--timeout", "1e-6", "--json")
    assert answer.status == 3
    assert answer.json["complete"] is False
    assert "time limit" in answer.json["reason"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give --minimise NAME or --maximise NAME, one of the two"),
        (["--minimise", "alpha", "--maximise", "alpha"], "one of the two"),
        (["--minimise", "beta"], "unknown parameter 'beta'; known are alpha"),
        (["--minimise", "alpah"], "unknown parameter 'alpah'; did you mean 'alpha'?"),
        (["--minimise", "alpha", "--tolerance", "0"], "a tolerance is greater than 0"),
        (["--minimise", "alpha", "--tolerance", "x"], "a tolerance is a number such as"),
        (["--minimise", "alpha", "--set", "alpha=1/2"], "alpha has a value in the model, not a range"),
        (["--minimise", "alpha", "--ratio", "2", "--epsilon", "1"], "give --epsilon or --ratio, not both"),
        (["--minimise", "alpha", "--certificate", "-"], "--certificate takes the name of a file"),
    ],
)
def test_wrong_usage(faier_run: Run, noise: Path, arguments: list[str], message: str) -> None:
    answer = faier_run("calibrate", noise, *arguments)
    assert answer.status == 2
    assert answer.out == ""
    assert message in answer.err
    assert "Traceback" not in answer.err


def test_a_model_without_unknown_parameters(faier_run: Run, model: Path) -> None:
    for command in (["calibrate", model, "--minimise", "p"], ["region", model, "--over", "p"]):
        answer = faier_run(*command)
        assert answer.status == 2
        assert "the model has no unknown parameters" in answer.err


def test_a_claim_and_a_horizon_are_needed(faier_run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bare.toml"
    path.write_text(RATES.partition("[claim]")[0], encoding="utf-8")
    for command in (["calibrate", path, "--minimise", "p"], ["region", path, "--over", "p"]):
        assert faier_run(*command).status == 2
        assert faier_run(*command, "--ratio", "5/4").status == 2
        assert faier_run(*command, "--ratio", "5/4", "--horizon", "1").status in (0, 1)


def test_a_region_in_the_terminal(faier_run: Run, rates: Path) -> None:
    answer = faier_run("region", rates, "--over", "p,q", "--effort", "300")
    assert answer.status == 0
    first, *rest = answer.out.splitlines()
    assert first.startswith("region: ")
    assert "% safe" in first
    assert "% unsafe" in first
    drawn = [line.partition("|")[2] for line in rest if line.count("|") == 2]
    assert len(drawn) == 20
    # Near p = q the claim is kept, and far from it it is broken.
    assert drawn[0][0] == drawn[-1][-2] == "#"
    assert drawn[-1][0] == drawn[0][-2] == "."


def test_a_region_as_json(faier_run: Run, rates: Path) -> None:
    record = faier_run("region", rates, "--over", "p,q", "--effort", "300", "--json").json
    assert sum(F(share) for share in record["area"].values()) == 1
    assert record["over"] == ["p", "q"]
    assert record["ranges"] == {"p": "0 <= p <= 1", "q": "0 <= q <= 1"}
    for box in record["boxes"]:
        assert (box["witness"] is not None) is (box["verdict"] == "unsafe")
    # Safe where (1 + p)/(1 + q) and its inverse, and that of the complements, are at most 5/4; an area by integration.
    grid = [(F(2 * i + 1, 200), F(2 * j + 1, 200)) for i in range(100) for j in range(100)]
    kept = sum(
        max((1 + p) / (1 + q), (1 + q) / (1 + p), (3 - p) / (3 - q), (3 - q) / (3 - p)) <= F(5, 4) for p, q in grid
    )
    assert float(F(record["area"]["safe"])) - 0.01 <= kept / 10_000 <= float(1 - F(record["area"]["unsafe"])) + 0.01


def test_a_picture_is_written(faier_run: Run, rates: Path, tmp_path: Path) -> None:
    picture = tmp_path / "region.svg"
    record = faier_run("region", rates, "--over", "p,q", "--effort", "100", "--svg", picture, "--json").json
    root = ElementTree.fromstring(picture.read_text("utf-8"))
    boxes = [e.get("class") for e in root.iter("{http://www.w3.org/2000/svg}rect") if e.get("class")]
    assert sorted(boxes) == sorted(box["verdict"] for box in record["boxes"])


def test_a_region_of_one_parameter(faier_run: Run, noise: Path, tmp_path: Path) -> None:
    picture = tmp_path / "region.svg"
    answer = faier_run("region", noise, "--over", "alpha", "--svg", picture)
    assert answer.status == 0
    assert answer.out.splitlines()[2].startswith("|####")
    ElementTree.fromstring(picture.read_text("utf-8"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing option '--over'"),
        (["--over", "p,p"], "two different parameters, got p twice"),
        (["--over", "p,x"], "unknown parameter 'x'; known are p, q"),
        (["--over", "p,q,p"], "over one or two parameters, got 3"),
        (["--over", "p", "--effort", "0"], "--effort"),
        (["--over", "p", "--svg", "/nowhere/at/all.svg"], "cannot be written"),
    ],
)
def test_wrong_usage_of_region(faier_run: Run, rates: Path, arguments: list[str], message: str) -> None:
    answer = faier_run("region", rates, *arguments)
    assert answer.status == 2
    assert answer.out == ""
    assert message in answer.err


def test_the_model_file_is_not_overwritten(faier_run: Run, rates: Path) -> None:
    answer = faier_run("region", rates, "--over", "p,q", "--svg", rates)
    assert answer.status == 2
    assert "is the file that is read" in answer.err


def test_a_time_limit_leaves_a_region(faier_run: Run, rates: Path) -> None:
    answer = faier_run("region", rates, "--over", "p,q", "--timeout", "1e-6", "--json")
    assert answer.status == 3
    assert answer.json["area"]["undecided"] == "1"
    assert answer.json["complete"] is False


@pytest.mark.parametrize("command", [["calibrate", "--minimise", "p"], ["region", "--over", "p,q"]])
def test_interrupted_ends_with_what_is_known(rates: Path, command: list[str]) -> None:
    """The engine waits in the middle of its search; Ctrl-C ends it with a result, not a traceback."""
    waiting = """\
import sys, time
from faier.engine.progress import Limits

def reached(self, nodes=0, bytes_=0):
    print("ready", file=sys.stderr, flush=True)
    time.sleep(60)

Limits.reached = reached
import faier.cli
faier.cli.main()
"""
    name, *options = command
    with subprocess.Popen(
        [sys.executable, "-c", waiting, name, str(rates), *options, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stderr.readline() == "ready\n"
        asked = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.stdout.read(), process.stderr.read()
    assert time.monotonic() - asked < 10
    assert process.returncode == 3
    assert err == ""
    record = json.loads(out)
    assert record["complete"] is False
    assert record["reason"] == "interrupted"


def test_progress_says_what_is_searched(noise: Path, rates: Path) -> None:
    from faier import load
    from faier.cli.progress import describe
    from faier.engine.boxes.calibrate import Calibrator
    from faier.engine.boxes.region import region
    from faier.engine.progress import Limits, Progress

    class Eager(Limits):
        def _is_time(self) -> bool:
            self._told = self.started
            return self._listener is not None

    told: list[Progress] = []
    Calibrator(load(noise), "alpha", "minimise", F(1, 1000), Eager(listener=told.append)).run()
    lines = [describe(progress) for progress in told]
    assert lines[0] == "1 value judged, 0 s"
    assert "safe 0.7073170732, broken 0.001" in lines[-1]
    told.clear()
    region(load(rates), ["p", "q"], 20, Eager(listener=told.append))
    assert describe(told[-1]).startswith("20 boxes looked at, ")
    assert describe(told[-1]).endswith("% of the area decided, 0 s")
