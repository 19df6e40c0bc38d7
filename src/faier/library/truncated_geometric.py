"""The truncated geometric mechanism."""

from __future__ import annotations

from collections.abc import Mapping

from faier.mechanisms.choices import draw
from faier.mechanisms.distribution import Weight
from faier.mechanisms.mechanism import Mechanism
from faier.noise import truncated_geometric as noise
from faier.noise.reading import whole

# The model has a number for every two counts, and its digits grow with the counts as well.
MOST_COUNTS = 10_000


def truncated_geometric(
    counts: int = 2, alpha: Weight = "1/2", parameters: Mapping[str, str] | None = None
) -> Mechanism:
    """A count from 0 to `counts`, with two-sided geometric noise clamped to the same range.

    Definition: P(z | c) = (1 - alpha)/(1 + alpha) alpha^|z - c| for 0 < z < counts; the ends take the tails.
    Source: A. Ghosh, T. Roughgarden and M. Sundararajan, Universally Utility-Maximizing Privacy Mechanisms, 2009.
    Guarantee: counts that differ by 1 keep the ratio 1/alpha, which is tight.
    """
    counts = whole(counts, "counts", 1, MOST_COUNTS)

    def mechanism(count: int) -> int:
        found: int = draw(noise(count, counts, alpha))
        return found

    return Mechanism(
        mechanism,
        inputs=range(counts + 1),
        adjacent="each_within(1)",
        parameters=parameters,
        name="truncated_geometric",
        exact=lambda count: noise(count, counts, alpha),
    )
