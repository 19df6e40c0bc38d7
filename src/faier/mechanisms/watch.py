"""A watch over functions of a user's that may never return."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_ARRIVES_WITHIN = 100


class TookTooLong(BaseException):
    """Raised inside the function that is watched; no `except Exception` of its own catches it."""


class Watch:
    """Raises `TookTooLong` in the thread that made it when `seconds` go by without a restart, and again after as many.

    `fired` says whether it did since the last restart: a function may catch everything.
    """

    def __init__(self, seconds: float):
        self.seconds = seconds
        self.fired = False
        self._sent = False
        self._thread = threading.get_ident()
        self._due = time.monotonic() + seconds
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._watcher = threading.Thread(target=self._wait, daemon=True)

    def start(self) -> None:
        self._watcher.start()

    def restart(self) -> None:
        self._due = time.monotonic() + self.seconds
        self.fired = False

    def stop(self) -> None:
        try:
            # Under the lock no exception can be sent to a thread that has gone on to other things.
            with self._lock:
                self._over.set()
            if self._sent:
                # One that is still on its way arrives here. It is not taken back: Python 3.11 would go on looking for
                # it, which slows every function down and stops those that are traced for ever.
                for _ in range(_ARRIVES_WITHIN):
                    time.sleep(0)
        except TookTooLong:
            self._over.set()

    def _wait(self) -> None:
        while not self._over.wait(max(0.05, self._due - time.monotonic())):
            with self._lock:
                if not self._over.is_set() and time.monotonic() >= self._due:
                    self.fired = self._sent = True
                    self._due = time.monotonic() + self.seconds
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self._thread), ctypes.py_object(TookTooLong)
                    )


@contextmanager
def watched(seconds: float) -> Iterator[Watch]:
    """Watch over the block: its parts call `restart`, and none may take longer than `seconds`."""
    watch = Watch(seconds)
    watch.start()
    try:
        yield watch
    finally:
        watch.stop()
