"""How far one direction exceeds a ratio: delta at the ratio, exactly at a finite horizon, enclosed otherwise. [T10]"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace
from fractions import Fraction

from faier.comparison import Comparison
from faier.engine.progress import Limits, Stopped

from .layer import Layer, Row, Rows, after, first, merged

_LONGEST = 1_000


@dataclass(frozen=True)
class Excess:
    """left - ratio * right <= delta <= upper, where left and right are the probabilities of one event.

    The event is a set of prefixes of `depth` symbols at most and of complete runs. `reason` says what stopped the
    search before the two bounds met, or were close enough.
    """

    direction: int
    ratio: Fraction
    left: Fraction
    right: Fraction
    upper: Fraction
    depth: int
    reason: str | None = None

    @property
    def lower(self) -> Fraction:
        return self.left - self.ratio * self.right

    def decides(self, threshold: Fraction) -> bool:
        """Whether delta is known to exceed the threshold, or not to."""
        return self.lower > threshold or self.upper <= threshold


def excess(
    comparison: Comparison,
    direction: int,
    ratio: Fraction,
    limits: Limits,
    *,
    threshold: Fraction | None = None,
    tolerance: Fraction = Fraction(0),
    longest: int | None = None,
) -> Excess:
    """Delta of one direction at a ratio >= 0: sum over counted words of max(0, left - ratio * right).

    Layer by layer. A prefix whose row of differences has no positive entry adds 0; one without a negative entry adds
    what it has; others are followed, added together where their differences are proportional. The search ends early
    where it is known on which side of `threshold` delta lies, where the bounds are no more than `tolerance` apart, and
    at `longest` symbols. Without all these a finite horizon is answered exactly.
    """
    if len(comparison.scenario.choices) > 1:
        from .adversary import stream_excess

        return stream_excess(
            comparison, direction, ratio, limits, threshold=threshold, tolerance=tolerance, longest=longest
        )
    search = _Search(comparison, direction, ratio)
    layer, depth = first(comparison, direction), 0
    found = search.look(layer, depth)
    try:
        while search.layer.rows and depth != longest:
            if found.upper - found.lower <= tolerance or (threshold is not None and found.decides(threshold)):
                break
            if reason := limits.reached() or too_long(comparison, depth):
                raise Stopped(reason)
            layer = after(comparison, search.layer, limits)
            depth += 1
            found = search.look(layer, depth)
            limits.tell_in_words(lambda: _progress(found, len(search.layer.rows)))  # noqa: B023
    except (Stopped, KeyboardInterrupt) as stop:
        return replace(found, reason=str(stop) or "interrupted")
    return found


def too_long(comparison: Comparison, depth: int) -> str | None:
    """At `any` a search that never closes would go on for ever, however few its rows are."""
    if comparison.length is not None or depth < _LONGEST:
        return None
    return f"{_LONGEST:,} symbols did not bring the bounds together"


class _Search:
    def __init__(self, comparison: Comparison, direction: int, ratio: Fraction):
        self.direction, self.ratio = direction, ratio
        self.top, self.bottom = ratio.numerator, ratio.denominator
        self.done, self.length = comparison.automaton.done, comparison.length
        self.left = self.right = Fraction(0)
        self.layer = Layer([], 1)

    def look(self, layer: Layer, depth: int) -> Excess:
        """Close what can be closed and keep the rest, merged, as the layer to follow."""
        ends = depth == self.length
        left = right = 0
        kept: list[Rows] = []
        for rows in layer.rows:
            if not ends and depth:
                ended = rows[0].pop(self.done, 0), rows[1].pop(self.done, 0)
                if ended[0] * self.bottom > ended[1] * self.top:
                    left, right = left + ended[0], right + ended[1]
            positive, negative = self._parts(rows)
            if not negative or ends:
                if positive > negative:
                    left, right = left + sum(rows[0].values()), right + sum(rows[1].values())
            elif positive:
                kept.append(rows)
        self.left += Fraction(left, layer.scale)
        self.right += Fraction(right, layer.scale)
        kept = merged(kept, self._key)
        return self._bounds(Layer(kept, layer.scale), depth)

    def _bounds(self, layer: Layer, depth: int) -> Excess:
        """The event of all closed prefixes, and of those kept that exceed the ratio so far, with the upper bound."""
        left = right = over = 0
        for rows in layer.rows:
            positive, negative = self._parts(rows)
            over += min(positive, negative)
            if positive > negative:
                left, right = left + sum(rows[0].values()), right + sum(rows[1].values())
        self.layer = layer
        total_left = self.left + Fraction(left, layer.scale)
        total_right = self.right + Fraction(right, layer.scale)
        upper = total_left - self.ratio * total_right + Fraction(over, self.bottom * layer.scale)
        return Excess(self.direction, self.ratio, total_left, total_right, upper, depth)

    def _parts(self, rows: Rows) -> tuple[int, int]:
        """The sums of the positive and of the negative entries of left - ratio * right, times the denominator."""
        positive = negative = 0
        for d in _differences(rows, self.top, self.bottom):
            if d > 0:
                positive += d
            else:
                negative -= d
        return positive, negative

    def _key(self, rows: Rows) -> Hashable:
        """The same for rows whose differences are proportional."""
        left, right = rows
        states = sorted(left.keys() | right.keys())
        values = [left.get(i, 0) * self.bottom - right.get(i, 0) * self.top for i in states]
        common = math.gcd(*values)
        return tuple((i, v // common) for i, v in zip(states, values, strict=True) if v)


def _differences(rows: tuple[Row, Row], top: int, bottom: int) -> list[int]:
    left, right = rows
    found = [x * bottom - right.get(i, 0) * top for i, x in left.items()]
    found += [-y * top for i, y in right.items() if i not in left]
    return found


def _progress(found: Excess, open_: int) -> str:
    return f"{found.depth} symbols, {open_:,} rows, delta between {float(found.lower):.4g} and {float(found.upper):.4g}"
