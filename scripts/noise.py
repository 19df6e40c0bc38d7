"""Truncated geometric noise, and what a noisy maximum outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product

# The truncated geometric mechanisms on {0, 1, 2}: value -> noisy value -> probability.
HALF = [[Fraction(x, 6) for x in row] for row in ([4, 1, 1], [2, 2, 2], [1, 1, 4])]
QUARTER = [[Fraction(x, 20) for x in row] for row in ([16, 3, 1], [4, 12, 4], [1, 3, 16])]

Row = Callable[[Sequence[int]], Mapping[str, Fraction]]


def uniform_ties(noisy: Sequence[int]) -> dict[str, Fraction]:
    winners = [i for i, v in enumerate(noisy, 1) if v == max(noisy)]
    return {str(i): Fraction(1, len(winners)) for i in winners}


def first_of_ties(noisy: Sequence[int]) -> dict[str, Fraction]:
    return {str(list(noisy).index(max(noisy)) + 1): Fraction(1)}


def the_value(noisy: Sequence[int]) -> dict[str, Fraction]:
    return {f"~{max(noisy)}": Fraction(1)}


def noisy_distribution(
    inputs: Sequence[int], tie: Row, noise: Sequence[Sequence[Sequence[Fraction]]]
) -> dict[str, Fraction]:
    """What a noisy maximum outputs; `noise` holds one table for each query."""
    row: dict[str, Fraction] = {}
    for noisy in product(range(3), repeat=len(inputs)):
        weight = multiplied(noise[i][a][b] for i, (a, b) in enumerate(zip(inputs, noisy, strict=True)))
        for symbol, p in tie(noisy).items():
            row[symbol] = row.get(symbol, Fraction(0)) + weight * p
    return dict(sorted(row.items()))


def spelt(values: Sequence[int]) -> str:
    return "".join(map(str, values)) if min(values) >= 0 else ",".join(map(str, values))


def multiplied(factors: Iterable[Fraction]) -> Fraction:
    result = Fraction(1)
    for factor in factors:
        result *= factor
    return result
