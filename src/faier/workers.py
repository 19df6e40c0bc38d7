"""Other processes for pieces of work that know nothing of one another: the same results in the same order, sooner.

Workers are forks of this process, so that they know all that it knows, and a script needs no `if __name__ ==
"__main__"`. Where forking is not safe (not on Linux, or with threads whose locks a fork might find taken) there are
none, and neither are there within a worker. A worker never decides what a mistake means: what it cannot do, or cannot
hand back, is done again here.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from faier.errors import UsageError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess

Item = TypeVar("Item")
Result = TypeVar("Result")

_PAYS_FROM = 1.0
_LOOKS_FROM = 0.2
_A_TURN = 0.05
_TICK = 0.1
_PATIENCE = 5.0
_KILLED_WITH_PARENT = 1
# Threads that hold no lock which a worker needs: our own watch over users' functions, and the line that shows progress.
_HARMLESS = frozenset(("faier.mechanisms.watch", "rich.live"))

_chosen: int | None = None
_is_worker = False


def choose(jobs: int | None) -> None:
    """How many processes may work from now on; None for what the environment says."""
    global _chosen
    _chosen = jobs


def jobs() -> int:
    """How many processes may work: as chosen, or FAIER_JOBS, or as many as this process may use processors."""
    if _is_worker:
        return 1
    if _chosen is not None:
        return _chosen
    text = os.environ.get("FAIER_JOBS", "").strip()
    if not text:
        return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 1024):
        raise UsageError(f"FAIER_JOBS is a number of processes, from 1 to 1024, got {text[:40]!r}")
    return int(text)


def is_worker() -> bool:
    """Whether this process is one of them."""
    return _is_worker


def in_order(function: Callable[[Item], Result], items: Sequence[Item]) -> Generator[Result]:
    """function(item) for each item, in their order.

    One after another at first; once what is left is seen to take more than a second, in `jobs` processes. The function
    has to return the same whenever it is called, in values that are equal once pickled. What it raises is raised here.
    """
    elapsed = 0.0
    for done, item in enumerate(items):
        if done and elapsed >= _LOOKS_FROM and elapsed / done * (len(items) - done) >= _PAYS_FROM and can_fork():
            yield from _in_processes(function, items[done:], elapsed / done)
            return
        start = time.monotonic()
        result = function(item)
        elapsed += time.monotonic() - start
        yield result


def can_fork() -> bool:
    """Whether there may be workers here and now; not in a worker, another program's among them."""
    if jobs() == 1 or sys.platform != "linux" or not all(map(_is_harmless, threading.enumerate())):
        return False
    from multiprocessing import current_process

    return not current_process().daemon


def _is_harmless(thread: threading.Thread) -> bool:
    made_by = getattr(getattr(thread, "_target", None), "__module__", None) or type(thread).__module__
    return thread is threading.current_thread() or made_by in _HARMLESS


def _in_processes(function: Callable[[Item], Result], items: Sequence[Item], seconds: float) -> Iterator[Result]:
    """The same with workers, each of which is sent a few items at a time; `seconds` is about what one takes."""
    from multiprocessing.connection import wait

    turn = max(1, min(int(_A_TURN / seconds), len(items) // (4 * jobs()) or 1)) if seconds > 0 else 1
    patience = max(_PATIENCE, 20 * turn * seconds)
    ready: dict[int, Any] = {}
    failed: set[int] = set()
    sent: dict[Connection, range] = {}
    ahead = 0
    with _workers(function, items, min(jobs(), len(items))) as orders:
        alive = set(orders)
        for place, item in enumerate(items):
            since = time.monotonic()
            while place not in ready and place not in failed:
                for connection in alive - sent.keys():
                    if ahead < len(items):
                        sent[connection] = range(ahead, min(len(items), ahead + turn))
                        ahead = sent[connection].stop
                        with suppress(OSError):
                            orders[connection].send((sent[connection].start, ahead))
                hangs = time.monotonic() - since > patience
                if hangs or not alive or not any(place in places for places in sent.values()):
                    failed.add(place)
                    break
                answering = wait(list(sent), _TICK)
                for connection in [c for c in sent if c in answering]:
                    places = sent.pop(connection)
                    try:
                        answers = connection.recv()
                    except (EOFError, OSError):
                        # It was killed, for want of memory perhaps: what it was about is done here.
                        alive.discard(connection)
                        failed.update(places)
                        continue
                    for at, (succeeded, answer) in zip(places, answers, strict=True):
                        if succeeded:
                            ready[at] = answer
                        else:
                            failed.add(at)
            yield function(item) if place in failed else ready.pop(place)


@contextmanager
def _workers(
    function: Callable[[Any], Any], items: Sequence[Any], count: int
) -> Iterator[dict[Connection, Connection]]:
    """Where answers come from -> where orders go to. Guarantee: all are dead when the block is left, however it is."""
    from multiprocessing import get_context

    context = get_context("fork")
    processes: list[ForkProcess] = []
    lines: dict[Connection, Connection] = {}
    try:
        for _ in range(count):
            there, orders = context.Pipe(duplex=False)
            answers, back = context.Pipe(duplex=False)
            lines[answers] = orders
            process = context.Process(target=_work, args=(function, items, there, back, os.getpid()), daemon=True)
            with warnings.catch_warnings():
                # Python warns of forks beside any thread, those of linear algebra among them, which are at rest.
                warnings.simplefilter("ignore", DeprecationWarning)
                processes.append(process)
                process.start()
            there.close()
            back.close()
        yield lines
    finally:
        # One may not have been started when something else ended all.
        started = [process for process in processes if process.pid is not None]
        for process in started:
            process.kill()
        for process in started:
            process.join()
            process.close()
        for connection in (*lines, *lines.values()):
            connection.close()


def _work(
    function: Callable[[Any], Any], items: Sequence[Any], orders: Connection, answers: Connection, parent: int
) -> None:
    """A worker's life: it is sent the places of items, and answers with what the function returns for them."""
    global _is_worker
    _is_worker = True
    # Ctrl-C reaches all processes of a terminal; the parent ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_KILLED_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        return
    with suppress(EOFError, OSError):
        while True:
            start, stop = orders.recv()
            answers.send_bytes(pickle.dumps([_attempt(function, item) for item in items[start:stop]]))


def _attempt(function: Callable[[Any], Any], item: Any) -> tuple[bool, Any]:
    """Whether it went well, and what came of it, if that can be sent."""
    try:
        answer = function(item)
        pickle.dumps(answer)
    except BaseException:
        return False, None
    return True, answer
