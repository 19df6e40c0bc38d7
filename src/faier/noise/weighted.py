"""Choices in proportion to powers of a base: the exponential mechanism."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

from faier.errors import MechanismError
from faier.mechanisms.distribution import Distribution, Weight
from faier.number.exact import Prob

from .reading import number, whole


def exponential_weights(
    scores: Mapping[Hashable, int] | Sequence[int], base: Weight = 2
) -> Distribution:
    """Value v with probability base^score(v) over the sum of these; of a sequence, the index from 1.

    The base is a number, a power of e such as "exp(1/2)", or an expression in parameters; scores are whole numbers.
    Source: F. McSherry and K. Talwar, Mechanism Design via Differential Privacy, 2007. Guarantee: scores that each
    move by at most 1 keep the ratio base^2 (for base >= 1).

    >>> exponential_weights({"a": 1, "b": 0}, base=2)
    Distribution({'a': 2/3, 'b': 1/3})
    """
    b = number(base, "base")
    if isinstance(b, Fraction) and b <= 0:
        raise MechanismError(f"base is greater than 0, got {b}")
    named = dict(scores) if isinstance(scores, Mapping) else dict(enumerate(scores, 1))
    if not named:
        raise MechanismError("there is nothing to choose from")
    weights: dict[Hashable, Prob] = {}
    least = min(whole(score, f"the score of {value!r}") for value, score in named.items())
    for value, score in named.items():
        weight = b ** (score - least)
        assert not isinstance(weight, float)
        weights[value] = weight
    total = sum(weights.values(), Fraction(0))
    return Distribution({value: weight / total for value, weight in weights.items()})
