"""A secret inside a run, as it is written."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

from faier.errors import ModelError
from faier.model.belief import Belief
from faier.model.hmm import State


@dataclass(frozen=True)
class Gate:
    """A pair inside a run: from a belief, the state that emits symbol number `at` is among `left`, or among `right`.

    `at = "every"` asks this at every step of the horizon. In `Scenario.of` the belief may be named, like those of a
    pair.
    """

    start: Belief | Hashable
    at: int | Literal["every"]
    left: tuple[State, ...]
    right: tuple[State, ...]
    one_way: bool = False

    def __post_init__(self) -> None:
        if self.at != "every" and (isinstance(self.at, bool) or not isinstance(self.at, int) or self.at < 1):
            raise ModelError(f'at is the number of a symbol, at least 1, or "every", got {self.at!r}', "compare")
        for side in ("left", "right"):
            states = getattr(self, side)
            if isinstance(states, str) or not states:
                raise ModelError(f"{side} is a list of states, at least one, got {states!r}", "compare")
            object.__setattr__(self, side, tuple(dict.fromkeys(states)))
