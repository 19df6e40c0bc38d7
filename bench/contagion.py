"""Contagion: a noisy count over a chain of up to 100 people, the state of each of them, and the least noise."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import faier
from faier.library.markov_count import MarkovCount

from .row import FLOOR, Options, Row, expect
from .timing import best

FAMILY = "people who infect one another, by people"
ALPHA, STAY = Fraction(1, 2), Fraction(4, 5)


def rows(options: Options) -> Iterator[Row]:
    for people in (10, 20, 50) if options.quick else (10, 20, 50, 100):
        (tight, count), time = best(partial(asked, people), options.repeats)
        expect(tight.exact, f"{people} people: {tight}")
        ratio, by_hand = best(partial(middle, people), options.repeats)
        expect(ratio == tight.ratio.upper, f"{people} people: {tight}, and by hand {ratio}")
        apart = faier.wasserstein(count.scenario())
        yield Row(
            f"epsilon, each of {people} people", f"{float(ratio):.10g}, exact", time,
            "the one in the middle, by fractions", by_hand,
            f"Wasserstein distance {apart}, which bounds the ratio by {2**apart}",
            family=FAMILY, size=people, series="faier.epsilon, for everybody, with the model",
        )  # fmt: skip
        yield Row(
            f"by fractions, the middle one of {people} people", "the same", by_hand,
            family=FAMILY, size=people, series=FLOOR + "one person, by fractions",
        )  # fmt: skip
    people = 20 if options.quick else 100
    noisy = faier.library.markov_count(
        length=people, stay=STAY, clamped=False, alpha="alpha", parameters={"alpha": "1/2 <= alpha < 1"}
    )
    find = partial(faier.calibrate, noisy.scenario(at=people // 2), minimise="alpha", ratio=2, tolerance="1e-6")
    found, time = best(find, 2)
    expect(found.safe is not None and found.unsafe is not None and found.safe - found.unsafe < 1e-6, str(found))
    yield Row(f"least alpha for the one in the middle of {people}", f"{float(found.safe):.6f}", time)


def asked(people: int) -> tuple[faier.Tight, MarkovCount]:
    """The question, built and answered."""
    count = faier.library.markov_count(length=people, stay=STAY, alpha=ALPHA, clamped=False)
    return faier.epsilon(count.scenario()), count


def middle(people: int) -> Fraction:
    """The largest ratio of a noisy count for the person in the middle, by a table of fractions and nothing else."""
    at = people // 2
    laws = []
    for state in (0, 1):
        row = {(x, 0): Fraction(1, 2) for x in (0, 1)}
        for time in range(1, people + 1):
            counted = {(x, k + x): p for (x, k), p in row.items() if time != at or x == state}
            row = {}
            for (x, k), p in counted.items():
                for y in (0, 1):
                    row[y, k] = row.get((y, k), Fraction(0)) + p * (STAY if x == y else 1 - STAY)
        law: dict[int, Fraction] = {}
        for (_, k), p in row.items():
            law[k] = law.get(k, Fraction(0)) + p
        total = sum(law.values())
        laws.append({k: p / total for k, p in law.items()})
    noisy = [
        # Below 0 and above all counts the ratio of two noisy counts is that of the ends.
        [sum(p * ALPHA ** abs(z - k) for k, p in law.items()) for z in range(people + 1)]
        for law in laws
    ]
    return max(max(a / b, b / a) for a, b in zip(*noisy, strict=True))
