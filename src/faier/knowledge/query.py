"""Queries: what a mechanism is asked about a data set, record by record where that is possible."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from faier.errors import MechanismError


@dataclass(frozen=True)
class Fold:
    """A query that reads one record after the other: `step(so far, record)`, from `start` on.

    `adds`, where given, says that it is a sum: from 0, each record adds this whole number.
    """

    start: Hashable
    step: Callable[[Any, Any], Hashable]
    finish: Callable[[Any], Hashable]
    name: str
    adds: Callable[[Any], int] | None = None

    def __call__(self, data: Iterable[Any]) -> Hashable:
        """The answer for a whole data set."""
        so_far: Any = self.start
        for record in data:
            so_far = self.step(so_far, record)
        return self.finish(so_far)


def fold(
    start: Hashable,
    step: Callable[[Any, Any], Hashable],
    finish: Callable[[Any], Hashable] | None = None,
    name: str | None = None,
) -> Fold:
    """A query that reads records one by one and remembers little: a count, a maximum, the last record."""
    return Fold(start, step, finish or _itself, str(name or getattr(step, "__name__", "fold")))


def count(*values: Hashable) -> Fold:
    """How many records are among the values; 1 (or True) where none is given.

    >>> count("ill")(("ill", "well", "ill"))
    2
    """
    wanted = frozenset(values or (1,))
    return Fold(
        0, lambda so_far, record: so_far + (record in wanted), _itself, "count", lambda record: int(record in wanted)
    )


def whole(data: Any = None) -> Fold:
    """The data set itself."""
    if data is not None:
        raise MechanismError("faier.knowledge.query.whole takes no argument: whole() is a query")
    return Fold((), lambda so_far, record: (*so_far, record), _itself, "the data set")


def _itself(value: Any) -> Any:
    return value
