"""Z3: the only file that imports it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .backend import Answer, Feature
    from .query import Query


class Z3:
    name = "z3"
    offers: frozenset[Feature] = frozenset({"linear real arithmetic", "polynomial real arithmetic"})

    def solve(self, query: Query, *, seconds: float | None) -> Answer:
        from .child import solve_in_child

        return solve_in_child("z3", "z3-solver", query, seconds)


def check(logic: str, script: str, asked: Sequence[str]) -> dict[str, object]:
    """Decide a script, in this process, without a time limit."""
    import z3

    z3.set_param("smt.random_seed", 0)
    z3.set_param("sat.random_seed", 0)
    solver = z3.SolverFor(logic)
    started = time.perf_counter()
    solver.from_string(script)
    result = str(solver.check())
    seconds = time.perf_counter() - started
    if result == "unknown":
        return {"result": result, "reason": solver.reason_unknown(), "seconds": seconds}
    reply: dict[str, object] = {"result": result, "seconds": seconds}
    if result == "sat":
        model = solver.model()
        values = {str(constant): model[constant].sexpr() for constant in model.decls()}
        reply["values"] = {name: values[name] for name in asked if name in values}
    return reply
