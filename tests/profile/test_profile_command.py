"""`faier profile`, and `faier verify` with a delta, as a user meets them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from click.testing import CliRunner

import faier.report
from faier.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
GEOMETRIC = str(EXAMPLES / "truncated_geometric.toml")
Run = Callable[..., Any]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return lambda *arguments: CliRunner().invoke(main, list(arguments), catch_exceptions=False)


def record(answer: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer.stdout)
    schema = Path(faier.report.__file__).parent / f"{found['kind']}.schema.json"
    jsonschema.validate(found, json.loads(schema.read_text("utf-8")))
    return found


@pytest.mark.parametrize(("epsilon", "delta"), [("0", "1/3"), ("ln 1.5", "1/6"), ("ln 2", "0")])
def test_delta_at_an_epsilon(run: Run, epsilon: str, delta: str) -> None:
    answer = run("profile", GEOMETRIC, "--epsilon", epsilon, "--json")
    assert answer.exit_code == 0
    (point,) = record(answer)["points"]
    assert point["delta"] == delta
    assert point["bounds"] == {"lower": delta, "upper": delta}
    assert run("profile", GEOMETRIC, "--epsilon", epsilon).stdout.startswith(f"delta is {delta} at the ratio ")


def test_delta_at_an_irrational_ratio_is_an_expression(run: Run) -> None:
    (point,) = record(run("profile", GEOMETRIC, "--epsilon", "0.3", "--json"))["points"]
    assert (point["ratio"], point["delta"]) == ("exp(3/10)", "2/3 - 1/3*exp(3/10)")
    assert run("verify", GEOMETRIC, "--epsilon", "0.3", "--delta", "0.2167").exit_code == 1
    assert run("verify", GEOMETRIC, "--epsilon", "0.3", "--delta", "0.2168").exit_code == 0


def test_the_epsilon_at_a_delta(run: Run) -> None:
    answer = run("profile", GEOMETRIC, "--delta", "1/10", "--json")
    assert record(answer)["reach"]["ratio"] == {"lower": "17/10", "upper": "17/10"}
    assert "epsilon is exactly ln(17/10)" in run("profile", GEOMETRIC, "--delta", "1/10").stdout
    assert "epsilon is exactly ln(2)" in run("profile", GEOMETRIC, "--delta", "0").stdout
    assert "epsilon is minus infinity" in run("profile", GEOMETRIC, "--delta", "1").stdout


def test_no_epsilon_is_enough_where_only_one_side_can_produce_a_word(run: Run) -> None:
    Path("released.toml").write_text(
        'faier = 1\n[model.emit]\npresent = { out = "1/6", quiet = "5/6" }\nabsent = { quiet = 1 }\n'
        '[[compare]]\nleft = "present"\nright = "absent"\n[claim]\nhorizon = 1\n'
    )
    answer = run("profile", "released.toml", "--delta", "1/7", "--json")
    assert answer.exit_code == 0
    assert record(answer)["reach"]["ratio"] == {"lower": "infinity", "upper": "infinity"}
    assert "at every ratio delta is at least 1/6" in run("profile", "released.toml", "--delta", "1/7").stdout
    assert record(run("profile", "released.toml", "--delta", "1/6", "--json"))["reach"]["ratio"]["upper"] == "1"
    points = record(run("profile", "released.toml", "--json"))["points"]
    assert [(p["ratio"], p["delta"]) for p in points] == [("1", "1/6")]


def test_the_curve_as_json_csv_and_svg(run: Run) -> None:
    answer = run("profile", GEOMETRIC, "--json", "--csv", "curve.csv", "--svg", "curve.svg")
    found = record(answer)
    assert found["linear"]
    assert [(p["ratio"], p["delta"]) for p in found["points"]] == [("1", "1/3"), ("2", "0")]
    rows = list(csv.DictReader(io.StringIO(Path("curve.csv").read_text("utf-8"))))
    assert [(row["ratio"], row["delta"]) for row in rows] == [("1", "1/3"), ("2", "0")]
    assert run("profile", GEOMETRIC, "--csv").stdout == Path("curve.csv").read_text("utf-8")
    picture = ElementTree.fromstring(Path("curve.svg").read_text("utf-8"))
    assert picture.find("{http://www.w3.org/2000/svg}polyline") is not None


def test_claims_with_a_delta(run: Run) -> None:
    answer = run("verify", GEOMETRIC, "--ratio", "3/2", "--delta", "1/10", "--json", "--certificate", "proof.json")
    assert answer.exit_code == 1
    witness = record(answer)["witness"]
    assert witness["words"] == [["~0"]]
    assert (witness["left"], witness["right"], witness["delta"]) == ("0", "1", "1/6")
    assert run("check", "proof.json", GEOMETRIC).exit_code == 0
    answer = run("verify", GEOMETRIC, "--ratio", "3/2", "--delta", "1/6", "--json", "--certificate", "proof.json")
    assert answer.exit_code == 0
    assert record(answer)["claim"]["delta"] == "1/6"
    assert run("check", "proof.json", GEOMETRIC).exit_code == 0
    assert run("verify", GEOMETRIC, "--ratio", "3/2", "--delta", "1/6").stdout.startswith("holds: no event exceeds")


def test_a_point_is_certified_and_a_curve_is_not(run: Run) -> None:
    assert run("profile", GEOMETRIC, "--epsilon", "0.3", "--certificate", "point.json").exit_code == 0
    assert run("check", "point.json", GEOMETRIC).exit_code == 0
    answer = run("profile", GEOMETRIC, "--certificate", "curve.json")
    assert answer.exit_code == 0
    assert "no certificate was written" in answer.stderr
    assert not Path("curve.json").exists()


def test_an_unfinished_search_says_so(run: Run) -> None:
    answer = run("profile", str(EXAMPLES / "rappor.toml"), "--ratio", "9", "--timeout", "0.2", "--json")
    assert answer.exit_code == 3
    found = record(answer)
    assert not found["complete"]
    assert found["points"][0]["delta"] is None


def test_a_stopped_search_for_an_epsilon_has_an_upper_end(run: Run) -> None:
    answer = run("profile", str(EXAMPLES / "rappor.toml"), "--delta", "1/10", "--timeout", "0.2", "--json")
    assert answer.exit_code == 3
    ratio = record(answer)["reach"]["ratio"]
    # At every length the permanent bits are what is told apart in the end: 81 keeps any delta.
    assert 1 < Fraction(ratio["lower"]) < Fraction(ratio["upper"]) <= 81


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ratio", "2", "--delta", "1/10"], "give one of --ratio, --epsilon and --delta"),
        (["--delta", "0.5.1"], "--delta 0.5.1"),
        (["--delta", "2"], "between 0 and 1"),
        (["--json", "--csv"], "both write to stdout"),
        (["--ratio", "-1"], "must be positive"),
    ],
)
def test_wrong_usage(run: Run, arguments: list[str], message: str) -> None:
    answer = run("profile", GEOMETRIC, *arguments)
    assert answer.exit_code == 2
    assert message in answer.stderr


def test_what_has_no_meaning_with_a_delta_is_refused(run: Run) -> None:
    for arguments in (
        ["verify", GEOMETRIC, "--delta", "1/10", "--possible", "both"],
        ["verify", GEOMETRIC, "--delta", "1/10", "--engine", "z3"],
        ["profile", str(EXAMPLES / "possible_both.toml"), "--ratio", "2"],
        ["profile", str(EXAMPLES / "independent_unknown.toml"), "--ratio", "2"],
    ):
        answer = run(*arguments)
        assert answer.exit_code == 2
        assert answer.stderr.startswith("error: ")
