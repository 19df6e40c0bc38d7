"""Noisy max over the counts of several people, who fall ill independently at unknown rates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb

import faier


def question(people: int, queries: int) -> faier.Scenario:
    """The count of the first disease is not 0, against not `people`; every rate is unknown."""
    rates = [f"p{i}" for i in range(1, queries + 1)]
    laws = [[_binomial(people, k, rate) for k in range(people + 1)] for rate in rates]
    first = {
        "ill": {k: f"{laws[0][k]} / (1 - (1 - p1)^{people})" for k in range(1, people + 1)},
        "well": {k: f"{laws[0][k]} / (1 - p1^{people})" for k in range(people)},
    }
    emit = {}
    beliefs: dict[str, dict[str, str]] = {"ill": {}, "well": {}}
    for counts in product(range(people + 1), repeat=queries):
        state = "".join(map(str, counts))
        emit[state] = index_of_the_largest(people, counts)
        others = " * ".join(law[k] for law, k in zip(laws[1:], counts[1:], strict=True))
        for name, law in first.items():
            if counts[0] in law:
                beliefs[name][state] = f"{others} * {law[counts[0]]}"
    model = faier.HMM(emit=emit, parameters={rate: f"0 < {rate} < 1" for rate in rates})
    return faier.Scenario.of(model, [("ill", "well")], beliefs=beliefs, horizon=1)


def index_of_the_largest(people: int, counts: Sequence[int]) -> dict[str, Fraction]:
    """The output, from 1, under truncated 1/2-geometric noise; ties are broken uniformly."""
    return {str(i + 1): _wins(people, counts, i) for i in range(len(counts))}


def _wins(people: int, counts: Sequence[int], index: int) -> Fraction:
    total = Fraction(0)
    for largest in range(people + 1):
        # By the number of others that reach the same value.
        ties = [_noise(people, counts[index], largest)]
        for count in (*counts[:index], *counts[index + 1 :]):
            below = sum((_noise(people, count, v) for v in range(largest)), Fraction(0))
            equal = _noise(people, count, largest)
            ties = [
                (ties[k] * below if k < len(ties) else 0) + (ties[k - 1] * equal if k else 0)
                for k in range(len(ties) + 1)
            ]
        total += sum(weight / (k + 1) for k, weight in enumerate(ties))
    return total


def _noise(people: int, count: int, noisy: int) -> Fraction:
    edge = noisy in (0, people)
    return Fraction(1, 2) ** abs(noisy - count) * (Fraction(2, 3) if edge else Fraction(1, 3))


def _binomial(people: int, count: int, rate: str) -> str:
    return f"{comb(people, count)}*{rate}^{count}*(1 - {rate})^{people - count}"
