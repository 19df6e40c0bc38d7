"""Deciding a claim at a finite horizon with an SMT solver: the independent second opinion."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, assert_never, cast

from faier.comparison import Comparison
from faier.engine.left_out import left_out
from faier.errors import UsageError
from faier.number.budget import Budget
from faier.scenario.scenario import Scenario
from faier.verdict import Bounds, Holds, Unknown, Violated, Witness

from .backend import Answer, Backend, Satisfiable, Script, Undecided, Unsatisfiable
from .child import TIME_IS_UP
from .cvc5_backend import CVC5
from .query import Encoding, Finding, How, Question, build
from .signs import Signs
from .witness import breaking, probabilities
from .words import Breach, TooManyWords, breaches
from .z3_backend import Z3

BACKENDS: Mapping[str, Backend] = {"z3": Z3(), "cvc5": CVC5()}
_FIRST_BITS = 64
_MOST_BITS = 4096
_NO_RATIONALS = "the solver's values are irrational, and no rational ones near them break the claim"
_TOO_COARSE = "what the solver finds lies too close to the irrational ratio"
_FIRST_SECONDS, _MORE_SECONDS = 1.0, 4

Outcome: TypeAlias = Holds | Violated | Unknown


@dataclass(frozen=True)
class Timing:
    """Where the time of one claim went: writing queries, and inside the solver (its start left out)."""

    verdict: Outcome
    build_seconds: float
    solve_seconds: float
    queries: int


class _OutOfTime(Exception):
    """The time was up while a query was being written."""


def verify(
    scenario: Scenario, *, solver: str = "z3", encoding: How = "auto", seconds: float | None = None
) -> Outcome:
    """Decide the claim at its finite horizon; the answer "holds" rests on the solver's word.

    A witness is replayed with exact arithmetic and compared with the exact budget; it breaks the claim, and
    need not be the worst word. Parameters have rational values in it, of small denominators. Unknown where the
    solver gives up or `seconds` have passed.
    """
    return timed(scenario, solver=solver, encoding=encoding, seconds=seconds).verdict


def timed(
    scenario: Scenario, *, solver: str = "z3", encoding: How = "auto", seconds: float | None = None
) -> Timing:
    """Like `verify`, with the time it took to write the queries apart from the solver's own.

    The encoding is one of those of a single query for all words, or "words" for one query for each word. "auto"
    is "linear", but with unknown parameters "words" where they are not too many: one query for all of them is
    then too hard for the solvers even in small models.
    """
    if solver not in BACKENDS:
        raise UsageError(f"unknown solver {solver!r}; there are {', '.join(BACKENDS)}")
    run = _Run(scenario, BACKENDS[solver], None if seconds == math.inf else seconds)
    if encoding != "auto":
        return run.result(encoding)
    if not scenario.uses_unknowns:
        return run.result("linear")
    try:
        return run.result("words")
    except TooManyWords:
        return run.result("linear")


class _Run:
    """One claim, one solver, one time limit."""

    def __init__(self, scenario: Scenario, backend: Backend, seconds: float | None):
        self.scenario, self.backend, self.seconds = scenario, backend, seconds
        self.started = time.perf_counter()
        self.build_seconds = self.solve_seconds = 0.0
        self.queries = 0
        self.best = Fraction(0)

    def result(self, encoding: str) -> Timing:
        bits = _FIRST_BITS
        while True:
            try:
                found = self._by_words(bits) if encoding == "words" else self._at_once(encoding, bits)
            except _OutOfTime:
                found = TIME_IS_UP
            if found is _TOO_COARSE and bits < _MOST_BITS:
                # The word lies between the rational bound and the irrational ratio above it. [T7]
                bits *= 2
                continue
            return Timing(self._verdict(found), self.build_seconds, self.solve_seconds, self.queries)

    def _verdict(self, found: Witness | str | None) -> Outcome:
        common = (self.scenario, self.backend.name, self._passed(), None)
        match found:
            case Witness():
                return Violated(*common, witness=found)
            case None:
                unknowns = self.scenario.uses_unknowns
                return Holds(*common, () if unknowns else left_out(Comparison(self.scenario)))
            case _:
                return Unknown(*common, reason=found, bounds=Bounds(lower=self.best, upper=math.inf))

    def _at_once(self, encoding: str, bits: int) -> Witness | str | None:
        """A witness, or None where there is none, or why neither."""
        with self._building():
            query = build(self.scenario, encoding=cast(Encoding, encoding), bits=bits, tick=self._tick)
        if query.needs not in self.backend.offers:
            raise UsageError(f"{self.backend.name} does not offer {query.needs}")
        match self._ask(query, self._left()):
            case Unsatisfiable():
                return None
            case Undecided(reason=reason):
                return reason
            case Satisfiable(values=values, near=near):
                return self._witness(query, query.read(values, near))
            case other:
                assert_never(other)

    def _by_words(self, bits: int) -> Witness | str | None:
        """Like `_at_once`. Words that take long are put off: each round gives every word more time."""
        with self._building():
            question = Question.of(self.scenario, bits)
            waiting = list(breaches(question, tick=self._tick))
        reason: str | None = None
        limit = _FIRST_SECONDS
        while waiting:
            put_off: list[Breach] = []
            for breach in waiting:
                self._tick()
                left = self._left()
                answer = self._ask(
                    Signs(question.unknowns.region, breach.conditions),
                    limit if left is None else min(limit, left),
                )
                if isinstance(answer, Satisfiable):
                    finding = breach.finding(question.unknowns.region, answer)
                    if isinstance(found := self._witness(question, finding), Witness):
                        return found
                    reason = found
                elif isinstance(answer, Undecided):
                    if answer.reason == TIME_IS_UP:
                        put_off.append(breach)
                    else:
                        reason = answer.reason
            waiting = put_off
            limit *= _MORE_SECONDS
        return reason

    def _witness(self, question: Question, finding: Finding) -> Witness | str:
        if (found := breaking(question, finding)) is not None:
            return found
        budget = self.scenario.claim.budget
        if not isinstance(budget, Budget) or budget.exact is not None:
            return _NO_RATIONALS
        if not question.unknowns:
            above, below = probabilities(question, finding)
            self.best = max(self.best, above / below)
        return _TOO_COARSE

    def _ask(self, script: Script, seconds: float | None) -> Answer:
        answer = self.backend.solve(script, seconds=seconds)
        self.solve_seconds += answer.seconds
        self.queries += 1
        return answer

    @contextmanager
    def _building(self) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.build_seconds += time.perf_counter() - began

    def _passed(self) -> float:
        return time.perf_counter() - self.started

    def _left(self) -> float | None:
        return None if self.seconds is None else self.seconds - self._passed()

    def _tick(self) -> None:
        if self.seconds is not None and self._passed() >= self.seconds:
            raise _OutOfTime
