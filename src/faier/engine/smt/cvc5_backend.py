"""cvc5: the only file that imports it."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .backend import Answer, Feature, Script

_DIGITS = 50
_ALGEBRAIC = re.compile(r"\(_ real_algebraic_number <(.*), [(\[]([-0-9/ ]+), ([-0-9/ ]+)[)\]]>\)")
_MONOMIAL = re.compile(r"(-?\d+)(?:\*x(?:\^(\d+))?)?")
_OPTIONS = {
    "produce-models": "true",
    "seed": "0",
    "sat-random-seed": "0",
    # Cylindrical algebraic coverings, which decide what incremental linearisation cannot.
    "nl-cov": "true",
}


class CVC5:
    name = "cvc5"
    package = "cvc5"
    offers: frozenset[Feature] = frozenset({"linear real arithmetic", "polynomial real arithmetic"})

    def solve(self, query: Script, *, seconds: float | None) -> Answer:
        from .child import solve_in_child

        return solve_in_child(self.name, self.package, query, seconds)


def check(
    logic: str, script: str, asked: Sequence[str], only_polynomials: bool = False
) -> dict[str, object]:
    """Decide a script, in this process, without a time limit; the logic stands in the script."""
    import cvc5

    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    for option, value in _OPTIONS.items():
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
    values: dict[str, str] = {}
    near: dict[str, str] = {}
    for term in symbols.getDeclaredTerms():
        if str(term) in wanted:
            value = solver.getValue(term)
            if value.isRealAlgebraicNumber():
                near[str(term)] = _approximated(str(value))
            else:
                values[str(term)] = str(value)
    return {"result": "sat", "seconds": seconds, "values": values, "near": near}


def _approximated(text: str) -> str:
    """A rational within 10**-50 of a root that is given by its polynomial and an interval that isolates it."""
    match = _ALGEBRAIC.fullmatch(text)
    if match is None:
        raise ValueError(f"cannot read the algebraic number {text[:200]}")
    polynomial = _coefficients(match[1])
    low, high = Fraction(match[2].replace(" ", "")), Fraction(match[3].replace(" ", ""))
    rising = _at(polynomial, high) > 0
    while high - low > Fraction(1, 10**_DIGITS):
        middle = (low + high) / 2
        value = _at(polynomial, middle)
        if value == 0:
            low = high = middle
        elif (value > 0) == rising:
            high = middle
        else:
            low = middle
    found = (low + high) / 2
    size = f"(/ {abs(found.numerator)}.0 {found.denominator}.0)"
    return f"(- {size})" if found < 0 else size


def _coefficients(text: str) -> dict[int, int]:
    found: dict[int, int] = {}
    for part in text.split(" + "):
        match = _MONOMIAL.fullmatch(part.strip("()"))
        if match is None:
            raise ValueError(f"cannot read the monomial {part!r} of an algebraic number")
        power = int(match[2] or 1) if "x" in part else 0
        found[power] = int(match[1])
    return found


def _at(polynomial: dict[int, int], point: Fraction) -> Fraction:
    return sum((c * point**power for power, c in polynomial.items()), Fraction(0))
