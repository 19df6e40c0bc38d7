"""Time of an action: wall, and processor time of this process and of the children it has waited for."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

Result = TypeVar("Result")

_SHORT, _MANY = 0.1, 100


@dataclass(frozen=True)
class Time:
    wall: float
    process: float


def once(action: Callable[[], Result]) -> tuple[Result, Time]:
    wall, process = time.perf_counter(), _processor()
    result = action()
    return result, Time(time.perf_counter() - wall, _processor() - process)


def best(action: Callable[[], Result], repeats: int = 5, patience: float = 10.0) -> tuple[Result, Time]:
    """The fastest of several repeats, wall and process each on its own.

    Short actions are repeated more often, long ones not beyond `patience` seconds in all.
    """
    result, least = once(action)
    spent, count = least.wall, 1
    while (count < repeats or (spent < _SHORT and count < _MANY)) and spent + least.wall <= patience:
        count += 1
        result, again = once(action)
        spent += again.wall
        least = Time(min(least.wall, again.wall), min(least.process, again.process))
    return result, least


def _processor() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
