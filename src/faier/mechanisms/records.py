"""Mechanisms that read a data set record by record and remember little."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from faier.errors import MechanismError
from faier.number.exact import Prob

from .choices import draw
from .distribution import Distribution
from .mechanism import Mechanism
from .paths import enumerate_paths, short


@dataclass(frozen=True)
class Records:
    """How a mechanism reads records: `read(memory, record)` from `start` on, then `release(memory)`.

    With `picks` the mechanism releases the place of a record, from 1, and `read(memory, record, mine)` and
    `release(memory)` say whether the one record that is `mine` is picked. Both may draw.
    """

    values: tuple[Hashable, ...]
    length: int
    start: Hashable
    read: Callable[..., Any]
    release: Callable[[Any], Any]
    picks: bool = False
    name: str = "mechanism"

    def __post_init__(self) -> None:
        if isinstance(self.length, bool) or not isinstance(self.length, int) or self.length < 1:
            raise MechanismError(f"{self.name}: a data set has 1 record at least, got length={self.length!r}")
        if not self.values:
            raise MechanismError(f"{self.name}: a record has 1 value at least")

    @property
    def count(self) -> int:
        """How many data sets there are."""
        return int(len(self.values) ** self.length)

    def read_row(self, memory: Hashable, record: Hashable, mine: bool) -> Distribution:
        """What is remembered after one more record."""
        arguments = (memory, record, mine) if self.picks else (memory, record)
        return enumerate_paths(self.read, arguments, f"{self.name}, read")

    def release_row(self, memory: Hashable) -> Distribution:
        """What is released in the end; whether mine is picked."""
        row = enumerate_paths(self.release, (memory,), f"{self.name}, release")
        if self.picks and not set(row) <= {True, False}:
            stranger = next(symbol for symbol in row if symbol not in (True, False))
            raise MechanismError(
                f"{self.name}, release({short(memory)}): whether the record that is mine is picked is True or False, "
                f"got {short(stranger)}"
            )
        return row


def by_record(
    start: Hashable,
    read: Callable[..., Any],
    release: Callable[[Any], Any],
    *,
    values: Iterable[Hashable],
    length: int,
    picks: bool = False,
    adjacent: Any = None,
    parameters: Mapping[str, str] | None = None,
    name: str = "by_record",
) -> Mechanism:
    """Make a mechanism that reads `length` records, each one of `values`, and remembers little.

    `read(memory, record)` returns the next memory and `release(memory)` the symbol; both may draw. What is remembered
    need not name the records, so that `differential_privacy(..., exchangeable=True)` can prove that their order does
    not matter, however many there are. With `picks=True` the mechanism releases the place of a record: then
    `read(memory, record, mine)` and `release(memory)` say whether the record that is mine is picked.

    >>> import faier
    >>> noise = faier.noise.truncated_geometric
    >>> total = by_record(0, lambda so_far, bit: so_far + bit, lambda ones: faier.draw(noise(ones, 3)),
    ...                   values=[0, 1], length=3)
    >>> total.distribution((1, 0, 1)) == noise(2, 3)
    True
    """
    records = Records(tuple(dict.fromkeys(values)), length, start, read, release, picks, name)
    rows = _Rows(records)

    def run(data: Sequence[Hashable]) -> Any:
        if picks:
            return draw(rows.of(data))
        memory: Any = start
        for record in rows.checked(data):
            memory = read(memory, record)
        return release(memory)

    return Mechanism(
        run,
        inputs=lambda: product(records.values, repeat=length),
        adjacent=adjacent,
        parameters=parameters,
        exact=rows.of,
        name=name,
        records=records,
    )


class _Rows:
    """The exact distribution of any data set, its records read in their order."""

    def __init__(self, records: Records):
        self.records = records
        self._read: dict[tuple[Hashable, Hashable, bool], Distribution] = {}
        self._release: dict[Hashable, Distribution] = {}

    def checked(self, data: Sequence[Hashable]) -> tuple[Hashable, ...]:
        records = self.records
        listed = tuple(data) if isinstance(data, tuple | list) else None
        if listed is None or len(listed) != records.length or not set(listed) <= set(records.values):
            raise MechanismError(
                f"{records.name}: a data set has {records.length} records among "
                f"{', '.join(map(short, records.values[:8]))}{', ...' if len(records.values) > 8 else ''}; "
                f"got {short(data)}"
            )
        return listed

    def of(self, data: Sequence[Hashable]) -> Distribution:
        listed = self.checked(data)
        before: dict[Hashable, Prob] = {self.records.start: Fraction(1)}
        if not self.records.picks:
            for record in listed:
                before = self._after(before, record, False)
            return Distribution(self._released(before))
        picked: dict[Hashable, Prob] = {}
        for place, record in enumerate(listed, 1):
            row = self._after(before, record, True)
            for other in listed[place:]:
                row = self._after(row, other, False)
            picked[place] = self._released(row).get(True, Fraction(0))
            before = self._after(before, record, False)
        return Distribution(picked)

    def _after(self, row: Mapping[Hashable, Prob], record: Hashable, mine: bool) -> dict[Hashable, Prob]:
        result: dict[Hashable, Prob] = {}
        for memory, weight in row.items():
            key = memory, record, mine
            if key not in self._read:
                self._read[key] = self.records.read_row(memory, record, mine)
            for following, share in self._read[key].items():
                result[following] = result.get(following, Fraction(0)) + weight * share
        return result

    def _released(self, row: Mapping[Hashable, Prob]) -> dict[Hashable, Prob]:
        result: dict[Hashable, Prob] = {}
        for memory, weight in row.items():
            if memory not in self._release:
                self._release[memory] = self.records.release_row(memory)
            for symbol, share in self._release[memory].items():
                result[symbol] = result.get(symbol, Fraction(0)) + weight * share
        return result
