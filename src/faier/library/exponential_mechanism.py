"""The exponential mechanism."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

from faier.mechanisms.choices import draw, flip
from faier.mechanisms.distribution import Weight
from faier.mechanisms.mechanism import Mechanism
from faier.mechanisms.records import Records
from faier.noise import exponential_weights
from faier.noise.reading import number, whole
from faier.number.exact import Prob


def exponential_mechanism(
    candidates: int = 2,
    scores: int = 3,
    base: Weight = 2,
    low: int = 0,
    parameters: Mapping[str, str] | None = None,
) -> Mechanism:
    """The index (from 1) of a candidate, the likelier the higher its score.

    Definition: candidate i with probability base^score(i) over the sum of these; each score lies in low..scores. The
    base is e^(epsilon/2): a number, a power such as "exp(1/2)", or a parameter.
    Source: F. McSherry and K. Talwar, Mechanism Design via Differential Privacy, 2007.
    Guarantee: where every score may move by 1 the ratio is at most base^2. It is less: with base 2 and scores 0..3 it
    is 3 for two candidates and 17/5 for three; where a neighbour's scores may leave 0..3 it is 11/3 and 65/17.
    """
    candidates, low, scores = whole(candidates, "candidates", 1), whole(low, "low"), whole(scores, "scores")
    whole(scores - low, "scores - low", 1)

    def mechanism(points: Sequence[int]) -> int:
        found: int = draw(exponential_weights(tuple(points), base))
        return found

    return Mechanism(
        mechanism,
        inputs=lambda: product(range(low, scores + 1), repeat=candidates),
        adjacent="each_within(1)",
        parameters=parameters,
        name="exponential_mechanism",
        records=_records(candidates, low, scores, base),
    )


def _records(candidates: int, low: int, scores: int, base: Weight) -> Records:
    """The same, score by score: what is remembered is the sum of the weights so far, and mine."""
    nothing = Fraction(0)

    def read(memory: tuple[Prob, Prob], score: int, mine: bool) -> tuple[Prob, Prob]:
        total, own = memory
        weight = number(base, "base") ** (score - low)
        assert not isinstance(weight, float)
        return total + weight, weight if mine else own

    def release(memory: tuple[Prob, Prob]) -> bool:
        total, own = memory
        return own != 0 and flip(own / total)

    values = tuple(range(low, scores + 1))
    return Records(values, candidates, (nothing, nothing), read, release, True, "exponential_mechanism")
