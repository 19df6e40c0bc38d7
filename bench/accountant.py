"""Twelve answers by randomised response on a sample of 1/10, beside Google's accountants (dp-accounting).

With a fresh sample for each answer the accountants compose twelve independent steps: by privacy loss distributions on a
grid, rounded up, and by Renyi divergences of many orders. faier looks at the words themselves, and is exact. With one
sample for all answers the steps are not independent, and composing them says too little.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path

import faier

from .row import Options, Row, expect
from .timing import Time, best

EXAMPLES = Path(__file__).parent.parent / "examples"
STEPS = 12
EPSILONS = ("0.1", "0.5", "1")
DELTA = "1e-3"
INTERVAL = 1e-4
"""The accountant's default grid of privacy losses."""


def rows(options: Options) -> Iterator[Row]:
    fresh = faier.load(EXAMPLES / "subsampled_fresh.toml").claiming(horizon=STEPS)
    reused = faier.load(EXAMPLES / "subsampled_reused.toml").claiming(horizon=STEPS)
    try:
        from dp_accounting import rdp
    except ImportError:
        yield Row("dp-accounting is not installed", "pip install -e '.[bench]'", Time(0.0, 0.0))
        return
    accounted, theirs = best(loss_distribution, options.repeats)
    for epsilon in EPSILONS:
        point, time = best(partial(delta_at, fresh, epsilon), options.repeats)
        other = accounted.get_delta_for_epsilon(float(epsilon))
        expect(point <= other, f"delta at {epsilon} is {point}, the accountant's {other}")
        yield Row(
            f"fresh samples, delta at epsilon {epsilon}", f"{point:.9f}, exact", time,
            "privacy loss distribution", theirs, f"theirs {other:.9f}, higher by {(other / point - 1) * 100:.2g} %",
        )
    ratio, time = best(partial(ratio_at, fresh, DELTA), options.repeats)
    epsilon_ = math.log(ratio)
    by_loss = accounted.get_epsilon_for_delta(float(DELTA))
    orders = [1 + k / 10 for k in range(1, 640)]
    by_order, renyi_time = best(partial(renyi_epsilon, rdp, orders), options.repeats)
    expect(epsilon_ <= by_loss <= by_order, f"epsilon at {DELTA}: {epsilon_}, {by_loss}, {by_order}")
    yield Row(
        f"fresh samples, epsilon at delta {DELTA}", f"{epsilon_:.6f}, exactly ln of a fraction", time,
        "privacy loss distribution", theirs, f"theirs {by_loss:.6f}",
    )
    yield Row(
        f"fresh samples, epsilon at delta {DELTA}", f"{epsilon_:.6f}, exactly ln of a fraction", time,
        "Renyi accountant", renyi_time,
        f"theirs {by_order:.6f}; adding up twelve budgets ln(6/5): {STEPS * math.log(1.2):.6f}",
    )
    for epsilon in EPSILONS[1:]:
        point, time = best(partial(delta_at, reused, epsilon), options.repeats)
        other = accounted.get_delta_for_epsilon(float(epsilon))
        expect(point > other, f"one sample, delta at {epsilon}: {point}, composed {other}")
        yield Row(
            f"one sample reused, delta at epsilon {epsilon}", f"{point:.9f}, exact", time,
            "composing independent steps", theirs, f"{other:.9f}, which is not true of one sample",
        )


def delta_at(scenario: faier.Scenario, epsilon: str) -> float:
    point = faier.profile(scenario, epsilon=epsilon).point
    assert point is not None
    assert point.exact
    return float(point.delta.upper)


def ratio_at(scenario: faier.Scenario, delta: str) -> Fraction:
    reach = faier.profile(scenario, delta=delta).reach
    assert reach is not None
    assert reach.lower == reach.upper
    assert isinstance(reach.upper, Fraction)
    return reach.upper


def one_step() -> tuple[dict[str, float], dict[str, float]]:
    """The probabilities of one answer with the record and without it."""
    return {"yes": 0.1 * 0.75 + 0.9 * 0.25, "no": 0.1 * 0.25 + 0.9 * 0.75}, {"yes": 0.25, "no": 0.75}


def loss_distribution() -> object:
    """Twelve steps as a privacy loss distribution whose deltas are upper bounds."""
    from dp_accounting.pld import privacy_loss_distribution

    upper, lower = ({k: math.log(p) for k, p in row.items()} for row in one_step())
    one = privacy_loss_distribution.from_two_probability_mass_functions(
        lower, upper, pessimistic_estimate=True, value_discretization_interval=INTERVAL
    )
    return one.self_compose(STEPS)


def renyi_epsilon(rdp: object, orders: list[float]) -> float:
    """The epsilon that Renyi divergences of twelve steps guarantee, of the worse direction at each order."""
    with_, without = one_step()

    def divergence(order: float) -> float:
        ways = ((with_, without), (without, with_))
        return max(
            math.log(sum(a[k] ** order * b[k] ** (1 - order) for k in a)) / (order - 1) for a, b in ways
        )

    spent = [STEPS * divergence(order) for order in orders]
    epsilon, _ = rdp.compute_epsilon(orders, spent, float(DELTA))  # type: ignore[attr-defined]
    return float(epsilon)
