"""What a long search tells while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from faier.mechanisms.time_limit import Left
from faier.number.exact import Extended

from .effort import Effort


@dataclass(frozen=True)
class Progress:
    """How far a search is; `share` is the part of the values decided, where parameters are unknown.

    `words` says it otherwise, where prefixes and their ratios are not what is searched.
    """

    nodes: int
    open: int
    depth: int
    lower: Extended | None
    upper: Extended | None
    seconds: float
    share: float | None = None
    words: str | None = None


Listener: TypeAlias = Callable[[Progress], None]


class Stopped(Exception):
    """A limit was reached in the middle of a search."""


class Limits:
    """The limits of one search; `reached` names the first one that was hit."""

    def __init__(
        self,
        seconds: float | None = None,
        listener: Listener | None = None,
        nodes: int = 20_000_000,
        bytes_: int = 4 << 30,
    ):
        self.started = time.monotonic()
        self.seconds = seconds
        # What is left of a limit is shown as the limit that was asked for.
        self.limit = seconds.of if isinstance(seconds, Left) else seconds
        self.nodes = nodes
        self.bytes = bytes_
        self.effort = Effort()
        self._listener = listener
        self._told = self.started

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.started

    def reached(self, nodes: int = 0, bytes_: int = 0) -> str | None:
        """Return why the search must stop, or None."""
        if self.seconds is not None and self.elapsed >= self.seconds:
            return f"the time limit of {self.limit:g} s was reached"
        if nodes > self.nodes:
            return f"the limit of {self.nodes:,} prefixes was reached"
        if bytes_ > self.bytes:
            return f"the memory limit of {self.bytes / (1 << 30):g} GiB for open prefixes was reached"
        return None

    def tell(
        self,
        nodes: int,
        open_: int,
        depth: int,
        lower: Extended | None,
        upper: Extended | None,
        share: float | None = None,
    ) -> None:
        """Report progress, at most ten times a second."""
        if self._is_time():
            self._report(Progress(nodes, open_, depth, lower, upper, self._told - self.started, share))

    def tell_in_words(self, words: Callable[[], str]) -> None:
        """The same of a search that is not one of prefixes."""
        if self._is_time():
            self._report(Progress(0, 0, 0, None, None, self._told - self.started, words=words()))

    def _is_time(self) -> bool:
        now = time.monotonic()
        if self._listener is None or now - self._told < 0.1:
            return False
        self._told = now
        return True

    def _report(self, progress: Progress) -> None:
        if self._listener is not None:
            self._listener(progress)
