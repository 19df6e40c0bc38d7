"""The linear program whose solutions are simulations: sparse rows with exact coefficients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from .tables import Tables

_LITTLE = 1e-6

Leaf: TypeAlias = tuple[dict[int, Fraction], dict[int, Fraction]]
"""The rows of an open prefix, up to a common factor."""

Columns: TypeAlias = Mapping[int, Sequence[int]]
"""For each row of K the columns whose entries may be positive, both ascending."""

_Place: TypeAlias = Mapping[tuple[int, int], int]
_Condition: TypeAlias = tuple[dict[int, Fraction], Fraction | int, bool]


@dataclass
class Program:
    """Minimise the sum of the last variables, over variables >= 0 with sum of coefficient * variable <= bound.

    There is one variable for each pair, an entry of K, and `further` ones: the ratio c, or by how much leaves miss a
    given one. `weight` is what an entry counts beside these, so that none is larger than it is good for. `leaves` are
    the numbers of the conditions that come from open prefixes; the others make K a simulation.
    """

    pairs: list[tuple[int, int]]
    rows: list[dict[int, Fraction]]
    bounds: list[Fraction]
    of_prefixes: bool = False
    leaves: set[int] = field(default_factory=set)
    further: int = 1
    weight: float = 0.0

    @property
    def ratio(self) -> int:
        """The number of the variable c."""
        return len(self.pairs)

    @property
    def variables(self) -> int:
        return len(self.pairs) + self.further

    @property
    def stored(self) -> int:
        return sum(map(len, self.rows))


def program(
    tables: Tables, columns: Columns, leaves: Sequence[Leaf], most: int, *, of_prefixes: bool
) -> Program | None:
    """All conditions on K and c (of the twin on c K, and c); None where they have more than `most` coefficients, or
    where no such K is a simulation."""
    if not of_prefixes and _leads_out(tables, columns):
        return None
    found = _empty(columns, of_prefixes)
    place = {pair: n for n, pair in enumerate(found.pairs)}
    conditions = _conditions_of_prefixes if of_prefixes else _conditions
    return _filled(found, conditions(tables, columns, place, leaves), most)


def program_at(
    tables: Tables, columns: Columns, leaves: Sequence[Leaf], ratio: Fraction, most: int
) -> Program | None:
    """All conditions on K, where leaves may miss left K <= ratio * right by as little as possible, all in all.

    So K is as good as it can be for leaves that are not closed by it, too, and for others like them.
    """
    if _leads_out(tables, columns):
        return None
    found = _empty(columns, False)
    place = {pair: n for n, pair in enumerate(found.pairs)}
    found.further, found.weight = 0, _LITTLE

    def conditions() -> Iterator[_Condition]:
        yield from _structure(tables, columns, place)
        for left, right in leaves:
            for row, j in _carried(columns, place, left):
                row[len(place) + found.further] = Fraction(-1)
                found.further += 1
                yield row, ratio * right.get(j, Fraction(0)), True

    return _filled(found, conditions(), most)


def _leads_out(tables: Tables, columns: Columns) -> bool:
    """Whether a letter leads from a row to a state that has none: nothing of what comes after it would be carried."""
    return any(not columns.get(j) for i in columns if i != tables.done for j in tables.step[i])


def _empty(columns: Columns, of_prefixes: bool) -> Program:
    return Program([(i, j) for i, row in columns.items() for j in row], [], [], of_prefixes)


def _filled(found: Program, conditions: Iterator[_Condition], most: int) -> Program | None:
    stored = 0
    for row, bound, of_leaf in conditions:
        if not row and bound < 0:
            # No entry that may be positive could meet it.
            return None
        if not row:
            continue
        stored += len(row)
        if stored > most:
            return None
        if of_leaf:
            found.leaves.add(len(found.rows))
        found.rows.append(row)
        found.bounds.append(Fraction(bound))
    return found


def _conditions(
    tables: Tables, columns: Columns, place: _Place, leaves: Sequence[Leaf]
) -> Iterator[_Condition]:
    for left, right in leaves:
        for row, j in _carried(columns, place, left):
            row[len(place)] = -right.get(j, Fraction(0))
            yield row, 0, True
    yield from _structure(tables, columns, place)


def _carried(columns: Columns, place: _Place, left: dict[int, Fraction]) -> Iterator[tuple[dict[int, Fraction], int]]:
    """The columns of left K that may be positive."""
    found: dict[int, dict[int, Fraction]] = {}
    for i, x in left.items():
        for j in columns.get(i, ()):
            found.setdefault(j, {})[place[i, j]] = x
    for j in sorted(found):
        yield found[j], j


def _structure(tables: Tables, columns: Columns, place: _Place) -> Iterator[_Condition]:
    done = tables.done
    for i, row in columns.items():
        # 1 <= K 1; the row of done has one entry, so that this says e <= K e as well.
        yield dict.fromkeys((place[i, j] for j in row), Fraction(-1)), -1, False
    for i, own_columns in columns.items():
        for letter, weight in tables.emit[i].items() if i != done else ():
            rows: dict[int, dict[int, Fraction]] = {}
            for target, p in tables.step[i].items():
                for k in columns.get(target, ()):
                    rows.setdefault(k, {})[place[target, k]] = weight * p
            for j in own_columns:
                if j != done and (own := tables.emit[j].get(letter)):
                    n = place[i, j]
                    for k, p in tables.step[j].items():
                        if k in rows:
                            rows[k][n] = rows[k].get(n, Fraction(0)) - own * p
            yield from ((condition, 0, False) for condition in rows.values())


def _conditions_of_prefixes(
    tables: Tables, columns: Columns, place: _Place, leaves: Sequence[Leaf]
) -> Iterator[_Condition]:
    for i, own_columns in columns.items():
        # K 1 <= c 1; entries at done stand in its own row only, so that this says K e <= c e as well.
        yield {**dict.fromkeys((place[i, j] for j in own_columns), Fraction(1)), len(place): Fraction(-1)}, 0, False
    for left, right in leaves:
        for j, x in left.items():
            if x:
                yield {place[i, j]: -y for i, y in right.items() if y and (i, j) in place}, -x, True
    emit, step = tables.emit, tables.step
    for i, own_columns in columns.items():
        if i == tables.done:
            continue
        for letter in {s for j in own_columns for s in emit[j]}:
            rows: dict[int, dict[int, Fraction]] = {}
            for j in own_columns:
                if own := emit[j].get(letter):
                    for k, p in step[j].items():
                        rows.setdefault(k, {})[place[i, j]] = own * p
            if weight := emit[i].get(letter):
                for target, p in step[i].items():
                    for k in columns.get(target, ()):
                        if k in rows:
                            n = place[target, k]
                            rows[k][n] = rows[k].get(n, Fraction(0)) - weight * p
            yield from ((condition, 0, False) for condition in rows.values())
