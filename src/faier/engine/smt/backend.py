"""What a solver has to be for faier: a name, what it offers, and one method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from .query import Query


Feature: TypeAlias = Literal["linear real arithmetic", "polynomial real arithmetic"]
"""What a query may need."""


@dataclass(frozen=True)
class Satisfiable:
    """A model: the asked variables' values, as SMT-LIB writes them. `seconds` is the solver's own time."""

    values: Mapping[str, str]
    seconds: float


@dataclass(frozen=True)
class Unsatisfiable:
    seconds: float


@dataclass(frozen=True)
class Undecided:
    """The solver gave up, or its time was up."""

    reason: str
    seconds: float


Answer: TypeAlias = Satisfiable | Unsatisfiable | Undecided


class Backend(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def offers(self) -> frozenset[Feature]: ...

    def solve(self, query: Query, *, seconds: float | None) -> Answer:
        """Guarantee: returns, or raises `SolverError`, within `seconds` and the time that killing takes."""
        ...
