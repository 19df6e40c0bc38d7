"""Small exact linear algebra on matrices of fractions, by python-flint."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import flint

Dense = list[list[Fraction]]


def kernel(matrix: Dense) -> Dense:
    """A basis of the columns y with matrix y = 0, as rows."""
    if not matrix:
        return []
    columns = len(matrix[0])
    reduced, rank = flint_matrix(matrix).rref()
    pivots: list[int] = []
    for i in range(rank):
        pivots.append(next(j for j in range(columns) if reduced[i, j] != 0))
    basis = []
    for free in (j for j in range(columns) if j not in pivots):
        vector = [Fraction(0)] * columns
        vector[free] = Fraction(1)
        for i, pivot in enumerate(pivots):
            vector[pivot] = -fraction(reduced[i, free])
        basis.append(vector)
    return basis


def solve(matrix: Dense, right: Sequence[Fraction]) -> list[Fraction] | None:
    """The y with matrix y = right, or None where the matrix is singular."""
    try:
        found = flint_matrix(matrix).solve(flint_matrix([[r] for r in right]))
    except ZeroDivisionError:
        return None
    return [fraction(found[i, 0]) for i in range(len(right))]


def product(one: Dense, two: Dense) -> Dense:
    """The product of two matrices."""
    found = flint_matrix(one) * flint_matrix(two)
    return [[fraction(found[i, j]) for j in range(found.ncols())] for i in range(found.nrows())]


def transposed(matrix: Dense) -> Dense:
    return [list(row) for row in zip(*matrix, strict=True)]


def less_identity(matrix: Dense, factor: Fraction) -> Dense:
    """matrix - factor I."""
    return [[x - factor if i == j else x for j, x in enumerate(row)] for i, row in enumerate(matrix)]


def flint_matrix(matrix: Dense) -> flint.fmpq_mat:
    rows = [[flint.fmpq(x.numerator, x.denominator) for x in row] for row in matrix]
    return flint.fmpq_mat(rows)


def fraction(value: flint.fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))
