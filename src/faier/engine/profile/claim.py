"""Deciding a claim of approximate privacy: delta at the claimed ratio is no more than the claimed one. [T10]"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from faier.comparison import Comparison
from faier.engine.progress import Limits
from faier.number.budget import Budget
from faier.trace import Layers
from faier.verdict import Bounds

from .excess import Excess
from .worst import at_most, worst

_FIRST_BITS, _MOST_BITS = 96, 1 << 14


@dataclass(frozen=True)
class Decision:
    """`proof` where the claim holds, `broken` where it is violated, neither where limits came first."""

    proof: Layers | None
    broken: Excess | None
    bounds: Bounds
    reason: str | None


def decide(comparison: Comparison, budget: Budget, delta: Fraction, limits: Limits) -> Decision:
    """Whether delta at the ratio, of every direction, is at most the claimed delta.

    The ratio is replaced by rationals on both sides where it is irrational: what holds at a smaller ratio, or is broken
    at a larger one, is decided. At a finite horizon ever closer rationals decide every claim, as there delta is linear
    around an irrational ratio and can meet a rational bound only where it is constant.
    """
    bits = _FIRST_BITS
    while True:
        below = worst(comparison, budget.below(bits), limits, threshold=delta)
        if below.upper <= delta:
            depth = below.depth if comparison.length is None else comparison.length
            return Decision(Layers(below.ratio, depth), None, Bounds(below.lower, below.upper), None)
        above = below
        if budget.exact is None and below.reason is None:
            above = worst(comparison, budget.above(bits), limits, threshold=delta)
        if above.lower > delta and above.ratio >= budget.above(bits):
            return Decision(None, above, Bounds(above.lower, Fraction(1)), None)
        reason = below.reason or above.reason
        if reason is not None or bits >= _MOST_BITS:
            upper = below.upper if below.lower <= delta else at_most(comparison, below.ratio)
            bounds = Bounds(max(Fraction(0), _lower(above, budget)), min(Fraction(1), upper))
            return Decision(None, None, bounds, reason or f"the ratio is too close to tell in {bits} bits")
        bits *= 2


def _lower(found: Excess, budget: Budget) -> Fraction:
    return found.left - budget.above() * found.right
