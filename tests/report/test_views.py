"""What people see: tables in a terminal, tables and pictures in a notebook."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F
from xml.etree import ElementTree

import pytest
from rich.console import Console, RenderableType

from faier.report.html import tight_html, verdict_html
from faier.report.terminal import coloured, tight_view, verdict_view
from faier.scenario.scenario import Scenario
from faier.verdict import Holds, Tight, Unknown, Violated, Witness


def shown(view: RenderableType, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    with console.capture() as captured:
        console.print(view)
    return captured.get()


def long_run(scenario: Scenario, length: int) -> Violated:
    word = ("~2",) * length
    return Violated(
        scenario, "tree", 0, None, witness=Witness(0, True, "sick", "well", word, False, F(1), F(1))
    )


def test_witness_table(violated: Violated) -> None:
    text = shown(verdict_view(violated, "proof.json"))
    assert "symbol  sick  well  ratio" in text
    assert "~2       2/3   1/6      4" in text
    assert "proof.json" in text


def test_long_words_lose_their_middle(make_scenario: Callable[..., Scenario]) -> None:
    text = shown(verdict_view(long_run(make_scenario(), 100)))
    assert "... 60 more ..." in text
    assert len(text.splitlines()) < 55


def test_complete_run_has_a_last_row(make_scenario: Callable[..., Scenario]) -> None:
    verdict = long_run(make_scenario(), 2)
    ended = replace(verdict, witness=replace(verdict.witness, ended=True))
    assert "(ends)" in shown(verdict_view(ended))


def test_nothing_is_cut_off_in_a_narrow_terminal(violated: Violated) -> None:
    text = shown(verdict_view(violated, "a/rather/long/path/to/proof.json"), width=30)
    assert all(len(line) <= 30 for line in text.splitlines())
    assert "…" not in text
    assert "a/rather/long/path/to/proof.json" in "".join(text.split())


def test_zero_right_probability() -> None:
    from faier.model.hmm import HMM

    model = HMM(emit={"a": {"[red]x": 1}, "b": {"y": 1}})
    scenario = Scenario.of(model, [("a", "b")], ratio=2, horizon=1)
    witness = Witness(0, True, "a", "b", ("[red]x",), False, F(1), F(0))
    text = shown(verdict_view(Violated(scenario, "tree", 0, None, witness=witness)))
    assert "[red]x" in text
    assert "infinity" in text


def test_bounds_and_proof_steps(
    unknown: Unknown, holds: Holds, nothing_counts: Holds, enclosed: Tight
) -> None:
    assert "ratio at least  4/3" in shown(verdict_view(unknown))
    assert "proof    1 step " in shown(verdict_view(holds))
    assert "no word counts" in shown(verdict_view(nothing_counts))
    assert "4.000000001" in shown(tight_view(enclosed))


def test_first_word_is_coloured(violated: Violated) -> None:
    text = coloured(str(violated))
    assert text.plain == str(violated)
    assert [(s.start, s.end) for s in text.spans] == [(0, len("violated"))]


def parsed(html: str) -> ElementTree.Element:
    return ElementTree.fromstring(html)


def test_html_is_well_formed_and_has_a_picture(
    violated: Violated,
    holds: Holds,
    unknown: Unknown,
    exact: Tight,
    enclosed: Tight,
    stopped: Tight,
    infinite: Tight,
) -> None:
    pages = [verdict_html(v) for v in (violated, holds, unknown)]
    pages += [
        tight_html(replace(t, witness=w))
        for t in (exact, enclosed, stopped, infinite)
        for w in (None, violated.witness)
    ]
    for page in pages:
        root = parsed(page)
        assert root.find(".//table") is not None
        assert any(e.tag.endswith("svg") for e in root.iter())
        assert "nan" not in page


def test_html_of_a_long_word_stays_small(make_scenario: Callable[..., Scenario]) -> None:
    assert len(verdict_html(long_run(make_scenario(), 1000))) < 60_000


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a&b", 'x"y'])
def test_html_escapes_names(name: str) -> None:
    from faier.model.hmm import HMM

    model = HMM(emit={name: {name: 1}, "b": {name: "1/9", "y": "8/9"}})
    scenario = Scenario.of(model, [(name, "b")], ratio=2, horizon=1)
    witness = Witness(0, True, name, "b", (name,), False, F(1), F(1, 9))
    page = verdict_html(Violated(scenario, "tree", 0, None, witness=witness))
    parsed(page)
    assert "<script>" not in page


def test_reports_never_import_an_engine() -> None:
    import subprocess
    import sys

    code = (
        "import sys, faier.report.html, faier.report.terminal, faier.report.records;"
        "sys.exit(any(m.startswith('faier.engine') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
