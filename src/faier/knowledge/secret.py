"""Secrets: properties of a data set that must not be told apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from faier.errors import MechanismError


@dataclass(frozen=True)
class Secret:
    """A property of data sets: of the record at one time (from 1), or of the whole."""

    name: str
    holds: Callable[[Any], Any]
    time: int | None = None

    def __invert__(self) -> Secret:
        """That it does not hold."""
        holds = self.holds
        return Secret(f"not {self.name}", lambda what: not holds(what), self.time)


def record(time: int, *values: Hashable) -> Secret:
    """The record at this time, from 1, is one of the values; 1 (or True) where none is given.

    >>> record(1, "ill").name
    "record 1 is 'ill'"
    """
    if isinstance(time, bool) or not isinstance(time, int) or time < 1:
        raise MechanismError(f"the records of a data set are numbered from 1, got {time!r}")
    wanted = frozenset(values or (1,))
    said = " or ".join(sorted(map(repr, wanted)))
    return Secret(f"record {time} is {said}", lambda what: what in wanted, time)


def anything() -> Secret:
    """No secret: what is known without any, to compare a secret with the prior itself."""
    return Secret("anything", lambda what: True)


def as_secret(what: object, name: str | None = None) -> Secret:
    """A secret as it is; a function of a data set made into one."""
    if isinstance(what, Secret):
        return what
    if callable(what):
        return Secret(str(name or getattr(what, "__name__", "secret")), what)
    raise MechanismError(f"a secret is such as faier.record(1, 'ill'), or a function of a data set, got {what!r}")
