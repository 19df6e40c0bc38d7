"""Z3: the only file that imports it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .backend import Answer, Feature, Script

_DIGITS = 50


class Z3:
    name = "z3"
    package = "z3-solver"
    offers: frozenset[Feature] = frozenset({"linear real arithmetic", "polynomial real arithmetic"})

    def solve(self, query: Script, *, seconds: float | None) -> Answer:
        from .child import solve_in_child

        return solve_in_child(self.name, self.package, query, seconds)


def check(
    logic: str, script: str, asked: Sequence[str], only_polynomials: bool = False
) -> dict[str, object]:
    """Decide a script, in this process, without a time limit."""
    import z3

    z3.set_param("smt.random_seed", 0)
    z3.set_param("sat.random_seed", 0)
    # The strategy for the logic tries other things before nlsat, and comes back to them.
    solver = z3.Tactic("qfnra-nlsat").solver() if only_polynomials else z3.SolverFor(logic)
    started = time.perf_counter()
    solver.from_string(script)
    result = str(solver.check())
    seconds = time.perf_counter() - started
    if result == "unknown":
        return {"result": result, "reason": solver.reason_unknown(), "seconds": seconds}
    reply: dict[str, object] = {"result": result, "seconds": seconds}
    if result == "sat":
        model = solver.model()
        found = {str(constant): model[constant] for constant in model.decls()}
        irrational = {name for name in asked if name in found and z3.is_algebraic_value(found[name])}
        rational = [name for name in asked if name in found and name not in irrational]
        reply["values"] = {name: found[name].sexpr() for name in rational}
        reply["near"] = {name: found[name].approx(_DIGITS).sexpr() for name in irrational}
    return reply
