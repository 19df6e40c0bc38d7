"""The guarantees that the library's entries state, at other values than their defaults, with their own neighbours."""

from __future__ import annotations

from fractions import Fraction as F
from math import inf
from typing import Any

import pytest

import faier
from faier import library


def tight(name: str, settings: dict[str, Any], horizon: int = 1) -> F:
    found = faier.epsilon(faier.differential_privacy(library.entry(name)(**settings), horizon=horizon))
    assert found.exact
    assert found.ratio.upper != inf
    return F(found.ratio.upper)


@pytest.mark.parametrize(
    ("name", "settings", "ratio"),
    [
        ("randomized_response", {"categories": 5, "truth": "1/2"}, 4),
        ("randomized_response", {"categories": 3, "truth": "1/3"}, 1),
        ("truncated_geometric", {"counts": 4, "alpha": "2/3"}, F(3, 2)),
        ("geometric", {"counts": 4, "alpha": "2/3"}, F(3, 2)),
        ("geo_sample", {"counts": 3, "bits": 2}, F(5, 4)),
        ("permute_and_flip", {"candidates": 2, "scores": 2, "base": 3}, 9),
        ("binary_tree_count", {"steps": 3, "alpha": "1/3"}, 9),
        ("binary_tree_count", {"steps": 4}, 8),
        ("noisy_histogram", {"categories": 2, "people": 3, "alpha": "1/3"}, 9),
        ("k_ary_location_grid", {"truth": "1/2"}, 8),
        ("k_ary_location_grid", {"response": "geometric"}, 2**4),
        ("dining_cryptographers", {"people": 4, "heads": "3/4"}, 9),
        ("crowds", {"honest": 3, "corrupt": "1/4", "forward": "1/2"}, 6),
        ("markov_release", {"states": 3, "stay": "1/2", "truth": "1/2"}, 2),
        ("markov_count", {"length": 3, "alpha": "1/3"}, 3),
    ],
)
def test_a_tight_guarantee(name: str, settings: dict[str, Any], ratio: F) -> None:
    assert tight(name, settings) == ratio


@pytest.mark.parametrize(
    ("name", "settings", "ratio"),
    [
        ("exponential_mechanism", {"candidates": 3, "scores": 2, "base": "3/2"}, F(9, 4)),
        ("binary_tree_count", {"steps": 4, "report": "sums"}, 8),
        ("subsampled", {"mechanism": "truncated-geometric", "people": 2, "counts": 2, "rate": "1/4"}, F(5, 4)),
        ("subsampled", {"mechanism": "geometric", "people": 3, "counts": 3, "drawn": 1, "rate": 0}, F(4, 3)),
    ],
)
def test_a_guarantee_that_need_not_be_tight(name: str, settings: dict[str, Any], ratio: F) -> None:
    assert 1 < tight(name, settings) <= ratio


@pytest.mark.parametrize("reports", [1, 2, 3])
@pytest.mark.parametrize("f", ["1/4", "1/2", "3/4"])
def test_reports_of_rappor(reports: int, f: str) -> None:
    """With f, p and q as they are, and one bit on each side only."""
    bits, half = library.rappor(bits=2, f=f), F(f) / 2
    limit = ((1 - half) / half) ** 2
    found = faier.differential_privacy(bits, adjacent=[((1, 0), (0, 1))], horizon=reports)
    assert 1 < faier.epsilon(found).ratio.upper < limit


@pytest.mark.parametrize("answers", [1, 2, 3])
def test_answers_about_one_hidden_sample(answers: int) -> None:
    rate, c = F(1, 4), F(4)
    settings = {"rate": rate, "truth": "4/5"}
    assert tight("subsampled", settings, answers) == 1 + rate * (c**answers - 1)
    assert tight("subsampled", settings | {"reused": False}, answers) == (1 + rate * (c - 1)) ** answers


def test_every_entry_that_says_who_is_a_neighbour_can_be_asked_at_once() -> None:
    own = [name for name in library.__all__ if getattr(library.entry(name)(), "adjacent", None) is not None]
    assert len(own) >= 15
    for name in own:
        if name != "rappor":
            assert tight(name, {}) >= 1
