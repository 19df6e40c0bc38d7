"""Above Threshold."""

from __future__ import annotations

from collections.abc import Mapping

from faier.mechanisms.answering import Step, StreamMechanism, emit, stop
from faier.mechanisms.choices import draw
from faier.mechanisms.distribution import Weight
from faier.noise import truncated_geometric as noise
from faier.noise.reading import whole


def above_threshold(
    counts: int = 2,
    threshold: int = 2,
    threshold_alpha: Weight = "1/4",
    answer_alpha: Weight = "1/2",
    parameters: Mapping[str, str] | None = None,
) -> StreamMechanism:
    """Which query is the first whose noisy answer reaches a noisy threshold; a stream of bot, and then top.

    Definition: queries have answers from 0 to `counts`. The threshold gets truncated geometric noise (clamped to the
    same range) once; every answer gets noise of its own, and bot is answered while it is less than the noisy
    threshold, top when it is not, which ends the run. Answers of neighbours differ by at most 1, each.
    Source: C. Dwork and A. Roth, The Algorithmic Foundations of Differential Privacy, 2014, section 3.6, with the
    discrete noise of the paper on verifying Pufferfish privacy in hidden Markov models.
    Guarantee: none at every length. With the arguments above k queries have the tight ratio 2^k; the published 16 of
    noise that is not clamped is kept up to four queries.
    """
    counts, threshold = whole(counts, "counts", 1), whole(threshold, "threshold", 0)

    def step(noisy_threshold: int, answer: int) -> Step:
        if draw(noise(answer, counts, answer_alpha)) >= noisy_threshold:
            return stop("top")
        return emit("bot", noisy_threshold)

    return StreamMechanism(
        step,
        start=noise(threshold, counts, threshold_alpha),
        inputs=range(counts + 1),
        adjacent="each_within(1)",
        parameters=parameters,
        name="above_threshold",
    )
