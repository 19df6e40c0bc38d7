"""The table and the plot of what was measured."""

from __future__ import annotations

import sys
from collections.abc import Mapping
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
            ratio = f"{row.ratio:.3g}" if row.ratio is not None else ""
            if ratio and row.stopped:
                ratio = f"> {ratio}"
            cells = (
                name, row.what, row.answer, seconds(row.time.wall), seconds(row.time.process),
                row.beside, wall, process, ratio, row.note,
            )
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def seconds(value: float) -> str:
    if value < 1e-3:
        return f"{value * 1e6:.0f} us"
    return f"{value * 1e3:.3g} ms" if value < 1 else f"{value:.3g} s"


def tell(case: str, row: Row) -> None:
    """One row on stderr, as soon as it is known."""
    print(f"{case}: {row.what}: {row.answer} in {seconds(row.time.wall)}", file=sys.stderr, flush=True)
