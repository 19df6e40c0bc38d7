"""Releases at random: one by one with exact draws, or many at once from the exact distribution."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Hashable
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from faier.errors import FaierError, MechanismError, UsageError

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
        weights = constant(among)
        common = lcm(*(w.denominator for w in weights))
        ends = list(accumulate(w.numerator * (common // w.denominator) for w in weights))
        return list(among)[bisect_right(ends, self._random.randrange(common))]


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
    weights = np.array([float(w) for w in constant(among)])
    values = np.empty(len(among), dtype=object)
    values[:] = list(among)
    chosen = np.random.default_rng(seed).choice(len(values), size=n, p=weights / weights.sum())
    picked: npt.NDArray[np.object_] = values[chosen]
    return picked


def constant(among: Distribution) -> list[Fraction]:
    """The probabilities as numbers, or an error that says what they depend on."""
    weights = list(among.values())
    if not among.is_constant:
        names = ", ".join(sorted(among.parameters)) or "powers of e"
        raise MechanismError(f"the probabilities depend on {names}; give them values before sampling")
    return [w for w in weights if isinstance(w, Fraction)]
