"""cvc5: the only file that imports it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .backend import Answer, Feature
    from .query import Query


class CVC5:
    name = "cvc5"
    offers: frozenset[Feature] = frozenset({"linear real arithmetic", "polynomial real arithmetic"})

    def solve(self, query: Query, *, seconds: float | None) -> Answer:
        from .child import solve_in_child

        return solve_in_child("cvc5", "cvc5", query, seconds)


def check(logic: str, script: str, asked: Sequence[str]) -> dict[str, object]:
    """Decide a script, in this process, without a time limit; the logic stands in the script."""
    import cvc5

    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    for option, value in (("produce-models", "true"), ("seed", "0"), ("sat-random-seed", "0")):
        solver.setOption(option, value)
    symbols = cvc5.SymbolManager(terms)
    parser = cvc5.InputParser(solver, symbols)
    started = time.perf_counter()
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "query")
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, symbols)
    result = solver.checkSat()
    seconds = time.perf_counter() - started
    if result.isUnsat():
        return {"result": "unsat", "seconds": seconds}
    if not result.isSat():
        return {"result": "unknown", "reason": str(result.getUnknownExplanation()), "seconds": seconds}
    wanted = set(asked)
    found = [term for term in symbols.getDeclaredTerms() if str(term) in wanted]
    values = {str(term): str(solver.getValue(term)) for term in found}
    return {"result": "sat", "seconds": seconds, "values": values}
