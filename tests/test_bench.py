"""The bench itself: its cases, its table and its plot. What it measures is no test."""

from __future__ import annotations

import inspect
import json
import os
from importlib import import_module
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parent.parent
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def _checkout(monkeypatch):
    """The bench is no part of the package: it is imported from the root of the checkout."""
    monkeypatch.syspath_prepend(str(ROOT))


def made_up():
    row, time = import_module("bench.row"), import_module("bench.timing").Time
    family = "rows & <columns>, by size"
    measured = [
        row.Row(f"ours, {size}", "holds", time(0.2, 1e-4 * size)).at(family, size, "faier.verify")
        for size in (1, 2, 40)
    ]
    peer = [
        row.Row("theirs, 1", "holds", time(1.0, 0.5)).at(family, 1, "Z3 <linear>"),
        row.Row("theirs, 2", "stopped at 60 s", time(90.0, 60.0), "ours", time(1.0, 2e-4), stopped=True).at(
            family, 2, "Z3 <linear>"
        ),
    ]
    floor = [row.Row("bare", "", time(0.0, 0.0)).at(family, 1, row.FLOOR + "products")]
    return {"made up": [*measured, *peer, *floor, row.Row("of no family", "42", time(0.1, 0.1))]}


def panels(text):
    return ElementTree.fromstring(text).findall(f"{SVG}g")


def test_a_run_leaves_a_table_and_a_plot(tmp_path):
    table, row = import_module("bench.table"), import_module("bench.row")
    rows = made_up()
    told = table.write(rows, row.Options(), tmp_path / "new")
    assert (tmp_path / "new" / "table.md").read_text(encoding="utf-8") == told
    assert told.count("\n") == 2 + 7
    assert "> 3e+05" in told, "the ratio of a peer that was stopped is a lower bound"

    records = json.loads((tmp_path / "new" / "table.json").read_text(encoding="utf-8"))["rows"]
    assert [r["size"] for r in records] == [1, 2, 40, 1, 2, 1, None]
    assert [r["stopped"] for r in records] == [False] * 4 + [True] + [False] * 2

    (panel,) = panels((tmp_path / "new" / "plot.svg").read_text(encoding="utf-8"))
    assert len(panel.findall(f"{SVG}polyline")) == 3
    assert len(panel.findall(f"{SVG}circle")) == 5
    assert len(panel.findall(f"{SVG}polygon")) == 1, "one open triangle, where Z3 was stopped"
    names = [text.text for text in panel.findall(f"{SVG}text")]
    assert names[0] == "rows & <columns>, by size"
    assert names[-3:] == ["faier.verify", "Z3 <linear>", "floor: products"]


def test_points_stand_where_their_time_and_size_say():
    plot = import_module("bench.plot")
    (panel,) = panels(plot.svg(made_up()["made up"], 60.0))
    ours = [(float(c.get("cx")), float(c.get("cy"))) for c in panel.findall(f"{SVG}circle")][:3]
    (x1, y1), (x2, y2), (x40, y40) = ours
    # Equal factors are equal distances, on both axes.
    assert (x40 - x1) / (x2 - x1) == pytest.approx(5.32, abs=0.02)
    assert (y1 - y40) / (y1 - y2) == pytest.approx(5.32, abs=0.1)


def test_of_several_rows_at_one_place_the_slowest_counts_and_a_stop_above_all():
    plot, row, time = import_module("bench.plot"), import_module("bench.row"), import_module("bench.timing").Time
    rows = [
        row.Row("a", "", time(1, 3.0)).at("f, by n", 5, "Z3"),
        row.Row("b", "", time(1, 2.0), stopped=True).at("f, by n", 5, "Z3"),
        row.Row("c", "", time(1, 1.0)).at("f, by n", 4, "Z3"),
        row.Row("d", "", time(1, 4.0)).at("f, by n", 4, "Z3"),
    ]
    found = plot.points(rows)["f, by n"]["Z3"]
    assert [(p.size, p.seconds, p.stopped) for p in found] == [(4, 4.0, False), (5, 2.0, True)]


def test_a_run_without_families_leaves_a_plot_that_says_so(tmp_path):
    table, row = import_module("bench.table"), import_module("bench.row")
    table.write({"none": []}, row.Options(quick=True), tmp_path)
    text = (tmp_path / "plot.svg").read_text(encoding="utf-8")
    assert panels(text) == []
    assert "none of these rows" in text


def test_a_row_is_a_whole_point_or_none():
    row, time = import_module("bench.row"), import_module("bench.timing").Time
    with pytest.raises(AssertionError, match="half a point"):
        row.Row("a", "", time(1, 1), family="f, by n")


def test_every_case_has_rows():
    # The bench holds numpy to one thread by the environment of its process.
    with patch.dict(os.environ):
        cases = import_module("bench.__main__").CASES
    for name in cases:
        (parameter,) = inspect.signature(import_module(f"bench.{name}").rows).parameters
        assert parameter == "options", name


def test_the_readme_of_the_bench_names_every_case():
    with patch.dict(os.environ):
        cases = import_module("bench.__main__").CASES
    told = (ROOT / "bench" / "README.md").read_text(encoding="utf-8")
    for name in cases:
        target = f"{name}/README.md" if (ROOT / "bench" / name).is_dir() else f"{name}.py"
        assert f"| [{name}]({target}) |" in told, name
