"""Solvers as the last resort: what they alone decide is marked as theirs."""

from __future__ import annotations

from typing import Any

from faier.engine.progress import Limits
from faier.number.bernstein import Box
from faier.number.domain import Domain
from faier.number.positivity import Answer, Negative, Oracle, Sign, Undecided

_SECONDS = 10.0


def solvers(domain: Domain, limits: Limits) -> Oracle | None:
    """Z3 and cvc5, each in a process of its own with its own limit; None where they cannot help.

    A power of e is no question for them: its polynomials never touch 0 unless they vanish.
    """
    if domain.root:
        return None

    def ask(polynomial: Any, box: Box) -> Answer:
        from faier.engine.smt.polynomial import Counterexample, Proved, race

        seconds = _SECONDS if limits.seconds is None else min(_SECONDS, limits.seconds - limits.elapsed)
        if seconds <= 0:
            return Undecided((box,), "the time limit was reached")
        intervals = []
        for (lo, hi), range_ in zip(box, domain.ranges.values(), strict=True):
            intervals.append((lo, hi, lo not in range_, hi not in range_))
        cuts = [(_terms(c.polynomial), c.relation) for c in domain.cuts]
        decision = race(_terms(polynomial), intervals, cuts, seconds=seconds)
        match decision:
            case Proved(solver=solver):
                return Sign("solver", {"solver": solver})
            case Counterexample(point=point) if point is not None:
                return Negative(point)
            case Counterexample():
                return Undecided((box,), "a solver found irrational values only")
            case _:
                return Undecided((box,), f"the claim touches its bound, and solvers did not decide: {decision.reason}")

    return ask


def _terms(polynomial: Any) -> dict[tuple[int, ...], int]:
    return {tuple(map(int, p)): int(c) for p, c in polynomial.to_dict().items()}
