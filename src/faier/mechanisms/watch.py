"""A watch over functions of a user's that may never return, and over models that take too long to be built."""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_ARRIVES_WITHIN = 100
_LOOKS_EVERY = 0.05


class TookTooLong(BaseException):
    """Raised inside the function that is watched; no `except Exception` of its own catches it."""


class TimeIsUp(BaseException):
    """Raised wherever a model is being built when its time is over."""


class Watch:
    """Raises `what` in the thread that made it when `seconds` go by without a restart, and again after `again`.

    `fired` says whether it did since the last restart: a function may catch everything.
    """

    def __init__(self, seconds: float, what: type[BaseException] = TookTooLong, again: float | None = None):
        self.seconds = seconds
        self.what = what
        self.fired = False
        self.sent = False
        self.due = time.monotonic() + seconds
        self.again = seconds if again is None else again
        self._guard: _Guard | None = None

    def start(self) -> None:
        self._guard = _guard_here()
        self._guard.watches.append(self)

    def restart(self) -> None:
        self.due = time.monotonic() + self.seconds
        self.fired = False

    def look(self) -> None:
        """Raise again what another watch, around this one, has raised: what was watched may have caught it."""
        for watch in () if self._guard is None else tuple(self._guard.watches):
            if watch.fired and watch is not self:
                raise watch.what

    def stop(self) -> None:
        guard = self._guard
        if guard is None:
            return
        try:
            # Under the lock no exception can be sent to a thread that has gone on to other things.
            with guard.lock:
                guard.forget(self)
            if self.sent:
                # One that is still on its way arrives here. It is not taken back: Python 3.11 would go on looking for
                # it, which slows every function down and stops those that are traced for ever.
                for _ in range(_ARRIVES_WITHIN):
                    time.sleep(0)
        except self.what:
            pass
        finally:
            # Another watch, around this one, may have ended it in the middle.
            guard.forget(self)


class _Guard:
    """The thread that looks at the clock for all watches of another thread.

    There is one, as an exception that is sent while a thread starts another may end the new one before it has said
    that it runs, and then the first waits for ever.
    """

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.lock = threading.Lock()
        self.watches: list[Watch] = []
        self.over = threading.Event()

    def forget(self, watch: Watch) -> None:
        """Look after this watch no more, nor after those within it."""
        if watch in self.watches:
            del self.watches[self.watches.index(watch) :]
        if not self.watches:
            self.over.set()

    def wait(self) -> None:
        while not self.over.wait(_LOOKS_EVERY):
            with self.lock:
                now = time.monotonic()
                # The outermost first: when its time is over, that of all within it is.
                due = next((watch for watch in self.watches if now >= watch.due), None)
                if due is not None:
                    due.fired = due.sent = True
                    due.due = now + due.again
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self.thread), ctypes.py_object(due.what)
                    )


_HERE = threading.local()


def _without_guard() -> None:
    """Of all threads a fork has only the one that forked."""
    _HERE.guard = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_without_guard)


def _guard_here() -> _Guard:
    """The guard of this thread: the one at work, or a new one."""
    guard: _Guard | None = getattr(_HERE, "guard", None)
    if guard is None or guard.over.is_set():
        guard = _HERE.guard = _Guard()
        threading.Thread(target=guard.wait, daemon=True).start()
    return guard


@contextmanager
def watched(seconds: float) -> Iterator[Watch]:
    """Watch over the block: its parts call `restart`, and none may take longer than `seconds`."""
    watch = Watch(seconds)
    try:
        watch.start()
        yield watch
    finally:
        watch.stop()
