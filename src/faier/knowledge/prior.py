"""Priors: distributions on data sets, which are tuples of records, told record by record.

A prior walks through the records of a data set with a hidden state of its own, so that what a query makes of them can
be followed without listing data sets: a count over a thousand people has a thousand and one values, not 2^1000.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from faier.errors import MechanismError
from faier.mechanisms.distribution import Distribution, Weight, distribution
from faier.mechanisms.symbolic import plain
from faier.number.exact import Prob

Hidden = Hashable
Record = Hashable
Move = tuple[Record, Hidden, Prob]
"""One record, the hidden state after it, and how likely both are."""


class Prior:
    """A distribution on data sets of `length` records."""

    length: int
    name: str

    def start(self) -> Distribution:
        """The hidden state before the first record."""
        return Distribution({None: 1})

    def moves(self, time: int, hidden: Hidden) -> Sequence[Move]:
        """What record number `time` (from 1) may be, and what is then remembered."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<prior {self.name}>"


class Independent(Prior):
    """Each record for itself, from its own distribution."""

    def __init__(self, records: Sequence[Distribution], name: str = "independent"):
        self.records, self.length, self.name = tuple(records), len(records), name
        self._moves = [[(value, None, p) for value, p in record.items()] for record in self.records]

    def moves(self, time: int, hidden: Hidden) -> Sequence[Move]:
        return self._moves[time - 1]


class Chain(Prior):
    """Each record from the one before it."""

    def __init__(self, start: Distribution, step: Mapping[Record, Distribution], length: int, name: str = "chain"):
        self._start, self.step, self.length, self.name = start, dict(step), length, name
        reached = {*start, *(value for row in self.step.values() for value in row)}
        if length > 1 and (missing := next((v for v in reached if v not in self.step), None)) is not None:
            raise MechanismError(f"the chain has no row for {missing!r}")
        self._first = [(value, value, p) for value, p in start.items()]
        self._next = {v: [(value, value, p) for value, p in row.items()] for v, row in self.step.items()}

    def moves(self, time: int, hidden: Hidden) -> Sequence[Move]:
        return self._first if time == 1 else self._next[hidden]


class Table(Prior):
    """Data sets one by one, each with its probability; of the same length, or anything that can be hashed."""

    def __init__(self, weights: Distribution, name: str = "table"):
        self.weights, self.name = weights, name
        lengths = {len(data) if isinstance(data, tuple) else -1 for data in weights}
        self.listed = len(lengths) > 1 or -1 in lengths
        self.length = 1 if self.listed else lengths.pop()

    def start(self) -> Distribution:
        return self.weights.map(lambda data: (data, 0))

    def moves(self, time: int, hidden: Hidden) -> Sequence[Move]:
        assert isinstance(hidden, tuple)
        data, place = hidden
        record = data if self.listed else data[place]
        return [(record, (data, place + 1), Fraction(1))]


class Mixture(Prior):
    """One prior or another: nobody knows which, but how likely each is."""

    def __init__(self, parts: Sequence[tuple[Prob, Prior]], name: str = "mixture"):
        self.parts, self.name = tuple(parts), name
        lengths = {part.length for _, part in self.parts}
        if len(lengths) != 1:
            raise MechanismError(f"the parts of a mixture have data sets of different lengths: {sorted(lengths)}")
        self.length = lengths.pop()
        self.listed = any(getattr(part, "listed", False) for _, part in self.parts)
        self._which = Distribution({k: weight for k, (weight, _) in enumerate(self.parts)})

    def start(self) -> Distribution:
        return Distribution(
            ((k, hidden), weight * p)
            for k, (weight, part) in enumerate(self.parts)
            for hidden, p in part.start().items()
        )

    def moves(self, time: int, hidden: Hidden) -> Sequence[Move]:
        assert isinstance(hidden, tuple)
        k, own = hidden
        return [(record, (k, after), p) for record, after, p in self.parts[k][1].moves(time, own)]


class Product(Prior):
    """Several priors that know nothing of one another, their records one after the other."""

    def __init__(self, parts: Sequence[Prior], name: str = "product"):
        self.parts, self.name = tuple(parts), name
        self.length = sum(part.length for part in self.parts)
        self._place = [(k, t) for k, part in enumerate(self.parts) for t in range(1, part.length + 1)]

    def moves(self, time: int, hidden: Hidden) -> Sequence[Move]:
        k, own_time = self._place[time - 1]
        part = self.parts[k]
        befores = part.start().items() if own_time == 1 else [(hidden, Fraction(1))]
        found = [
            (record, after, p * q) for before, p in befores for record, after, q in part.moves(own_time, before)
        ]
        if own_time == part.length:
            found = [(record, None, p) for record, _, p in found]
        return found


def independent(p: Weight | Sequence[Weight], people: int | None = None) -> Prior:
    """Records 0 and 1: each person has the property independently, with probability p, or each with one of their own.

    >>> prior = independent("1/3", people=1000)
    >>> prior.length
    1000
    """
    if isinstance(p, Sequence) and not isinstance(p, str):
        rates: list[Any] = list(p)
        if people is not None and people != len(rates):
            raise MechanismError(f"there are {len(rates)} rates for {people} people")
    else:
        rates = [p] * _length(people, "people")
    if not rates:
        raise MechanismError("a prior is about one person at least")
    coins: dict[Any, Distribution] = {}
    for rate in rates:
        key = str(plain(rate))
        if key not in coins:
            coins[key] = _coin(rate)
    return Independent([coins[str(plain(rate))] for rate in rates])


def all_or_none(p: Weight, people: int) -> Prior:
    """Records 0 and 1: everybody has the property, with probability p, or nobody has."""
    people = _length(people, "people")
    coin = _coin(p)
    return Table(coin.map(lambda bit: (bit,) * people), "all_or_none")


def markov_chain(start: Any, step: Mapping[Record, Any], length: int) -> Prior:
    """Records that follow one another in time: start is a distribution, step one for each record.

    >>> step = {"well": {"well": "4/5", "ill": "1/5"}, "ill": {"ill": 1}}
    >>> markov_chain({"well": "9/10", "ill": "1/10"}, step, length=100).length
    100
    """
    rows = {value: distribution(row) for value, row in step.items()}
    return Chain(distribution(start), rows, _length(length, "length"), "markov_chain")


def table(weights: Any) -> Prior:
    """Data sets with their probabilities, one by one."""
    return Table(distribution(weights))


def product(*parts: Prior) -> Prior:
    """Several independent parts of a data set, one after the other."""
    if not parts:
        raise MechanismError("a product of priors has one part at least")
    if any(getattr(part, "listed", False) for part in parts):
        raise MechanismError("a product of priors is one of data sets that are tuples of records")
    return Product(parts)


def mixture(parts: Iterable[tuple[Weight, Prior]]) -> Prior:
    """One prior or another, with weights that sum to 1."""
    listed = []
    for part in parts:
        if not isinstance(part, tuple | list) or len(part) != 2:
            raise MechanismError(f"a mixture is a list of pairs of a weight and a prior, got {part!r}")
        listed.append((part[0], as_prior(part[1])))
    shares = Distribution((k, weight) for k, (weight, _) in enumerate(listed))
    return Mixture([(shares.of(k), part) for k, (_, part) in enumerate(listed) if shares.of(k) != 0])


def as_prior(what: object) -> Prior:
    """A prior as it is; a distribution of data sets made into one."""
    if isinstance(what, Prior):
        return what
    if isinstance(what, Mapping):
        return table(what)
    raise MechanismError(f"a prior is such as faier.independent(p, people), or data set -> probability, got {what!r}")


def _coin(p: Weight) -> Distribution:
    from faier.noise import bernoulli

    return bernoulli(p)


def _length(value: object, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise MechanismError(f"{name} is a whole number, at least 1, got {value!r}")
    return value
