"""The test's promise, computed and not simulated: under the claim a p-value of a or less has probability at most a."""

from __future__ import annotations

import math

import pytest
from scipy.stats import binom

from faier.auditing.p_value import interval, lower_bound, p_value


@pytest.mark.parametrize("n", [8, 25])
@pytest.mark.parametrize("ratio", [1.0, 1.7, 4.0])
@pytest.mark.parametrize("right", [0.02, 0.1, 0.25, 0.6])
def test_the_level_is_kept_exactly(n: int, ratio: float, right: float) -> None:
    left = min(1.0, ratio * right)
    table = {(k, m): p_value(k, m, n, n, ratio) for k in range(n + 1) for m in range(n + 1)}
    for level in (0.01, 0.05, 0.2):
        chance = sum(
            binom.pmf(k, n, left) * binom.pmf(m, n, right) for (k, m), p in table.items() if p <= level
        )
        assert chance <= level


@pytest.mark.parametrize("right", [0.03, 0.3])
def test_a_bound_exceeds_the_truth_as_seldom_as_stated(right: float) -> None:
    n, ratio = 12, 2.5
    left = ratio * right
    chance = sum(
        binom.pmf(k, n, left) * binom.pmf(m, n, right)
        for k in range(n + 1)
        for m in range(n + 1)
        if lower_bound(k, m, n, n, 0.9) > ratio
    )
    assert chance <= 0.1


@pytest.mark.parametrize(
    ("k", "m", "n_left", "n_right"),
    [(668, 0, 1000, 1000), (9, 0, 100, 100), (33, 6, 100, 100), (4, 1, 10, 10), (3, 8, 7, 30), (60, 20, 100, 100)],
)
def test_every_ratio_below_a_bound_is_rejected(k: int, m: int, n_left: int, n_right: int) -> None:
    # p-values need not grow with the ratio: of 668 and 0 of 1000 the ratio 180 is rejected at 0.05, and 125 is not.
    bound = lower_bound(k, m, n_left, n_right, 0.95)
    ratios = [bound * math.exp(-step / 40) for step in range(80)]
    assert all(p_value(k, m, n_left, n_right, ratio, missed=0.05 / 50) <= 0.05 for ratio in ratios)


def test_unequal_samples_keep_the_level_too() -> None:
    level = 0.05
    chance = sum(
        binom.pmf(k, 30, 0.6) * binom.pmf(m, 10, 0.3)
        for k in range(31)
        for m in range(11)
        if p_value(k, m, 30, 10, 2.0) <= level
    )
    assert chance <= level


def test_large_samples_lose_next_to_nothing() -> None:
    # With 500,000 samples the bound is that of the normal approximation, 1.645 standard deviations below the estimate.
    n, k, m = 500_000, 100_000, 25_000
    spread = math.sqrt(1 / k - 1 / n + 1 / m - 1 / n)
    assert math.log(lower_bound(k, m, n, n, 0.95)) == pytest.approx(math.log(4) - 1.645 * spread, abs=0.15 * spread)


def test_nothing_on_the_right_gives_a_finite_bound() -> None:
    assert 15 < lower_bound(100, 0, 1000, 1000, 0.95) < 100 / 3
    assert lower_bound(0, 5, 1000, 1000, 0.95) == 0
    assert p_value(0, 0, 10, 10, 1.0) == 1


def test_intervals_are_those_of_clopper_and_pearson() -> None:
    low, high = interval(3, 20, 0.95)
    assert binom.sf(2, 20, low) == pytest.approx(0.025)
    assert binom.cdf(3, 20, high) == pytest.approx(0.025)
    assert interval(0, 20, 0.95)[0] == 0
    assert interval(20, 20, 0.95)[1] == 1
