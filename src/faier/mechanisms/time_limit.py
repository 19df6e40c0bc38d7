"""A time limit that holds from the first line of a file to the last step of a search."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from faier.errors import OutOfTime

from .watch import TimeIsUp, Watch

Built = TypeVar("Built")

_AGAIN_AFTER = 0.5


class Left(float):
    """The seconds that are left of a limit of `of` seconds."""

    of: float

    def __new__(cls, seconds: float, of: float) -> Left:
        left = super().__new__(cls, seconds)
        left.of = of
        return left


def built_within(seconds: float | None, build: Callable[[], Built]) -> tuple[Built, float | None]:
    """What `build` returns, and how many of the seconds are left; `OutOfTime` where it takes longer than all of them.

    The building is stopped wherever it is, in a user's function too, but not inside one long call of a C library.
    """
    if seconds is None:
        return build(), None
    start = time.monotonic()
    watch = Watch(seconds, TimeIsUp, _AGAIN_AFTER)
    try:
        try:
            watch.start()
            built = build()
        finally:
            watch.stop()
    except TimeIsUp:
        raise OutOfTime(f"the time limit of {seconds:g} s came while the model was being built", seconds) from None
    # That may be nothing at all: then the search says so, with the bounds that hold.
    return built, Left(max(start + seconds - time.monotonic(), 1e-6), seconds)
