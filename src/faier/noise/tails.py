"""Distributions on all integers with geometric tails, and each tail as one symbol. [T15]"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn, TypeVar

from faier.errors import MechanismError
from faier.mechanisms.distribution import Distribution
from faier.number.exact import Prob

from .reading import whole

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, eq=False)
class Tail:
    """All integers from `end` on, upwards or downwards, as one symbol.

    It may be moved (`tail + 1`), negated, and compared with numbers as far as all its integers answer alike; a
    comparison that splits the tail is a `MechanismError`. So it is when tails of noise that shrinks by different
    factors would be one symbol, or other symbols lie among a tail: then lumping would not be exact [T15].

    >>> Tail(upwards=True, end=3) >= 2, Tail(upwards=True, end=3) - 1
    (True, >=2)
    """

    upwards: bool
    end: int
    factor: Prob | None = None
    """What the noise shrinks by from one of its integers to the next; None where nothing is said."""

    def __str__(self) -> str:
        return f"{'>=' if self.upwards else '<='}{self.end}"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Tail):
            if (self.upwards, self.end) != (other.upwards, other.end):
                return False
            if None not in (self.factor, other.factor) and self.factor != other.factor:
                raise MechanismError(
                    f"{self} is a tail of noise that shrinks by {self.factor}, and of noise that shrinks by "
                    f"{other.factor}: each integer of it tells something else, so it cannot be one symbol"
                )
            return True
        if isinstance(other, int | float | Fraction) and math.isfinite(other):
            z = int(other)
            if z == other and self._holds(z):
                raise self._split("==", z)
        return False

    def __bool__(self) -> bool:
        if self._holds(0):
            raise self._split("!=", 0)
        return True

    def __hash__(self) -> int:
        return hash((Tail, self.upwards, self.end))

    def __lt__(self, other: object) -> bool:
        return self._alike("<", other, lambda z, limit: z < limit)

    def __le__(self, other: object) -> bool:
        return self._alike("<=", other, lambda z, limit: z <= limit)

    def __gt__(self, other: object) -> bool:
        return self._alike(">", other, lambda z, limit: z > limit)

    def __ge__(self, other: object) -> bool:
        return self._alike(">=", other, lambda z, limit: z >= limit)

    def __add__(self, other: int) -> Tail:
        return Tail(self.upwards, self.end + whole(other, "what is added to a tail"), self.factor)

    __radd__ = __add__

    def __sub__(self, other: int) -> Tail:
        return self + -whole(other, "what is taken from a tail")

    def __rsub__(self, other: int) -> Tail:
        return -self + other

    def __neg__(self) -> Tail:
        return Tail(not self.upwards, -self.end, self.factor)

    def covers(self, other: object) -> bool:
        """Whether a number, or another tail, has integers in common with this one."""
        if isinstance(other, Tail):
            return self.upwards == other.upwards or self._holds(other.end) or other._holds(self.end)
        return isinstance(other, int) and self._holds(other)

    def _holds(self, z: int) -> bool:
        return z >= self.end if self.upwards else z <= self.end

    def _alike(self, sign: str, other: object, answer: Callable[[int, int], bool]) -> bool:
        if isinstance(other, bool) or not isinstance(other, int):
            raise MechanismError(f"the tail {self} is compared with whole numbers, got {other!r}")
        # Along the tail the answer changes once at most, so the two ends of it decide.
        far = max(self.end, other) + 1 if self.upwards else min(self.end, other) - 1
        if answer(self.end, other) != answer(far, other):
            raise self._split(sign, other)
        return answer(self.end, other)

    def _split(self, sign: str, other: int) -> MechanismError:
        side = "higher high" if self.upwards else "lower low"
        return MechanismError(
            f"{self} {sign} {other} is so for some integers of the tail and not for others; draw with a {side}"
        )


@dataclass(frozen=True)
class OnIntegers:
    """A distribution on all integers: `middle` from `low` on, and beyond it geometric tails.

    P(low - k) = P(low) lower^k and P(high + k) = P(high) upper^k, where `high` is the last integer of the middle.
    """

    low: int
    middle: tuple[Prob, ...]
    lower: Prob
    upper: Prob

    def __post_init__(self) -> None:
        for tail in (self.lower, self.upper):
            if isinstance(tail, Fraction) and not 0 <= tail < 1:
                raise MechanismError(f"a tail shrinks by a factor of at least 0 and less than 1, got {tail}")
        below, above = self.at_most(self.low - 1), self.at_least(self.high + 1)
        if (total := sum(self.middle, below + above)) != 1:
            raise MechanismError(f"a distribution on all integers sums to 1, got {total}")

    def __iter__(self) -> NoReturn:
        raise MechanismError(
            "noise on all integers has infinitely many values; draw from it clamped, .clamped(low, high), or with its "
            "tails as symbols, faier.noise.tailed_geometric(count, low, high)"
        )

    @property
    def high(self) -> int:
        return self.low + len(self.middle) - 1

    def of(self, z: int) -> Prob:
        """P(z)."""
        if z < self.low:
            return _falling(self.middle[0], self.lower, self.low - z)
        if z > self.high:
            return _falling(self.middle[-1], self.upper, z - self.high)
        return self.middle[z - self.low]

    def at_most(self, z: int) -> Prob:
        """P(all integers up to z): the sum of a geometric series."""
        if z < self.low:
            return self.of(z) / (1 - self.lower)
        return sum((self.of(y) for y in range(self.low, min(z, self.high) + 1)), self.at_most(self.low - 1)) + (
            self.at_least(self.high + 1) - self.at_least(z + 1) if z > self.high else Fraction(0)
        )

    def at_least(self, z: int) -> Prob:
        """P(all integers from z on)."""
        if z > self.high:
            return self.of(z) / (1 - self.upper)
        return sum((self.of(y) for y in range(max(z, self.low), self.high + 1)), self.at_least(self.high + 1)) + (
            self.at_most(self.low - 1) - self.at_most(z - 1) if z < self.low else Fraction(0)
        )

    def clamped(self, low: int, high: int) -> Distribution:
        """What is below `low` becomes `low`, and what is above `high` becomes `high`."""
        low, high = _range(low, high)
        if low == high:
            return Distribution({low: 1})
        inside = {z: self.of(z) for z in range(low + 1, high)}
        return Distribution({low: self.at_most(low), **inside, high: self.at_least(high)})


def lumped(
    rows: Mapping[Key, OnIntegers], low: int | None = None, high: int | None = None
) -> dict[Key, Distribution]:
    """Guarantee: nothing that tells these distributions, or mixtures of them, apart is lost. [T15]

    The integers up to `low` become one symbol, and those from `high` on another. That all the distributions have one
    and the same ratio along each tail is verified; without `low` and `high` the longest such tails are taken.

    >>> from faier.noise import geometric
    >>> lumped({count: geometric(count) for count in (0, 1)})
    {0: Distribution({<=0: 2/3, >=1: 1/3}), 1: Distribution({<=0: 1/3, >=1: 2/3})}
    """
    if not rows:
        raise MechanismError("there are no distributions to lump the tails of")
    first = min(row.low for row in rows.values())
    last = max(row.high for row in rows.values())
    low, high = _range(first if low is None else low, max(last, first + 1) if high is None else high)
    if low == high:
        raise MechanismError(f"low is less than high, got {low} twice")
    if low > first or high < last:
        raise MechanismError(
            f"the tails begin outside {first}..{last}, where the distributions have their own shapes; got low = {low} "
            f"and high = {high}"
        )
    one, *others = rows.values()
    for row in others:
        for name, ours, theirs in (("lower", one.lower, row.lower), ("upper", one.upper, row.upper)):
            if ours != theirs:
                raise MechanismError(
                    f"the {name} tails shrink by {ours} and by {theirs}: each integer of them tells something else, so "
                    "they cannot be one symbol"
                )
    found: dict[Key, Distribution] = {}
    for key, row in rows.items():
        inside: dict[Any, Prob] = {z: row.of(z) for z in range(low + 1, high)}
        found[key] = Distribution(
            {
                Tail(False, low, row.lower): row.at_most(low),
                **inside,
                Tail(True, high, row.upper): row.at_least(high),
            }
        )
    return found


def _range(low: object, high: object) -> tuple[int, int]:
    first, last = whole(low, "low"), whole(high, "high")
    if first > last:
        raise MechanismError(f"low is at most high, got {first} and {last}")
    return first, last


def _falling(weight: Prob, factor: Prob, steps: int) -> Prob:
    """weight factor^steps; noise around many counts asks for the same numbers again and again."""
    return _powers(weight, factor, 1 << steps.bit_length())[steps]


@lru_cache(maxsize=64)
def _powers(weight: Prob, factor: Prob, most: int) -> tuple[Prob, ...]:
    found = [weight]
    for _ in range(most - 1):
        found.append(found[-1] * factor)
    return tuple(found)
