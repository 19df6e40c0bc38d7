"""`faier paper`: every row, computed once; the chapter of the documentation; and what happens where a row is wrong."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import signal
from dataclasses import replace
from fractions import Fraction as F
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from rich.console import Console

import faier
import faier.report
from faier.cli import main
from faier.definition import tight_by_definition
from faier.paper import questions, table
from faier.paper.above_threshold import above_threshold
from faier.paper.row import Answer
from faier.paper.table import ROWS
from faier.paper.text import paper_sentence, paper_view

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="session")
def answers() -> list[Answer]:
    return [row.answer() for row in ROWS]


def test_every_row_is_what_it_is_known_to_be(answers: list[Answer]) -> None:
    for answer in answers:
        assert answer.as_expected, answer.row.name
        assert all(remark.true for remark in answer.remarks)
    assert [a.row.name for a in answers if not a.agrees] == ["statdp-1", "theorem-1"]


def test_the_chapter_is_what_is_computed(answers: list[Answer]) -> None:
    page = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")
    assert script().with_computed(page, answers) == page
    assert paper_sentence(answers) in page


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("paper_page", ROOT / "scripts" / "paper_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# The same questions, written out by hand below examples/, and confirmed there by brute force.
BY_HAND = {
    "hmm1": "truncated_geometric",
    "hmm2": "contagious",
    "hmm4": "independent_unknown",
    "nm1": "noisy_max_rates",
    "nm2": "noisy_max_family_unknown",
    "at": "above_threshold_11",
    "six-holds": "large/noisy_max_5",
}


@pytest.mark.parametrize("name", BY_HAND)
def test_models_made_from_mechanisms_are_those_written_by_hand(answers: list[Answer], name: str) -> None:
    answer = next(a for a in answers if a.row.name == name)
    by_hand = faier.load(EXAMPLES / f"{BY_HAND[name]}.toml")
    made = answer.verdict.scenario
    assert len(made.pairs) == len(by_hand.pairs)
    assert len(made.model.states) == len(by_hand.model.states) or name in ("hmm2", "nm2", "nm1", "hmm4")
    tight = faier.epsilon(by_hand)
    assert (tight.ratio.upper, tight.attained) == (answer.tight.ratio.upper, answer.tight.attained)


def test_questions_without_unknowns_by_brute_force() -> None:
    at = {"p": "1/3"}
    for scenario in (
        questions.contagious(),
        questions.independent_disease().fixing(at),
        questions.independent_disease(own_record=True).fixing(at),
        questions.three_diseases().fixing({"pA": "1/3", "pB": "1/2", "pC": "3/4"}),
        above_threshold(3),
    ):
        horizon = scenario.claim.horizon
        assert isinstance(horizon, int)
        assert faier.epsilon(scenario).ratio.upper == tight_by_definition(scenario, horizon)


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["paper", *arguments])


def test_json_has_the_published_shape() -> None:
    result = run("--only", "hmm2", "--only", "hmm4", "--json")
    record = json.loads(result.stdout)
    schema = json.loads((Path(faier.report.__file__).parent / "paper.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(record, schema)
    assert result.exit_code == 0
    ill, alone = record["rows"]
    assert (ill["verdict"], ill["witness"]["word"], ill["ratio"]["upper"]) == ("violated", [2], "4")
    assert ill["paper"] == {"by": "FAIER", "verdict": "violated", "witness": "~2", "time": "< 2 s"}
    assert alone["limit"]["approach"] == [["p", "0", "above"]]
    assert record["as_expected"] is True


def test_rows_by_name() -> None:
    result = run("--only", "hmm3")
    assert result.exit_code == 2
    assert "--only hmm3: there is no such row; did you mean 'hmm" in result.stderr


def test_a_row_that_is_not_as_expected_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    row = table.BY_NAME["hmm1"]
    for wrong in (
        replace(row.expected, ratio=F(3)),
        replace(row.expected, verdict="violated"),
        replace(row.expected, attained=False),
        replace(row.expected, word=(1,)),
    ):
        broken = replace(row, expected=wrong)
        monkeypatch.setattr(table, "ROWS", (broken,))
        monkeypatch.setattr(table, "BY_NAME", {"hmm1": broken})
        result = run()
        assert result.exit_code == 1
        assert result.stdout.startswith("paper: 1 row, not as expected: hmm1; 1 of the published verdicts are right")


def test_a_remark_that_is_not_true_is_not_as_expected(answers: list[Answer]) -> None:
    (answer,) = (a for a in answers if a.row.name == "hmm2")
    assert answer.as_expected
    wrong = tuple(replace(remark, true=False) for remark in answer.remarks)
    assert not replace(answer, remarks=wrong).as_expected


def test_on_a_terminal_it_is_a_table(answers: list[Answer]) -> None:
    out = StringIO()
    Console(file=out, width=160, color_system=None).print(paper_view(answers))
    shown = out.getvalue()
    for answer in answers:
        assert answer.row.name in shown
    assert "26213471/7193368" in shown
    assert "StatDP, first run: holds (wrong)" in " ".join(shown.split())


def test_ctrl_c_ends_all_and_is_no_answer_of_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped:
        name, mechanism = "stopped", "one whose search takes Ctrl-C for a limit"

        def answer(self) -> str:
            with contextlib.suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            return "bounds"

    monkeypatch.setattr(table, "ROWS", (Stopped(), *ROWS))
    found = CliRunner().invoke(main, ["paper"])
    assert (found.exit_code, found.stdout) == (130, "")
    assert "interrupted" in found.stderr
