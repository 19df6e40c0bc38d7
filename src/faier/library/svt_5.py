"""Algorithm 5 of Lyu, Su and Li: answers without noise."""

from __future__ import annotations

from collections.abc import Mapping

from faier.mechanisms.answering import StreamMechanism
from faier.mechanisms.distribution import Weight
from faier.noise.reading import whole

from .sparse_vector import noisy_threshold, power, sparse_vector


def svt_5(
    counts: int = 2,
    threshold: int = 2,
    unit: Weight = "1/4",
    parameters: Mapping[str, str] | None = None,
) -> StreamMechanism:
    """The sparse vector technique of Stoddard, Chen and Machanavajjhala, whose answers get no noise.

    Definition: queries have answers from 0 to `counts`. The threshold gets geometric noise with base `unit` once;
    it is not clamped, as all thresholds above `counts` are alike, and so are those below 1. What is answered is
    whether the answer itself reaches it, bot or top, without end.
    Source: algorithm 5 of M. Lyu, D. Su and N. Li, Understanding the Sparse Vector Technique for Differential
    Privacy, 2017, after B. Stoddard, Y. Chen and A. Machanavajjhala, Differentially Private Algorithms for
    Empirical Machine Learning, 2014.
    Guarantee: it was published, with Laplace noise and unit = e^(-epsilon/2), as keeping epsilon, which is the
    ratio unit^-2 here, 16 with the arguments above. It keeps none: after two queries the ratio is infinite.
    """
    counts, threshold = whole(counts, "counts", 1), whole(threshold, "threshold")
    alpha = power(unit, 1)
    # Thresholds outside 0..counts + 1 are answered like those at the ends; the noise may be farther away than that.
    room = max(abs(threshold), abs(counts + 1 - threshold)) + 1
    start = noisy_threshold(threshold, alpha, room).map(lambda noisy: min(max(noisy, 0), counts + 1))
    return sparse_vector("svt_5", counts, start, lambda answer, noisy: answer >= noisy, None, parameters)
