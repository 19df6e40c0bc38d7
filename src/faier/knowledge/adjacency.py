"""Which data sets are neighbours."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from numbers import Integral
from typing import Any

from faier.errors import MechanismError
from faier.mechanisms.paths import short
from faier.model.names import suggestion

Relation = Callable[[Any, Any], Any]


MOST_PAIRS = 5_000_000


@dataclass(frozen=True)
class Adjacency:
    """A symmetric relation that can list the neighbours of a data set among those known.

    It is one between records, `record`: neighbours have so related records at every place, and where not `all_move`
    different ones at one place only. So it does not change when the records of both are permuted alike.
    """

    name: str
    related: Relation
    near: Callable[[Any, Any], Iterator[Any]]
    record: Relation
    all_move: bool

    def __call__(self, one: Any, two: Any) -> bool:
        return bool(self.related(one, two))


def one_record(one: Any = None, two: Any = None) -> Any:
    """Data sets that differ in one record: faier.one_record, or faier.one_record(a, b) of two data sets."""
    if one is None and two is None:
        return _ONE_RECORD
    return _ONE_RECORD(one, two)


def any_two(one: Any = None, two: Any = None) -> Any:
    """Every two data sets: faier.any_two; what each person releases of their own, compared with everybody else's."""
    if one is None and two is None:
        return _ANY_TWO
    return _ANY_TWO(one, two)


def each_within(distance: int = 1) -> Adjacency:
    """Every answer may differ, each by at most this much."""
    distance = _distance(distance)
    steps = range(-distance, distance + 1)

    def near(data: Any, known: Any) -> Iterator[Any]:
        for moved in product(*([x + d for d in steps] for x in _numbers(data))):
            if moved != data and moved in known:
                yield moved

    def related(one: Any, two: Any) -> bool:
        a, b = _numbers(one), _numbers(two)
        return len(a) == len(b) and all(abs(x - y) <= distance for x, y in zip(a, b, strict=True))

    return Adjacency(f"each_within({distance})", related, near, _close(distance), True)


def one_within(distance: int = 1) -> Adjacency:
    """One answer may differ, by at most this much."""
    distance = _distance(distance)

    def near(data: Any, known: Any) -> Iterator[Any]:
        numbers = _numbers(data)
        for i, x in enumerate(numbers):
            for d in range(-distance, distance + 1):
                moved = (*numbers[:i], x + d, *numbers[i + 1 :])
                if d and moved in known:
                    yield moved

    def related(one: Any, two: Any) -> bool:
        a, b = _numbers(one), _numbers(two)
        if len(a) != len(b):
            return False
        moved = [abs(x - y) for x, y in zip(a, b, strict=True) if x != y]
        return not moved or (len(moved) == 1 and moved[0] <= distance)

    return Adjacency(f"one_within({distance})", related, near, _close(distance), False)


def as_adjacency(adjacent: object) -> object:
    """The relation that a name stands for, or faier.one_record and faier.any_two themselves; else what is given."""
    if isinstance(adjacent, str):
        return by_name(adjacent)
    if adjacent is each_within or adjacent is one_within:
        raise MechanismError(f"adjacent={adjacent.__name__} needs a distance; write faier.{adjacent.__name__}(1)")
    return adjacent() if adjacent is one_record or adjacent is any_two else adjacent


def pairs_of(adjacent: object, inputs: Sequence[Hashable]) -> list[tuple[Hashable, Hashable]]:
    """Every two different inputs that are neighbours, once each, in the order of the inputs."""
    place = {data: k for k, data in enumerate(inputs)}
    adjacent = as_adjacency(adjacent)
    if isinstance(adjacent, Adjacency):
        known: Any = {_records(data): data for data in inputs}
        if len(known) < len(inputs):
            # Something stands there bare and as the only record of a tuple; neither may hide the other.
            return pairs_of(adjacent.related, inputs)
        found: list[tuple[Hashable, Hashable]] = []
        for written, data in known.items():
            others = (known[other] for other in adjacent.near(written, known))
            later = {other for other in others if place[other] > place[data]}
            found += [(data, other) for other in sorted(later, key=place.__getitem__)]
            if len(found) > MOST_PAIRS:
                raise MechanismError(
                    f"there are more than {MOST_PAIRS:,} neighbours among {len(inputs):,} data sets; where the order "
                    "of records does not matter say exchangeable=True, with a mechanism made by faier.by_record"
                )
        return found
    if callable(adjacent):
        relation: Relation = adjacent
        return [
            (a, b)
            for i, a in enumerate(inputs)
            for b in inputs[i + 1 :]
            if relation(a, b) or relation(b, a)
        ]
    if isinstance(adjacent, Iterable) and not isinstance(adjacent, str):
        return _listed(adjacent, place)
    raise MechanismError(
        "adjacent is faier.one_record, faier.each_within(1), faier.one_within(1), faier.any_two, a function of two "
        f"data sets, or a list of pairs; got {short(adjacent)}"
    )


def by_name(text: str) -> Adjacency:
    """A relation as text, as a file has it: "one_record", "any_two", "each_within(1)", "one_within(2)"."""
    word, bracket, rest = text.strip().replace("-", "_").partition("(")
    inside, closing, after = rest.partition(")")
    plain = {"one_record": _ONE_RECORD, "any_two": _ANY_TWO}
    makers = {"each_within": each_within, "one_within": one_within}
    if word in plain and not bracket:
        return plain[word]
    if word in makers and (not bracket or (closing and not after.strip())):
        distance = inside.strip()
        if not bracket or distance.isdecimal():
            return makers[word](int(distance) if bracket else 1)
    names = [*plain, *(f"{name}(1)" for name in makers)]
    raise MechanismError(
        f"adjacent is {', '.join(names[:-1])} or {names[-1]}, or a list of pairs; got {text!r:.80}"
        + suggestion(text.strip(), names)
    )


def _listed(pairs: Iterable[Any], place: dict[Hashable, int]) -> list[tuple[Hashable, Hashable]]:
    found: dict[tuple[Hashable, Hashable], None] = {}
    for pair in pairs:
        try:
            one, two = pair
            if one not in place or two not in place:
                stranger = one if one not in place else two
                raise MechanismError(f"{short(stranger)}, which is said to have a neighbour, is none of the inputs")
        except (TypeError, ValueError) as error:
            raise MechanismError(f"neighbours are listed as pairs of inputs, got {short(pair)}") from error
        if one != two and (two, one) not in found:
            found[one, two] = None
    return list(found)


def _differ_in_one(one: Any, two: Any) -> bool:
    a, b = _records(one), _records(two)
    return len(a) == len(b) and sum(x != y for x, y in zip(a, b, strict=True)) <= 1


def _one_changed(data: Any, known: Any) -> Iterator[Any]:
    values = _values(known)
    records = _records(data)
    for i, x in enumerate(records):
        for value in values.get((len(records), i), ()):
            moved = (*records[:i], value, *records[i + 1 :])
            if value != x and moved in known:
                yield moved


def _always(one: Any, two: Any) -> bool:
    return True


_ONE_RECORD = Adjacency("one_record", _differ_in_one, _one_changed, _always, False)
_ANY_TWO = Adjacency("any_two", _always, lambda data, known: (other for other in known if other != data), _always, True)
_SEEN: dict[int, tuple[Any, dict[tuple[int, int], tuple[Any, ...]]]] = {}


def _values(known: Any) -> dict[tuple[int, int], tuple[Any, ...]]:
    """What stands at each place of the data sets of each length."""
    if (seen := _SEEN.get(id(known))) is not None and seen[0] is known:
        return seen[1]
    found: dict[tuple[int, int], dict[Any, None]] = {}
    for data in known:
        records = _records(data)
        for i, x in enumerate(records):
            found.setdefault((len(records), i), {})[x] = None
    values = {place: tuple(among) for place, among in found.items()}
    _SEEN.clear()
    _SEEN[id(known)] = known, values
    return values


def _records(data: Any) -> tuple[Any, ...]:
    return data if isinstance(data, tuple) else (data,)


def _numbers(data: Any) -> tuple[int, ...]:
    records = _records(data)
    if not all(isinstance(x, Integral) for x in records):
        raise MechanismError(f"within: a data set of whole numbers is expected, got {short(data)}")
    return records


def _close(distance: int) -> Relation:
    def close(one: Any, two: Any) -> bool:
        (a,), (b,) = _numbers((one,)), _numbers((two,))
        return abs(a - b) <= distance

    return close


def _distance(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise MechanismError(f"a distance between neighbours is a whole number, at least 1, got {value!r}")
    return value
