"""What the variants of the sparse vector technique have in common.

Queries have answers from 0 to `counts`, and those of neighbours differ by at most 1, each. An answer gets two-sided
geometric noise on all integers; only whether it reaches the noisy threshold is released, so that is one exact coin. The
noise of the threshold is remembered, and so it is clamped, `room` away from the threshold on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from faier.mechanisms.answering import Step, StreamMechanism, emit, stop
from faier.mechanisms.choices import draw, flip
from faier.mechanisms.distribution import Distribution, Weight
from faier.noise import truncated_geometric
from faier.noise.reading import share, whole
from faier.number.exact import Prob


def power(unit: Weight, exponent: int) -> Prob:
    """A base of geometric noise."""
    base = share(unit, "unit", zero=False, one=False)
    result = base**exponent
    assert not isinstance(result, float)
    return result


def noisy_threshold(threshold: int, alpha: Prob, room: int) -> Distribution:
    """The threshold with its noise."""
    threshold, room = whole(threshold, "threshold"), whole(room, "room", 1)
    return truncated_geometric(threshold, threshold + room, alpha, low=threshold - room)


def reaches(answer: int, threshold: int, alpha: Prob) -> bool:
    """Draw whether an answer with geometric noise is at least so large."""
    gap = threshold - answer
    tail = alpha ** max(gap, 1 - gap) / (1 + alpha)
    assert not isinstance(tail, float)
    return flip(tail if gap > 0 else 1 - tail)


def sparse_vector(
    name: str,
    counts: int,
    start: Distribution,
    is_above: Callable[[int, int], bool],
    cutoff: int | None,
    parameters: Mapping[str, str] | None,
    renewed: Distribution | None = None,
) -> StreamMechanism:
    """A stream of bot and top that stops with the `cutoff`th top, if ever; after a top the threshold may be renewed."""
    if cutoff is not None:
        cutoff = whole(cutoff, "cutoff", 1)

    def step(memory: tuple[int, int], answer: int) -> Step:
        threshold, tops = memory
        if not is_above(answer, threshold):
            return emit("bot", memory)
        if cutoff is None:
            return emit("top", memory)
        if tops + 1 == cutoff:
            return stop("top")
        return emit("top", (threshold if renewed is None else int(draw(renewed)), tops + 1))

    return StreamMechanism(
        step,
        start=start.map(lambda threshold: (threshold, 0)),
        inputs=range(whole(counts, "counts", 1) + 1),
        adjacent="each_within(1)",
        parameters=parameters,
        name=name,
    )
