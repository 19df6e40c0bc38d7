"""From a solver's basis to exact numbers: its equations are solved in fractions, and all conditions checked."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .highs import Basis
from .matrix import Entries
from .program import Program
from .sparse_solve import solve

_MOST_BITS = 20_000
_REPAIRS = 8
_SMALL = 160
_LARGEST_KERNEL = 1200


def exact_simulation(program: Program, basis: Basis) -> Entries | None:
    """K near that of the basis, where it meets every condition on K exactly."""
    values = _repaired(program, basis)
    if values is None or not values.get(program.ratio):
        return None
    # The twin's program is about c K.
    scale = 1 / values[program.ratio] if program.of_prefixes else Fraction(1)
    entries: dict[int, dict[int, Fraction]] = {}
    for n, (i, j) in enumerate(program.pairs):
        if value := values.get(n):
            entries.setdefault(i, {})[j] = value * scale
    return entries


def exact_entries(program: Program, basis: Basis) -> Entries | None:
    """K itself, of a program at a given ratio, where it meets every condition on K exactly."""
    values = _solution(program, basis.variables, basis.conditions)
    if values is None or _too_long(values):
        return None
    entries: dict[int, dict[int, Fraction]] = {}
    for n, (i, j) in enumerate(program.pairs):
        if value := values.get(n):
            if value < 0:
                return None
            entries.setdefault(i, {})[j] = value
    structure = [n for n in range(len(program.rows)) if n not in program.leaves]
    return None if _broken(program, values, structure) is not None else entries


def exact_solution(program: Program, basis: Basis) -> dict[int, Fraction] | None:
    """The variables of the basis that are not 0, where they meet every condition exactly and are not too long."""
    values = _solution(program, basis.variables, basis.conditions)
    if values is None or _negative(values) or _too_long(values):
        return None
    return None if _broken(program, values, range(len(program.rows))) is not None else values


def _repaired(program: Program, basis: Basis) -> dict[int, Fraction] | None:
    """The basis' values, after a few exchanges where a solver's tolerance hid that a condition on K is broken.

    What the leaves ask for only says which K is wanted: a condition of theirs makes room for the broken one.
    """
    variables, conditions = list(basis.variables), list(basis.conditions)
    values = _solution(program, variables, conditions)
    structure = [n for n in range(len(program.rows)) if n not in program.leaves]
    for _ in range(_REPAIRS):
        if values is None or _too_long(values):
            return None
        negative, broken = _negative(values), _broken(program, values, structure)
        if not negative and broken is None:
            return values
        if len(variables) > _SMALL:
            return None
        for loose in [n for n in conditions if n in program.leaves]:
            if negative:
                kept, met = [n for n in variables if n != negative[0]], [n for n in conditions if n != loose]
            else:
                kept, met = variables, [broken if n == loose else n for n in conditions if broken is not None]
            if (values := _solution(program, kept, met)) is not None:
                variables, conditions = kept, met
                break
        else:
            return None
    return None


def _negative(values: dict[int, Fraction]) -> list[int]:
    """The variables below 0, the most negative first."""
    return sorted((n for n, x in values.items() if x < 0), key=values.__getitem__)


def _too_long(values: dict[int, Fraction]) -> bool:
    return any(x.denominator.bit_length() > _MOST_BITS for x in values.values())


def _broken(program: Program, values: dict[int, Fraction], which: Sequence[int]) -> int | None:
    """The condition that is broken most, if one is."""
    worst, most = None, Fraction(0)
    for number in which:
        excess = sum((a * values[n] for n, a in program.rows[number].items() if n in values), -program.bounds[number])
        if excess > most:
            worst, most = number, excess
    return worst


def _solution(program: Program, variables: Sequence[int], conditions: Sequence[int]) -> dict[int, Fraction] | None:
    """The values of these variables, where these conditions are met with equality; the others are 0."""
    if len(variables) != len(conditions):
        return None
    known = set(variables)
    rows = [{n: a for n, a in program.rows[number].items() if n in known and a} for number in conditions]
    return solve(rows, [program.bounds[number] for number in conditions], _LARGEST_KERNEL)
