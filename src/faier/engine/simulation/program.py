"""The linear program whose solutions are simulations: sparse rows with exact coefficients."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from faier.comparison import Bools, Comparison

Leaf: TypeAlias = tuple[dict[int, Fraction], dict[int, Fraction]]
"""The rows of an open prefix, up to a common factor."""


@dataclass
class Program:
    """Minimise the last variable, the ratio c, over variables >= 0 with sum of coefficient * variable <= bound.

    `leaves` are the numbers of the conditions that come from open prefixes; the others make K a simulation.
    """

    pairs: list[tuple[int, int]]
    rows: list[dict[int, Fraction]]
    bounds: list[Fraction]
    of_prefixes: bool = False
    leaves: set[int] = field(default_factory=set)

    @property
    def ratio(self) -> int:
        """The number of the variable c."""
        return len(self.pairs)

    @property
    def stored(self) -> int:
        return sum(map(len, self.rows))


def program(
    comparison: Comparison, allowed: Bools, leaves: Sequence[Leaf], most: int, *, of_prefixes: bool
) -> Program | None:
    """All conditions on K and c (of the twin on c K, and c); None where they have more than `most` coefficients."""
    pairs = [(int(i), int(j)) for i, j in np.argwhere(allowed)]
    place = {pair: n for n, pair in enumerate(pairs)}
    found = Program(pairs, [], [], of_prefixes)
    stored = 0
    conditions = _conditions_of_prefixes if of_prefixes else _conditions
    for row, bound, of_leaf in conditions(comparison, allowed, place, leaves):
        stored += len(row)
        if stored > most:
            return None
        if of_leaf:
            found.leaves.add(len(found.rows))
        found.rows.append(row)
        found.bounds.append(Fraction(bound))
    return found


def _conditions(
    comparison: Comparison, allowed: Bools, place: dict[tuple[int, int], int], leaves: Sequence[Leaf]
) -> Iterator[tuple[dict[int, Fraction], Fraction | int, bool]]:
    done = comparison.automaton.done
    columns = [np.flatnonzero(row).tolist() for row in allowed]
    for i in np.flatnonzero(allowed.any(axis=1)).tolist():
        # 1 <= K 1; the row of done has one entry, so that this says e <= K e as well.
        yield dict.fromkeys((place[i, j] for j in columns[i]), Fraction(-1)), -1, False
    for left, right in leaves:
        for j in np.flatnonzero(allowed.any(axis=0)).tolist():
            row = {place[i, j]: x for i, x in left.items() if (i, j) in place}
            if row:
                row[len(place)] = -right[j]
                yield row, 0, True
    emit, step = _exact_tables(comparison)
    for i in np.flatnonzero(allowed[:done].any(axis=1)).tolist():
        for letter, weight in emit[i].items():
            rows: dict[int, dict[int, Fraction]] = {}
            for target, p in step[i].items():
                for k in columns[target]:
                    rows.setdefault(k, {})[place[target, k]] = weight * p
            for j in columns[i]:
                if j != done and (own := emit[j].get(letter)):
                    n = place[i, j]
                    for k, p in step[j].items():
                        if k in rows:
                            rows[k][n] = rows[k].get(n, Fraction(0)) - own * p
            yield from ((condition, 0, False) for condition in rows.values())


def _conditions_of_prefixes(
    comparison: Comparison, allowed: Bools, place: dict[tuple[int, int], int], leaves: Sequence[Leaf]
) -> Iterator[tuple[dict[int, Fraction], Fraction | int, bool]]:
    done = comparison.automaton.done
    columns = [np.flatnonzero(row).tolist() for row in allowed]
    for i in np.flatnonzero(allowed.any(axis=1)).tolist():
        # K 1 <= c 1; entries at done stand in its own row only, so that this says K e <= c e as well.
        yield {**dict.fromkeys((place[i, j] for j in columns[i]), Fraction(1)), len(place): Fraction(-1)}, 0, False
    for left, right in leaves:
        for j, x in left.items():
            if x:
                yield {place[i, j]: -y for i, y in right.items() if y and (i, j) in place}, -x, True
    emit, step = _exact_tables(comparison)
    for i in np.flatnonzero(allowed[:done].any(axis=1)).tolist():
        for letter in {s for j in columns[i] for s in emit[j]}:
            rows: dict[int, dict[int, Fraction]] = {}
            for j in columns[i]:
                if own := emit[j].get(letter):
                    for k, p in step[j].items():
                        rows.setdefault(k, {})[place[i, j]] = own * p
            if weight := emit[i].get(letter):
                for target, p in step[i].items():
                    for k in columns[target]:
                        if k in rows:
                            n = place[target, k]
                            rows[k][n] = rows[k].get(n, Fraction(0)) - weight * p
            yield from ((condition, 0, False) for condition in rows.values())


def _exact_tables(comparison: Comparison) -> tuple[list[dict[int, Fraction]], list[dict[int, Fraction]]]:
    """emit[state][letter] and step[state][state], with the step to done."""
    model, done = comparison.scenario.model, comparison.automaton.done
    emit, step = [], []
    for i in range(comparison.automaton.size):
        own, row = model.emit.integer_row(i)
        emit.append({s: Fraction(n, own) for s, n in row})
        own, row = model.step.integer_row(i)
        step.append({j: Fraction(n, own) for j, n in row} if row else {done: Fraction(1)})
    return emit, step
