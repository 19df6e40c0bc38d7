"""The paper's examples as scenarios: mechanisms of the library, and what the paper says that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from faier.errors import UsageError
from faier.knowledge.adjacency import each_within, one_within
from faier.knowledge.prior import all_or_none, independent, product
from faier.knowledge.query import count
from faier.knowledge.questions import differential_privacy, pufferfish
from faier.knowledge.secret import Secret, anything, record
from faier.library import noisy_max, truncated_geometric
from faier.scenario.scenario import Scenario

ILL = replace(record(1), name="John is ill")
WELL = replace(~record(1), name="John is well")


def neighbours_of_counts() -> Scenario:
    """Example 1: counts that differ by 1."""
    return differential_privacy(truncated_geometric(counts=2), adjacent=each_within(1), epsilon="ln 2")


def contagious() -> Scenario:
    """Example 2: of two people who live together both are ill, or none."""
    return pufferfish(
        truncated_geometric(counts=2),
        prior=all_or_none("p", people=2),
        query=count(),
        secrets=[(ILL, WELL)],
        parameters=_rates("p"),
        epsilon="ln 2",
    )


def independent_disease(*, own_record: bool = False) -> Scenario:
    """Example 4: two people who fall ill independently; as stated the secret is that somebody is ill."""
    stated = (Secret("somebody is ill", any), anything())
    return pufferfish(
        truncated_geometric(counts=2),
        prior=independent("p", people=2),
        query=count(),
        secrets=[(ILL, WELL) if own_record else stated],
        parameters=_rates("p"),
        epsilon="ln 2",
    )


def three_diseases(*, own_record: bool = False) -> Scenario:
    """Example nm1: which of three diseases is the most frequent, each at a rate of its own that nobody knows."""
    stated = (
        Secret("somebody has A", lambda data: sum(data[:2]) >= 1),
        Secret("not both have A", lambda data: sum(data[:2]) <= 1),
    )
    return pufferfish(
        noisy_max(queries=3),
        prior=product(*(independent(rate, people=2) for rate in ("pA", "pB", "pC"))),
        query=_patients,
        secrets=[(ILL, WELL) if own_record else stated],
        parameters=_rates("pA", "pB", "pC"),
        epsilon="ln 2",
    )


def five_diseases(released: Any = None) -> Scenario:
    """Example nm2: five diseases, of which the first strikes both of two people or none. `released` hides outputs."""
    mechanism: Any = noisy_max(queries=5)
    if released is not None:
        full = mechanism
        mechanism = type(full)(
            lambda answers: full(answers) == released,
            exact=lambda answers: full.distribution(answers).map(lambda index: index == released),
            name=f"whether {released} is released",
        )
    rates = ["p2", "3/10", "4/10", "5/10"]
    return pufferfish(
        mechanism,
        prior=product(all_or_none("1/2", people=2), *(independent(rate, people=2) for rate in rates)),
        query=_patients,
        secrets=[(ILL, WELL)],
        parameters=_rates("p2"),
        epsilon="ln 2",
    )


def five_queries(epsilon: str | None = None, *, moves: str = "each") -> Scenario:
    """Section 6: noisy max of five queries; of neighbours each answer may differ by 1, or one."""
    if moves not in ("each", "one"):
        raise UsageError(f'moves is "each" or "one", got {moves!r}')
    adjacent = each_within(1) if moves == "each" else one_within(1)
    return differential_privacy(noisy_max(queries=5), adjacent=adjacent, epsilon=epsilon)


def _patients(data: Sequence[int]) -> tuple[int, ...]:
    """How many of two people have each disease; data has two records for each."""
    return tuple(data[i] + data[i + 1] for i in range(0, len(data), 2))


def _rates(*names: str) -> dict[str, str]:
    return {name: f"0 < {name} < 1" for name in names}
