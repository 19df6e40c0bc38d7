"""Delta at one ratio, of the worst pair and direction: exact also where the ratio is irrational. [T10]"""

from __future__ import annotations

from fractions import Fraction

from faier.approximate import Point
from faier.comparison import Comparison
from faier.engine.progress import Limits
from faier.number.budget import Budget
from faier.number.exact import Extended
from faier.number.mass import Mass
from faier.verdict import Between

from .excess import Excess, excess
from .worst import at_most, candidates, worst

_FIRST_BITS, _MOST_BITS = 96, 1 << 14


def point(
    comparison: Comparison, budget: Budget, limits: Limits, *, tolerance: Fraction = Fraction(0)
) -> tuple[Point, Excess]:
    """Delta at the ratio, with the search that ends it; its `reason` says what stopped it too early, if anything did.

    `tolerance` is how far apart the bounds may be at the horizon `any`; a finite horizon is answered exactly.
    """
    if (ratio := budget.exact) is not None:
        found = worst(comparison, ratio, limits, **_closeness(comparison, tolerance))
        mass = Mass(found.left, found.right, budget) if found.lower == found.upper else None
        return made(comparison, budget, Between(found.lower, found.upper), mass, found.direction), found
    if comparison.length is not None:
        return _irrational(comparison, budget, limits)
    below, above = budget.below(), budget.above()
    over = worst(comparison, below, limits, **_closeness(comparison, tolerance / 2))
    under = worst(comparison, above, limits, **_closeness(comparison, tolerance / 2))
    found = over if over.reason is not None else under
    return made(comparison, budget, Between(max(Fraction(0), under.lower), over.upper), None, under.direction), found


def made(comparison: Comparison, ratio: Budget | Extended, delta: Between, mass: Mass | None, direction: int) -> Point:
    """A point with the names of its worst direction."""
    d = comparison.directions[direction]
    pair = comparison.scenario.pairs[d.pair]
    left, right = (pair.left, pair.right) if d.forward else (pair.right, pair.left)
    return Point(ratio, delta, mass, d.pair, d.forward, left.name, right.name)


def _closeness(comparison: Comparison, tolerance: Fraction) -> dict[str, Fraction]:
    return {} if comparison.length is not None else {"tolerance": tolerance}


def _irrational(comparison: Comparison, budget: Budget, limits: Limits) -> tuple[Point, Excess]:
    """Between two rationals around the ratio delta is linear as soon as one event is the best at both. [T10]"""
    best: tuple[Mass, Excess] | None = None
    for direction in candidates(comparison, budget.below(), limits):
        bits = _FIRST_BITS
        while True:
            over = excess(comparison, direction, budget.below(bits), limits)
            under = excess(comparison, direction, budget.above(bits), limits)
            reason = over.reason or under.reason
            if reason is not None or bits > _MOST_BITS:
                bounds = Between(max(Fraction(0), under.lower), at_most(comparison, budget.below()))
                return made(comparison, budget, bounds, None, direction), over if over.reason else under
            if (over.left, over.right) == (under.left, under.right):
                break
            bits *= 2
        mass = Mass(over.left, over.right, budget)
        if best is None or mass.more_than(best[0]):
            best = mass, over
    assert best is not None
    mass, found = best
    return made(comparison, budget, Between(mass.below, mass.above), mass, found.direction), found
