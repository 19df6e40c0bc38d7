"""Exact vectors that bound the powers of a non-negative matrix from below or above. [T8]"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import inf, lcm

import numpy as np

from faier.comparison import Floats
from faier.number.exact import simplest_between

from .letters import Rows, classes, reachable
from .linear import Dense, kernel, less_identity, solve, transposed

_TIE = 1e-9
_BITS = 30
_MOST_INTEGER = 2**46
# Longer ones do not fit into floats, which only guess here.
_MOST_DENOMINATOR = 2**900


def radius(matrix: Floats) -> float:
    """The spectral radius, about."""
    if not matrix.size:
        return 0.0
    if len(matrix) == 1:
        return float(matrix[0, 0])
    return float(np.abs(np.linalg.eigvals(matrix)).max())


def floats_of(rows: Rows, states: Sequence[int]) -> Floats:
    return np.array([[float(rows[i].get(j, 0)) for j in states] for i in states]).reshape(len(states), len(states))


def as_float(value: Fraction) -> float:
    """About the value; infinite where floats do not reach."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def dense_of(rows: Rows, states: Sequence[int]) -> Dense:
    return [[rows[i].get(j, Fraction(0)) for j in states] for i in states]


def row_below(rows: Rows, members: Sequence[int]) -> tuple[dict[int, Fraction], Fraction] | None:
    """x > 0 on the members of a strongly connected class and a > 0 with x rows >= a x; a is near the radius.

    Exactly the radius where that is rational and short enough to be met.
    """
    matrix = dense_of(rows, members)
    turned = transposed(matrix)
    near = radius(floats_of(rows, members))
    for a in rational_guesses(near, rows, members):
        if vector := _positive_kernel(turned, a):
            return dict(zip(members, vector, strict=True)), a
    values, vectors = np.linalg.eig(np.array(turned, dtype=np.float64))
    found = np.abs(vectors[:, int(np.argmax(values.real))].real)
    if not (found > 0).all():
        return None
    x = [_rounded(value) for value in found / found.max()]
    moved = [sum((x[i] * matrix[i][j] for i in range(len(x))), Fraction(0)) for j in range(len(x))]
    least = min(after / before for after, before in zip(moved, x, strict=True))
    if least <= 0:
        return None
    return dict(zip(members, x, strict=True)), simplest_between(least * (1 - Fraction(1, 10**9)), least)


def column_above(
    rows: Rows, states: Sequence[int], target: Mapping[int, Fraction], below: float
) -> tuple[dict[int, Fraction], Fraction] | None:
    """y >= target and b with rows y <= b y on a set of states that the rows do not leave.

    b is near the radius on the states that lead to the target, exactly that where it can be, and less than `below`.
    """
    place = {i: k for k, i in enumerate(states)}
    moves = np.zeros((len(states), len(states)), dtype=bool)
    for i in states:
        moves[place[i], [place[j] for j in rows[i]]] = True
    closed = reachable(moves)
    aim = [place[i] for i in target if i in place]
    leading = [i for i in states if closed[place[i], aim].any()]
    if not leading:
        return {}, Fraction(0)
    near = max(radius(floats_of(rows, [states[k] for k in c])) for c in classes(closed) if states[c[0]] in leading)
    groups = [[states[k] for k in c] for c in classes(closed) if states[c[0]] in leading]
    # A state's class comes after all classes that it leads to.
    groups.sort(key=lambda group: int(closed[place[group[0]]].sum()))
    for b in rational_guesses(near, rows, leading):
        if float(b) < below and (found := _by_classes(rows, groups, target, b)) is not None:
            return found, b
    return _above_the_radius(rows, leading, target, near, below)


def rational_guesses(near: float, rows: Rows, members: Sequence[int]) -> Iterator[Fraction]:
    """Rational numbers that the radius may be: times the common denominator it is then an integer."""
    denominator = lcm(*(x.denominator for i in members for j, x in rows[i].items() if j in set(members)))
    if denominator < _MOST_DENOMINATOR and 0 < near * denominator < _MOST_INTEGER:
        yield Fraction(round(near * denominator), denominator)
    yield Fraction(near).limit_denominator(10**6)


def _positive_kernel(matrix: Dense, factor: Fraction) -> list[Fraction] | None:
    """The positive y with matrix y = factor y, where there is one up to scale."""
    if factor <= 0:
        return None
    basis = kernel(less_identity(matrix, factor))
    if len(basis) != 1:
        return None
    vector = basis[0]
    if vector[0] < 0:
        vector = [-value for value in vector]
    return vector if min(vector) > 0 else None


def _by_classes(
    rows: Rows, groups: Sequence[Sequence[int]], target: Mapping[int, Fraction], b: Fraction
) -> dict[int, Fraction] | None:
    """y with rows y <= b y and y >= target, class by class, where b is the radius of some of them."""
    y: dict[int, Fraction] = {}
    for group in groups:
        matrix = dense_of(rows, group)
        needed = [
            sum((p * y[j] for j, p in rows[i].items() if j in y), Fraction(0)) for i in group
        ]
        own = radius(floats_of(rows, group))
        if own < float(b) * (1 - _TIE):
            aim = [n + b * target.get(i, Fraction(0)) for i, n in zip(group, needed, strict=True)]
            negated = [[-x for x in row] for row in less_identity(matrix, b)]
            values = solve(negated, aim)
        elif any(needed):
            return None
        else:
            values = _positive_kernel(matrix, b)
            if values is not None:
                scale = max([target.get(i, Fraction(0)) / v for i, v in zip(group, values, strict=True)])
                values = [v * scale for v in values]
        if values is None or min(values) < 0:
            return None
        y |= {i: v for i, v in zip(group, values, strict=True) if v}
    return y


def _above_the_radius(
    rows: Rows, states: Sequence[int], target: Mapping[int, Fraction], near: float, below: float
) -> tuple[dict[int, Fraction], Fraction] | None:
    """The same for some b above the radius, found in floats with room for their rounding."""
    if near >= below:
        return None
    room = (below / near if near > 0 else inf) - 1
    room = min(room / 2, 1e-6)
    matrix = floats_of(rows, states)
    b = simplest_between(Fraction(near * (1 + 0.8 * room)), Fraction(near * (1 + room)))
    aim = np.array([float(target.get(i, 0)) for i in states])
    try:
        values = np.linalg.solve(near * (1 + room / 2) * np.eye(len(states)) - matrix, aim)
    except np.linalg.LinAlgError:
        return None
    if not (np.isfinite(values).all() and (values > 0).all()):
        return None
    values /= near
    y = {i: _rounded(value) * 2 for i, value in zip(states, values, strict=True)}
    scale = max([Fraction(1), *(target.get(i, Fraction(0)) / y[i] for i in states)])
    return {i: value * scale for i, value in y.items()}, b


def _rounded(value: float) -> Fraction:
    """To about nine digits."""
    mantissa, exponent = np.frexp(value)
    return Fraction(round(float(mantissa) * 2**_BITS)) * Fraction(2) ** (int(exponent) - _BITS)
