"""The smallest ratio at which delta is no more than is allowed. [T10]"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

from faier.comparison import Comparison
from faier.engine.progress import Limits
from faier.number.exact import Extended, simplest_between

from .excess import Excess
from .worst import distinct, worst

_LARGEST = Fraction(10**30)


@dataclass(frozen=True)
class Reach:
    """lower <= smallest ratio <= upper; `below` and `above` are what was found at its two ends."""

    lower: Extended
    upper: Extended
    below: Excess | None
    above: Excess | None
    reason: str | None = None


def reach(comparison: Comparison, delta: Fraction, limits: Limits, *, tolerance: Fraction) -> Reach:
    """The smallest ratio c with delta(c) <= delta: exact at a finite horizon, else within a relative tolerance.

    From the left: the best event S at c has left(S) - x right(S) <= delta(x) at every ratio x, so no ratio below
    (left(S) - delta) / right(S) will do. Delta is convex, and at a finite horizon consists of finitely many such
    lines, each of which is met once at most. So this ends, and at the smallest ratio.
    """
    return _bounded(comparison, delta, _reach(comparison, delta, limits, tolerance))


def _reach(comparison: Comparison, delta: Fraction, limits: Limits, tolerance: Fraction) -> Reach:
    ratio = Fraction(0)
    while True:
        found = worst(comparison, ratio, limits, **_goal(comparison, delta, tolerance))
        if found.upper <= delta:
            return Reach(ratio, ratio, found, found)
        if found.lower > delta:
            if found.right == 0:
                return Reach(inf, inf, found, None)
            further = (found.left - delta) / found.right
            steps_on = comparison.length is not None or further > ratio * (1 + tolerance / 4)
            ratio = further
            if reason := found.reason or _too_large(comparison, ratio):
                return Reach(ratio, inf, found, None, reason)
            if steps_on:
                continue
        elif found.reason is not None:
            return Reach(ratio, inf, found, None, found.reason)
        return _from_above(comparison, delta, limits, tolerance, ratio, found)


def _goal(comparison: Comparison, delta: Fraction, tolerance: Fraction) -> dict[str, Fraction]:
    """At a finite horizon all of delta is wanted, as its best event gives the longest step."""
    if comparison.length is not None:
        return {}
    # Delta falls by no more than the ratio grows, so this close to `delta` the ratio is close to the smallest one.
    return {"tolerance": tolerance * max(delta, Fraction(1, 10**6)) / 16}


def _from_above(
    comparison: Comparison, delta: Fraction, limits: Limits, tolerance: Fraction, lower: Fraction, below: Excess
) -> Reach:
    """At `any`: ever larger ratios, until one is shown to keep delta."""
    width = tolerance / 2
    while True:
        ratio = simplest_between(lower * (1 + width / 2), lower * (1 + width)) if lower else width
        found = worst(comparison, ratio, limits, threshold=delta)
        if found.upper <= delta:
            reason = None if width <= tolerance else "delta could not be bounded more closely"
            return Reach(lower, ratio, below, found, reason)
        if found.lower > delta:
            lower, below = ratio, found
        if reason := found.reason or _too_large(comparison, ratio):
            return Reach(lower, inf, below, None, reason)
        width *= 4


def _too_large(comparison: Comparison, ratio: Fraction) -> str | None:
    return "the ratio exceeded 10^30" if comparison.length is None and ratio > _LARGEST else None


def _bounded(comparison: Comparison, delta: Fraction, found: Reach) -> Reach:
    """An upper bound from the first rows alone, where the search was stopped before it had one."""
    if found.upper != inf or found.lower == inf or len(comparison.scenario.choices) > 1:
        return found
    assert isinstance(found.lower, Fraction)
    ratio: Extended = found.lower
    for direction in distinct(comparison):
        left, right, unit = comparison.start_exact(direction)
        ratio = _smallest([(x * unit, right.get(i, 0) * unit) for i, x in left.items()], delta, ratio)
    return replace(found, upper=ratio)


def _smallest(outcomes: list[tuple[Fraction, Fraction]], delta: Fraction, ratio: Extended) -> Extended:
    """The smallest number from `ratio` on at which what exceeds it adds up to no more than delta."""
    while isinstance(ratio, Fraction):
        over = [(a, b) for a, b in outcomes if a > ratio * b]
        left, right = sum((a for a, _ in over), Fraction(0)), sum((b for _, b in over), Fraction(0))
        if left - ratio * right <= delta:
            return ratio
        ratio = (left - delta) / right if right else inf
    return ratio
