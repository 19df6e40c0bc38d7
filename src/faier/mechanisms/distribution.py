"""Finite distributions with exact probabilities: what `draw` draws from, and what noise is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

from faier.errors import MechanismError, NumberError
from faier.number.digits import short_text
from faier.number.exact import Number, Prob, kind_of, prob
from faier.number.rational_function import RationalFunction

from .symbolic import Symbolic, plain

Value: TypeAlias = Hashable
Weight: TypeAlias = "Number | Symbolic"


class Distribution(Mapping[Value, Prob]):
    """value -> exact probability; the probabilities sum to 1, and none is 0.

    With parameters in them they sum to 1 identically; that none is negative is then looked at where the ranges of the
    parameters are known.
    """

    __slots__ = ("_weights",)

    def __init__(self, weights: Mapping[Any, Weight] | Iterable[tuple[Any, Weight]]):
        pairs = weights.items() if isinstance(weights, Mapping) else weights
        read: dict[Value, Prob] = {}
        for value, written in pairs:
            weight = _weight(value, written)
            try:
                read[value] = read[value] + weight if value in read else weight
            except TypeError as error:
                raise MechanismError(f"a value that is drawn must be hashable, got {kind_of(value)}") from error
        self._weights = {value: weight for value, weight in read.items() if weight != 0}
        total = _total(self._weights.values())
        if total != 1:
            raise MechanismError(f"the distribution {_shown(self._weights)} sums to {short_text(total)}, not 1")

    def __getitem__(self, value: Value) -> Prob:
        return self._weights[value]

    def __iter__(self) -> Iterator[Value]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __repr__(self) -> str:
        return f"Distribution({_shown(self._weights)})"

    def of(self, value: Value) -> Prob:
        """The probability of a value; 0 where it is not among them."""
        return self._weights.get(value, Fraction(0))

    def map(self, function: Callable[[Any], Value]) -> Distribution:
        """The distribution of a function of the value."""
        return Distribution((function(value), weight) for value, weight in self.items())

    @property
    def is_constant(self) -> bool:
        return all(isinstance(weight, Fraction) for weight in self._weights.values())

    @property
    def parameters(self) -> frozenset[str]:
        """The parameters that its probabilities depend on."""
        found: frozenset[str] = frozenset()
        for weight in self._weights.values():
            if isinstance(weight, RationalFunction):
                found |= weight.parameters
        return found


def distribution(what: Distribution | Mapping[Any, Weight] | Iterable[tuple[Any, Weight]]) -> Distribution:
    """Read a distribution: a `Distribution`, a mapping value -> probability, or pairs of the two."""
    if isinstance(what, Distribution):
        return what
    if isinstance(what, str) or not isinstance(what, Iterable):
        example = '{"a": "1/3", "b": "2/3"}'
        raise MechanismError(f"a distribution is value -> probability, such as {example}, got {what!r}")
    try:
        return Distribution(what)
    except (TypeError, ValueError) as error:
        raise MechanismError(f"a distribution is value -> probability, got {kind_of(what)}: {error}") from error


def independent(parts: Iterable[Distribution]) -> Distribution:
    """The tuple of independent draws, one from each part."""
    rows: dict[tuple[Value, ...], Prob] = {(): Fraction(1)}
    for part in parts:
        rows = {(*row, value): weight * more for row, weight in rows.items() for value, more in part.items()}
    return Distribution(rows)


def mixture(parts: Iterable[tuple[Weight, Distribution]]) -> Distribution:
    """A draw from one part or another; the weights sum to 1."""
    rows: dict[Value, Prob] = {}
    for written, part in parts:
        weight = _weight("a part of a mixture", written)
        for value, more in part.items():
            rows[value] = rows.get(value, Fraction(0)) + weight * more
    return Distribution(rows)


def _total(weights: Collection[Prob]) -> Prob:
    """Their sum; of numbers over their common denominator, which spares a reduction for each."""
    numbers = [weight for weight in weights if isinstance(weight, Fraction)]
    if len(numbers) < len(weights):
        return sum(weights, Fraction(0))
    common = lcm(*(p.denominator for p in numbers))
    return Fraction(sum(p.numerator * (common // p.denominator) for p in numbers), common)


def _weight(value: object, written: Weight) -> Prob:
    try:
        weight = prob(plain(written))
    except NumberError as error:
        raise MechanismError(f"the probability of {value!r}: {error}") from error
    if isinstance(weight, Fraction) and weight < 0:
        raise MechanismError(f"the probability of {value!r} is negative: {short_text(weight)}")
    return weight


def _shown(weights: Mapping[Value, Prob]) -> str:
    listed = [f"{value!r}: {short_text(weight)}" for value, weight in list(weights.items())[:4]]
    return "{" + ", ".join(listed + (["..."] if len(weights) > 4 else [])) + "}"
