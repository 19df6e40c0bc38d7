"""Bounds of one direction of a secret at every step, from questions about its past and its future. [T18]"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf

from faier.comparison import Automaton
from faier.engine.progress import Limits
from faier.number.exact import Extended
from faier.scenario.scenario import Horizon, Scenario
from faier.trace import Part
from faier.verdict import Holds, Tight, Unknown

from . import late
from .question import Direction, Question

_FIRST_STEPS = 4
_MOST_STEPS = 512
_MOST_STATES = 5_000
"""Of the layers of a window, one for each step."""
_INTERRUPTED = "interrupted"
_PATIENCE = 5.0
_MEASURED = Fraction(1, 10**9)


@dataclass(frozen=True)
class Enclosed:
    """lower <= the ratios of one direction at all steps <= upper; `shows` has the ratio `lower`.

    `parts` prove the upper bound; there are none where it is infinite.
    """

    lower: Extended
    upper: Extended
    parts: tuple[Part, ...]
    shows: Part | None
    reason: str | None = None


class Search:
    """The questions about one gate; answers are kept, as many steps ask the same."""

    def __init__(self, question: Question, limits: Limits):
        self.question, self.limits = question, limits
        self._known: dict[tuple[object, ...], Tight] = {}

    @cached_property
    def automaton(self) -> Automaton:
        return Automaton(self.question.model)

    def enclose(self, direction: Direction, tolerance: Fraction, known: Extended) -> Enclosed:
        """Bounds to a relative tolerance, as far as the limits allow; below `known` they need not be close."""
        horizon = self.question.horizon
        if isinstance(horizon, int):
            return self._up_to(direction, horizon, tolerance, known)
        if self.question.stationary and not self.question.steps(1):
            return Enclosed(Fraction(0), Fraction(0), (Part(direction.pair, direction.forward, -1, None, None),), None)
        if self.question.stationary:
            return _of([self._part(direction, 0, horizon, tolerance)])
        return self._step_by_step(direction, tolerance, known)

    def glance(self, direction: Direction, tolerance: Fraction) -> Extended:
        """A lower bound that is found soon."""
        horizon = self.question.horizon
        if (horizon == "any" and self.question.stationary) or self.limits.reached():
            return Fraction(0)
        steps = self.question.steps(min(_FIRST_STEPS, horizon) if isinstance(horizon, int) else _FIRST_STEPS)
        parts = [self._part(direction, step, horizon, tolerance) for step in steps]
        return max((product(part, "lower") for part in parts), default=Fraction(0))

    def tight(
        self, scenario: Scenario, key: tuple[object, ...], tolerance: Fraction, *, row_by_row: bool = False
    ) -> Tight:
        """The answer to a question, kept under its key."""
        from faier import engine

        if (found := self._known.get(key)) is None or (not found.exact and key[-1] != tolerance):
            seconds = self.seconds()
            if row_by_row:
                seconds = _PATIENCE if seconds is None else min(seconds, _PATIENCE)
            found = engine.epsilon(scenario, tolerance=tolerance, seconds=seconds, row_by_row=row_by_row)
            if found.reason == _INTERRUPTED:
                raise KeyboardInterrupt
            self._known[key] = found
        return found

    def _part(self, direction: Direction, step: int, horizon: Horizon, tolerance: Fraction) -> Part:
        question, sides = self.question, (direction.left, direction.right)
        left = horizon if horizon == "any" else horizon - step + 1
        share = tolerance / 4
        future = self._future(direction, left, tolerance)
        past = None
        if step != 1:
            past = self.tight(question.past(direction, step), ("past", sides, step, share), share)
        return Part(direction.pair, direction.forward, step, past, future)

    def _up_to(self, direction: Direction, horizon: int, tolerance: Fraction, known: Extended) -> Enclosed:
        """All steps of a finite horizon, exactly.

        A longer future is no weaker than a shorter one [T5], so the first step's may stand for those of the others.
        """
        steps = self.question.steps(horizon)
        far = late.late(self, direction, _MEASURED)
        exact = {*steps[:_FIRST_STEPS]} if far else {*steps[:1], *steps[len(steps) // 2 :][:1], *steps[-1:]}
        parts: dict[int, Part] = {}
        for step in sorted(exact):
            parts[step] = self._part(direction, step, horizon, tolerance)
        for step in sorted(steps, key=lambda step: abs(2 * step - horizon)):
            if reason := self.limits.reached():
                return _open(list(parts.values()), reason)
            if step not in parts:
                goal, future = max(_of(list(parts.values())).lower, known), parts[steps[0]].future
                part = None if far is None or step <= far.reach else late.at_step(self, direction, far, step, future)
                if part is None or product(part, "upper") > goal:
                    part = self._below(direction, step, goal, future)
                parts[step] = part or self._part(direction, step, horizon, tolerance)
        return _of(list(parts.values()))

    def _below(self, direction: Direction, step: int, goal: Extended, future: Tight) -> Part | None:
        """A part for a step that does not exceed the goal; None where that is not shown at once."""
        upper = _bound(future, "upper")
        if inf in (goal, upper):
            return None
        proof = self._holds(self.question.past(direction, step, Fraction(goal) / Fraction(upper)))
        return None if proof is None else Part(direction.pair, direction.forward, step, proof, future)

    def _step_by_step(self, direction: Direction, tolerance: Fraction, known: Extended) -> Enclosed:
        """The first n steps each, and all later ones by a window of n symbols; n grows until the bounds meet.

        The tight ratios of the earliest steps and of the last one are found; the other steps are shown not to exceed
        what is known by then.
        """
        question = self.question
        last, parts = _FIRST_STEPS, dict[int, Part]()
        if question.never_after(last):
            every = [self._part(direction, step, "any", tolerance) for step in question.steps(last)]
            found, closed = _of(every), Part(direction.pair, direction.forward, -last, None, None)
            return replace(found, parts=(*found.parts, closed))
        future = self._future(direction, "any", tolerance)
        if (measured := self._with_measure(direction, tolerance, known, future)) is not None:
            return measured
        while True:
            steps = question.steps(last)
            for step in {*steps[:_FIRST_STEPS], *steps[-1:]}:
                if step not in parts:
                    parts[step] = self._part(direction, step, "any", tolerance)
                if reason := self.limits.reached():
                    return _open(list(parts.values()), reason)
            found = _of(list(parts.values()))
            if found.upper == inf or future.ratio.upper == inf:
                return _open(list(parts.values()), "an upper bound of the future was not found")
            for goal in _goals(found, known, tolerance):
                # A window that is too short costs much more to refuse than one that is long enough.
                if late.starts_matter(self, direction, parts.get(steps[-1]) if steps else None, goal):
                    continue
                if (tail := self._tail(direction, last, future, goal)) is not None:
                    return self._between(direction, tolerance, goal, known, parts, [tail], last)
            if reason := self.limits.reached():
                return _open(list(parts.values()), reason)
            if last >= _MOST_STEPS or last * len(question.model.states) > _MOST_STATES:
                return _open(list(parts.values()), f"no bound was found for the steps after {last:,}")
            last += max(1, last // 2)

    def _with_measure(
        self, direction: Direction, tolerance: Fraction, known: Extended, future: Tight
    ) -> Enclosed | None:
        """Late steps by the past that is read from a stationary distribution, others each; None where that fails."""
        found = None if future.ratio.upper == inf else late.late(self, direction, tolerance)
        after = None if found is None else late.after_all(self, direction, found, future, tolerance)
        if found is None or after is None:
            return None
        tail, last = after
        steps = self.question.steps(last)
        tails = [late.at_step(self, direction, found, step, future) for step in steps if step > found.reach]
        tails.append(tail)
        highest = max(product(part, "upper") for part in tails)
        parts = {step: self._part(direction, step, "any", tolerance) for step in steps[:_FIRST_STEPS]}
        early = _of(list(parts.values()))
        goal = next((goal for goal in _goals(early, known, tolerance) if highest <= goal), None)
        if goal is None:
            goal = max(highest, early.upper)
            if (shown := late.reached(self, direction, found, future, last, tolerance)) is not None:
                parts[shown.step] = shown
        return self._between(direction, tolerance, goal, known, parts, tails, found.reach)

    def _between(
        self,
        direction: Direction,
        tolerance: Fraction,
        goal: Extended,
        known: Extended,
        parts: dict[int, Part],
        tails: list[Part],
        last: int,
    ) -> Enclosed:
        """All steps up to the last at the goal, which may rise; what is exact already stays, and so do the tails."""
        future = self._future(direction, "any", tolerance)
        for step in self.question.steps(last):
            if step in parts:
                continue
            if (part := self._below(direction, step, goal, future)) is not None:
                parts[step] = part
                continue
            if reason := self.limits.reached():
                return _open(list(parts.values()), reason)
            parts[step] = self._part(direction, step, "any", tolerance)
            goal = max(goal, product(parts[step], "upper"))
        # What only shows a lower bound is no part of the proof.
        found, proofs = _of(list(parts.values())), [part for part in parts.values() if product(part, "upper") != inf]
        return Enclosed(found.lower, max(goal, _of(proofs).upper), (*proofs, *tails), found.shows, found.reason)

    def _tail(self, direction: Direction, last: int, future: Tight, goal: Extended) -> Part | None:
        """A proof that no step after `last` has a ratio above the goal."""
        if self.question.never_after(last):
            return Part(direction.pair, direction.forward, -last, None, None)
        if (asked := self.question.window(direction, last)) is None:
            return None
        _, factor = asked
        ratio = Fraction(goal) / (Fraction(_bound(future, "upper")) * Fraction(factor))
        again = None if ratio < 1 else self.question.window(direction, last, ratio)
        proof = None if again is None else self._holds(again[0])
        return None if proof is None else Part(direction.pair, direction.forward, -last, proof, future)

    def _future(self, direction: Direction, horizon: Horizon, tolerance: Fraction) -> Tight:
        """From the step on, for so many symbols."""
        sides, share = (direction.left, direction.right), tolerance / 4
        return self.tight(self.question.future(direction, horizon), ("future", sides, horizon, share), share)

    def _holds(self, asked: Scenario) -> Holds | None:
        """A proof of what the scenario claims, where it holds."""
        from faier import engine

        if asked.require_constant_budget().below(128) < 1:
            return None
        found = engine.verify(asked, seconds=self.seconds())
        if isinstance(found, Unknown) and found.reason == _INTERRUPTED:
            raise KeyboardInterrupt
        return found if isinstance(found, Holds) else None

    def seconds(self) -> float | None:
        """What is left of the time."""
        if self.limits.seconds is None:
            return None
        return max(0.01, self.limits.seconds - self.limits.elapsed)


def product(part: Part, which: str) -> Extended:
    """The lower or upper bound of a part, from those of its past and future."""
    value: Extended = part.factor if which == "upper" else Fraction(0) if part.measure else Fraction(1)
    for result in (part.past, part.future):
        if result is not None:
            bound = _bound(result, which)
            if bound == 0 or value == 0:
                return Fraction(0)
            value = inf if inf in (value, bound) else Fraction(value) * Fraction(bound)
    return value


def _bound(result: Tight | Holds, which: str) -> Extended:
    if isinstance(result, Holds):
        return Fraction(0) if which == "lower" else result.scenario.require_constant_budget().below(128)
    bound = getattr(result.ratio, which)
    assert isinstance(bound, Fraction | float)
    return bound


def _goals(found: Enclosed, known: Extended, tolerance: Fraction) -> list[Extended]:
    """What to show of the other steps: the bound itself where it is exact, then one within the tolerance."""
    near = max(found.upper, max(found.lower, known) * (1 + tolerance / 2))
    return [found.upper, near] if found.lower == found.upper and near != found.upper else [near]


def _of(parts: list[Part]) -> Enclosed:
    if not parts:
        return Enclosed(Fraction(0), Fraction(0), (), None)
    shows = max(parts, key=lambda part: product(part, "lower"))
    upper = max(product(part, "upper") for part in parts)
    return Enclosed(product(shows, "lower"), upper, tuple(parts), shows, next(_reasons(parts), None))


def _open(parts: list[Part], reason: str) -> Enclosed:
    found = _of(parts)
    return Enclosed(found.lower, inf, (), found.shows, found.reason or reason)


def _reasons(parts: list[Part]) -> Iterator[str]:
    for part in parts:
        for result in (part.past, part.future):
            if isinstance(result, Tight) and result.reason is not None:
                yield result.reason
