"""Bounds of one direction of a secret at every step, from questions about its past and its future. [T17]"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from faier.engine.progress import Limits
from faier.number.exact import Extended
from faier.scenario.scenario import Horizon, Scenario
from faier.trace import Part
from faier.verdict import Holds, Tight

from .question import Direction, Question

_FIRST_STEPS = 4
_MOST_STEPS = 512


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

    def enclose(self, direction: Direction, tolerance: Fraction, known: Extended) -> Enclosed:
        """Bounds to a relative tolerance, as far as the limits allow; below `known` they need not be close."""
        horizon = self.question.horizon
        if isinstance(horizon, int):
            parts = [self._part(direction, step, horizon, tolerance) for step in self.question.steps(horizon)]
            return _of(parts)
        if self.question.stationary:
            return _of([self._part(direction, 0, horizon, tolerance)])
        return self._step_by_step(direction, tolerance, known)

    def tight(self, scenario: Scenario, key: tuple[object, ...], tolerance: Fraction) -> Tight:
        """The answer to a question, kept under its key."""
        from faier import engine

        if (found := self._known.get(key)) is None or (not found.exact and key[-1] != tolerance):
            found = engine.epsilon(scenario, tolerance=tolerance, seconds=self.seconds())
            self._known[key] = found
        return found

    def _part(self, direction: Direction, step: int, horizon: Horizon, tolerance: Fraction) -> Part:
        question, sides = self.question, (direction.left, direction.right)
        left = horizon if horizon == "any" else horizon - step + 1
        share = tolerance / 4
        future = self.tight(question.future(direction, left), ("future", sides, left, share), share)
        past = None
        if step != 1:
            past = self.tight(question.past(direction, step), ("past", sides, step, share), share)
        return Part(direction.pair, direction.forward, step, past, future)

    def _step_by_step(self, direction: Direction, tolerance: Fraction, known: Extended) -> Enclosed:
        """The first n steps each, and all later ones by a window of n symbols; n grows until the bounds meet."""
        question = self.question
        last, parts = _FIRST_STEPS, dict[int, Part]()
        while True:
            for step in question.steps(last):
                if step not in parts:
                    parts[step] = self._part(direction, step, "any", tolerance)
                if reason := self.limits.reached():
                    return _open(list(parts.values()), reason)
            found = _of(list(parts.values()))
            if found.upper == inf:
                return found
            if question.never_after(last):
                closed = Part(direction.pair, direction.forward, -last, None, None)
                return Enclosed(found.lower, found.upper, (*found.parts, closed), found.shows, found.reason)
            future = self.tight(
                question.future(direction, "any"),
                ("future", (direction.left, direction.right), "any", tolerance / 4),
                tolerance / 4,
            )
            goal = max(found.upper, max(found.lower, known) * (1 + tolerance / 2))
            if (tail := self._tail(direction, last, future, goal)) is not None:
                return Enclosed(found.lower, goal, (*found.parts, tail), found.shows, found.reason)
            if last >= _MOST_STEPS:
                return _open(list(parts.values()), f"no bound was found for the steps after {last:,}")
            last *= 2

    def _tail(self, direction: Direction, last: int, future: Tight, goal: Extended) -> Part | None:
        """A proof that no step after `last` has a ratio above the goal."""
        from faier import engine

        upper = future.ratio.upper
        if (asked := self.question.window(direction, last)) is None or goal == inf or upper == inf:
            return None
        _, factor = asked
        assert isinstance(upper, Fraction)
        ratio = Fraction(goal) / (upper * Fraction(factor))
        if ratio < 1:
            return None
        again = self.question.window(direction, last, ratio)
        assert again is not None
        found = engine.verify(again[0], seconds=self.seconds())
        if not isinstance(found, Holds):
            return None
        return Part(direction.pair, direction.forward, -last, found, future)

    def seconds(self) -> float | None:
        """What is left of the time."""
        if self.limits.seconds is None:
            return None
        return max(0.01, self.limits.seconds - self.limits.elapsed)


def product(part: Part, which: str) -> Extended:
    """The lower or upper bound of a part, from those of its past and future."""
    value: Extended = Fraction(1)
    for result in (part.past, part.future):
        if result is not None:
            bound = getattr(result.ratio, which)
            if bound == 0:
                return Fraction(0)
            value = inf if inf in (value, bound) else Fraction(value) * Fraction(bound)
    return value


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
