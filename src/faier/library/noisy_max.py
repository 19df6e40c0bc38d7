"""Report noisy max."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Literal

from faier.errors import UsageError
from faier.mechanisms.choices import draw, flip
from faier.mechanisms.distribution import Distribution, Weight
from faier.mechanisms.mechanism import Mechanism
from faier.mechanisms.records import Records
from faier.noise import truncated_geometric as noise
from faier.noise import uniform
from faier.noise.reading import whole
from faier.number.exact import Prob


def noisy_max(
    queries: int = 5,
    counts: int = 2,
    alpha: Weight = "1/2",
    report: Literal["index", "value"] = "index",
    ties: Literal["uniform", "first"] = "uniform",
    parameters: Mapping[str, str] | None = None,
) -> Mechanism:
    """Which of several noisy counts is the largest, or how large it is.

    Definition: each answer, a count from 0 to `counts`, gets truncated geometric noise; the index (from 1) of the
    largest is released, a tie broken uniformly or in favour of the first, or with report="value" the largest itself.
    Source: C. Dwork and A. Roth, The Algorithmic Foundations of Differential Privacy, 2014, section 3.3.
    Guarantee: at alpha = 1/2 and counts = 2, where every answer may move by 1, the exact ratio is 12/5 for two queries,
    24/7 for three, 288/73 for five; with ties to the first index it is 2^queries. The value of three has ratio 8.
    """
    queries, counts = whole(queries, "queries", 1), whole(counts, "counts", 1)
    if report not in ("index", "value"):
        raise UsageError(f'report is "index" or "value", got {report!r}')
    if ties not in ("uniform", "first"):
        raise UsageError(f'ties is "uniform" or "first", got {ties!r}')

    def mechanism(answers: Sequence[int]) -> Hashable:
        noisy = [draw(noise(answer, counts, alpha)) for answer in answers]
        largest = max(noisy)
        if report == "value":
            return int(largest)
        best = [i for i, value in enumerate(noisy, 1) if value == largest]
        return best[0] if ties == "first" else int(draw(uniform(best)))

    shares: dict[tuple[int, ...], dict[int, Prob]] = {}

    def exact(answers: Sequence[int]) -> Distribution:
        rows = [noise(answer, counts, alpha) for answer in answers]
        if report == "value":
            return _largest(rows, counts)
        if ties == "first":
            return Distribution({i: _chance(rows, i - 1, counts, first=True) for i in range(1, len(rows) + 1)})
        # Without a first among equals an answer's chance depends on which the others are, not on where they stand.
        key = tuple(sorted(answers))
        if key not in shares:
            alike = [noise(answer, counts, alpha) for answer in key]
            shares[key] = {answer: _chance(alike, key.index(answer), counts, first=False) for answer in set(key)}
        return Distribution({i: shares[key][answer] for i, answer in enumerate(answers, 1)})

    return Mechanism(
        mechanism,
        inputs=lambda: product(range(counts + 1), repeat=queries),
        parameters=parameters,
        name="noisy_max",
        exact=exact,
        records=_records(queries, counts, alpha, report == "value", ties),
    )


def _records(queries: int, counts: int, alpha: Weight, value: bool, ties: str) -> Records | None:
    """The same, answer by answer; remembered are the largest so far, how many share it, and whether mine does."""

    def larger(largest: int, answer: int) -> int:
        return max(largest, int(draw(noise(answer, counts, alpha))))

    def read(memory: tuple[int, int, bool], answer: int, mine: bool) -> tuple[int, int, bool]:
        largest, sharing, has = memory
        noisy = int(draw(noise(answer, counts, alpha)))
        if noisy > largest:
            return noisy, 1, mine
        return memory if noisy < largest else (largest, sharing + 1, has or mine)

    def release(memory: tuple[int, int, bool]) -> bool:
        _, sharing, has = memory
        return has and flip(Fraction(1, sharing))

    answers = tuple(range(counts + 1))
    if value:
        return Records(answers, queries, 0, larger, lambda largest: largest, False, "noisy_max")
    if ties == "uniform":
        return Records(answers, queries, (-1, 0, False), read, release, True, "noisy_max")
    return None  # The first of those that share the largest is told by its place, so answers cannot be exchanged.


def _below(row: Distribution, counts: int) -> list[Prob]:
    """The probability of each value from 0 to counts + 1 that the noisy answer is less than it."""
    sums: list[Prob] = [Fraction(0)]
    for z in range(counts + 1):
        sums.append(sums[-1] + row.of(z))
    return sums


def _largest(rows: Sequence[Distribution], counts: int) -> Distribution:
    """P(max <= z) is the product of all P(noisy <= z)."""
    at_most: list[Prob] = [Fraction(0)]
    sums = [_below(row, counts) for row in rows]
    for z in range(counts + 1):
        total: Prob = Fraction(1)
        for s in sums:
            total = total * s[z + 1]
        at_most.append(total)
    return Distribution({z: at_most[z + 1] - at_most[z] for z in range(counts + 1)})


def _chance(rows: Sequence[Distribution], own: int, counts: int, *, first: bool) -> Prob:
    """That one answer is released: for each largest value, how many others have it; without listing all outcomes.

    With t for "ties with it", the others contribute the product of less + t equal; a tie with k others gives a share of
    1/(k + 1), which is the integral of that polynomial over t from 0 to 1.
    """
    sums = [_below(row, counts) for row in rows]
    chance: Prob = Fraction(0)
    for z in range(counts + 1):
        polynomial: list[Prob] = [rows[own].of(z)]
        for j, other in enumerate(rows):
            if j == own:
                continue
            less, equal = sums[j][z], other.of(z)
            if first:
                # Those before it must be less, those after it may tie.
                polynomial = [polynomial[0] * (less if j < own else less + equal)]
            else:
                longer = [*polynomial, Fraction(0)]
                polynomial = [
                    less * longer[k] + (equal * longer[k - 1] if k else Fraction(0)) for k in range(len(longer))
                ]
        chance = chance + sum((p * Fraction(1, k + 1) for k, p in enumerate(polynomial)), Fraction(0))
    return chance
