"""Algorithm 1 of Lyu, Su and Li: their own sparse vector."""

from __future__ import annotations

from collections.abc import Mapping

from faier.mechanisms.answering import StreamMechanism
from faier.mechanisms.distribution import Weight

from .sparse_vector import noisy_threshold, power, reaches, sparse_vector


def svt_1(
    counts: int = 2,
    threshold: int = 2,
    cutoff: int = 1,
    unit: Weight = "1/2",
    room: int = 8,
    parameters: Mapping[str, str] | None = None,
) -> StreamMechanism:
    """The sparse vector technique as its analysts propose it.

    Definition: queries have answers from 0 to `counts`. The threshold gets geometric noise with base unit^(2
    cutoff) once, clamped `room` away from it on both sides; every answer gets geometric noise with base `unit`.
    What is answered is whether it reaches the threshold, bot or top, until the `cutoff`th top ends the run.
    Source: algorithm 1 of M. Lyu, D. Su and N. Li, Understanding the Sparse Vector Technique for Differential
    Privacy, 2017.
    Guarantee: with Laplace noise and unit = e^(-epsilon/(4 cutoff)) it keeps epsilon, so that the ratio here is to
    be unit^(-4 cutoff): 16 with the arguments above. The noise of the threshold is clamped here, which tells after
    many queries: docs/how-to/ask-about-streams.md has the numbers.
    """
    base = power(unit, 1)
    return sparse_vector(
        "svt_1",
        counts,
        noisy_threshold(threshold, power(unit, 2 * cutoff), room),
        lambda answer, noisy: reaches(answer, noisy, base),
        cutoff,
        parameters,
    )
