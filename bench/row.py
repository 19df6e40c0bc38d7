"""One line of the table, and what a case is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .timing import Time

FLOOR = "floor: "
"""How a series of bare arithmetic begins."""


class WrongAnswer(Exception):
    """What was measured gave another answer than it must; its time means nothing."""


@dataclass(frozen=True)
class Options:
    quick: bool = False
    full: bool = False

    @property
    def size(self) -> str:
        return "quick" if self.quick else "full" if self.full else "default"

    @property
    def limit(self) -> float:
        """Seconds of processor time that a solver gets for one query."""
        return 5.0 if self.quick else 300.0 if self.full else 60.0

    @property
    def repeats(self) -> int:
        return 2 if self.quick else 5


@dataclass(frozen=True)
class Row:
    """`time` is what `what` took; `beside` names the floor or peer of the same run that took `beside_time`.

    A row of a family is also a point of the plot: `family` is named like "noisy max, by queries", `size` is how many
    of what comes last, and `series` is who was measured: "faier ...", a peer by its name, or "floor: ...". Where it was
    `stopped` by its limit, the time is a lower bound.
    """

    what: str
    answer: str
    time: Time
    beside: str = ""
    beside_time: Time | None = None
    note: str = ""
    family: str = ""
    size: float | None = None
    series: str = ""
    stopped: bool = False

    def __post_init__(self) -> None:
        assert (not self.family) == (self.size is None) == (not self.series), f"{self.what}: half a point"

    def at(self, family: str, size: float, series: str) -> Row:
        """The same as a point of the plot."""
        return replace(self, family=family, size=size, series=series)

    @property
    def ratio(self) -> float | None:
        """How many times the processor time of what it is measured beside: wall time tells more about neighbours."""
        if self.beside_time is None or self.beside_time.process == 0:
            return None
        return self.time.process / self.beside_time.process

    def record(self) -> dict[str, object]:
        """What `of_record` reads: JSON without what is empty."""
        found: dict[str, object] = {
            "what": self.what, "answer": self.answer, **_times("", self.time),
            "beside": self.beside, **_times("beside_", self.beside_time),
            "ratio": None if self.ratio is None else _short(self.ratio),
            "note": self.note, "family": self.family, "size": self.size, "series": self.series,
            "stopped": self.stopped,
        }  # fmt: skip
        return {key: value for key, value in found.items() if value not in (None, "") and value is not False}

    @classmethod
    def of_record(cls, found: Mapping[str, Any]) -> Row:
        return cls(
            found["what"], found.get("answer", ""), Time(found["wall_seconds"], found["process_seconds"]),
            found.get("beside", ""),
            Time(found["beside_wall_seconds"], found["beside_process_seconds"])
            if "beside_wall_seconds" in found
            else None,
            found.get("note", ""), found.get("family", ""), found.get("size"), found.get("series", ""),
            found.get("stopped", False),
        )  # fmt: skip


def expect(right: bool, what: str) -> None:
    if not right:
        raise WrongAnswer(what)


def _times(prefix: str, time: Time | None) -> dict[str, object]:
    if time is None:
        return {}
    return {f"{prefix}wall_seconds": _short(time.wall), f"{prefix}process_seconds": _short(time.process)}


def _short(value: float) -> float:
    """Four digits: more are noise."""
    return float(f"{value:.4g}")
