"""Balcer and Vadhan's sampler."""

from __future__ import annotations

from collections.abc import Mapping

from faier.mechanisms.choices import draw
from faier.mechanisms.mechanism import Mechanism
from faier.noise import discrete_laplace, uniform
from faier.noise.geometric import sampler_steps
from faier.noise.reading import whole


def geo_sample(counts: int = 4, bits: int = 3, parameters: Mapping[str, str] | None = None) -> Mechanism:
    """A count from 0 to `counts` with clamped geometric noise, drawn by whole numbers alone.

    Definition: u is drawn uniformly from 1..d, and the least z with u <= F(z) is released; d and all F(z) are whole
    numbers (`faier.noise.discrete_laplace` writes them out), so no probability is rounded on a computer.
    Source: V. Balcer and S. Vadhan, Differential Privacy on Finite Computers, 2018 (GeoSample).
    Guarantee: counts that differ by 1 keep the ratio 1 + 2^-bits, which is tight: 9/8 for three bits.
    """
    counts, bits = whole(counts, "counts", 1), whole(bits, "bits", 1)

    def mechanism(count: int) -> int:
        ends = sampler_steps(count, counts, bits)
        u: int = draw(uniform(range(1, ends[-1] + 1)))
        return next(z for z, end in enumerate(ends) if u <= end)

    return Mechanism(
        mechanism,
        inputs=range(counts + 1),
        adjacent="each_within(1)",
        parameters=parameters,
        name="geo_sample",
        exact=lambda count: discrete_laplace(count, counts, bits),
    )
