"""The bench itself: its cases, its table and its plot. What it measures is no test."""

from __future__ import annotations

import inspect
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
    """A case with a family of three series, and a row that belongs to none."""
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
    rows = [*measured, *peer, *floor, row.Row("of no family", "42", time(0.1, 0.1))]
    return import_module("bench.results").Case(rows, complete=True)


def case(rows):
    return import_module("bench.results").Case(rows)


def panels(text):
    return ElementTree.fromstring(text).findall(f"{SVG}g")


def test_a_run_leaves_a_table_and_a_plot(tmp_path):
    told = import_module("bench.table").write({"made up": made_up()}, tmp_path / "new")
    assert (tmp_path / "new" / "table.md").read_text(encoding="utf-8") == told
    assert told.count("\n") == 2 + 7
    assert "> 3e+05" in told, "the ratio of a peer that was stopped is a lower bound"

    (panel,) = panels((tmp_path / "new" / "plot.svg").read_text(encoding="utf-8"))
    assert len(panel.findall(f"{SVG}polyline")) == 3
    told = [mark.text for shape in ("circle", "path", "polygon") for mark in panel.findall(f"{SVG}{shape}/{SVG}title")]
    assert [text.partition(":")[0] for text in told] == [
        "faier.verify, 1", "faier.verify, 2", "faier.verify, 40", "Z3 <linear>, 1", "floor", "Z3 <linear>, 2",
    ]  # fmt: skip
    assert len(panel.findall(f"{SVG}polygon")) == 1, "one open triangle, where Z3 was stopped"
    assert told[-1].endswith("stopped at 60 s")
    names = [text.text for text in panel.findall(f"{SVG}text")]
    assert names[0] == "rows & <columns>, by size"
    assert names[-3:] == ["faier.verify", "Z3 <linear>", "floor: products"]
    assert "60 s" in names


def test_what_is_kept_can_be_read_again(tmp_path):
    results, path = import_module("bench.results"), tmp_path / "table.json"
    results.keep("b", made_up(), path, ("a", "b"))
    results.keep("a", case([]), path, ("a", "b"))
    again = results.load(path, ("a", "b"))
    assert list(again) == ["a", "b"]
    assert list(again["b"].rows) == list(made_up().rows)
    assert (again["b"].complete, again["a"].complete) == (True, False)
    assert results.load(path, ("b",)).keys() == {"b"}, "a case that is no more is forgotten"


class Lines:
    """A case whose rows are those given; an exception among them is raised."""

    def __init__(self, *found):
        self.found, self.asked = found, 0

    def rows(self, options):
        self.asked += 1
        for one in self.found:
            if isinstance(one, BaseException):
                raise one
            yield one


def run(folder, cases, *arguments):
    """`python -m bench` with these cases in the place of the first ones of the bench."""
    main = import_module("bench.__main__")
    table = {f"bench.{name}": found for name, found in cases.items()}
    real = main.import_module
    with patch.dict(os.environ), patch.object(main, "import_module", lambda name: table.get(name) or real(name)):
        status = main.main([*cases, *arguments, "--output", str(folder)])
    return status, import_module("bench.results").load(folder / "table.json", import_module("bench").CASES)


def test_a_run_replaces_its_cases_and_keeps_the_others(tmp_path, capsys):
    row, time = import_module("bench.row").Row, import_module("bench.timing").Time(0.5, 0.25)
    status, kept = run(tmp_path, {"long": Lines(row("a", "1", time)), "cnf": Lines(row("b", "2", time))})
    assert (status, sorted(kept)) == (0, ["cnf", "long"])
    assert all(found.complete and found.circumstances["date"] for found in kept.values())
    status, kept = run(tmp_path, {"long": Lines(row("c", "3", time))})
    assert [[r.what for r in kept[name].rows] for name in ("cnf", "long")] == [["b"], ["c"]]
    told = capsys.readouterr().out
    assert told.splitlines()[-1].startswith("| long | c | 3 | 500 ms | 250 ms |")


def test_an_interrupted_run_keeps_its_rows_and_is_resumed(tmp_path, capsys):
    results = import_module("bench.row")
    row, time = results.Row, import_module("bench.timing").Time(0.5, 0.25)
    done, broken = Lines(row("a", "1", time)), Lines(row("b", "2", time), KeyboardInterrupt())
    status, kept = run(tmp_path, {"cnf": done, "long": broken})
    assert (status, [r.what for r in kept["long"].rows], kept["long"].complete) == (0, ["b"], False)
    whole = Lines(row("b", "2", time), row("c", "3", time))
    status, kept = run(tmp_path, {"cnf": done, "long": whole}, "--resume")
    assert (done.asked, whole.asked, len(kept["long"].rows)) == (1, 1, 2)
    run(tmp_path, {"cnf": done}, "--resume", "--quick")
    assert done.asked == 2, "another size is another measurement"
    wrong = Lines(row("d", "4", time), results.WrongAnswer("5, not 4"))
    status, kept = run(tmp_path, {"long": wrong})
    assert (status, kept["long"].complete) == (1, False)
    assert "long: WRONG ANSWER: 5, not 4" in capsys.readouterr().err


def test_points_stand_where_their_time_and_size_say():
    plot = import_module("bench.plot")
    (panel,) = panels(plot.svg([made_up()]))
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
    found = plot.points([case(rows)])["f, by n"].series["Z3"]
    assert [(p.size, p.seconds, p.stopped) for p in found] == [(4, 4.0, False), (5, 2.0, True)]


def test_a_run_without_families_leaves_a_plot_that_says_so(tmp_path):
    import_module("bench.table").write({"none": case([])}, tmp_path)
    text = (tmp_path / "plot.svg").read_text(encoding="utf-8")
    assert panels(text) == []
    assert "none of these rows" in text


def test_a_row_is_a_whole_point_or_none():
    row, time = import_module("bench.row"), import_module("bench.timing").Time
    with pytest.raises(AssertionError, match="half a point"):
        row.Row("a", "", time(1, 1), family="f, by n")


def test_every_case_has_rows():
    for name in import_module("bench").CASES:
        (parameter,) = inspect.signature(import_module(f"bench.{name}").rows).parameters
        assert parameter == "options", name


def test_the_readme_of_the_bench_names_every_case():
    told = (ROOT / "bench" / "README.md").read_text(encoding="utf-8")
    for name in import_module("bench").CASES:
        target = f"{name}/README.md" if (ROOT / "bench" / name).is_dir() else f"{name}.py"
        assert f"| [{name}]({target}) |" in told, name
