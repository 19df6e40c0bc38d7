"""How far apart two distributions of a number are, in the worst case: what the Wasserstein mechanism calibrates to."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from faier.errors import MechanismError
from faier.scenario.scenario import Scenario


def wasserstein(scenario: Scenario) -> int:
    """The largest infinity-Wasserstein distance of the two beliefs of a pair, as distributions of whole numbers.

    The least W such that one can be turned into the other by moving no probability further than W. Guarantee:
    geometric noise on the number with alpha^-W <= ratio keeps the ratio, clamped or not, as Laplace noise does in
    S. Song, Y. Wang and K. Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data, 2017 (Theorem 3.2). Less
    noise may do: `faier.calibrate` finds out.

    >>> import faier
    >>> noisy = faier.library.truncated_geometric(counts=2)
    >>> ill = faier.record(1)
    >>> wasserstein(
    ...     faier.pufferfish(noisy, prior=faier.all_or_none("1/2", 2), query=faier.count(), secrets=[ill, ~ill])
    ... )
    2
    """
    return max(distance(pair.left.weights, pair.right.weights) for pair in scenario.pairs)


def distance(one: Mapping[Any, Any], two: Mapping[Any, Any]) -> int:
    """Guarantee: the infinity-Wasserstein distance, exactly: the largest difference of two quantiles of one level."""
    rows: list[list[tuple[int, Fraction]]] = []
    for weights in (one, two):
        if not all(isinstance(n, int) and not isinstance(n, bool) for n in weights):
            raise MechanismError("a Wasserstein distance is one between distributions of whole numbers")
        if not all(isinstance(p, Fraction) for p in weights.values()):
            raise MechanismError("the distributions depend on parameters; give them values, scenario.fixing({...})")
        rows.append(sorted((n, p) for n, p in weights.items() if p))
    largest, (left, right) = 0, rows
    i = j = 0
    p, q = left[0][1], right[0][1]
    # Quantiles of both rise together; between two levels at which either changes both stay the same.
    while True:
        largest = max(largest, abs(left[i][0] - right[j][0]))
        common = min(p, q)
        p, q = p - common, q - common
        if not p:
            i += 1
        if not q:
            j += 1
        if i == len(left) or j == len(right):
            return largest
        p, q = p or left[i][1], q or right[j][1]
