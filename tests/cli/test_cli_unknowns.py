"""Files with unknown parameters, from the command line to the checker."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import faier
from faier.engine.progress import Progress

Run = Callable[..., Any]

INDEPENDENT = """\
faier = 1
[parameters]
p = "0 < p < 1"
[model.emit]
"0" = { "~0" = "2/3", "~1" = "1/6", "~2" = "1/6" }
"1" = { "~0" = "1/3", "~1" = "1/3", "~2" = "1/3" }
"2" = { "~0" = "1/6", "~1" = "1/6", "~2" = "2/3" }
[beliefs]
ill = { "1" = "2*p*(1-p)/(1-(1-p)^2)", "2" = "p^2/(1-(1-p)^2)" }
any = { "0" = "(1-p)^2", "1" = "2*p*(1-p)", "2" = "p^2" }
[[compare]]
left = "ill"
right = "any"
[claim]
ratio = "2"
horizon = 1
"""

NOISE = """\
faier = 1
[parameters]
alpha = "exp(-1/2)"
[model.emit]
"0" = { "~0" = "1/(1+alpha)", "~1" = "alpha/(1+alpha)" }
"1" = { "~0" = "alpha/(1+alpha)", "~1" = "1/(1+alpha)" }
[[compare]]
left = "0"
right = "1"
[claim]
epsilon = "1/2"
horizon = 1
"""


@pytest.fixture
def unknown_rate(tmp_path: Path) -> Path:
    path = tmp_path / "independent.toml"
    path.write_text(INDEPENDENT, encoding="utf-8")
    return path


@pytest.fixture
def noise(tmp_path: Path) -> Path:
    path = tmp_path / "noise.toml"
    path.write_text(NOISE, encoding="utf-8")
    return path


def test_no_flags_are_needed(faier_run: Run, unknown_rate: Path, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    answer = faier_run("verify", unknown_rate, "--certificate", proof)
    assert answer.status == 0
    assert answer.out.splitlines()[0] == (
        "holds: every word keeps the ratio 2 (epsilon ln(2)), at horizon 1, for all values of p"
    )
    assert "parameters   0 < p < 1" in answer.out
    assert faier_run("check", proof, unknown_rate).out.startswith("valid: for all ")


def test_a_violation_has_its_values(faier_run: Run, unknown_rate: Path) -> None:
    answer = faier_run("verify", unknown_rate, "--ratio", "199/100", "--json")
    assert answer.status == 1
    witness = answer.json["witness"]
    fixed = faier_run(
        "verify", unknown_rate, "--ratio", "199/100", "--set", f"p={witness['parameters']['p']}", "--json"
    )
    assert fixed.json["witness"] == witness | {"parameters": {}}
    line = faier_run("verify", unknown_rate, "--ratio", "199/100").out.splitlines()[0]
    assert f" against {witness['right']} at p = {witness['parameters']['p']}: after " in line


def test_a_supremum_that_is_approached(faier_run: Run, unknown_rate: Path, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    answer = faier_run("epsilon", unknown_rate, "--json", "--certificate", proof)
    assert answer.status == 0
    record = answer.json
    assert (record["exact"], record["attained"]) == (True, False)
    assert record["ratio"] == {"lower": "2", "upper": "2"}
    assert record["limit"]["approach"] == [["p", "0", "above"]]
    assert record["limit"]["ratio"] == "2"
    assert faier_run("epsilon", unknown_rate).out.splitlines()[0].endswith("approached, not reached, as p -> 0")
    assert faier_run("check", proof, unknown_rate).status == 0


def test_powers_of_e(faier_run: Run, noise: Path) -> None:
    assert faier_run("verify", noise).out.startswith("holds: every word keeps the ratio exp(1/2) (epsilon 1/2)")
    record = faier_run("epsilon", noise, "--json").json
    assert record["ratio"] == {"lower": "exp(1/2)", "upper": "exp(1/2)"}
    assert record["epsilon"] == {"lower": 0.5, "upper": 0.5}
    broken = faier_run("verify", noise, "--epsilon", "49/100", "--json")
    assert broken.status == 1
    assert broken.json["witness"]["ratio"] == "exp(1/2)"
    assert "1.648721" in faier_run("verify", noise, "--epsilon", "49/100").out


def test_engines_by_name(faier_run: Run, unknown_rate: Path, noise: Path, model: Path) -> None:
    for path in (unknown_rate, noise):
        assert faier_run("verify", path, "--engine", "boxes").status == 0
        refused = faier_run("verify", path, "--engine", "tree")
        assert refused.status == 2
        assert refused.err == (
            "error: the tree engine needs numbers, and this scenario has parameters or exp; take auto or boxes\n"
        )
    for ratio, status in (("3", 1), ("4", 0)):
        assert faier_run("verify", model, "--engine", "boxes", "--ratio", ratio).status == status
    with pytest.raises(faier.UsageError, match="there are auto, tree, boxes, z3 and cvc5"):
        faier.verify(model, engine="magic")  # type: ignore[arg-type]


def test_boxes_and_tree_give_the_same_witness(faier_run: Run, model: Path) -> None:
    tree, boxes = (
        faier_run("verify", model, "--engine", engine, "--json").json["witness"] for engine in ("tree", "boxes")
    )
    assert tree == boxes


def test_certificates_of_boxes_without_unknowns(faier_run: Run, model: Path, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    answer = faier_run("verify", model, "--engine", "boxes", "--ratio", "4", "--certificate", proof)
    assert answer.status == 0
    assert json.loads(proof.read_text())["faier_certificate"] == 1
    assert faier_run("check", proof, model).status == 0


def test_the_status_line_shows_the_share_of_the_values() -> None:
    from faier.cli.progress import describe

    assert describe(Progress(1234, 56, 7, None, None, 3.2, share=0.379)) == (
        "1,234 prefixes, 56 open, depth 7, 37 % of the values decided, 3 s"
    )
    assert "99 % of the values decided" in describe(Progress(1, 1, 1, None, None, 0, share=1.0))
    assert "ratio ? to ?" in describe(Progress(1, 1, 1, None, None, 0))


def test_the_share_grows_from_nothing_to_all(unknown_rate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from faier.engine import verify
    from faier.engine.progress import Limits

    told: list[float] = []

    def tell(self: Limits, *told_of: Any) -> None:
        told.append(told_of[5])

    monkeypatch.setattr(Limits, "tell", tell)
    assert isinstance(verify(faier.load(unknown_rate)), faier.Holds)
    assert told == sorted(told)
    assert told[0] == 0.0
    assert told[-1] == pytest.approx(1.0)
