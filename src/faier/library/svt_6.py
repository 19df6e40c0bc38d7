"""Algorithm 6 of Lyu, Su and Li: no cutoff."""

from __future__ import annotations

from collections.abc import Mapping

from faier.mechanisms.answering import StreamMechanism
from faier.mechanisms.distribution import Weight

from .sparse_vector import noisy_threshold, power, reaches, sparse_vector


def svt_6(
    counts: int = 2,
    threshold: int = 2,
    unit: Weight = "1/4",
    room: int = 8,
    parameters: Mapping[str, str] | None = None,
) -> StreamMechanism:
    """The sparse vector technique of Chen, Xiao, Zhang and Xu, which never stops.

    Definition: queries have answers from 0 to `counts`. The threshold gets geometric noise with base `unit` once,
    clamped `room` away from it on both sides; every answer gets geometric noise with base `unit`. What is answered
    is whether it reaches the threshold, bot or top, without end.
    Source: algorithm 6 of M. Lyu, D. Su and N. Li, Understanding the Sparse Vector Technique for Differential
    Privacy, 2017, after R. Chen, Q. Xiao, Y. Zhang and J. Xu, Differentially Private High-Dimensional Data
    Publication via Sampling-Based Inference, 2015.
    Guarantee: it was published, with Laplace noise and unit = e^(-epsilon/2), as keeping epsilon, which is the
    ratio unit^-2 here, 16 with the arguments above. It keeps none: the ratio grows with the number of queries.
    """
    base = power(unit, 1)
    return sparse_vector(
        "svt_6",
        counts,
        noisy_threshold(threshold, base, room),
        lambda answer, noisy: reaches(answer, noisy, base),
        None,
        parameters,
    )
