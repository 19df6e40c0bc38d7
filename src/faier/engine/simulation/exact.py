"""From a solver's basis to an exact simulation: its equations are solved in fractions, and all conditions checked."""

from __future__ import annotations

from fractions import Fraction

import flint

from faier.engine.loops.linear import fraction

from .highs import Basis
from .matrix import Entries
from .program import Program

_MOST_BITS = 20_000


def exact_simulation(program: Program, basis: Basis) -> Entries | None:
    """K of the basis, where it meets every condition exactly."""
    values = exact_solution(program, basis)
    if values is None or not values.get(program.ratio):
        return None
    # The twin's program is about c K.
    scale = 1 / values[program.ratio] if program.of_prefixes else Fraction(1)
    entries: dict[int, dict[int, Fraction]] = {}
    for n, (i, j) in enumerate(program.pairs):
        if value := values.get(n):
            entries.setdefault(i, {})[j] = value * scale
    return entries


def exact_solution(program: Program, basis: Basis) -> dict[int, Fraction] | None:
    """The variables of the basis that are not 0, where they meet every condition exactly and are not too long."""
    values = _solution(program, basis)
    if values is None or any(x < 0 or x.denominator.bit_length() > _MOST_BITS for x in values.values()):
        return None
    for row, bound in zip(program.rows, program.bounds, strict=True):
        if sum((a * values[n] for n, a in row.items() if n in values), Fraction(0)) > bound:
            return None
    return values


def _solution(program: Program, basis: Basis) -> dict[int, Fraction] | None:
    """The values of the variables in the basis, where its conditions are met with equality; the others are 0."""
    variables, conditions = basis.variables, basis.conditions
    if len(variables) != len(conditions):
        return None
    place = {n: k for k, n in enumerate(variables)}
    matrix = flint.fmpq_mat(len(conditions), len(variables))
    right = flint.fmpq_mat(len(conditions), 1)
    for k, number in enumerate(conditions):
        for n, a in program.rows[number].items():
            if n in place and a:
                matrix[k, place[n]] = flint.fmpq(a.numerator, a.denominator)
        bound = program.bounds[number]
        right[k, 0] = flint.fmpq(bound.numerator, bound.denominator)
    try:
        found = matrix.solve(right)
    except ZeroDivisionError:
        return None
    return {n: value for n, k in place.items() if (value := fraction(found[k, 0]))}
