"""The reading of records as matrices: all memories there can be, and data sets that are told apart by counts alone."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from faier.errors import MechanismError
from faier.number.exact import Prob

from .distribution import Distribution
from .outcome import confused
from .paths import short
from .records import Records

MOST_MEMORIES = 20_000

# Integers over the scale of their letters where nothing is unknown, exact probabilities with scale 1 otherwise.
Number: TypeAlias = "int | Prob"
Vector: TypeAlias = "dict[int, Number]"
Counts: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Letter:
    """A record as it is read: its value, and whether it is mine."""

    value: int
    mine: bool


class Reading:
    """The memories that `length` records can lead to, one matrix for each letter, and a column for each release."""

    def __init__(self, records: Records):
        self.records = records
        self.memories: list[Hashable] = []
        self.came_from: dict[tuple[int, bool], tuple[int, Letter] | None] = {}
        self._index: dict[Hashable, int] = {}
        self._rows: dict[Letter, dict[int, list[tuple[int, Number]]]] = {}
        self._first: dict[tuple[int, bool], int] = {}
        values = range(len(records.values))
        self.letters = [Letter(v, mine) for mine in ((False, True) if records.picks else (False,)) for v in values]
        self._explore()
        self._scale = {letter: self._integers(self._rows[letter]) for letter in self.letters}
        released = {i: records.release_row(memory) for i, memory in enumerate(self.memories)}
        self.symbols: tuple[Hashable, ...] = tuple(dict.fromkeys(s for row in released.values() for s in row))
        columns = {s: [(i, row.of(s)) for i, row in released.items() if s in row] for s in self.symbols}
        self._release_scale = self._integers(columns)  # type: ignore[arg-type]
        self._release: dict[Hashable, Vector] = {s: dict(column) for s, column in columns.items()}
        self._vectors: dict[Counts, Vector] = {(0,) * len(records.values): {0: 1}}
        self._mine: dict[int, Vector] = {}

    # What there is

    def _explore(self) -> None:
        """All memories, level by level: `_first` is the least number of records that leads to one."""
        records = self.records
        self._rows = {letter: {} for letter in self.letters}
        level = [(self._number(records.start), False)]
        self.came_from[level[0]] = None
        self._first[level[0]] = 0
        for depth in range(records.length):
            following: list[tuple[int, bool]] = []
            for memory, marked in level:
                for letter in self.letters:
                    if letter.mine and marked:
                        continue
                    if memory not in self._rows[letter]:
                        row = records.read_row(self.memories[memory], records.values[letter.value], letter.mine)
                        self._rows[letter][memory] = [(self._number(m), weight) for m, weight in row.items()]
                    for reached, _ in self._rows[letter][memory]:
                        place = reached, marked or letter.mine
                        if place not in self._first:
                            self._first[place] = depth + 1
                            self.came_from[place] = memory, letter
                            following.append(place)
            level = following

    def _number(self, memory: Hashable) -> int:
        if memory not in self._index:
            if len(self.memories) >= MOST_MEMORIES:
                raise MechanismError(
                    f"{self.records.name} has more than {MOST_MEMORIES:,} memories after {self.records.length} "
                    "records; remember less, such as a count or a maximum"
                )
            self._index[memory] = len(self.memories)
            self.memories.append(memory)
        number = self._index[memory]
        if confused(self.memories[number], memory):
            raise MechanismError(
                f"{self.records.name}: the memories {self.memories[number]!r} and {memory!r} are equal in Python; "
                "remember something else for one of them"
            )
        return number

    def early(self) -> list[tuple[int, bool]]:
        """The memories, and whether mine has been read, at which two more records may still follow."""
        return [place for place, depth in self._first.items() if depth + 2 <= self.records.length]

    def path_to(self, place: tuple[int, bool]) -> list[Letter]:
        """Letters that can lead there."""
        path: list[Letter] = []
        while (step := self.came_from[place]) is not None:
            memory, letter = step
            path.append(letter)
            place = memory, place[1] and not letter.mine
        return path[::-1]

    @staticmethod
    def _integers(rows: dict[int, list[tuple[int, Number]]]) -> int:
        """Turn the weights into integers over a common scale, which is returned; 1 where some are unknown."""
        known = {i: [(j, w) for j, w in row if isinstance(w, Fraction)] for i, row in rows.items()}
        if any(len(known[i]) < len(row) for i, row in rows.items()):
            return 1
        scale = lcm(*{w.denominator for row in known.values() for _, w in row})
        for i, exact in known.items():
            rows[i] = [(j, w.numerator * (scale // w.denominator)) for j, w in exact]
        return scale

    # Two letters after one another

    def after(self, row: Mapping[int, Number], letter: Letter) -> Vector:
        """A row after one more record, times the scale of its letter."""
        rows = self._rows[letter]
        result: Vector = {}
        for i, weight in row.items():
            for j, share in rows[i]:
                result[j] = result.get(j, 0) + weight * share
        return result

    # Data sets as counts; right where letters commute

    def distribution(self, counts: Counts) -> Distribution:
        """What is released for a data set with so many records of each value, where places are not picked."""
        row = self._vector(counts)
        scale = self._scale_of(counts) * self._release_scale
        return Distribution({s: _share(row, column, scale) for s, column in self._release.items()})

    def picked(self, own: int, others: Counts) -> Prob:
        """The probability that a record of value `own` is picked among others of which there are so many."""
        if own not in self._mine:
            column = self._release.get(True, {})
            rows = self._rows[Letter(own, True)]
            back = {i: sum((w * column[j] for j, w in row if j in column), 0) for i, row in rows.items()}
            self._mine[own] = {i: x for i, x in back.items() if x != 0}
        scale = self._scale_of(others) * self._scale[Letter(own, True)] * self._release_scale
        return _share(self._vector(others), self._mine[own], scale)

    def _vector(self, counts: Counts) -> Vector:
        """The row after reading so many of each, those of the first value first."""
        missing: list[tuple[Counts, int]] = []
        while counts not in self._vectors:
            last = max(v for v, c in enumerate(counts) if c)
            missing.append((counts, last))
            counts = (*counts[:last], counts[last] - 1, *counts[last + 1 :])
        row = self._vectors[counts]
        for reached, last in reversed(missing):
            row = self._vectors[reached] = self.after(row, Letter(last, False))
        return row

    def _scale_of(self, counts: Sequence[int]) -> int:
        scale = 1
        for v, c in enumerate(counts):
            scale *= self._scale[Letter(v, False)] ** c
        return scale

    def shown(self, letters: Sequence[Letter]) -> str:
        """Records in a message."""
        return ", ".join(short(self.records.values[x.value]) + (" (mine)" if x.mine else "") for x in letters)


def _share(row: Mapping[int, Number], column: Mapping[int, Number], scale: int) -> Prob:
    if len(column) < len(row):
        total = sum((row[i] * x for i, x in column.items() if i in row), 0)
    else:
        total = sum((x * column[i] for i, x in row.items() if i in column), 0)
    return Fraction(total, scale) if isinstance(total, int) else total / scale
