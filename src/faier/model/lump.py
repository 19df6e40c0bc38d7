"""States that behave alike, made one. [T14]"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from faier.number.exact import Prob

from .hmm import HMM
from .table import Table

Classes: TypeAlias = tuple[int, ...]
"""The class of each state, numbered in the order of their first states."""


def alike(model: HMM) -> Classes:
    """Guarantee: the coarsest lumpable partition of the states.

    States of one class emit every symbol with the same probability, move into every class with the same probability,
    and either all or none of them end the run. With parameters that is so identically.
    """
    size = len(model.states)
    ends = model.step.empty_rows.tolist()
    members = [set(part) for part in _parts(range(size), lambda i: (ends[i], _proportions(model.emit, i, None)))]
    of = [0] * size
    for number, states in enumerate(members):
        for i in states:
            of[i] = number
    if len(members) == size:
        return tuple(range(size))
    before = _predecessors(model)
    # The states whose moves have to be looked at: all at first, then those that move into a state of a new class.
    touched: Iterable[int] = [i for i in range(size) if not ends[i]]
    while touched:
        by_class: dict[int, list[int]] = {}
        for i in touched:
            if len(members[of[i]]) > 1:
                by_class.setdefault(of[i], []).append(i)
        divided = [
            (number, _parts(states, lambda i: _proportions(model.step, i, of))) for number, states in by_class.items()
        ]
        changed = [i for number, parts in divided for i in _divide(members, of, number, parts)]
        touched = {k for i in changed for k in before.get(i, ())}
    return numbered(of)


def _divide(members: list[set[int]], of: list[int], number: int, parts: list[list[int]]) -> list[int]:
    """Divide a class into these parts and what is in none of them; return the states that get a new number.

    The states in no part go on as they did, all alike and unlike those in the parts. The largest part keeps the number,
    so that a state is renumbered no more often than its class can be halved.
    """
    rest = members[number]
    for part in parts:
        rest.difference_update(part)
    pieces = [set(part) for part in parts] + ([rest] if rest else [])
    pieces.sort(key=len, reverse=True)
    members[number] = pieces[0]
    changed: list[int] = []
    for piece in pieces[1:]:
        for i in piece:
            of[i] = len(members)
        members.append(piece)
        changed += piece
    return changed


def lumped(model: HMM, classes: Sequence[int]) -> HMM:
    """The model of the classes of a lumpable partition, each named like its first state."""
    first: dict[int, int] = {}
    for i, number in enumerate(classes):
        first.setdefault(number, i)
    small = HMM.__new__(HMM)
    small._fill(
        tuple(model.states[i] for i in first.values()),
        model.symbols,
        Table.from_rows(len(model.symbols), [model.emit.row(i) for i in first.values()]),
        Table.from_rows(len(first), [summed(model.step.row(i), classes) for i in first.values()]),
        model.parameters,
        model.unknowns,
        model.constraints,
    )
    return small


def summed(row: Mapping[int, Prob], classes: Sequence[int]) -> dict[int, Prob]:
    """The probabilities of classes."""
    sums: dict[int, Prob] = {}
    for i, value in row.items():
        sums[classes[i]] = sums.get(classes[i], Fraction(0)) + value
    return sums


def numbered(classes: Sequence[Hashable]) -> Classes:
    """The same partition, its classes numbered in the order of their first states."""
    numbers: dict[Hashable, int] = {}
    return tuple(numbers.setdefault(c, len(numbers)) for c in classes)


def _parts(states: Iterable[int], key: Callable[[int], Hashable]) -> list[list[int]]:
    groups: dict[Hashable, list[int]] = {}
    for i in states:
        groups.setdefault(key(i), []).append(i)
    return list(groups.values())


def _proportions(table: Table, i: int, classes: Sequence[int] | None) -> Hashable:
    """What two rows have in common that give every column, or every class of columns, the same probability."""
    if not table.is_constant:
        row = table.row(i)
        return frozenset((row if classes is None else summed(row, classes)).items())
    own, entries = table.integer_row(i)
    if classes is not None:
        sums: dict[int, int] = {}
        for j, n in entries:
            sums[classes[j]] = sums.get(classes[j], 0) + n
        entries = list(sums.items())
    common = math.gcd(own, *(n for _, n in entries))
    return own // common, frozenset((j, n // common) for j, n in entries)


def _predecessors(model: HMM) -> dict[int, list[int]]:
    before: dict[int, list[int]] = {}
    for i, j in zip(model.step.row_of.tolist(), model.step.indices.tolist(), strict=True):
        before.setdefault(j, []).append(i)
    return before
