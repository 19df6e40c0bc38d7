"""Differential privacy of mechanisms to which the order of records does not matter: one data set of each kind. [T14]"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import Any, TypeAlias

from faier.errors import MechanismError, UsageError
from faier.mechanisms.commuting import require_commuting
from faier.mechanisms.distribution import Distribution
from faier.mechanisms.mechanism import Mechanism
from faier.mechanisms.records import Records
from faier.model.belief import Belief
from faier.model.names import label
from faier.number.exact import Prob
from faier.scenario.scenario import Pair

from .adjacency import Adjacency, Relation

# Beyond, listing them alone would take longer than a user waits without a word.
MOST_KINDS = 1_000_000
ANOTHER = "another"

Data: TypeAlias = tuple[Hashable, ...]
Counts: TypeAlias = tuple[int, ...]
Kind: TypeAlias = "tuple[int | None, Counts]"
"""A data set up to the order of its records, as counts; before them the record that the output points at, if any."""
Compared: TypeAlias = "tuple[Kind, Kind, Data | None]"
"""Two kinds that have neighbours, and a neighbour's records where they do not stand in the order of its kind."""


@dataclass(frozen=True)
class Reduced:
    """What is compared: a data set of each kind, what it emits, pairs, and whether outputs were merged."""

    emit: Mapping[Hashable, Distribution]
    pairs: tuple[Pair, ...]
    merged: bool


@dataclass(frozen=True)
class Symmetric:
    """A mechanism that was shown to be symmetric, on data sets of `length` records among `values`.

    Outputs stay as they are, or `first` names the place of the first record and outputs move with the records.
    """

    values: tuple[Hashable, ...]
    length: int
    first: int | None
    released: Callable[[Kind], Distribution]


def by_records(mechanism: Mechanism, adjacent: Adjacency) -> Reduced:
    """Guarantee: the same tight ratio, and the same verdicts, as comparing all data sets, where the order of records is
    proved not to matter from how the mechanism reads them; an error that shows where it does."""
    assert mechanism.records is not None
    # In the order of numbers, so that data sets in their kind's order are as close as any others of these kinds.
    values = mechanism.records.values
    in_order = sorted(values) if all(isinstance(v, int) for v in values) else values  # type: ignore[type-var]
    records = replace(mechanism.records, values=tuple(in_order))
    _require_few_kinds(records)
    reading = require_commuting(mechanism, records)
    size = len(records.values)
    if records.picks:
        _require_one_picked(mechanism.name, records.values, records.length, reading.picked)

        def picked(kind: Kind) -> Distribution:
            own, others = kind
            assert own is not None
            p = reading.picked(own, others)
            return Distribution({1: p, ANOTHER: 1 - p})

        symmetric = Symmetric(records.values, records.length, 1, picked)
    else:
        symmetric = Symmetric(records.values, records.length, None, lambda kind: reading.distribution(kind[1]))
    related = _related(adjacent.record, records.values)
    compared = _all_move if adjacent.all_move else _one_moves
    kinds = compared(records.values, size, records.length, related, symmetric.first is not None, adjacent.related)
    return reduce(symmetric, kinds)


def _require_few_kinds(records: Records) -> None:
    """Before any work is done: all kinds are listed, and how many there are is known."""
    size, others = len(records.values), records.length - records.picks
    if (size if records.picks else 1) * comb(others + size - 1, others) > MOST_KINDS:
        raise MechanismError(
            f"there are more than {MOST_KINDS:,} kinds of data sets of {records.length:,} records with {size} values "
            "each; ask about fewer records, or fewer values"
        )


def reduce(symmetric: Symmetric, compared: Iterable[Compared]) -> Reduced:
    """The model of one data set of each kind, and each two kinds that have neighbours once."""
    emit: dict[Hashable, Distribution] = {}
    at: dict[Kind, Belief] = {}
    states: dict[Kind, Data] = {}

    def belief(kind: Kind) -> Belief:
        if kind not in at:
            states[kind] = data = written(symmetric.values, kind)
            emit[data] = symmetric.released(kind)
            at[kind] = Belief.at(data)
        return at[kind]

    pairs = []
    for one, two, neighbour in compared:
        left, right = belief(one), belief(two)
        if neighbour is not None:
            right = Belief(label(neighbour), {states[two]: Fraction(1)})
        pairs.append(Pair(left, right))
    if not pairs:
        raise UsageError("no two of the inputs are neighbours, so nothing is claimed")
    return Reduced(emit, tuple(pairs), symmetric.first is not None)


def written(values: tuple[Hashable, ...], kind: Kind) -> Data:
    """The data set that stands for a kind: the record pointed at, then the others in the order of values."""
    own, counts = kind
    others = tuple(value for value, count in zip(values, counts, strict=True) for _ in range(count))
    return others if own is None else (values[own], *others)


def _related(relation: Relation, values: tuple[Hashable, ...]) -> list[tuple[int, int]]:
    """All ordered pairs of values that may stand at one place, equal ones among them."""
    size = range(len(values))
    return [
        (a, b) for a in size for b in size
        if a == b or relation(values[a], values[b]) or relation(values[b], values[a])
    ]  # fmt: skip


def _all_move(
    values: tuple[Hashable, ...], size: int, length: int, related: list[tuple[int, int]], pointed: bool, _: Relation
) -> Iterator[Compared]:
    """Neighbours that may differ at every place: the relation of counts grows by one place at a time.

    The relation is that of numbers that are close. Data sets in the order of numbers are as close as any others with
    the same counts, so those that stand for two kinds are themselves neighbours.
    """
    none = (0,) * size
    coupled: dict[tuple[Counts, Counts], None] = {(none, none): None}
    for _place in range(length - pointed):
        coupled = dict.fromkeys((_more(m, a), _more(k, b)) for m, k in coupled for a, b in related)
        if len(coupled) > MOST_KINDS:
            raise MechanismError(
                f"there are more than {MOST_KINDS:,} kinds of neighbours among data sets of {length:,} records; ask "
                "about fewer records, or about neighbours that differ in one of them"
            )
    for a, b in related if pointed else [(None, None)]:
        for m, k in coupled:
            if ((-1 if a is None else a), m) < ((-1 if b is None else b), k):
                yield (a, m), (b, k), None


def _one_moves(
    values: tuple[Hashable, ...],
    size: int,
    length: int,
    related: list[tuple[int, int]],
    pointed: bool,
    relation: Relation,
) -> Iterator[Compared]:
    """Neighbours that differ at one place: the one that is pointed at, or another."""
    moves = [(a, b) for a, b in related if a < b]
    rest = length - pointed
    if pointed:
        for others in _multisets(size, rest):
            yield from (((a, others), (b, others), None) for a, b in moves)
    if rest:
        for own in range(size) if pointed else [None]:
            for common in _multisets(size, rest - 1):
                for a, b in moves:
                    one, two = (own, _more(common, a)), (own, _more(common, b))
                    left, right = written(values, one), written(values, two)
                    yield one, two, None if relation(left, right) else _moved(left, values[a], values[b], pointed)


def _moved(data: Data, old: Hashable, new: Hashable, pointed: bool) -> Data:
    place = data.index(old, 1 if pointed else 0)
    return (*data[:place], new, *data[place + 1 :])


def _multisets(size: int, length: int) -> Iterator[Counts]:
    for chosen in combinations_with_replacement(range(size), length):
        counts = [0] * size
        for value in chosen:
            counts[value] += 1
        yield tuple(counts)


def _more(counts: Counts, value: int) -> Counts:
    return (*counts[:value], counts[value] + 1, *counts[value + 1 :])


def _less(counts: Counts, value: int) -> Counts:
    return (*counts[:value], counts[value] - 1, *counts[value + 1 :])


def _require_one_picked(
    name: str, values: tuple[Hashable, ...], length: int, picked: Callable[[int, Counts], Prob]
) -> None:
    """Every data set has one record that is picked: the probabilities of its places sum to 1."""
    for counts in _multisets(len(values), length):
        chances = (c * picked(v, _less(counts, v)) for v, c in enumerate(counts) if c)
        total: Any = sum(chances, Fraction(0))
        if total != 1:
            raise MechanismError(
                f"{name}: for {label(written(values, (None, counts)))} the probabilities of the places sum to {total}, "
                "not 1"
            )
