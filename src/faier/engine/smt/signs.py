"""The simplest scripts: are there values in a region at which some polynomials have these signs?"""

from __future__ import annotations

from dataclasses import dataclass

from .backend import Satisfiable
from .region import Cut, Region, condition, evaluate, holds
from .simple import Point
from .terms import asserted


@dataclass(frozen=True)
class Signs:
    """Satisfiable exactly where some point of the region meets all conditions."""

    region: Region
    conditions: tuple[Cut, ...]

    logic = "QF_NRA"
    only_polynomials = True

    @property
    def asked(self) -> tuple[str, ...]:
        return self.region.names

    @property
    def script(self) -> str:
        conditions = [asserted(condition(self.asked, cut)) for cut in self.conditions]
        return "\n".join([f"(set-logic {self.logic})", *self.region.commands(), *conditions, ""])

    def found(self, answer: Satisfiable) -> Point:
        """The point that a solver found, irrational values rounded."""
        return self.region.read({**answer.values, **answer.near})

    def meets(self, point: Point) -> bool:
        """Exactly: a point of the region meets all conditions."""
        return all(holds(evaluate(cut, point), relation) for cut, relation in self.conditions)
