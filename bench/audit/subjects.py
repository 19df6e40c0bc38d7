"""The mechanisms that are compared, each with its exact ratio where it is known."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import faier
from faier.auditing.models import TableSampler
from faier.auditing.patterns import patterns
from faier.knowledge.adjacency import pairs_of
from faier.scenario.scenario import Scenario
from faier.together.subject import of_scenario

QUERIES = 5
RAPPOR = Path(__file__).parents[2] / "examples" / "python" / "rappor_range.py"


@dataclass(frozen=True)
class Tested:
    """A scenario for the exact answer; a sampler and pairs for testers, which may be fewer than the scenario's."""

    name: str
    scenario: Scenario
    sampler: Any
    pairs: list[tuple[Any, Any]]
    known: Fraction | float | None


def tested() -> Iterator[Tested]:
    noisy = faier.library.noisy_max(queries=5)
    five = list(patterns(5).values())
    question = faier.differential_privacy(noisy, adjacent=faier.each_within(1))
    yield Tested("noisy max, n = 5", question, TableSampler(noisy), five, Fraction(288, 73))
    sampler = faier.library.geo_sample(bits=3)
    yield _one_shot("geometric sampler, 3 bits", sampler, Fraction(9, 8))
    for name in ("reports", "one_time_reports"):
        subject = of_scenario(faier.load(f"{RAPPOR}:{name}"))
        assert subject.scenario is not None
        yield Tested(f"RAPPOR, {name}", subject.scenario, subject.sampler, list(subject.pairs), None)
    above = faier.library.above_threshold()
    yield Tested(
        "Above Threshold", faier.differential_privacy(above, horizon="any"), above,
        list(patterns(QUERIES).values()), math.inf,
    )  # fmt: skip
    for number in (1, 2, 4, 5, 6):
        variant = getattr(faier.library, f"svt_{number}")()
        yield Tested(
            f"sparse vector {number}, {QUERIES} queries", faier.differential_privacy(variant, horizon=QUERIES), variant,
            list(patterns(QUERIES).values()), None,
        )  # fmt: skip


def _one_shot(name: str, mechanism: Any, known: Fraction | None) -> Tested:
    question = faier.differential_privacy(mechanism)
    pairs = pairs_of(mechanism.adjacent, mechanism.all_inputs())
    return Tested(name, question, TableSampler(mechanism), pairs, known)
