"""Exact solutions of sparse systems of equations, most of whose variables can be found one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import flint

from faier.engine.loops.linear import fraction


def solve(
    rows: Sequence[Mapping[int, Fraction]], right: Sequence[Fraction], most: int
) -> dict[int, Fraction] | None:
    """The solution's entries that are not 0, by variable; None where there is not exactly one solution, or where more
    than `most` equations remain that have to be solved together.

    As many equations as variables. An equation with one variable left gives its value at once; a variable that stands
    in one equation only is found from that one at the end. What remains is solved as a dense system.
    """
    system = _System(rows)
    values: dict[int, Fraction] = {}

    def put(number: int, variable: int) -> None:
        row = rows[number]
        rest = sum((a * values[n] for n, a in row.items() if n != variable and n in values), Fraction(0))
        values[variable] = (right[number] - rest) / row[variable]

    late: list[tuple[int, int]] = []
    while (found := system.single()) is not None:
        number, variable, at_once = found
        if at_once:
            put(number, variable)
        else:
            late.append((number, variable))
    kernel, variables = system.rest()
    if len(kernel) != len(variables) or len(kernel) > most:
        return None
    if kernel:
        place = {n: k for k, n in enumerate(variables)}
        matrix, bound = flint.fmpq_mat(len(kernel), len(kernel)), flint.fmpq_mat(len(kernel), 1)
        for k, number in enumerate(kernel):
            rest = right[number]
            for n, a in rows[number].items():
                if n in place:
                    matrix[k, place[n]] = flint.fmpq(a.numerator, a.denominator)
                else:
                    rest -= a * values[n]
            bound[k, 0] = flint.fmpq(rest.numerator, rest.denominator)
        try:
            solution = matrix.solve(bound)
        except ZeroDivisionError:
            return None
        values.update((n, fraction(solution[k, 0])) for n, k in place.items())
    for number, variable in reversed(late):
        put(number, variable)
    return {n: x for n, x in values.items() if x}


class _System:
    """Which variables are left in which equations."""

    def __init__(self, rows: Sequence[Mapping[int, Fraction]]):
        self._in_row = {k: set(row) for k, row in enumerate(rows)}
        self._of: dict[int, set[int]] = {}
        for k, row in enumerate(rows):
            for n in row:
                self._of.setdefault(n, set()).add(k)
        self._rows = [k for k, row in self._in_row.items() if len(row) == 1]
        self._columns = [n for n, of in self._of.items() if len(of) == 1]

    def single(self) -> tuple[int, int, bool] | None:
        """An equation and a variable, taken out of the system: the only one that is left in the equation (then True),
        or one that is left in no other equation."""
        while self._rows:
            k = self._rows.pop()
            if len(self._in_row.get(k, ())) == 1:
                (n,) = self._in_row.pop(k)
                for other in self._of.pop(n):
                    if other != k:
                        self._in_row[other].discard(n)
                        if len(self._in_row[other]) == 1:
                            self._rows.append(other)
                return k, n, True
        while self._columns:
            n = self._columns.pop()
            if len(self._of.get(n, ())) == 1:
                (k,) = self._of.pop(n)
                for other in self._in_row.pop(k):
                    if other != n:
                        self._of[other].discard(k)
                        if len(self._of[other]) == 1:
                            self._columns.append(other)
                return k, n, False
        return None

    def rest(self) -> tuple[list[int], list[int]]:
        """The equations and the variables that are left."""
        return sorted(self._in_row), sorted(self._of)
