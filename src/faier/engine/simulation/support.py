"""A sparse choice of the entries of a simulation that may be other than 0, for models too large for all of them. [T2]

A row of K says which states of the right side take over from a state i of the left. L[s] K <= K L[s] asks that whatever
s leads them to takes over from what s leads i to. So rows are chosen from the ends of runs backwards, each as short as
it can be: a partner, which is likely on the right whenever i is on the left (such as its own copy), and then those that
lead to whatever else is wanted (such as states that runs never leave again: they take over from many).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from fractions import Fraction

import numpy as np

from faier.comparison import Floats, Ints

from .program import Columns
from .tables import Tables

_MOST_IN_ROW = 8


class Loops(Exception):
    """A run may come to a state again, so that there is no end to begin with."""


class Samples:
    """Rows of some prefixes of one direction, by length: which states of both sides are likely together."""

    def __init__(self) -> None:
        self._alike: list[tuple[dict[int, int], Floats]] = []
        self._of: dict[int, list[int]] = {}

    def add(self, columns: Ints, left: Floats, right: Floats) -> None:
        """Rows over these states, both sides to the same scale."""
        place = {int(c): k for k, c in enumerate(columns)}
        for i in columns[left.any(axis=0)].tolist():
            self._of.setdefault(i, []).append(len(self._alike))
        self._alike.append((place, normed(left).T @ normed(right)))

    def alike(self, i: int, states: Sequence[int]) -> dict[int, float]:
        """For each of these states how near its weights on the right are to multiples of those of i on the left: at
        most 1, which they are where they differ by a factor alone."""
        least = dict.fromkeys(states, 1.0 if i in self._of else 0.0)
        for number in self._of.get(i, ()):
            place, alike = self._alike[number]
            row = alike[place[i]]
            for j in states:
                least[j] = min(least[j], round(float(row[place[j]]), 6) if j in place else 0.0)
        return least


def normed(rows: Floats) -> Floats:
    """Each column to length 1."""
    return np.asarray(rows / np.maximum(np.sqrt((rows**2).sum(axis=0)), 1e-300))


def sparse_columns(
    tables: Tables,
    left: Set[int],
    right: Set[int],
    sample: Callable[[], Samples],
    most: int,
    stop: Callable[[], bool],
) -> Columns | None:
    """Columns for the rows of every state that the left side reaches from `left`, among those that the right side
    reaches from `right`; None where some row has none, where they are more than `most`, or when told to stop.
    Raises `Loops`."""
    rows, candidates = tables.reached(left), tables.reached(right)
    order, others = _ends_first(tables, rows), _ends_first(tables, candidates)
    before: dict[int, list[int]] = {}
    for j in sorted(candidates):
        if j != tables.done:
            for k in tables.step[j]:
                before.setdefault(k, []).append(j)
    sizes, samples = _sizes(tables, others), sample()
    columns: dict[int, list[int]] = {}
    total = 0
    for i in order:
        if i == tables.done:
            found = [i] if i in candidates else []
        else:
            wanted = {k for target in tables.step[i] for k in columns[target]}
            found = _chosen(_Offers(tables, i, wanted, before), sizes, samples)
        total += len(found)
        if not found or total > most or stop():
            return None
        columns[i] = found
    return {i: columns[i] for i in sorted(columns)}


class _Offers:
    """The moves that a row wants, with their probabilities, by the states that make them; who makes no others."""

    def __init__(self, tables: Tables, row: int, wanted: Set[int], before: Mapping[int, Sequence[int]]):
        self.row = row
        self.moves: dict[int, dict[tuple[int, int], Fraction]] = {}
        self.frugal: set[int] = set()
        self.needs = letters = tables.emit[row]
        for j in sorted({j for k in wanted for j in before.get(k, ())}):
            emit, step = tables.emit[j], tables.step[j]
            useful = {(s, k): emit[s] * step[k] for s in letters.keys() & emit.keys() for k in step if k in wanted}
            if useful:
                self.moves[j] = useful
                if len(useful) == len(emit) * len(step):
                    self.frugal.add(j)

    def letters(self, j: int) -> dict[int, Fraction]:
        """The probability of each letter of the wanted moves of a state."""
        total: dict[int, Fraction] = {}
        for (s, _), p in self.moves[j].items():
            total[s] = total.get(s, Fraction(0)) + p
        return total


def _chosen(offers: _Offers, sizes: Mapping[int, int], samples: Samples) -> list[int]:
    """A partner; as few others as make the moves that are left; and who emits a letter that the row needs more."""
    moves, frugal = offers.moves, offers.frugal
    if not moves:
        return []
    alike = samples.alike(offers.row, list(moves))
    missing = {move for useful in moves.values() for move in useful}
    strongest: dict[int, Fraction] = {}
    chosen: list[int] = []

    def take(j: int) -> None:
        nonlocal missing
        chosen.append(j)
        missing -= moves[j].keys()
        for s, p in offers.letters(j).items():
            strongest[s] = max(p, strongest.get(s, p))

    def gain(j: int) -> tuple[bool, int, int, int]:
        return j in frugal, len(moves[j].keys() & missing), -sizes[j], -j

    take(max(moves, key=lambda j: (j in frugal, alike[j], *gain(j))))
    while missing and len(chosen) < _MOST_IN_ROW:
        take(max((j for j in moves if moves[j].keys() & missing), key=gain))
    for j in sorted(moves, key=gain, reverse=True):
        stronger = (s for s, p in offers.letters(j).items() if strongest.get(s, p) < min(p, offers.needs[s]))
        if len(chosen) < _MOST_IN_ROW and any(stronger):
            take(j)
    return sorted(chosen)


def _sizes(tables: Tables, order: Sequence[int]) -> dict[int, int]:
    """How many states each leads to, itself among them."""
    place = {j: n for n, j in enumerate(order)}
    reached: dict[int, int] = {}
    for j in order:
        found = 1 << place[j]
        for k in tables.step[j] if j != tables.done else ():
            found |= reached[k]
        reached[j] = found
    return {j: found.bit_count() for j, found in reached.items()}


def _ends_first(tables: Tables, rows: Set[int]) -> list[int]:
    """The states, each after all that it leads to; raises `Loops` where some lead back to themselves."""
    leads: dict[int, list[int]] = {}
    left_over = {}
    for i in rows:
        targets = () if i == tables.done else tables.step[i]
        left_over[i] = len(targets)
        for j in targets:
            leads.setdefault(j, []).append(i)
    order: list[int] = []
    ready = sorted((i for i in rows if not left_over[i]), reverse=True)
    while ready:
        i = ready.pop()
        order.append(i)
        for j in leads.get(i, ()):
            left_over[j] -= 1
            if not left_over[j]:
                ready.append(j)
    if len(order) < len(rows):
        raise Loops
    return order
