"""Horizons at which ratios and rows leave the range of floats, for models in which few prefixes stay open."""

from __future__ import annotations

from fractions import Fraction

import pytest

import faier
from faier.comparison import Comparison
from faier.engine.progress import Limits
from faier.engine.tree.dive import dive


def doubling(horizon: int) -> faier.Scenario:
    return faier.differential_privacy(faier.library.above_threshold(), horizon=horizon)


def test_a_look_ahead_goes_on_to_the_horizon_where_floats_end() -> None:
    found, value = dive(Comparison(doubling(420)), Limits())
    assert value == Fraction(2) ** 420
    assert found is not None
    assert len(found.letters) == 420
    assert not found.ended


@pytest.mark.slow
@pytest.mark.parametrize("horizon", [480, 1000])
def test_ratios_beyond_the_range_of_floats_are_exact(horizon: int) -> None:
    tight = faier.epsilon(doubling(horizon))
    assert tight.exact
    assert tight.ratio.upper == 2**horizon
    assert tight.trace is not None


def test_rows_whose_entries_differ_by_hundreds_of_bits_are_compared_as_they_are() -> None:
    """One state in which the symbol is 2^-25 times as likely as in the other: after 30 of them, 750 bits apart."""
    model = faier.HMM(
        emit={
            "rare": {"x": f"1/{2**25}", "y": f"{2**25 - 1}/{2**25}"},
            "often": {"x": "1/2", "y": "1/2"},
            "leaks": {"x": f"1/{2**24}", "y": f"{2**24 - 1}/{2**24}"},
        },
        step={"rare": {"rare": 1}, "often": {"often": 1}, "leaks": {"leaks": 1}},
    )
    beliefs = {"one": {"rare": "1/2", "often": "1/2"}, "two": {"leaks": "1/2", "often": "1/2"}}
    for horizon in (3, 30, 45):
        scenario = faier.Scenario.of(model, [("one", "two")], beliefs=beliefs, horizon=horizon)
        # The best of all words is known: only how often x was shown matters.
        best = Fraction(0)
        for n in range(horizon + 1):
            m = horizon - n
            common = Fraction(1, 2) ** horizon
            one = Fraction(1, 2**25) ** n * Fraction(2**25 - 1, 2**25) ** m + common
            two = Fraction(1, 2**24) ** n * Fraction(2**24 - 1, 2**24) ** m + common
            best = max(best, one / two, two / one)
        assert faier.epsilon(scenario).ratio.upper == best
