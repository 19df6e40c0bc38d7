"""Checking independent pieces in several processes. It is never more than a way to be done sooner.

Workers are forks of this process. They say of each piece that it is right, or nothing: then, and whenever anything goes
wrong with them, all that is left is checked here, one piece after another, as if there had been no workers.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from .limits import Meter

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess

Item = TypeVar("Item")
Said: TypeAlias = tuple[str, ...]
"""What a piece rests on: nothing, in most cases."""

_PAYS_FROM = 1.0
_LOOKS_FROM = 0.2
_TURNS = 16
_KILLED_WITH_PARENT = 1


def check_all(items: Sequence[Item], check: Callable[[Item], Said], meter: Meter) -> list[str]:
    """Check every item, and gather what they say, in their order; raises what the first wrong one raises."""
    said: list[str] = []
    start = time.monotonic()
    for done, item in enumerate(items):
        elapsed = time.monotonic() - start
        if done and elapsed >= _LOOKS_FROM and elapsed / done * (len(items) - done) >= _PAYS_FROM:
            rest = items[done:]
            found = _in_processes(rest, check, meter) if _can_fork(meter) else None
            return said + (_one_by_one(rest, check) if found is None else found)
        said += check(item)
    return said


def _one_by_one(items: Sequence[Item], check: Callable[[Item], Said]) -> list[str]:
    return [text for item in items for text in check(item)]


def _can_fork(meter: Meter) -> bool:
    """Not where a fork might find a lock taken by another thread, and not in another's worker, which may have none."""
    if meter.limits.jobs <= 1 or sys.platform != "linux" or threading.active_count() > 1:
        return False
    from multiprocessing import current_process

    return not current_process().daemon


def _in_processes(items: Sequence[Item], check: Callable[[Item], Said], meter: Meter) -> list[str] | None:
    """The same with workers; None where not all is right, or not all within the limit of this process."""
    from multiprocessing import get_context
    from multiprocessing.connection import wait

    jobs = meter.limits.jobs
    turn = -(-len(items) // (_TURNS * jobs))
    turns = [items[k : k + turn] for k in range(0, len(items), turn)]
    said: dict[int, Said] = {}
    spent = 0
    at_work: dict[Connection, int] = {}
    context = get_context("fork")
    processes: list[ForkProcess] = []
    connections: list[Connection] = []
    try:
        for _ in range(jobs):
            here, there = context.Pipe()
            connections.append(here)
            process = context.Process(target=_work, args=(turns, check, meter, there, os.getpid()), daemon=True)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
            processes.append(process)
            there.close()
        waiting = list(reversed(range(len(turns))))
        for connection in connections:
            if waiting:
                at_work[connection] = waiting.pop()
                connection.send(at_work[connection])
        while at_work:
            answering = wait(list(at_work))
            for connection in [c for c in at_work if c in answering]:
                number = at_work.pop(connection)
                answer: tuple[Said, int] | None = connection.recv()
                if answer is None:
                    return None
                said[number] = answer[0]
                spent += answer[1]
                if waiting:
                    at_work[connection] = waiting.pop()
                    connection.send(at_work[connection])
        if spent > meter.left:
            return None
        meter.spend(spent)
        return [text for number in range(len(turns)) for text in said[number]]
    except (EOFError, OSError):
        return None
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.join()
            process.close()
        for connection in connections:
            connection.close()


def _work(
    turns: Sequence[Sequence[Item]], check: Callable[[Item], Said], meter: Meter, connection: Connection, parent: int
) -> None:
    """A worker's life: it is sent the number of a turn, and answers with what its items say and what that took."""
    # Ctrl-C reaches all processes of a terminal; the parent ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_KILLED_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        return
    with suppress(EOFError, OSError):
        while True:
            number = connection.recv()
            before = meter.left
            try:
                said = tuple(_one_by_one(turns[number], check))
            except Exception:
                # It will be raised where it is to be: in the first process.
                connection.send(None)
            else:
                connection.send((said, before - meter.left))
