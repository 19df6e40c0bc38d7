"""Ctrl-C in a command that makes many searches and has no use for half of one."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType


@contextlib.contextmanager
def noticed() -> Iterator[Callable[[], None]]:
    """What raises KeyboardInterrupt again where Ctrl-C was pressed, and a search has taken that for a limit.

    A search that is interrupted answers with the bounds that it has reached, as if its time were up.
    """
    pressed = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        raise KeyboardInterrupt

    def again() -> None:
        if pressed:
            raise KeyboardInterrupt

    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        # Another's handler stays, and so does that of a job in the background, which ignores Ctrl-C.
        yield again
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield again
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
