"""Exact moves for polynomials that touch 0: square factors, faces, sectors at a corner, and where they touch. [T9]

Results are polynomials up to positive constant factors, which no sign depends on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from .bernstein import Box
from .domain import Point, evaluate
from .exact import simplest_between

_MOST_FACTORED_TERMS = 1500
_MOST_FACTORED_DEGREE = 40
_MOST_FLOAT_BITS = 900


def square_root_of(polynomial: Any) -> tuple[Any | None, Any]:
    """(q, rest) with polynomial = q^2 rest, or (None, polynomial) where no square divides it."""
    if len(polynomial) > _MOST_FACTORED_TERMS or sum(map(int, polynomial.degrees())) > _MOST_FACTORED_DEGREE:
        return None, polynomial
    _, factors = polynomial.factor_squarefree()
    root = polynomial.context().constant(1)
    for factor, power in factors:
        root *= factor ** (int(power) // 2)
    if root.is_constant():
        return None, polynomial
    return root, polynomial / (root * root)


def divided_face(polynomial: Any, box: Box, axis: int, side: int) -> tuple[Any, Any] | None:
    """(D0, D1) with D = D0 + distance from a face of the box * D1, D0 the value on the face."""
    degree = int(polynomial.degrees()[axis])
    if degree == 0:
        return None
    context = polynomial.context()
    end = box[axis][side]
    a, b = end.numerator, end.denominator
    on_face: dict[tuple[int, ...], int] = {}
    for powers, c in polynomial.to_dict().items():
        k = int(powers[axis])
        left = (*powers[:axis], 0, *powers[axis + 1 :])
        on_face[left] = on_face.get(left, 0) + int(c) * a**k * b ** (degree - k)
    face = context.from_dict({powers: c for powers, c in on_face.items() if c})
    distance = (context.gens()[axis] * b - a) * (1 if side == 0 else -1)
    return face, (polynomial * b**degree - face) / distance


def sector(polynomial: Any, box: Box, where: Mapping[int, int]) -> dict[int, Any] | None:
    """For each variable k: the polynomial where t_k is the largest of the distances t from a corner.

    With t_j = t_k u_j, over the largest power of t_k that divides it; variables mean u then, and t_k its share of
    the box. None where the corner is no zero, or where other variables occur.
    """
    occurring = [i for i, d in enumerate(polynomial.degrees()) if d]
    if any(i not in where for i in occurring) or not occurring:
        return None
    corner = [box[i][where.get(i, 0)] for i in range(len(box))]
    if evaluate(polynomial, corner) != 0:
        return None
    context = polynomial.context()
    local = polynomial
    for i in occurring:
        lo, hi = box[i]
        start, step = (lo, hi - lo) if where[i] == 0 else (hi, lo - hi)
        local, _ = along_line(local, i, start, step)
    parts: dict[int, Any] = {}
    terms = {tuple(map(int, powers)): int(c) for powers, c in local.to_dict().items()}
    for k in occurring:
        lowest = min(sum(powers) for powers in terms)
        parts[k] = context.from_dict(
            {
                tuple(sum(powers) - lowest if i == k else e for i, e in enumerate(powers)): c
                for powers, c in terms.items()
            }
        )
    return parts


def along_line(polynomial: Any, axis: int, start: Fraction, step: Fraction) -> tuple[Any, int]:
    """The polynomial with start + step * t for one variable t, times a positive integer, which comes second."""
    context = polynomial.context()
    degree = int(polynomial.degrees()[axis]) if polynomial != 0 else 0
    unit = start.denominator * step.denominator
    line = context.constant(int(start * unit)) + context.gens()[axis] * int(step * unit)
    by_power: dict[int, dict[tuple[int, ...], int]] = {}
    for powers, c in polynomial.to_dict().items():
        left = (*powers[:axis], 0, *powers[axis + 1 :])
        by_power.setdefault(int(powers[axis]), {})[left] = int(c)
    total = context.constant(0)
    for k, terms in by_power.items():
        total += context.from_dict(terms) * line**k * unit ** (degree - k)
    return total, unit**degree


def exact_zero(polynomial: Any, box: Box, whole: Box) -> Point | None:
    """A point of few digits near a box where the polynomial is exactly 0, and stationary but for faces."""
    axes = [i for i, d in enumerate(polynomial.degrees()) if d]
    ends = []
    for i in axes:
        lo, hi = whole[i]
        near = (hi - lo) / 64
        ends.append(
            [None, *([lo] if box[i][0] - lo <= near else []), *([hi] if hi - box[i][1] <= near else [])]
        )
    if len(axes) > 5:
        return None
    gradient = {i: polynomial.derivative(i) for i in axes}
    for fixed in product(*ends):
        held = {i: end for i, end in zip(axes, fixed, strict=True) if end is not None}
        loose = [i for i in axes if i not in held]
        found = _newton(gradient, box, loose, held)
        if found is None:
            continue
        for digits in (10**-9, 10**-6, 10**-4):
            point = tuple(
                held[i] if i in held else _simple(found[i], digits, whole[i]) for i in range(len(box))
            )
            if evaluate(polynomial, point) == 0:
                return point
    return None


def _newton(
    gradient: Mapping[int, Any], box: Box, loose: Sequence[int], held: Mapping[int, Fraction]
) -> list[float] | None:
    """A stationary point of the loose variables, near the middle of a box."""
    point = [float(held[i]) if i in held else float((lo + hi) / 2) for i, (lo, hi) in enumerate(box)]
    if not loose:
        return point
    second = {(i, j): gradient[i].derivative(j) for i in loose for j in loose}
    unit = 1 << max(0, *(_bits(p) - _MOST_FLOAT_BITS for p in (*gradient.values(), *second.values())))
    for _ in range(25):
        slope = np.array([_float_at(gradient[i], point, unit) for i in loose])
        curve = np.array([[_float_at(second[i, j], point, unit) for j in loose] for i in loose])
        if not (np.isfinite(slope).all() and np.isfinite(curve).all()):
            return None
        step = -np.linalg.lstsq(curve, slope, rcond=1e-9)[0]
        for i, s in zip(loose, step.tolist(), strict=True):
            point[i] += s
        if np.abs(step).max() < 1e-15:
            break
    for i in loose:
        lo, hi = map(float, box[i])
        if not lo - 4 * (hi - lo) <= point[i] <= hi + 4 * (hi - lo):
            return None
    return point


def _bits(polynomial: Any) -> int:
    return max((int(c).bit_length() for c in polynomial.coeffs()), default=0)


def _float_at(polynomial: Any, point: Sequence[float], unit: int) -> float:
    total = 0.0
    for powers, c in polynomial.to_dict().items():
        term = int(c) / unit
        for x, e in zip(point, powers, strict=True):
            if e:
                term *= x ** int(e)
        total += term
    return total


def _simple(value: float, tolerance: float, within: tuple[Fraction, Fraction]) -> Fraction:
    """The simplest fraction near a float, inside an interval."""
    lo, hi = within
    near = Fraction(value)
    low, high = max(lo, near - Fraction(tolerance)), min(hi, near + Fraction(tolerance))
    if low > high:
        return lo if near < lo else hi
    if low < 0 < high:
        return Fraction(0)
    return simplest_between(low, high) if low >= 0 else -simplest_between(-high, -low)
