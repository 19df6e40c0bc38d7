"""Permute-and-flip."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from faier.mechanisms.choices import draw, flip
from faier.mechanisms.distribution import Distribution, Weight
from faier.mechanisms.mechanism import Mechanism
from faier.mechanisms.records import Records
from faier.noise import uniform
from faier.noise.reading import number, whole
from faier.number.exact import Prob


def permute_and_flip(
    candidates: int = 2,
    scores: int = 3,
    base: Weight = 2,
    low: int = 0,
    parameters: Mapping[str, str] | None = None,
) -> Mechanism:
    """The index (from 1) of a candidate, by coins that are flipped in random order.

    Definition: candidates are visited in random order; the first whose coin shows heads is released, where the coin of
    candidate i shows heads with probability base^(score(i) - best score). The base is e^(epsilon/2), at least 1.
    Source: R. McKenna and D. Sheldon, Permute-and-Flip: A New Mechanism for Differentially Private Selection, 2020.
    Guarantee: where every score may move by 1 the ratio is at most base^2, which is tight: 4 for base 2.
    """
    candidates, low, scores = whole(candidates, "candidates", 1), whole(low, "low"), whole(scores, "scores")
    whole(scores - low, "scores - low", 1)

    def heads(points: Sequence[int]) -> list[Prob]:
        best, b = max(points), number(base, "base")
        powers: list[Any] = [Fraction(1) if p == best else b ** (p - best) for p in points]
        return powers

    def mechanism(points: Sequence[int]) -> int:
        coins, waiting = heads(points), list(range(len(points)))
        while True:
            i: int = draw(uniform(waiting))
            if points[i] == max(points) or flip(coins[i]):
                return i + 1
            waiting.remove(i)

    return Mechanism(
        mechanism,
        inputs=lambda: product(range(low, scores + 1), repeat=candidates),
        adjacent="each_within(1)",
        parameters=parameters,
        name="permute_and_flip",
        exact=lambda points: _exact(heads(points)),
        records=_records(candidates, range(low, scores + 1), heads),
    )


def _records(candidates: int, values: range, heads: Callable[[Sequence[int]], list[Prob]]) -> Records:
    """The same, score by score: what is remembered is which scores the others have, in order, and mine."""

    def read(memory: tuple[tuple[int, ...], int | None], score: int, mine: bool) -> tuple[tuple[int, ...], int | None]:
        others, own = memory
        return (others, score) if mine else (tuple(sorted((*others, score))), own)

    def release(memory: tuple[tuple[int, ...], int | None]) -> bool:
        others, own = memory
        return own is not None and flip(_first(heads((own, *others))))

    return Records(tuple(values), candidates, ((), None), read, release, True, "permute_and_flip")


def _exact(heads: Sequence[Prob]) -> Distribution:
    """Let candidates come at independent uniform times, which is a random order. That i comes at time t and no heads
    came before has the probability of the product of (1 - t heads_j) over all others; integrate it from 0 to 1."""
    return Distribution({i + 1: _first((own, *heads[:i], *heads[i + 1 :])) for i, own in enumerate(heads)})


def _first(heads: Sequence[Prob]) -> Prob:
    """The probability that the first candidate is released."""
    polynomial: list[Prob] = [Fraction(1)]
    for other in heads[1:]:
        longer = [*polynomial, Fraction(0)]
        polynomial = [longer[k] - (other * longer[k - 1] if k else Fraction(0)) for k in range(len(longer))]
    integral = sum((p * Fraction(1, k + 1) for k, p in enumerate(polynomial)), Fraction(0))
    return heads[0] * integral
