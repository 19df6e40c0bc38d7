"""Where the ratio of two polynomials is large: floats search, whoever asks decides exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from faier.number.bernstein import Floats
from faier.number.domain import Domain, Point
from faier.number.exact import simplest_between

from .approach import nearest_corner
from .values import float_values, ratio_of_largest

_SAMPLES = 400
_ROUNDS = 200


def promising(domain: Domain, left: Any, right: Any, starts: Sequence[Point] = ()) -> Iterator[Point]:
    """Points of the hull where left / right is large: corners, and where an ascent from good samples ends.

    Each is given as it is found, and with values that are simple to write down.
    """
    free = len(domain.ranges)
    if not free:
        yield ()
        return
    low = np.array([float(domain.hull[i][0]) for i in range(free)])
    high = np.array([float(domain.hull[i][1]) for i in range(free)])
    tail = [float(domain.hull[-1][0])] if domain.root else []

    scale = ratio_of_largest(left, right)

    def ratio(points: Floats) -> Floats:
        top = float_values(left, points, tail) * scale
        bottom = float_values(right, points, tail)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return np.nan_to_num(np.where(bottom > 0, top / bottom, np.nan), nan=-1.0, posinf=1e300)

    dice = np.random.default_rng(0)
    points = low + (high - low) * dice.random((_SAMPLES, free))
    if free <= 6:
        inset = 1e-7
        corners = np.array(list(product((inset, 1 - inset), repeat=free)))
        points = np.concatenate([points, low + (high - low) * corners])
    if starts:
        points = np.concatenate([points, np.array([[float(x) for x in p[:free]] for p in starts])])
    values = ratio(points)
    order = np.argsort(-values, kind="stable")
    chosen: list[Floats] = []
    for k in order[:60].tolist():
        if len(chosen) < 3 and all(np.abs((points[k] - c) / (high - low + 1e-300)).max() > 0.15 for c in chosen):
            chosen.append(points[k])
    for start in chosen:
        top = _climb(ratio, start, low, high)
        seen: set[Point] = set()
        for tolerance in (1e-5, 1e-9, 1e-14):
            cornered = nearest_corner(domain, top.tolist(), tolerance)
            for digits in (Fraction(1, 100), Fraction(1, 10**4), Fraction(1, 10**7), Fraction(0)):
                point = _simple(domain, cornered, digits)
                if point not in seen:
                    seen.add(point)
                    yield point


def _climb(ratio: Any, start: Floats, low: Floats, high: Floats) -> Floats:
    """A pattern search: steps along each axis and along the last gain, halved where none helps."""
    point, value = start.copy(), float(ratio(start[None])[0])
    size = (high - low) / 8
    for _ in range(_ROUNDS):
        moves = np.concatenate([np.diag(size), -np.diag(size), np.diag(size) / 3, -np.diag(size) / 3])
        tries = np.clip(point + moves, low, high)
        found = ratio(tries)
        k = int(found.argmax())
        if found[k] > value:
            ahead = np.clip(point + 2 * (tries[k] - point), low, high)
            further = float(ratio(ahead[None])[0])
            if further > found[k]:
                point, value = ahead, further
                size = size * 1.5
            else:
                point, value = tries[k], float(found[k])
        else:
            size = size / 2
            if (size <= 1e-16 * (np.abs(high) + np.abs(low) + 1e-300)).all():
                break
    return point


def _simple(domain: Domain, point: Point, tolerance: Fraction) -> Point:
    if tolerance == 0:
        return tuple(_short(x) for x in point)
    simple = []
    for x, (lo, hi) in zip(point, domain.hull, strict=False):
        if x in (lo, hi):
            simple.append(x)
            continue
        width = (hi - lo) * tolerance
        below, above = max(lo, x - width), min(hi, x + width)
        if below >= 0:
            simple.append(simplest_between(below, above))
        elif above <= 0:
            simple.append(-simplest_between(-above, -below))
        else:
            simple.append(Fraction(0))
    return tuple(simple)


def _short(value: Fraction) -> Fraction:
    return value if value.denominator.bit_length() <= 60 else value.limit_denominator(10**12)
