"""What a solver has to be for faier: a name, what it offers, and one method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

Feature: TypeAlias = Literal["linear real arithmetic", "polynomial real arithmetic"]
"""What a query may need."""


class Script(Protocol):
    """SMT-LIB commands without `check-sat`, and the variables whose values are wanted."""

    @property
    def logic(self) -> str: ...

    @property
    def script(self) -> str: ...

    @property
    def asked(self) -> Sequence[str]: ...

    @property
    def only_polynomials(self) -> bool:
        """True where all assertions are signs of polynomials: solvers have better ways with those."""
        ...


@dataclass(frozen=True)
class Satisfiable:
    """A model: the asked variables' values, as SMT-LIB writes them. `seconds` is the solver's own time.

    A value that is not rational stands in `near` instead, as a rational within 10**-50 of it.
    """

    values: Mapping[str, str]
    seconds: float
    near: Mapping[str, str] = field(default_factory=dict)


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
    def package(self) -> str:
        """What `pip install` calls it."""
        ...

    @property
    def offers(self) -> frozenset[Feature]: ...

    def solve(self, query: Script, *, seconds: float | None) -> Answer:
        """Guarantee: returns, or raises `SolverError`, within `seconds` and the time that killing takes."""
        ...
