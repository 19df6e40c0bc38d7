"""Discrete noisy max of several diseases, each at a rate of its own that nobody knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb

import faier
from faier.scenario.scenario import Scenario

# Tight ratios that were found by other means: (rates, people) -> ratio.
KNOWN = {
    (3, 2): Fraction(40, 21),
    (4, 2): Fraction(224, 113),
    (5, 2): Fraction(1312, 657),
    (6, 2): Fraction(7808, 3905),
    (3, 3): Fraction(84, 43),
    (4, 3): Fraction(904, 453),
    (3, 4): Fraction(172, 87),
    (4, 4): Fraction(3624, 1813),
}
_ZERO, _HALF = Fraction(0), Fraction(1, 2)


def noisy_max(rates: int, people: int, ratio: Fraction) -> Scenario:
    """Somebody has the first disease, against somebody has not: the paper's nm1 with more rates and people.

    Each count gets truncated 1/2-geometric noise on 0 to `people`; the place of the largest is output, and ties are
    broken uniformly.
    """
    names = [f"p{i}" for i in range(1, rates + 1)]
    counts = list(product(range(people + 1), repeat=rates))
    others = [_law(people, name) for name in names[1:]]
    first = _law(people, names[0])
    somebody = [None, *(f"{term} / (1 - (1 - p1)^{people})" for term in first[1:])]
    not_all = [*(f"{term} / (1 - p1^{people})" for term in first[:-1]), None]

    def belief(own: Sequence[str | None]) -> dict[str, str]:
        laws = (own, *others)
        known = [v for v in counts if own[v[0]] is not None]
        return {_spelt(v): "*".join(f"({law[k]})" for law, k in zip(laws, v, strict=True)) for v in known}

    model = faier.HMM(
        emit={_spelt(v): {str(place + 1): _wins(v, place, people) for place in range(rates)} for v in counts},
        parameters={name: f"0 < {name} < 1" for name in names},
    )
    beliefs = {"ill": belief(somebody), "well": belief(not_all)}
    return Scenario.of(model, [("ill", "well")], beliefs=beliefs, ratio=ratio, horizon=1)


def truth(rates: int, people: int) -> Fraction:
    """The tight ratio, from the rows alone: the worst of two counts that differ by one person with the first disease.

    Such counts are what the rates come down to at the ends of their ranges.
    """
    return max(_ratios(rates, people))


def _ratios(rates: int, people: int) -> Iterator[Fraction]:
    for others in combinations_with_replacement(range(people + 1), rates - 1):
        for count in range(people):
            for place in range(rates):
                fewer, more = (_wins((first, *others), place, people) for first in (count, count + 1))
                yield max(fewer / more, more / fewer)


def _law(people: int, rate: str) -> list[str]:
    """How many fall ill, each at this rate."""
    return [f"{comb(people, k)}*{rate}^{k}*(1 - {rate})^{people - k}" for k in range(people + 1)]


def _spelt(counts: Sequence[int]) -> str:
    return "".join(map(str, counts))


def _wins(counts: Sequence[int], place: int, people: int) -> Fraction:
    """The probability that a place is output."""
    return _beats(counts[place], tuple(sorted((*counts[:place], *counts[place + 1 :]))), people)


@cache
def _beats(own: int, others: tuple[int, ...], people: int) -> Fraction:
    total = _ZERO
    for value in range(people + 1):
        # The probability that none is larger and so many are equal.
        ties = [Fraction(1)]
        for count in others:
            below = sum((_noise(count, z, people) for z in range(value)), _ZERO)
            equal = _noise(count, value, people)
            ties = [a * below + b * equal for a, b in zip([*ties, _ZERO], [_ZERO, *ties], strict=True)]
        total += _noise(own, value, people) * sum(p / (k + 1) for k, p in enumerate(ties))
    return total


@cache
def _noise(count: int, value: int, people: int) -> Fraction:
    end = value in (0, people)
    return _HALF ** abs(count - value) * (1 if end else 1 - _HALF) / (1 + _HALF)
