"""Stages of one task in a process of its own, each under a limit of processor time and memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from resource import RLIMIT_AS, RLIMIT_CORE, RLIMIT_CPU, getrlimit, setrlimit
from signal import SIGABRT, SIGXCPU
from time import perf_counter, process_time
from typing import Any, TypeVar

from .timing import Time

Result = TypeVar("Result")

_MEMORY = 8 << 30
_FULL = f"stopped at {_MEMORY >> 30} GiB"


@dataclass(frozen=True)
class Stopped:
    """A limit was reached after what was yielded last; `time` is that from there on."""

    why: str
    time: Time


def apart(stages: Callable[[], Iterable[Result]], seconds: float) -> Iterator[Result | Stopped]:
    """What the stages yield, and last that one was stopped, if one was; their exceptions are raised here.

    The limit of seconds is processor time of one stage: a busy machine must not make it look worse than it is.
    """
    # The system counts a process's time from its start, so every task needs a new one.
    context = get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(stages, seconds, theirs), daemon=True)
    process.start()
    theirs.close()
    began = perf_counter()
    try:
        while (message := _received(ours)) is not None:
            if isinstance(message, Exception):
                raise message
            yield message
            began = perf_counter()
        process.join()
        wall = perf_counter() - began
        match process.exitcode:
            case 0:
                return
            case code if code == -SIGXCPU:
                yield Stopped(f"stopped at {seconds:g} s", Time(wall, seconds))
            case code if code == -SIGABRT:
                # So flint ends where it gets no memory.
                yield Stopped(_FULL, Time(wall, wall))
            case code:
                raise RuntimeError(f"a measured process ended with status {code}")
    finally:
        process.kill()
        process.join()


def _received(connection: Connection) -> Any:
    try:
        return connection.recv()
    except EOFError:
        return None


def _run(stages: Callable[[], Iterable[object]], seconds: float, connection: Connection) -> None:
    setrlimit(RLIMIT_CORE, (0, 0))
    setrlimit(RLIMIT_AS, (_MEMORY, _MEMORY))
    began = _limited(seconds)
    try:
        for result in stages():
            connection.send(result)
            began = _limited(seconds)
    except MemoryError:
        now = perf_counter(), process_time()
        connection.send(Stopped(_FULL, Time(now[0] - began[0], now[1] - began[1])))
    except Exception as error:
        connection.send(error)


def _limited(seconds: float) -> tuple[float, float]:
    """From now on this process ends by SIGXCPU after so much processor time; the time now, wall and process."""
    now = perf_counter(), process_time()
    setrlimit(RLIMIT_CPU, (math.ceil(now[1] + seconds), getrlimit(RLIMIT_CPU)[1]))
    return now
