"""A histogram with noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from faier.errors import MechanismError
from faier.mechanisms.choices import draw
from faier.mechanisms.distribution import Distribution, Weight, independent
from faier.mechanisms.mechanism import Mechanism
from faier.mechanisms.paths import short
from faier.noise import truncated_geometric as noise
from faier.noise.reading import whole


def noisy_histogram(
    categories: int = 3, people: int = 2, alpha: Weight = "1/2", parameters: Mapping[str, str] | None = None
) -> Mechanism:
    """How many people are in each category, each count with its own noise.

    Definition: a data set is the tuple of people's categories 0, 1, ...; each count gets geometric noise, clamped to
    0..people. Released is the tuple of noisy counts.
    Source: C. Dwork, F. McSherry, K. Nissim and A. Smith, Calibrating Noise to Sensitivity in Private Data Analysis,
    2006.
    Guarantee: one person who changes category moves two counts by 1, so the ratio is alpha^-2, which is tight.
    """
    categories, people = whole(categories, "categories", 2), whole(people, "people", 1)

    def rows(data: Sequence[int]) -> list[Distribution]:
        if len(data) != people or any(record not in range(categories) for record in data):
            raise MechanismError(
                f"noisy_histogram: a data set is a tuple of {people} categories from 0 to {categories - 1}, got "
                f"{short(data)}"
            )
        return [noise(list(data).count(c), people, alpha) for c in range(categories)]

    return Mechanism(
        lambda data: tuple(draw(row) for row in rows(data)),
        inputs=lambda: product(range(categories), repeat=people),
        adjacent="one_record",
        parameters=parameters,
        name="noisy_histogram",
        exact=lambda data: independent(rows(data)),
    )
