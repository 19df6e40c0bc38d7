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


@contextmanager
def working_on() -> Iterator[Callable[[str], None]]:
    """Yield a listener for what is being worked on, one thing after another; shown where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda what: None
        return
    from rich.console import Console

    with Console(stderr=True, highlight=False).status("") as status:
        yield status.update


def describe(progress: Progress) -> str:
    """One line: how far the search is, and between which bounds the ratio lies."""
    from faier.report.text import decimal

    if progress.words is not None:
        return f"{progress.words}, {progress.seconds:.0f} s"
    parts = [f"{progress.nodes:,} prefixes", f"{progress.open:,} open", f"depth {progress.depth}"]
    if progress.share is not None:
        # Never 100 % while something is left.
        parts.append(f"{min(99, int(100 * progress.share))} % of the values decided")
    if progress.share is None or progress.lower is not None or progress.upper is not None:
        low = "?" if progress.lower is None else decimal(progress.lower, 5)
        high = "?" if progress.upper is None else decimal(progress.upper, 5)
        parts.append(f"ratio {low} to {high}")
    return ", ".join([*parts, f"{progress.seconds:.0f} s"])
