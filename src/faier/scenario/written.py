"""A question as it is written, where the model that is decided is compiled from it: streams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from faier.model.belief import Belief
from faier.model.stream import Stream
from faier.model.two_sided import TwoSided, two_sided

from .scenario import Claim, Pair, Scenario

if TYPE_CHECKING:
    from faier.number.exact import Prob


@dataclass(frozen=True)
class Written:
    """What a file says; a scenario keeps it beside what it is compiled to. Of a stream, beliefs are over memories."""

    model: Stream
    pairs: tuple[Pair, ...]
    beliefs: Mapping[str, Belief]


def compiled(written: Written, claim: Claim, title: str = "") -> Scenario:
    """The scenario that asks the same of an ordinary model."""
    sides = two_sided(written.model)
    return Scenario(sides.model, _stream_pairs(written, sides), claim, {}, title, written=written)


def _stream_pairs(written: Written, sides: TwoSided) -> tuple[Pair, ...]:
    """Each pair with its left belief on the left and its right one on the right, and then the other way round.

    The other way round of a belief against itself is the same question: exchanging the two inputs of every letter
    exchanges the sides, and adjacency is symmetric.
    """
    pairs: list[Pair] = []
    for pair in written.pairs:
        both = pair.left, pair.right
        turned = pair.right, pair.left
        for left, right in (both,) if pair.one_way or pair.left.weights == pair.right.weights else (both, turned):
            pairs.append(Pair(_started(left, sides, "left"), _started(right, sides, "right"), one_way=True))
    return tuple(pairs)


def _started(belief: Belief, sides: TwoSided, side: str) -> Belief:
    weights: dict[int, Prob] = sides.start("left" if side == "left" else "right", belief.weights)
    return Belief(belief.name, {sides.model.states[i]: value for i, value in sorted(weights.items())})
