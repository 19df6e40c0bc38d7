"""States that behave alike, made one. [T14]"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
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
    members = _grouped({i: (ends[i], _proportions(model.emit, i, None)) for i in range(size)}, range(size))
    of = [0] * size
    for number, states in enumerate(members):
        for i in states:
            of[i] = number
    waiting = {number for number, states in enumerate(members) if len(states) > 1 and not ends[states[0]]}
    before = _predecessors(model) if waiting else {}
    while waiting:
        changed: list[int] = []
        moves = {i: _proportions(model.step, i, of) for number in waiting for i in members[number]}
        for number in waiting:
            # The largest part keeps the number: states that go nowhere else go on as before.
            parts = sorted(_grouped(moves, members[number]), key=len, reverse=True)
            members[number] = parts[0]
            for part in parts[1:]:
                for i in part:
                    of[i] = len(members)
                members.append(part)
                changed += part
        near = {of[j] for i in changed for j in before.get(i, ())}
        waiting = {number for number in near if len(members[number]) > 1}
    return numbered(of)


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


def _grouped(key: Mapping[int, Hashable], states: Sequence[int]) -> list[list[int]]:
    groups: dict[Hashable, list[int]] = {}
    for i in states:
        groups.setdefault(key[i], []).append(i)
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
