"""Events: sets of outputs, told by a list, a bound, a prefix or a score."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Output: TypeAlias = Hashable
Counts: TypeAlias = Mapping[Output, int]
"""Output -> how often it was seen."""

_MOST_SHOWN = 6


@dataclass(frozen=True)
class Event:
    """A set of outputs. `outputs` lists it where it is a list; `holds` decides in any case.

    `hold`, where given, decides many at once, and in the same way.
    """

    text: str
    holds: Callable[[Any], bool]
    outputs: tuple[Output, ...] | None = None
    hold: Callable[[list[Any]], Sequence[bool]] | None = None

    def count(self, counts: Counts) -> int:
        """How many of the samples are in the event."""
        if self.outputs is not None:
            return sum(counts.get(output, 0) for output in self.outputs)
        if self.hold is not None and counts:
            return sum(
                n for n, inside in zip(counts.values(), self.hold(list(counts)), strict=True) if inside
            )
        return sum(n for output, n in counts.items() if self.holds(output))

    def __repr__(self) -> str:
        return f"<event: {self.text}>"


def among(outputs: tuple[Output, ...]) -> Event:
    """The output is one of these."""
    members = frozenset(outputs)

    def holds(output: Hashable) -> bool:
        return output in members

    shown = ", ".join(shown_output(o) for o in outputs[:_MOST_SHOWN])
    if len(outputs) > _MOST_SHOWN:
        shown += f" or {len(outputs) - _MOST_SHOWN:,} more"
    text = f"the output is {shown}" if len(outputs) == 1 else f"the output is one of {shown}"
    return Event(text, holds, outputs)


def at_most(value: Any, position: int | None = None) -> Event:
    """The output, or what stands at a position of it, is a number <= value."""
    return Event(f"{_place(position)} is at most {shown_output(value)}", _Bound(position, value, below=True))


def at_least(value: Any, position: int | None = None) -> Event:
    """The output, or what stands at a position of it, is a number >= value."""
    return Event(
        f"{_place(position)} is at least {shown_output(value)}", _Bound(position, value, below=False)
    )


def fixed(values: Mapping[int, Output]) -> Event:
    """These values stand at these positions (from 0)."""
    wanted = tuple(sorted(values.items()))
    said = " and ".join(f"position {i + 1} is {shown_output(v)}" for i, v in wanted)

    def holds(output: object) -> bool:
        return isinstance(output, tuple) and all(i < len(output) and output[i] == v for i, v in wanted)

    return Event(said, holds)


def begins(prefix: tuple[Output, ...]) -> Event:
    """The output begins so."""
    said = ", ".join(shown_output(v) for v in prefix)
    return Event(
        f"the output begins with {said}",
        lambda output: isinstance(output, tuple) and bool(output[: len(prefix)] == prefix),
    )


def near(centre: tuple[Output, ...], distance: int) -> Event:
    """At most `distance` positions differ from those of `centre` (Hamming distance)."""

    def holds(output: Any) -> bool:
        if not isinstance(output, tuple) or len(output) != len(centre):
            return False
        return bool(sum(a != b for a, b in zip(output, centre, strict=True)) <= distance)

    shown = ", ".join(shown_output(v) for v in centre)
    return Event(f"the output differs from ({shown}) in at most {distance} positions", holds)


def shown_output(output: object) -> str:
    """An output in a sentence."""
    if isinstance(output, str):
        return output
    if isinstance(output, float):
        return f"{output:.6g}"
    if isinstance(output, tuple) and len(output) <= 40:
        return f"({', '.join(map(shown_output, output))})"
    text = repr(output)
    return text if len(text) <= 60 else f"{text[:56]}..."


@dataclass(frozen=True)
class _Bound:
    position: int | None
    value: Any
    below: bool

    def __call__(self, output: Any) -> bool:
        if self.position is not None:
            if not isinstance(output, tuple) or self.position >= len(output):
                return False
            output = output[self.position]
        if not is_number(output):
            return False
        return bool(output <= self.value if self.below else output >= self.value)


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _place(position: int | None) -> str:
    return "the output" if position is None else f"position {position + 1}"
