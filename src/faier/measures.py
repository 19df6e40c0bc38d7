"""Other measures of what is told apart: Renyi divergences, zero-concentrated privacy, trade-offs, leakage."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from faier.number.exact import Extended
from faier.scenario.scenario import Scenario
from faier.verdict import Between


@dataclass(frozen=True)
class Within:
    """lower <= value <= upper, either of which may be infinite."""

    lower: Extended
    upper: Extended


class _Shown:
    """What all these results have in common: they show themselves, and are no truth values."""

    def __bool__(self) -> NoReturn:
        raise TypeError("a measure is not a truth value; look at its bounds")

    def to_dict(self) -> dict[str, object]:
        """The result as the JSON of the command line."""
        from faier.report.measures import measure_record

        return measure_record(self)  # type: ignore[arg-type]

    def __str__(self) -> str:
        from faier.report.measures import measure_sentence

        return measure_sentence(self)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Renyi(_Shown):
    """divergence.lower <= the largest Renyi divergence of an order, in nats, of all directions <= divergence.upper.

    `moment` encloses the sum of left^order * right^(1 - order), of which (order - 1) * divergence is the logarithm:
    exact for a whole order at a finite horizon. It is None for the order 1, the Kullback-Leibler divergence.
    """

    scenario: Scenario
    order: Fraction
    divergence: Within
    moment: Within | None
    left: str
    right: str
    complete: bool
    reason: str | None
    seconds: float

    __bool__ = _Shown.__bool__
    __str__ = _Shown.__str__


@dataclass(frozen=True)
class Concentrated(_Shown):
    """rho.lower <= the smallest rho with rho-zCDP <= rho.upper: the largest divergence over its order, above 1.

    The divergence of order `order` comes to within the enclosure; an `order` of 1 stands for orders that tend to 1.
    """

    scenario: Scenario
    rho: Within
    order: Fraction | None
    left: str
    right: str
    complete: bool
    reason: str | None
    seconds: float

    __bool__ = _Shown.__bool__
    __str__ = _Shown.__str__


@dataclass(frozen=True)
class TradeOff(_Shown):
    """The trade-off function of f-DP, exactly: between corners (type I error, least type II error) it is linear.

    Of several directions, the largest convex function that is below all their curves.
    """

    scenario: Scenario
    corners: tuple[tuple[Fraction, Fraction], ...]
    seconds: float

    def at(self, error: str | int | Fraction) -> Fraction:
        """The least type II error of a test whose type I error is at most this."""
        from faier.errors import UsageError

        alpha = Fraction(error)
        if not 0 <= alpha <= 1:
            raise UsageError(f"an error lies between 0 and 1, got {error}")
        place = min(bisect_right(self.corners, alpha, key=lambda c: c[0]), len(self.corners) - 1)
        (a1, b1), (a2, b2) = self.corners[place - 1], self.corners[place]
        if alpha >= a2:
            return b2
        return b1 + (b2 - b1) * (alpha - a1) / (a2 - a1)

    __bool__ = _Shown.__bool__
    __str__ = _Shown.__str__


@dataclass(frozen=True)
class Leakage(_Shown):
    """What one guess about the secret gains from the output, exactly, and how many bits are leaked, enclosed.

    `capacity` is the multiplicative Bayes capacity: the largest factor, over all priors, by which the probability of
    guessing right grows. `gain` is the factor for `prior`, `min_entropy` its logarithm to base 2, and
    `mutual_information` that of the secret and the output, both in bits.
    """

    prior: Mapping[str, Fraction]
    capacity: Fraction
    min_capacity: Between
    gain: Fraction
    min_entropy: Between
    mutual_information: Between
    outputs: int
    horizon: int
    seconds: float

    __bool__ = _Shown.__bool__
    __str__ = _Shown.__str__


Measure = Renyi | Concentrated | TradeOff | Leakage
