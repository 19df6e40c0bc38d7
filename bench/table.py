"""What a run leaves: the table as Markdown and as JSON, and the plot."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .plot import svg
from .row import Options, Row
from .timing import Time

RESULTS = Path(__file__).parent / "results"
_PACKAGES = ("numpy", "scipy", "python-flint", "z3-solver", "cvc5", "qif", "dp-accounting")
_HEAD = ("case", "what", "answer", "wall", "process", "beside", "wall", "process", "ratio", "note")


def write(rows: Mapping[str, Sequence[Row]], options: Options, folder: Path = RESULTS) -> str:
    """Write table.md, table.json and plot.svg, and return the Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    text = markdown(rows)
    (folder / "table.md").write_text(text, encoding="utf-8")
    record = {"machine": machine(), "quick": options.quick, "full": options.full, "rows": _records(rows)}
    (folder / "table.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    every = [row for found in rows.values() for row in found]
    (folder / "plot.svg").write_text(svg(every, options.limit), encoding="utf-8")
    return text


def machine() -> dict[str, object]:
    found: dict[str, object] = {"cores": os.cpu_count(), "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def markdown(rows: Mapping[str, Sequence[Row]]) -> str:
    lines = ["| " + " | ".join(_HEAD) + " |", "|" + "---|" * len(_HEAD)]
    for case, found in rows.items():
        for row in found:
            beside = row.beside_time
            wall, process = (seconds(beside.wall), seconds(beside.process)) if beside else ("", "")
            ratio = f"{row.ratio:.3g}" if row.ratio is not None else ""
            if ratio and row.stopped:
                ratio = f"> {ratio}"
            cells = (
                case, row.what, row.answer, seconds(row.time.wall), seconds(row.time.process),
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


def _records(rows: Mapping[str, Sequence[Row]]) -> list[dict[str, object]]:
    return [
        {
            "case": case, "what": row.what, "answer": row.answer, **_times("", row.time),
            "beside": row.beside or None, **_times("beside_", row.beside_time), "ratio": row.ratio,
            "note": row.note, "family": row.family or None, "size": row.size, "series": row.series or None,
            "stopped": row.stopped,
        }
        for case, found in rows.items()
        for row in found
    ]


def _times(prefix: str, time: Time | None) -> dict[str, object]:
    return {
        f"{prefix}wall_seconds": time.wall if time else None,
        f"{prefix}process_seconds": time.process if time else None,
    }
