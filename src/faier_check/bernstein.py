"""Bernstein coefficients of polynomials on boxes, exactly: where all have one sign, so has the polynomial. [T9]"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from operator import mul
from typing import TypeAlias

from .errors import CertificateError
from .limits import Meter
from .polynomial import Poly, degree, exponent, occurring

Box: TypeAlias = tuple[tuple[Fraction, Fraction], ...]
"""By variable: the closed interval between two ends. Variables that do not occur may have any."""

_MOST_COEFFICIENTS = 4_000_000
_MOST_DEGREE = 500
_KEPT_DEGREE = 24


def coefficients(p: Poly, box: Box, meter: Meter) -> list[int]:
    """The tensor Bernstein coefficients of p in its own degrees, all times one positive number."""
    axes = occurring(p)
    degrees = [degree(p, i) for i in axes]
    count = math.prod(n + 1 for n in degrees)
    if count > _MOST_COEFFICIENTS or max(degrees, default=0) > _MOST_DEGREE:
        raise CertificateError("a polynomial has too many Bernstein coefficients")
    meter.spend(count + len(p))
    values = [0] * count
    for monomial, c in p.items():
        place = 0
        for i, n in zip(axes, degrees, strict=True):
            place = place * (n + 1) + exponent(monomial, i)
        values[place] = c
    # Each pass takes the last axis and puts it first, so that in the end all are where they were.
    for i, n in zip(reversed(axes), reversed(degrees), strict=True):
        matrix = _kept(n, *box[i]) if n <= _KEPT_DEGREE else _matrix(n, *box[i])
        lines = [values[k : k + n + 1] for k in range(0, count, n + 1)]
        bits = max(map(abs, values)).bit_length() + matrix[-1][-1].bit_length()
        meter.spend((count * (n + 1) + n**3 // 4) * (1 + bits // 256))
        values = [sum(map(mul, row, line)) for row in matrix for line in lines]
    return values


def _matrix(n: int, low: Fraction, high: Fraction) -> tuple[tuple[int, ...], ...]:
    """Row j, column k: the j-th coefficient of v^k in degree n, times one positive integer.

    That coefficient is the mean, over all ways to choose k of n numbers of which j are `high` and the others
    `low`, of the product of the chosen ones (the blossom of v^k).
    """
    scale = math.lcm(low.denominator, high.denominator)
    a, b = int(low * scale), int(high * scale)
    common = math.lcm(*[math.comb(n, k) for k in range(n + 1)])
    a_powers, b_powers, scales = ([x**k for k in range(n + 1)] for x in (a, b, scale))
    return tuple(
        tuple(
            common
            // math.comb(n, k)
            * scales[n - k]
            * sum(
                math.comb(j, i) * math.comb(n - j, k - i) * b_powers[i] * a_powers[k - i]
                for i in range(max(0, k - n + j), min(j, k) + 1)
            )
            for k in range(n + 1)
        )
        for j in range(n + 1)
    )


_kept = lru_cache(maxsize=1_024)(_matrix)


def not_negative(p: Poly, box: Box, meter: Meter) -> bool:
    """All Bernstein coefficients are at least 0, so that p >= 0 on the box; False proves nothing."""
    if not p:
        return True
    if min(p.values()) >= 0 and all(box[i][0] >= 0 for i in occurring(p)):
        # A monomial has no negative coefficients where the box has no negative numbers, and neither has a sum.
        return True
    return min(coefficients(p, box, meter)) >= 0


def positive(p: Poly, box: Box, meter: Meter) -> bool:
    """All Bernstein coefficients are greater than 0, so that p > 0 on the box; False proves nothing."""
    return bool(p) and min(coefficients(p, box, meter)) > 0


def sign(p: Poly, box: Box, axes: Sequence[int], meter: Meter, boxes: int = 64) -> int:
    """1 where p >= 0 on the whole box, -1 where p <= 0 there, 0 where some pieces of it do not tell."""
    wanted = 0
    waiting = [(box, 0)]
    for _ in range(boxes):
        if not waiting:
            break
        piece, turn = waiting.pop()
        found = _sign(p, piece, meter)
        if found:
            if wanted == -found:
                return 0
            wanted = found
            continue
        own = [i for i in axes if degree(p, i)]
        if not own:
            return 0
        i = own[turn % len(own)]
        low, high = piece[i]
        middle = (low + high) / 2
        for half in ((low, middle), (middle, high)):
            waiting.append(((*piece[:i], half, *piece[i + 1 :]), turn + 1))
    return 0 if waiting else wanted


def _sign(p: Poly, box: Box, meter: Meter) -> int:
    found = coefficients(p, box, meter)
    return 1 if min(found) >= 0 else -1 if max(found) <= 0 else 0
