"""Whether a polynomial is negative somewhere in a box, by solvers: the last resort for what touches zero.

Each question is answered in a process of its own, which its time limit ends. What a solver proves rests on
its word; a point where the polynomial is negative is verified exactly before it is handed out.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from faier.errors import SolverError

from .backend import Answer, Backend, Satisfiable, Undecided, Unsatisfiable
from .child import TIME_IS_UP, Child, installed, missing
from .cvc5_backend import CVC5
from .simple import Interval, Point, near, simplified
from .terms import ZERO, asserted, declared, polynomial, rational, signed
from .z3_backend import Z3

Polynomial: TypeAlias = Mapping[tuple[int, ...], int]
"""Exponents, one for each variable of the box, and the integer coefficient of each monomial."""
Cut: TypeAlias = tuple[Polynomial, str]
"""A polynomial and its sign where the question counts: ">", ">=" or "=="."""

SOLVERS: Mapping[str, Backend] = {"z3": Z3(), "cvc5": CVC5()}
_SMTLIB = {">": ">", ">=": ">=", "==": "="}


@dataclass(frozen=True)
class Proved:
    """On the solver's word: the polynomial is at least 0 wherever the box and the cuts allow."""

    solver: str
    seconds: float


@dataclass(frozen=True)
class Counterexample:
    """The polynomial is negative at the point, which lies in the box and keeps the cuts: exactly verified.

    `point` is None where the solver found irrational values and no rational ones were found near them: then it
    is the solver's word.
    """

    point: Point | None
    solver: str
    seconds: float


@dataclass(frozen=True)
class GaveUp:
    """No answer within the time limit, or no solver; the reason is one line."""

    reason: str


Decision: TypeAlias = Proved | Counterexample | GaveUp


def decide_nonnegative(
    polynomial: Polynomial,
    box: Sequence[Interval],
    cuts: Sequence[Cut] = (),
    *,
    solver: str,
    seconds: float | None,
) -> Decision:
    """Ask one solver ("z3" or "cvc5") whether the polynomial is negative somewhere in the box, under the cuts.

    The box is (lower, upper, open below, open above) for each variable. Guarantee: the solver's process is
    dead when this returns or raises, at most `seconds` (and a moment) later.
    """
    return _first(_Question(polynomial, box, cuts), [SOLVERS[solver]], seconds)


def race(
    polynomial: Polynomial,
    box: Sequence[Interval],
    cuts: Sequence[Cut] = (),
    *,
    seconds: float | None,
    solvers: Sequence[str] = tuple(SOLVERS),
) -> Decision:
    """`decide_nonnegative` with several solvers at once: the first answer counts, and ends the others."""
    return _first(_Question(polynomial, box, cuts), [SOLVERS[name] for name in solvers], seconds)


class _Question:
    """Is the polynomial negative somewhere? Satisfiable exactly where it is."""

    logic = "QF_NRA"
    only_polynomials = True

    def __init__(self, asked: Polynomial, box: Sequence[Interval], cuts: Sequence[Cut]):
        for _, relation in cuts:
            if relation not in _SMTLIB:
                raise ValueError(f"a cut is one of {', '.join(_SMTLIB)} 0, got {relation!r}")
        self._polynomial, self._box, self._cuts = asked, tuple(box), tuple(cuts)
        self.asked = tuple(f"x{i}" for i in range(len(box)))

    @property
    def script(self) -> str:
        lines = [f"(set-logic {self.logic})"]
        for name, (low, high, open_below, open_above) in zip(self.asked, self._box, strict=True):
            lines.append(declared(name, "Real"))
            lines.append(asserted(f"({'>' if open_below else '>='} {name} {signed(low)})"))
            lines.append(asserted(f"({'<' if open_above else '<='} {name} {signed(high)})"))
        for cut, relation in self._cuts:
            lines.append(asserted(f"({_SMTLIB[relation]} {polynomial(self.asked, cut)} {ZERO})"))
        lines.append(asserted(f"(< {polynomial(self.asked, self._polynomial)} {ZERO})"))
        return "\n".join(lines) + "\n"

    def decided(self, answer: Answer, solver: str) -> Decision:
        match answer:
            case Unsatisfiable(seconds=seconds):
                return Proved(solver, seconds)
            case Satisfiable(seconds=seconds):
                point = self._found(answer)
                if point is None and not answer.near:
                    return GaveUp(f"{solver} answered with a point where the polynomial is not negative")
                return Counterexample(point, solver, seconds)
            case Undecided(reason=reason):
                return GaveUp(reason)

    def _found(self, answer: Satisfiable) -> Point | None:
        """A simple rational point at or near the one that the solver found, verified."""
        values = {**answer.values, **answer.near}
        start = [rational(values[name]) if name in values else low for name, (low, *_) in self._boxes()]
        for candidate in near(start, self._box):
            if (point := self._on_equations(candidate)) is not None and self._negative(point):
                return simplified(point, self._box, self._negative)
        return None

    def _boxes(self) -> list[tuple[str, Interval]]:
        return list(zip(self.asked, self._box, strict=True))

    def _on_equations(self, point: Point) -> Point | None:
        """The point moved onto the cuts that are equations linear in a variable, one variable for each."""
        moved: set[int] = set()
        values = list(point)
        for cut, relation in self._cuts:
            if relation != "==" or evaluate(cut, values) == 0:
                continue
            for i in range(len(values)):
                slope = {p: c for p, c in cut.items() if p[i]}
                if i in moved or not slope or any(p[i] > 1 for p in slope):
                    continue
                by = evaluate({(*p[:i], 0, *p[i + 1 :]): c for p, c in slope.items()}, values)
                if by != 0:
                    values[i] -= evaluate(cut, values) / by
                    moved.add(i)
                    break
            else:
                return None
        return tuple(values)

    def _negative(self, point: Point) -> bool:
        """Exactly: the point is in the box, keeps the cuts, and the polynomial is negative there."""
        for x, (low, high, open_below, open_above) in zip(point, self._box, strict=True):
            if x < low or x > high or (x == low and open_below) or (x == high and open_above):
                return False
        for cut, relation in self._cuts:
            value = evaluate(cut, point)
            if not {">": value > 0, ">=": value >= 0, "==": value == 0}[relation]:
                return False
        return evaluate(self._polynomial, point) < 0


def evaluate(asked: Polynomial, point: Sequence[Fraction]) -> Fraction:
    """The exact value."""
    total = Fraction(0)
    for powers, c in asked.items():
        term = Fraction(c)
        for x, power in zip(point, powers, strict=True):
            if power:
                term *= x**power
        total += term
    return total


def _first(question: _Question, solvers: Sequence[Backend], seconds: float | None) -> Decision:
    """The first decision; where nobody decides, why not."""
    there = [solver for solver in solvers if installed(solver.name)]
    if not there:
        return GaveUp("; ".join(missing(solver.name, solver.package) for solver in solvers))
    if seconds is not None and seconds <= 0:
        return GaveUp(TIME_IS_UP)
    answers: queue.SimpleQueue[tuple[str, Answer | SolverError]] = queue.SimpleQueue()
    with ExitStack() as stack:
        waiting: list[threading.Thread] = []
        # Leaving goes backwards: the children are killed, then their threads end, then the pipes are closed.
        children = [stack.enter_context(Child(solver.name, question, seconds)) for solver in there]
        stack.callback(_join, waiting)
        for child in children:
            stack.callback(child.kill)
            thread = threading.Thread(target=_wait, args=(child, answers), daemon=True)
            waiting.append(thread)
            thread.start()
        reasons: list[str] = []
        for _ in children:
            name, answer = answers.get()
            if isinstance(answer, SolverError):
                reasons.append(str(answer))
                continue
            decision = question.decided(answer, name)
            if not isinstance(decision, GaveUp):
                return decision
            reasons.append(decision.reason)
    return GaveUp("; ".join(dict.fromkeys(reasons)))


def _join(threads: Sequence[threading.Thread]) -> None:
    for thread in threads:
        thread.join()


def _wait(child: Child, answers: queue.SimpleQueue[tuple[str, Answer | SolverError]]) -> None:
    try:
        answers.put((child.solver, child.answer()))
    except SolverError as error:
        answers.put((child.solver, error))
