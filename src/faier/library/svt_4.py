"""Algorithm 4 of Lyu, Su and Li: noise of the answers that does not grow with the cutoff."""

from __future__ import annotations

from collections.abc import Mapping

from faier.mechanisms.answering import StreamMechanism
from faier.mechanisms.distribution import Weight

from .sparse_vector import noisy_threshold, power, reaches, sparse_vector


def svt_4(
    counts: int = 2,
    threshold: int = 2,
    cutoff: int = 1,
    unit: Weight = "1/2",
    room: int = 8,
    parameters: Mapping[str, str] | None = None,
) -> StreamMechanism:
    """The sparse vector technique of Lee and Clifton, whose answers get too little noise.

    Definition: queries have answers from 0 to `counts`. The threshold gets geometric noise with base `unit` once,
    clamped `room` away from it on both sides; every answer gets geometric noise with base unit^3, however large the
    cutoff. What is answered is whether it reaches the threshold, bot or top, until the `cutoff`th top ends the run.
    Source: algorithm 4 of M. Lyu, D. Su and N. Li, Understanding the Sparse Vector Technique for Differential
    Privacy, 2017, after J. Lee and C. Clifton, Top-k Frequent Itemsets via Differentially Private FP-trees, 2014.
    Guarantee: it was published, with Laplace noise and unit = e^(-epsilon/4), as keeping epsilon, which is the
    ratio unit^-4 here, 16 with the arguments above. It keeps (1 + 6 cutoff)/4 epsilon, the ratio unit^-(1 + 6
    cutoff), 128. The noise of the threshold is clamped here, which tells after many queries:
    docs/how-to/ask-about-streams.md has the numbers.
    """
    base = power(unit, 3)
    return sparse_vector(
        "svt_4",
        counts,
        noisy_threshold(threshold, power(unit, 1), room),
        lambda answer, noisy: reaches(answer, noisy, base),
        cutoff,
        parameters,
    )
