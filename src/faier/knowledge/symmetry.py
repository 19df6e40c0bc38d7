"""Whether a mechanism is symmetric in its records, looked at for every data set. [T14]"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from faier.errors import MechanismError
from faier.mechanisms.distribution import Distribution
from faier.mechanisms.mechanism import Mechanism
from faier.mechanisms.paths import short

from .exchangeable import ANOTHER, Compared, Data, Kind, Reduced, Symmetric, reduce, written

Permutation = tuple[int, ...]
"""What stands at place i goes to place p[i]."""


def by_listing(mechanism: Mechanism, inputs: Sequence[Hashable], pairs: Sequence[tuple[Hashable, Hashable]]) -> Reduced:
    """Guarantee: the same tight ratio, and the same verdicts, as comparing all pairs, where permuting records is found
    to change nothing but the places that are released; an error that shows two data sets otherwise."""
    listed = _tuples(mechanism, inputs)
    length = len(listed[0])
    generators = _generators(length)
    first = _first(mechanism, listed, generators)
    _require_symmetric_pairs(pairs, generators)
    values = tuple(dict.fromkeys(record for data in listed for record in data))

    def released(kind: Kind) -> Distribution:
        row = mechanism.distribution(written(values, kind))
        if first is None:
            return row
        return Distribution({first: row.of(first), ANOTHER: 1 - row.of(first)})

    return reduce(Symmetric(values, length, first, released), _kinds(values, length, first is not None, pairs))


def _tuples(mechanism: Mechanism, inputs: Sequence[Hashable]) -> list[Data]:
    listed = [data for data in inputs if isinstance(data, tuple)]
    if len(listed) < len(inputs) or len({len(data) for data in listed}) > 1 or not listed[0]:
        odd = next((d for d in inputs if not isinstance(d, tuple) or len(d) != len(listed[0])), inputs[0])
        raise MechanismError(
            f"{mechanism.name}: exchangeable data sets are tuples of equally many records, and one is {short(odd)}"
        )
    return listed


def _generators(length: int) -> list[Permutation]:
    """An exchange of two places and a turn of all, of which every permutation is made."""
    if length < 2:
        return []
    turn = (*range(1, length), 0)
    exchange = (1, 0, *range(2, length))
    return [exchange] if length == 2 else [exchange, turn]


def _first(mechanism: Mechanism, listed: Sequence[Data], generators: Sequence[Permutation]) -> int | None:
    """The name of the first place where outputs are places, None where they stay as they are."""
    length, known = len(listed[0]), set(listed)
    symbols = {symbol for data in listed for symbol in mechanism.distribution(data)}
    tried: dict[int | None, str] = {}
    for first in (None, 1, 0):
        places = set(range(first, first + length)) if first is not None else set()
        if first is not None and not _numbers(symbols) <= places:
            continue
        problem = next(_differences(mechanism, listed, known, generators, first), None)
        if problem is None:
            return first
        tried[first] = problem
    # Where outputs are just the places, that is what they are most likely meant to be.
    likely = next((f for f in (1, 0) if f in tried and _numbers(symbols) == set(range(f, f + length))), None)
    raise MechanismError(f"{mechanism.name} is not exchangeable: {tried[likely]}")


def _numbers(symbols: set[Hashable]) -> set[Hashable]:
    return {object() if isinstance(symbol, bool) else symbol for symbol in symbols}


def _differences(
    mechanism: Mechanism,
    listed: Sequence[Data],
    known: set[Data],
    generators: Sequence[Permutation],
    first: int | None,
) -> Iterator[str]:
    for generator in generators:
        name = _renaming(generator, first)
        for data in listed:
            moved = permuted(data, generator)
            if moved not in known:
                yield f"{short(data)} is among the data sets and {short(moved)} is not"
                return
            row, other = mechanism.distribution(data), mechanism.distribution(moved)
            for symbol, p in row.items():
                if (q := other.of(name(symbol))) != p:
                    yield (
                        f"it releases {short(symbol)} with probability {p} for {short(data)}, and "
                        f"{short(name(symbol))} with {q} for {short(moved)}"
                    )
                    return


def _renaming(generator: Permutation, first: int | None) -> Callable[[Hashable], Hashable]:
    if first is None:
        return lambda symbol: symbol
    names: dict[Hashable, Hashable] = {i + first: to + first for i, to in enumerate(generator)}
    return names.__getitem__


def permuted(data: Data, permutation: Permutation) -> Data:
    """What stands at place i goes to place p[i]."""
    moved = list(data)
    for i, to in enumerate(permutation):
        moved[to] = data[i]
    return tuple(moved)


def _require_symmetric_pairs(pairs: Sequence[tuple[Hashable, Hashable]], generators: Sequence[Permutation]) -> None:
    known = {frozenset(pair) for pair in pairs}
    for one, two in pairs:
        assert isinstance(one, tuple)
        assert isinstance(two, tuple)
        for generator in generators:
            moved = permuted(one, generator), permuted(two, generator)
            if frozenset(moved) not in known:
                raise MechanismError(
                    f"neighbours are not exchangeable: {short(one)} and {short(two)} are neighbours, and "
                    f"{short(moved[0])} and {short(moved[1])} are not"
                )


def _kinds(
    values: tuple[Hashable, ...], length: int, pointed: bool, pairs: Sequence[tuple[Hashable, Hashable]]
) -> Iterator[Compared]:
    """Each two kinds once, in the order of the pairs; with places, whatever record of a pair is pointed at."""
    number = {value: k for k, value in enumerate(values)}
    seen: set[tuple[Kind, Kind]] = set()
    for one, two in pairs:
        assert isinstance(one, tuple)
        assert isinstance(two, tuple)
        for place in range(length) if pointed else [None]:
            left, right = _kind(one, place, number), _kind(two, place, number)
            if left == right or (left, right) in seen or (right, left) in seen:
                continue
            seen.add((left, right))
            yield left, right, _aligned(values, one, two, place, right)


def _kind(data: Data, place: int | None, number: dict[Hashable, int]) -> Kind:
    counts = [0] * len(number)
    for i, record in enumerate(data):
        if i != place:
            counts[number[record]] += 1
    return (None if place is None else number[data[place]]), tuple(counts)


def _aligned(values: tuple[Hashable, ...], one: Data, two: Data, place: int | None, right: Kind) -> Data | None:
    """The neighbour with its records in the order that puts the first data set into that of its kind."""
    order = {value: k for k, value in enumerate(values)}
    places = sorted((i for i in range(len(one)) if i != place), key=lambda i: (order[one[i]], order[two[i]]))
    arranged = tuple(two[i] for i in ([] if place is None else [place]) + places)
    return None if arranged == written(values, right) else arranged
