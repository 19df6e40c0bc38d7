"""Commands with everything behind them: loader, engines, certificates and the checker."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

import faier

Run = Callable[..., Any]

# A run ends after each symbol with probability 1/2 on one side only; "b" is impossible on the right at first.
ENDING = """\
faier = 1
[model.emit]
go = { a = "1/2", b = "1/2" }
stay = { a = "1" }
stop = { a = "1" }
[model.step]
go = { go = "1/2", stop = "1/2" }
stay = { stay = "1/2", stop = "1/2" }
[[compare]]
left = "go"
right = "stay"
[claim]
ratio = "3"
horizon = 3
"""


@pytest.fixture
def ending(tmp_path: Path) -> Path:
    path = tmp_path / "ending.toml"
    path.write_text(ENDING, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "options", [["--ratio", "2"], ["--ratio", "4"], ["--ratio", "4", "--horizon", "any"]]
)
@pytest.mark.parametrize("command", ["verify", "epsilon"])
def test_certificates_are_accepted(
    faier_run: Run, model: Path, tmp_path: Path, command: str, options: list[str]
) -> None:
    proof = tmp_path / "proof.json"
    chosen = options if command == "verify" else options[2:]
    found = faier_run(command, model, *chosen, "--certificate", proof, "--json")
    assert found.status == (1 if command == "verify" and "2" in options else 0)
    assert found.json["certificate"] == str(proof)
    checked = faier_run("check", proof, model)
    assert checked.status == 0
    assert checked.out.startswith("valid: ")


def test_check_rejects_another_model(faier_run: Run, model: Path, ending: Path, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    faier_run("verify", model, "--certificate", proof)
    rejected = faier_run("check", proof, ending, "--json")
    assert rejected.status == 1
    assert json.loads(rejected.out)["valid"] is False


def test_check_says_what_the_checker_says(
    faier_run: Run, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from faier_check.__main__ import main

    proof = tmp_path / "proof.json"
    faier_run("verify", model, "--certificate", proof)
    answer = faier_run("check", proof, model, "--operations", "1000000")
    status = main([str(proof), str(model)])
    assert (answer.status, answer.out) == (status, capsys.readouterr().out)
    assert faier_run("check", tmp_path / "none.json", model).status == 2


def test_infinite_ratio(faier_run: Run, ending: Path) -> None:
    record = faier_run("epsilon", ending, "--json").json
    assert record["exact"] is True
    assert record["ratio"] == {"lower": "infinity", "upper": "infinity"}
    assert record["witness"]["right_probability"] == "0"
    assert faier_run("epsilon", ending).out.startswith("epsilon is infinite, at horizon 3: go against stay")


def test_words_possible_on_both_sides(faier_run: Run, ending: Path) -> None:
    answer = faier_run("verify", ending, "--possible", "both", "--ratio", "16/3", "--json")
    record = answer.json
    assert answer.status == 0
    assert {entry["left_probability"] for entry in record["left_out"]} != {"0"}
    assert "are left out" in faier_run("verify", ending, "--possible", "both", "--ratio", "16/3").out


def test_python_and_the_command_line_agree(faier_run: Run, model: Path) -> None:
    for ratio in ("3", "4"):
        ours = faier.verify(model, ratio=ratio).to_dict()
        theirs = faier_run("verify", model, "--ratio", ratio, "--json").json
        assert ours | {"seconds": 0} == theirs | {"seconds": 0}
    tight = faier.epsilon(str(model), tolerance="1/1000")
    assert (tight.ratio.lower, tight.ratio.upper) == (F(4), F(4))


def test_every_problem_of_a_file_is_listed_with_its_line(faier_run: Run, tmp_path: Path, model: Path) -> None:
    text = model.read_text(encoding="utf-8")
    broken = tmp_path / "broken.toml"
    broken.write_text(text.replace('"~0" = "2/3"', '"~0" = "1/2"').replace('"2" = "1"', '"3" = "1"'), "utf-8")
    answer = faier_run("verify", broken, "--json")
    assert answer.status == 2
    errors = answer.json["errors"]
    assert len(errors) == 2
    assert [e["line"] for e in errors] == [5, 11]
    assert answer.err.splitlines()[0].startswith(f"{errors[0]['place']} (line 5): ")


def test_finite_engines_refuse_every_length(faier_run: Run, model: Path) -> None:
    pytest.importorskip("z3")
    answer = faier_run("verify", model, "--engine", "z3", "--horizon", "any")
    assert answer.status == 2
    assert answer.err.startswith("error: ")


@pytest.mark.parametrize("engine", ["auto", "tree", "z3", "cvc5"])
def test_engines_agree(faier_run: Run, model: Path, engine: str) -> None:
    if engine in ("z3", "cvc5"):
        pytest.importorskip(engine)
    assert faier_run("verify", model, "--engine", engine, "--ratio", "3").status == 1
    assert faier_run("verify", model, "--engine", engine, "--ratio", "4").status == 0


def test_conversion_to_toml_keeps_the_question(faier_run: Run, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "again.toml"
    assert faier_run("convert", model, "--to", "toml", "-o", out, "--horizon", "2").status == 0
    again = faier.load(out)
    assert again == faier.load(model).claiming(horizon=2)
    assert faier_run("convert", model, "--to", "toml").out.startswith("faier = 1\n")


def test_conversion_refuses_what_it_cannot_write(faier_run: Run, model: Path, tmp_path: Path) -> None:
    assert faier_run("convert", model, "--to", "toml", "-o", model).status == 2
    assert faier_run("convert", model, "--to", "toml", "-o", tmp_path / "no" / "x").status == 2


def test_conversion_to_smtlib(faier_run: Run, model: Path) -> None:
    for encoding in ("linear", "literal"):
        answer = faier_run("convert", model, "--to", "smtlib", "--encoding", encoding)
        assert answer.status == 0
        assert "(check-sat)" in answer.out


def test_formulas_are_read_by_every_command(faier_run: Run, tmp_path: Path) -> None:
    formula = tmp_path / "formula.cnf"
    formula.write_text("p cnf 2 2\n1 2 0\n-1 2 0\n", encoding="utf-8")
    converted = tmp_path / "formula.toml"
    assert faier_run("convert", formula, "-o", converted).status == 0
    assert faier.load(converted).model == faier.load(formula).model
    assert faier_run("epsilon", formula).status == 0


def test_size_limit(faier_run: Run, model: Path) -> None:
    assert faier_run("verify", model, "--size-limit", "10").status == 2
    assert faier_run("verify", model, "--size-limit", "1M").status == 1


def test_convert_lumps_states_that_behave_alike(faier_run: Run, tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "examples" / "two_copies.toml"
    smaller, proof = tmp_path / "smaller.toml", tmp_path / "proof.json"
    assert faier_run("convert", source, "--to", "toml", "--lump", "-o", smaller).status == 0
    small, large = faier.load(smaller), faier.load(source)
    assert len(small.model.states) < len(large.model.states)
    assert len(small.pairs) == len(large.pairs)
    assert faier_run("epsilon", smaller, "--certificate", proof).status == 0
    assert faier_run("check", proof, smaller).status == 0
