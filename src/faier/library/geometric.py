"""The geometric mechanism on all integers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from faier.errors import MechanismError
from faier.mechanisms.choices import draw
from faier.mechanisms.distribution import Weight
from faier.mechanisms.mechanism import Mechanism
from faier.mechanisms.paths import short
from faier.noise import geometric as noise
from faier.noise import lumped
from faier.noise.reading import whole

from .truncated_geometric import MOST_COUNTS


def geometric(counts: int = 2, alpha: Weight = "1/2", parameters: Mapping[str, str] | None = None) -> Mechanism:
    """A count from 0 to `counts`, with two-sided geometric noise on all integers.

    Definition: P(z | c) = (1 - alpha)/(1 + alpha) alpha^|z - c| for every integer z. Of the infinitely many outputs
    those up to 0, and those from `counts` on, are one symbol each, which loses nothing [T15].
    Source: A. Ghosh, T. Roughgarden and M. Sundararajan, Universally Utility-Maximizing Privacy Mechanisms, 2009.
    Guarantee: counts that differ by d keep the ratio alpha^-d, which is tight.
    """
    counts = whole(counts, "counts", 1, MOST_COUNTS)
    rows = lumped({count: noise(count, alpha) for count in range(counts + 1)})

    def mechanism(count: int) -> Hashable:
        if count not in rows:
            raise MechanismError(f"a count lies between 0 and {counts}, got {short(count)}")
        found: Hashable = draw(rows[count])
        return found

    return Mechanism(
        mechanism,
        inputs=range(counts + 1),
        adjacent="each_within(1)",
        parameters=parameters,
        name="geometric",
    )
