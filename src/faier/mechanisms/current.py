"""Who decides the draws of the mechanism that is being run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from faier.errors import FaierError

from .distribution import Distribution, Value


class Chooser(Protocol):
    """Decides what a draw gives: an enumerator walks through all values, a sampler takes one at random."""

    trouble: FaierError | None
    """The first draw that was none; the run has failed, whatever the function makes of the exception."""

    def choose(self, among: Distribution) -> Value: ...


_CURRENT: ContextVar[Chooser | None] = ContextVar("faier_chooser", default=None)


def current() -> Chooser | None:
    return _CURRENT.get()


def note(error: FaierError) -> None:
    """Remember what went wrong in a run, so that a function that catches everything cannot go on without it."""
    chooser = _CURRENT.get()
    if chooser is not None and chooser.trouble is None:
        chooser.trouble = error


@contextmanager
def answered_by(chooser: Chooser) -> Iterator[None]:
    """Let this chooser decide all draws of the block."""
    token = _CURRENT.set(chooser)
    try:
        yield
    finally:
        _CURRENT.reset(token)
