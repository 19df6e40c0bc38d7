"""The table and the plot of what was measured."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from .plot import svg
from .results import Case
from .row import Row

_HEAD = ("case", "what", "answer", "wall", "process", "beside", "wall", "process", "ratio", "note")


def write(cases: Mapping[str, Case], folder: Path) -> str:
    """Write table.md and plot.svg, and return the Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    text = markdown(cases)
    (folder / "table.md").write_text(text, encoding="utf-8")
    (folder / "plot.svg").write_text(svg(cases.values()), encoding="utf-8")
    return text


def markdown(cases: Mapping[str, Case]) -> str:
    lines = ["| " + " | ".join(_HEAD) + " |", "|" + "---|" * len(_HEAD)]
    for name, case in cases.items():
        for row in case.rows:
            beside = row.beside_time
            wall, process = (seconds(beside.wall), seconds(beside.process)) if beside else ("", "")
            cells = (
                name, row.what, row.answer, seconds(row.time.wall), seconds(row.time.process),
                row.beside, wall, process, ratio(row), row.note,
            )
            lines.append(line(cells))
    return "\n".join(lines) + "\n"


def line(cells: Iterable[str]) -> str:
    """One line of a table in Markdown."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def ratio(row: Row) -> str:
    """How many times what it was measured beside; of what was stopped a lower bound."""
    return "" if row.ratio is None else f"{'> ' if row.stopped else ''}{row.ratio:.3g}"


def seconds(value: float) -> str:
    if value < 1e-3:
        return f"{value * 1e6:.0f} us"
    return f"{value * 1e3:.3g} ms" if value < 1 else f"{value:.3g} s"


def tell(case: str, row: Row) -> None:
    """One row on stderr, as soon as it is known."""
    print(f"{case}: {row.what}: {row.answer} in {seconds(row.time.wall)}", file=sys.stderr, flush=True)
