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
from typing import TypeAlias

from faier.errors import SolverError

from .backend import Answer, Backend, Satisfiable, Undecided, Unsatisfiable
from .child import TIME_IS_UP, Child, installed, missing
from .cvc5_backend import CVC5
from .region import RELATIONS, Cut, Polynomial, Region
from .signs import Signs
from .simple import Interval, Point
from .z3_backend import Z3

SOLVERS: Mapping[str, Backend] = {"z3": Z3(), "cvc5": CVC5()}


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

    The box is (lower, upper, open below, open above) for each variable; a cut is a polynomial and how it compares
    with 0: ">", ">=", "==" or "!=". Guarantee: the solver's process is
    dead when this returns or raises, at most `seconds` (and a moment) later.
    """
    return _first(_question(polynomial, box, cuts), [SOLVERS[solver]], seconds)


def race(
    polynomial: Polynomial,
    box: Sequence[Interval],
    cuts: Sequence[Cut] = (),
    *,
    seconds: float | None,
    solvers: Sequence[str] = tuple(SOLVERS),
) -> Decision:
    """`decide_nonnegative` with several solvers at once: the first answer counts, and ends the others."""
    return _first(_question(polynomial, box, cuts), [SOLVERS[name] for name in solvers], seconds)


def _question(asked: Polynomial, box: Sequence[Interval], cuts: Sequence[Cut]) -> Signs:
    for _, relation in cuts:
        if relation not in RELATIONS:
            raise ValueError(f"a cut is one of {', '.join(RELATIONS)} 0, got {relation!r}")
    names = tuple(f"x{i}" for i in range(len(box)))
    return Signs(Region(names, tuple(box), tuple(cuts)), (({p: -c for p, c in asked.items()}, ">"),))


def _decided(question: Signs, answer: Answer, solver: str) -> Decision:
    match answer:
        case Unsatisfiable(seconds=seconds):
            return Proved(solver, seconds)
        case Satisfiable(seconds=seconds):
            point = question.region.simple_point(question.found(answer), question.meets)
            if point is None and not answer.near:
                return GaveUp(f"{solver} answered with a point where the polynomial is not negative")
            return Counterexample(point, solver, seconds)
        case Undecided(reason=reason):
            return GaveUp(reason)


def _first(question: Signs, solvers: Sequence[Backend], seconds: float | None) -> Decision:
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
            decision = _decided(question, answer, name)
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
