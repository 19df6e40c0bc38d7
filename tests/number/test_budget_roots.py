"""Budgets whose root is rational are rational, whatever the root."""

from __future__ import annotations

from fractions import Fraction

import pytest

import faier
from faier.errors import NumberError
from faier.number.budget import LARGEST_ROOT, Budget


@pytest.mark.parametrize("root", [2, 3, 6, 67, 134, 997])
def test_a_rational_root_is_taken(root: int):
    assert Budget(base=Fraction(3, 2) ** root, root=root) == Budget(base=Fraction(3, 2))


def test_roots_beyond_the_cap_are_refused():
    with pytest.raises(NumberError, match="root"):
        Budget(base=Fraction(2), root=LARGEST_ROOT + 1)


def test_a_word_that_meets_a_budget_with_a_root_is_decided():
    model = faier.HMM(emit={"x": {"a": "3/5", "b": "2/5"}, "y": {"a": "2/5", "b": "3/5"}})
    scenario = faier.Scenario.of(model, [("x", "y")], epsilon="ln((3/2)^67)/67", horizon=1)
    assert isinstance(faier.verify(scenario), faier.Holds)
