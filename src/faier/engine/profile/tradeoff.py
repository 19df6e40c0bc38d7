"""The trade-off between the two errors of a test, exactly. [T10]"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from faier.engine.progress import Limits
from faier.errors import NotYetError, UsageError
from faier.measures import TradeOff
from faier.scenario.scenario import Scenario

from .answer import comparison_of
from .curve import complete_spectra, events

Corner: TypeAlias = tuple[Fraction, Fraction]


def tradeoff(scenario: Scenario, limits: Limits) -> TradeOff:
    """The least type II error for every type I error of telling right from left, in the worst direction.

    The best tests are those that choose left for the words of the largest ratios; between two of them one may draw.
    """
    if len(scenario.choices) > 1:
        raise NotYetError("the trade-off curve of a stream is not built yet")
    comparison = comparison_of(scenario)
    spectra = complete_spectra(comparison, limits)
    if spectra is None:
        raise UsageError(
            "a trade-off curve needs a finite horizon and words that can be listed by ratio; take a shorter horizon"
        )
    corners = [(line.right, 1 - line.left) for one in spectra for line in events(one)]
    return TradeOff(scenario, tuple(_lower_hull(corners)), limits.elapsed)


def _lower_hull(corners: list[Corner]) -> list[Corner]:
    """The corners of the largest convex function that no corner is below."""
    lowest: dict[Fraction, Fraction] = {}
    for alpha, beta in corners:
        lowest[alpha] = min(beta, lowest.get(alpha, beta))
    hull: list[Corner] = []
    for corner in sorted(lowest.items()):
        while len(hull) > 1 and not _turns_up(hull[-2], hull[-1], corner):
            hull.pop()
        hull.append(corner)
    return hull


def _turns_up(one: Corner, two: Corner, three: Corner) -> bool:
    return (two[1] - one[1]) * (three[0] - two[0]) < (three[1] - two[1]) * (two[0] - one[0])
