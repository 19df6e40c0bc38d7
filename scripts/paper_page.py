"""Writes the computed part of docs/paper.md: `python scripts/paper_page.py [--check]`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from faier.paper.row import Answer
from faier.paper.table import ROWS
from faier.paper.text import published_text, tight_text, witness_of

PAGE = Path(__file__).resolve().parent.parent / "docs" / "paper.md"
BEGIN, END = "<!-- computed by scripts/paper_page.py -->\n", "<!-- end of what is computed -->\n"


def computed(answers: Sequence[Answer]) -> str:
    """The tables and remarks as Markdown, without times of our own."""
    parts: list[str] = []
    for part, rows in groupby(answers, key=lambda answer: answer.row.part):
        listed = list(rows)
        parts += [f"\n## {part}\n", "| row | question | exact answer | published |", "|---|---|---|---|"]
        parts += [_row(answer) for answer in listed]
        for answer in listed:
            if answer.remarks:
                parts += [f"\n**{answer.row.name}**\n", *(f"- {_plain(remark.text)}" for remark in answer.remarks)]
    return "\n".join(parts).lstrip("\n") + "\n\n"


def with_computed(page: str, answers: Sequence[Answer]) -> str:
    head, _, rest = page.partition(BEGIN)
    return head + BEGIN + computed(answers) + END + rest.partition(END)[2]


def _row(answer: Answer) -> str:
    row = answer.row
    exact = f"**{answer.decision}**, tight ratio {tight_text(answer)}"
    if witness := witness_of(answer):
        exact += f"; {witness}"
    cells = (row.name, f"{row.mechanism}: {row.asked}", exact, published_text(answer))
    return f"| {' | '.join(map(_plain, cells))} |"


def _plain(text: str) -> str:
    """Text in which Markdown sees nothing special."""
    for character in "_~<":
        text = text.replace(character, f"\\{character}")
    return text


def main() -> int:
    page = PAGE.read_text(encoding="utf-8")
    fresh = with_computed(page, [row.answer() for row in ROWS])
    if "--check" in sys.argv:
        return int(fresh != page)
    PAGE.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
