"""Divergence like n: both sides come back from a loop with one factor, but the left side in two ways.

Two classes of states have the same factor, and the left side moves from the first to the second at any time it
likes; the right side has no such choice. [T8]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice

import numpy as np

from faier.comparison import Bools
from faier.families import Divergence

from .confirm import always_possible, is_above, row_after
from .letters import Letters, Rows, classes, closure, reachable
from .perron import column_above, radius, row_below
from .supports import Prefixes, Suffix

_TIE = 1e-9
_MOST_REPEATS = 4
_MOST_CONFIRMED = 6


def slow_divergence(
    letters: Letters, before: Prefixes, after: list[Suffix], loops: Iterable[tuple[int, ...]]
) -> Divergence | None:
    """A family whose ratio grows at least like n, by one of the loops; where the factors are rational."""
    for loop in loops:
        for prefix, one, two, suffix in islice(_candidates(letters, before, after, loop), _MOST_CONFIRMED):
            for repeats in range(1, _MOST_REPEATS + 1):
                if found := _confirmed(letters, before, prefix, one, two, suffix, loop * repeats):
                    return found
    return None


def _candidates(
    letters: Letters, before: Prefixes, after: list[Suffix], loop: tuple[int, ...]
) -> Iterator[tuple[int, list[int], list[int], Suffix]]:
    """Prefixes, two classes for the left side, and suffixes that promise growth."""
    matrix = letters.float_word(loop)
    closed = reachable(matrix > 0)
    groups = [(c, radius(matrix[np.ix_(c, c)])) for c in classes(closed)]
    groups = [(c, r) for c, r in groups if r > 0]
    for one, own in groups:
        for two, other in groups:
            if one == two or not closed[one[0], two[0]] or abs(own / other - 1) > _TIE:
                continue
            for suffix in after:
                if not suffix.states[two].any():
                    continue
                slow = _no_faster(closed, groups, own, suffix.states)
                usable = before.left[:, one].all(axis=1) & ~(before.right & ~slow).any(axis=1)
                if usable.any():
                    yield int(np.flatnonzero(usable)[0]), one, two, suffix


def _no_faster(closed: Bools, groups: list[tuple[list[int], float]], limit: float, aim: Bools) -> Bools:
    """The states from which the loop gains at most by the limit, and passes at most one class that gains as much."""
    leading = [(c, r) for c, r in groups if (closed[c[0]] & aim).any()]
    equal = [c for c, r in leading if abs(r / limit - 1) <= _TIE]
    fast = np.zeros(len(closed), dtype=bool)
    for c, r in leading:
        if r > limit * (1 + _TIE):
            fast |= closed[:, c[0]]
    for c in equal:
        if any(d is not c and closed[c[0], d[0]] for d in equal):
            fast |= closed[:, c[0]]
    return ~fast


def _confirmed(
    letters: Letters,
    before: Prefixes,
    prefix: int,
    one: list[int],
    two: list[int],
    suffix: Suffix,
    loop: tuple[int, ...],
) -> Divergence | None:
    comparison = letters.comparison
    reaches, right = letters.reaches(loop), before.right[prefix]
    if comparison.both and not always_possible(right, reaches, suffix):
        return None
    rows = letters.exact_rows([*one, *two], loop)
    first, second = (row_below(_within(rows, c), c) for c in (one, two))
    if first is None or second is None or first[1] != second[1]:
        return None
    factor = first[1]
    moved = row_after(first[0], rows)
    if not all(moved.get(j) for j in two):
        return None
    # So large a multiple of the first row gives at least the second one with every loop.
    scale = max(value / moved[j] for j, value in second[0].items())
    row = {i: value * scale for i, value in first[0].items()}
    states = np.flatnonzero(closure(right, reaches)).tolist()
    own, target = letters.exact_rows(states, loop), letters.exact_column(suffix.word, suffix.ended)
    above = column_above(own, states, target, float(factor) * (1 + _TIE))
    if above is None or not 0 < above[1] <= factor:
        return None
    column, column_factor = above
    after = row_after(row, rows)
    sound = (
        all(after.get(i, Fraction(0)) >= factor * value for i, value in row.items())
        and all(after.get(i, Fraction(0)) >= factor * row.get(i, Fraction(0)) + x for i, x in second[0].items())
        and all(row_after(second[0], rows).get(i, Fraction(0)) >= factor * x for i, x in second[0].items())
        and any(i in target for i in second[0])
        and is_above(column, column_factor, own, target)
    )
    if not sound:
        return None
    direction = comparison.directions[before.direction[prefix]]
    pair = comparison.scenario.pairs[direction.pair]
    left, against = (pair.left, pair.right) if direction.forward else (pair.right, pair.left)
    names = comparison.scenario.model.symbols
    return Divergence(
        direction.pair,
        direction.forward,
        left.name,
        against.name,
        tuple(names[s] for s in before.words[prefix]),
        tuple(names[s] for s in loop),
        tuple(names[s] for s in suffix.word),
        suffix.ended,
        row,
        factor,
        column,
        column_factor,
        (second[0],),
    )


def _within(rows: Rows, states: list[int]) -> Rows:
    return {i: {j: x for j, x in rows[i].items() if j in states} for i in states}
