"""Renyi divergences and the constant of zero-concentrated privacy, enclosed. [T10]"""

from __future__ import annotations

import heapq
import itertools
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from faier.comparison import Comparison
from faier.engine.progress import Limits
from faier.errors import NotYetError
from faier.measures import Concentrated, Renyi, Within
from faier.number.ball import information, log_above, log_below, powers
from faier.number.exact import Extended
from faier.scenario.scenario import Scenario

from .answer import comparison_of
from .experiment import Classes, Experiment, experiment
from .worst import distinct

_CUTS = 32
_BITS = 96


def renyi(scenario: Scenario, order: Fraction, limits: Limits, tolerance: Fraction) -> Renyi:
    """The largest Renyi divergence of an order > 0 over all directions; exact up to its logarithm where it can be."""
    if len(scenario.choices) > 1:
        raise NotYetError("Renyi divergences of streams are not built yet")
    comparison = comparison_of(scenario)
    best: tuple[Within, Within | None, int] | None = None
    reason = None
    for direction in distinct(comparison):
        around, why = experiment(comparison, direction, limits, lambda one: _is_close(one, order, tolerance))
        reason = reason or why
        (low, low_moment), (high, high_moment) = divergence(around.coarse, order), divergence(around.fine, order)
        moment = None if low_moment is None or high_moment is None else Within(low_moment.lower, high_moment.upper)
        one = Within(low.lower, high.upper)
        if best is None:
            best = one, moment, direction
        else:
            above = _larger(one.upper, best[0].upper)
            if one.lower > best[0].lower:
                best = Within(one.lower, above), _with_upper(moment, best[1]), direction
            else:
                best = Within(best[0].lower, above), _with_upper(best[1], moment), best[2]
    assert best is not None
    left, right = _names(comparison, best[2])
    return Renyi(scenario, order, best[0], best[1], left, right, reason is None, reason, limits.elapsed)


def divergence(classes: Classes, order: Fraction) -> tuple[Within, Within | None]:
    """Within of the divergence of one experiment, and of its moment, the sum of left^order * right^(1 - order)."""
    if any(left and not right for left, right in classes) and order >= 1:
        return Within(inf, inf), None if order == 1 else Within(inf, inf)
    terms = [(left, left / right) for left, right in classes if left and right]
    if order == 1:
        low, high = information(terms)
        return Within(max(Fraction(0), low), max(Fraction(0), high)), None
    low, high = powers(terms, order - 1)
    if high == 0:
        return Within(inf, inf), Within(Fraction(0), Fraction(0))
    ends = [log_below(max(low, Fraction(0))), log_above(high)]
    found = sorted(end / (order - 1) for end in ends)
    return Within(_larger(Fraction(0), found[0]), _larger(Fraction(0), found[1])), Within(low, high)


def concentrated(scenario: Scenario, limits: Limits, tolerance: Fraction) -> Concentrated:
    """The smallest rho such that the divergence of every order a > 1 is at most rho * a, in every direction."""
    if len(scenario.choices) > 1:
        raise NotYetError("Renyi divergences of streams are not built yet")
    comparison = comparison_of(scenario)
    lower: Extended = Fraction(0)
    upper: Extended = Fraction(0)
    at: tuple[Fraction | None, int] = None, 0
    reason = None
    for direction in distinct(comparison):
        around, why = experiment(comparison, direction, limits, lambda one: _is_close(one, Fraction(2), tolerance))
        fine, more = _largest_share(around.fine, limits, tolerance, lower)
        coarse = fine
        if not around.exact:
            coarse, _ = _largest_share(around.coarse, limits, tolerance, lower)
        reason = reason or why or more
        upper = _larger(upper, fine.upper)
        if coarse.lower > lower or at[0] is None:
            lower, at = _larger(lower, coarse.lower), (coarse.order, direction)
    left, right = _names(comparison, at[1])
    order = None if lower == inf else at[0]
    return Concentrated(scenario, Within(lower, upper), order, left, right, reason is None, reason, limits.elapsed)


@dataclass(frozen=True)
class _Share:
    """lower <= largest D(a)/a <= upper; D(order)/order is at least `lower`."""

    lower: Extended
    upper: Extended
    order: Fraction


def _largest_share(
    classes: Classes, limits: Limits, tolerance: Fraction, known: Extended
) -> tuple[_Share, str | None]:
    """The largest D(a)/a over a > 1, to a relative tolerance or to below what is known elsewhere.

    g(a) = (a - 1) D(a) is convex, so on an interval it is below its chord, and D(a) below the chord over a - 1; on each
    of many pieces that is divided by the smallest a. Beyond A no share exceeds D(inf)/A.
    """
    if any(left and not right for left, right in classes):
        return _Share(inf, inf, Fraction(1)), None
    shares = {Fraction(1): divergence(classes, Fraction(1))[0]}
    worst = max((left / right for left, right in classes if left), default=Fraction(1))
    most = log_above(worst)
    if worst <= 1:
        return _Share(Fraction(0), Fraction(0), Fraction(1)), None

    def at(order: Fraction) -> Within:
        if order not in shares:
            shares[order] = divergence(classes, order)[0]
        return shares[order]

    end = Fraction(2)
    while _ratio(most, end) > max(_ratio(at(end).lower, end), at(Fraction(1)).lower):
        end *= 2
        if end > 2**40:
            break
    counter = itertools.count()
    waiting: list[tuple[Extended, int, Fraction, Fraction]] = []

    def put(low: Fraction, high: Fraction) -> None:
        heapq.heappush(waiting, (-_bound(at(low), at(high), low, high), next(counter), low, high))

    put(Fraction(1), end)
    beyond = _ratio(most, end)
    while True:
        order = max(shares, key=lambda a: _ratio(shares[a].lower, a))
        lower = _ratio(shares[order].lower, order)
        upper = max(-waiting[0][0], beyond)
        found = _Share(lower, upper, order)
        if upper <= lower * (1 + tolerance) or upper <= known:
            return found, None
        if beyond >= -waiting[0][0]:
            put(end, 2 * end)
            end *= 2
            beyond = _ratio(most, end)
            continue
        if reason := limits.reached():
            return found, reason
        _, _, low, high = heapq.heappop(waiting)
        middle = _between(low, high)
        put(low, middle)
        put(middle, high)


def _bound(at_low: Within, at_high: Within, low: Fraction, high: Fraction) -> Extended:
    """An upper bound of D(a)/a for low <= a <= high."""
    start, stop = at_low.upper * (low - 1), at_high.upper * (high - 1)
    assert isinstance(start, Fraction)
    assert isinstance(stop, Fraction)
    slope = (stop - start) / (high - low)
    if low == 1:
        # There the chord is slope * (a - 1), and D(a)/a at most slope/a.
        return _up(slope)
    places = [low + (high - low) * k / _CUTS for k in range(_CUTS + 1)]
    shares = [(start + slope * (a - low)) / (a - 1) for a in places]
    # A line over a - 1 is monotone, so that on a piece it is below the larger of its ends.
    return _up(max(max(x, y) / a for a, x, y in zip(places, shares, shares[1:], strict=False)))


def _between(low: Fraction, high: Fraction) -> Fraction:
    """A simple number in the middle, which keeps the powers cheap."""
    middle = (low + high) / 2
    return middle if middle.denominator < 1 << 40 else middle.limit_denominator(1 << 40)


def _up(value: Extended) -> Extended:
    """A number no smaller, with few digits."""
    if isinstance(value, float):
        return value
    return Fraction(-((-value.numerator << _BITS) // value.denominator), 1 << _BITS)


def _ratio(value: Extended, order: Fraction) -> Extended:
    return value if isinstance(value, float) else value / order


def _larger(one: Extended, other: Extended) -> Extended:
    return one if one >= other else other


def _with_upper(moment: Within | None, other: Within | None) -> Within | None:
    if moment is None or other is None:
        return moment
    return Within(moment.lower, _larger(moment.upper, other.upper))


def _is_close(around: Experiment, order: Fraction, tolerance: Fraction) -> bool:
    low, high = divergence(around.coarse, order)[0].lower, divergence(around.fine, order)[0].upper
    return high <= low * (1 + tolerance) and high < inf


def _names(comparison: Comparison, direction: int) -> tuple[str, str]:
    d = comparison.directions[direction]
    pair = comparison.scenario.pairs[d.pair]
    return (pair.left.name, pair.right.name) if d.forward else (pair.right.name, pair.left.name)
