"""Randomised response."""

from __future__ import annotations

from collections.abc import Mapping

from faier.mechanisms.choices import draw
from faier.mechanisms.distribution import Weight
from faier.mechanisms.mechanism import Mechanism
from faier.noise import k_ary_response
from faier.noise.reading import whole


def randomized_response(
    categories: int = 2, truth: Weight = "3/4", parameters: Mapping[str, str] | None = None
) -> Mechanism:
    """A person's category, told with probability `truth`; else one of the others, each alike.

    Definition: categories are 0, 1, ..., and P(z | c) is truth for z = c, (1 - truth)/(categories - 1) otherwise.
    Source: S. Warner, Randomized Response: A Survey Technique for Eliminating Evasive Answer Bias, 1965; for several
    categories P. Kairouz, S. Oh and P. Viswanath, Extremal Mechanisms for Local Differential Privacy, 2014.
    Guarantee: with truth >= 1/categories any two categories keep the ratio truth (categories - 1)/(1 - truth), which is
    tight: 3 for two categories and 3/4, 9 for four.
    """
    categories = whole(categories, "categories", 2)

    def mechanism(category: int) -> int:
        found: int = draw(k_ary_response(category, categories, truth))
        return found

    return Mechanism(
        mechanism,
        inputs=range(categories),
        adjacent="any_two",
        parameters=parameters,
        name="randomized_response",
    )
