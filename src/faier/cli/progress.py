"""A status line on stderr while a search runs, where stderr is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.status import Status

    from faier.engine.progress import Progress


@contextmanager
def status_line() -> Iterator[Callable[[Progress], None] | None]:
    """Yield a listener for the engine, or None where nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    shown: list[Status] = []

    def listen(progress: Progress) -> None:
        if not shown:
            # Most searches end before anybody could read a status line, so it starts with the first report.
            shown.append(console.status("searching"))
            shown[0].start()
        shown[0].update(describe(progress))

    try:
        yield listen
    finally:
        if shown:
            shown[0].stop()


def describe(progress: Progress) -> str:
    """One line: how far the search is, and between which bounds the ratio lies."""
    from faier.report.text import decimal

    low = "?" if progress.lower is None else decimal(progress.lower, 5)
    high = "?" if progress.upper is None else decimal(progress.upper, 5)
    return (
        f"{progress.nodes:,} prefixes, {progress.open:,} open, depth {progress.depth}, "
        f"ratio {low} to {high}, {progress.seconds:.0f} s"
    )
