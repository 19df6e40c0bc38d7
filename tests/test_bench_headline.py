"""What the documents say was measured is what `docs/measured.json` says, and how a run gets there."""

from __future__ import annotations

import os
import re
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def _checkout(monkeypatch):
    """The bench is no part of the package: it is imported from the root of the checkout."""
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.fixture
def headline():
    return import_module("bench.headline")


@pytest.fixture
def measured(headline):
    return import_module("bench.results").load(headline.MEASURED, import_module("bench").CASES)


def cases(**rows):
    """Cases of rows, each told as (what, answer, seconds, more)."""
    row, time = import_module("bench.row").Row, import_module("bench.timing").Time
    case = import_module("bench.results").Case
    return {
        name: case([row(what, answer, time(2 * s, s), **more) for what, answer, s, more in found], complete=True)
        for name, found in rows.items()
    }


def at(size, series, family="rates, by rates", stopped=False):
    return {"family": family, "size": size, "series": series, "stopped": stopped}


def test_every_number_in_the_documents_is_in_the_results(headline, measured):
    """After `python -m bench headline --write` this holds again; a number that is changed by hand breaks it."""
    for path in headline.DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        assert headline.filled(text, measured) == text, f"{path.name} is not what docs/measured.json says"
        assert text.count("<!-- measured: ") == text.count("<!-- end -->") > 0, path.name


def test_the_readme_has_a_line_for_each_headline(headline, measured):
    lines = headline.headline(measured)
    assert 4 <= len(lines) <= 8
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(line in readme.splitlines() for line in lines)
    assert all(len(line) < 400 for line in lines)


def test_every_case_was_measured_to_the_end(measured):
    lacking = set(import_module("bench").CASES) - set(measured)
    assert not lacking, f"{lacking} is not in docs/measured.json; bench/README.md says how single cases are measured"
    assert all(case.complete and case.rows for case in measured.values())
    assert all(case.circumstances["python"] and case.circumstances["date"] for case in measured.values())


def test_a_block_shows_a_family_as_a_table(headline):
    found = cases(
        some=[
            ("a", "holds", 0.25, at(2, "faier.verify")),
            ("b", "holds", 1.5, at(3, "faier.verify")),
            ("c", "holds", 0.5, at(2, "Z3 linear")),
            ("d", "", 60.0, at(3, "Z3 linear", stopped=True)),
            ("of no | family", "x", 0.001, {"note": "seen"}),
        ]
    )
    text = (
        "before\n<!-- measured: rates, by rates -->\nold\n<!-- end -->\n"
        "after\n<!-- measured: case some: of no -->\n<!-- end -->\n"
    )
    filled = headline.filled(text, found)
    assert filled.splitlines() == [
        "before", "<!-- measured: rates, by rates -->", "",
        "|  | faier.verify | Z3 linear |", "|---|---|---|",
        "| 2 | 250 ms | 500 ms |", "| 3 | 1.5 s | stopped at 60 s |", "",
        "<!-- end -->", "after", "<!-- measured: case some: of no -->", "",
        "|  | answer | time |  |", "|---|---|---|---|", r"| of no \| family | x | 1 ms | seen |", "", "<!-- end -->",
    ]  # fmt: skip
    assert headline.filled(filled, found) == filled
    for wrong in ("no such family", "case some: nothing of it", "case other"):
        with pytest.raises(headline.Missing):
            headline.filled(f"<!-- measured: {wrong} -->\n<!-- end -->\n", found)


def test_how_far_a_solver_came(headline):
    found = cases(
        some=[
            ("a", "", 1.0, at(2, "Z3 linear")),
            ("b", "", 60.0, at(3, "Z3 linear", stopped=True)),
            ("c", "", 9.0, at(4, "Z3 words")),
            ("d", "", 60.0, at(5, "Z3 words", stopped=True)),
            ("e", "", 2.0, at(2, "cvc5 linear")),
        ]
    )
    told = headline._peers(found, "rates, by rates", "rates")
    assert told == "Algorithm 1 decides claims within 60 s about so many rates: 4 on Z3, 2 or more on cvc5"
    with pytest.raises(headline.Missing, match="nothing was measured of cvc5"):
        headline._peers(cases(some=[("a", "", 1.0, at(2, "Z3 linear"))]), "rates, by rates", "rates")


def test_a_run_that_lacks_something_is_not_written(headline, measured, tmp_path, capsys):
    results = import_module("bench.results")
    with patch.object(headline, "publish") as publish:
        lacking = {name: case for name, case in measured.items() if name != "audit"}
        assert headline.main(lacking, write=True, quick=True) == 2
        assert "not measured to the end: audit" in capsys.readouterr().err
        small = dict(measured, long=results.Case(measured["long"].rows, "quick", 5.0, True))
        assert headline.main(small, write=True, quick=False) == 2
        assert re.search("default size: .*long", capsys.readouterr().err)
        publish.assert_not_called()
        assert headline.main(measured, write=True, quick=True) == 0
        publish.assert_called_once()
    assert headline.main({}, write=False, quick=False) == 2


def test_what_is_written_is_read_again(headline, measured, tmp_path):
    """From the results of a folder to documents, by the command."""
    readme = tmp_path / "README.md"
    readme.write_text("numbers\n\n<!-- measured: headline -->\nyesterday's\n<!-- end -->\n", encoding="utf-8")
    import_module("bench.results").save(measured, tmp_path / "table.json")
    places = {"MEASURED": tmp_path / "measured.json", "DOCUMENTS": (readme,), "PLOT": tmp_path / "plot.svg"}
    with patch.multiple(headline, **places), patch.dict(os.environ):
        main = import_module("bench.__main__").main
        assert main(["headline", "--write", "--quick", "--output", str(tmp_path)]) == 0
    text = readme.read_text(encoding="utf-8")
    assert "yesterday's" not in text
    assert "\n".join(headline.headline(measured)) in text
    assert (tmp_path / "measured.json").read_text() == (tmp_path / "table.json").read_text()
    assert (tmp_path / "plot.svg").read_text().startswith("<svg")
