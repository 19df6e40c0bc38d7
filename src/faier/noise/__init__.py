"""Noise as exact distributions, to draw from in a mechanism: `faier.draw(faier.noise.bernoulli("1/3"))`.

Numbers are exact: "1/2", 1, Fraction(1, 3), a parameter's name, or an expression in parameters.
"""

from .coins import bernoulli, binomial, hypergeometric, k_ary_response, randomized_response, uniform
from .geometric import (
    discrete_laplace,
    geometric,
    least_alpha,
    renormalised_geometric,
    tailed_geometric,
    truncated_geometric,
)
from .tails import OnIntegers, Tail, lumped
from .weighted import exponential_weights

__all__ = [
    "OnIntegers",
    "Tail",
    "bernoulli",
    "binomial",
    "discrete_laplace",
    "exponential_weights",
    "geometric",
    "hypergeometric",
    "k_ary_response",
    "least_alpha",
    "lumped",
    "randomized_response",
    "renormalised_geometric",
    "tailed_geometric",
    "truncated_geometric",
    "uniform",
]
