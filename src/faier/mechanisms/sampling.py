"""Releases at random: one by one with exact draws, or many at once from the exact distribution."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from faier.errors import FaierError, MechanismError, UsageError
from faier.number.exact import Prob
from faier.number.sign import enclosure, sign

from .current import answered_by
from .distribution import Distribution, Value
from .outcome import symbol
from .paths import short

if TYPE_CHECKING:
    import numpy.typing as npt

    from .mechanism import Mechanism


class Dice:
    """Decides draws at random, exactly: each value has its probability, not a float near it."""

    def __init__(self, seed: int | None):
        self._random = random.Random(seed)
        self.trouble: FaierError | None = None

    def choose(self, among: Distribution) -> Value:
        weights = numbers(among)
        if not among.is_constant:
            return list(among)[self._place(list(accumulate(weights, _plus)))]
        fractions = [w for w in weights if isinstance(w, Fraction)]
        common = lcm(*(w.denominator for w in fractions))
        ends = list(accumulate(w.numerator * (common // w.denominator) for w in fractions))
        return list(among)[bisect_right(ends, self._random.randrange(common))]

    def _place(self, ends: Sequence[Prob]) -> int:
        """Where a uniform number lies among ends that are no fractions, exactly: enough of its digits are drawn."""
        drawn, bits = 0, 0
        while True:
            drawn, bits = drawn << 64 | self._random.getrandbits(64), bits + 64
            low, high = Fraction(drawn, 1 << bits), Fraction(drawn + 1, 1 << bits)
            for place, end in enumerate(ends):
                below, above = (Fraction(1),) * 2 if place == len(ends) - 1 else enclosure(end, bits + 32)
                if high <= below:
                    return place
                if low < above:
                    # The number may still lie on either side of this end.
                    break


def run(mechanism: Mechanism, data: Any, seed: int | None) -> Hashable:
    """One release of the function itself."""
    dice = Dice(seed)
    with answered_by(dice):
        outcome = mechanism.function(data)
    if dice.trouble is not None:
        raise MechanismError(f"{mechanism.name}({short(data)}): {dice.trouble}") from dice.trouble
    return symbol(outcome)


def sample(mechanism: Mechanism, data: Any, n: int, seed: int) -> npt.NDArray[np.object_]:
    """`n` releases, as an array of objects."""
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise UsageError(f"a number of samples is at least 0, got {n!r}")
    return draw_many(mechanism.distribution(data), n, seed)


def draw_many(among: Distribution, n: int, seed: int) -> npt.NDArray[np.object_]:
    """`n` values at random; probabilities are those given up to the rounding of a float."""
    weights = floats(among)
    values = np.empty(len(among), dtype=object)
    values[:] = list(among)
    chosen = np.random.default_rng(seed).choice(len(values), size=n, p=weights / weights.sum())
    picked: npt.NDArray[np.object_] = values[chosen]
    return picked


def floats(among: Distribution) -> npt.NDArray[np.float64]:
    """The probabilities, each rounded to a float."""
    return np.array([float(sum(enclosure(w, 64)) / 2) for w in numbers(among)])


def numbers(among: Distribution) -> list[Prob]:
    """The probabilities, fractions or powers of e; an error that says which parameters they depend on."""
    if among.parameters:
        names = ", ".join(sorted(among.parameters))
        raise MechanismError(f"the probabilities depend on {names}; give them values before sampling")
    weights = list(among.values())
    for value, weight in among.items():
        if not isinstance(weight, Fraction) and sign(weight) < 0:
            raise MechanismError(f"the probability of {short(value)} is negative: {weight}")
    return weights


def _plus(one: Prob, two: Prob) -> Prob:
    return one + two
