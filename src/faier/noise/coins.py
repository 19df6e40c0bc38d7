"""Coins and urns: Bernoulli, binomial and hypergeometric counts, uniform draws, and randomised responses."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from math import comb

from faier.errors import MechanismError
from faier.mechanisms.distribution import Distribution, Weight
from faier.number.exact import Prob

from .reading import remembered, share, whole


@remembered
def bernoulli(p: Weight = "1/2") -> Distribution:
    """1 with probability p, else 0.

    >>> bernoulli("1/3")
    Distribution({1: 1/3, 0: 2/3})
    """
    heads = share(p, "p")
    return Distribution({1: heads, 0: 1 - heads})


@remembered
def binomial(n: int, p: Weight = "1/2") -> Distribution:
    """How many of n independent coins show heads, each with probability p: n! / (k! (n-k)!) p^k (1-p)^(n-k).

    What a Poisson sample holds of n records, too.

    >>> binomial(2, "1/3")
    Distribution({0: 4/9, 1: 4/9, 2: 1/9})
    """
    n, heads = whole(n, "n", 0), share(p, "p")
    row: dict[int, Prob] = {}
    for k in range(n + 1):
        weight = comb(n, k) * heads**k * (1 - heads) ** (n - k)
        assert not isinstance(weight, float)
        row[k] = weight
    return Distribution(row)


@remembered
def hypergeometric(population: int, marked: int, drawn: int) -> Distribution:
    """How many of the marked are among those drawn without putting back: subsampling of a fixed size.

    Definition: C(marked, k) C(population - marked, drawn - k) / C(population, drawn). Guarantee: one record more or
    less is in the sample with probability drawn/population; a mechanism of ratio c on the sample keeps
    1 + drawn/population (c - 1) for a changed record.

    >>> hypergeometric(4, 2, 2)
    Distribution({0: 1/6, 1: 2/3, 2: 1/6})
    """
    population, marked, drawn = (
        whole(v, n, 0) for v, n in ((population, "population"), (marked, "marked"), (drawn, "drawn"))
    )
    if marked > population or drawn > population:
        raise MechanismError(f"of {population} no {max(marked, drawn)} can be marked or drawn")
    all_ = comb(population, drawn)
    return Distribution(
        {k: Fraction(comb(marked, k) * comb(population - marked, drawn - k), all_) for k in range(drawn + 1)}
    )


def uniform(values: Iterable[Hashable]) -> Distribution:
    """Each of the values, counted once, with the same probability.

    >>> uniform([1, 2, 2])
    Distribution({1: 1/2, 2: 1/2})
    """
    listed = list(dict.fromkeys(values))
    if not listed:
        raise MechanismError("a uniform draw needs at least one value")
    return _uniform(tuple(listed))


@remembered
def _uniform(values: tuple[Hashable, ...]) -> Distribution:
    return Distribution({value: Fraction(1, len(values)) for value in values})


@remembered
def randomized_response(bit: Hashable, truth: Weight = "3/4") -> Distribution:
    """A bit (0 or 1, or False or True) as it is with probability `truth`, else the other one.

    Source: S. Warner, Randomized Response, 1965. Guarantee: with truth >= 1/2 the two bits keep the ratio
    truth/(1 - truth), which is tight.

    >>> randomized_response(1, "3/4")
    Distribution({1: 3/4, 0: 1/4})
    """
    if bit not in (0, 1):
        raise MechanismError(f"a bit is 0 or 1, got {bit!r}")
    t = share(truth, "truth")
    return Distribution({int(bool(bit)): t, 1 - int(bool(bit)): 1 - t})


@remembered
def k_ary_response(value: Hashable, categories: tuple[Hashable, ...] | int, truth: Weight = "3/4") -> Distribution:
    """A category as it is with probability `truth`, else one of the others, each alike.

    Source: P. Kairouz, S. Oh and P. Viswanath, Extremal Mechanisms for Local Differential Privacy, 2014. Guarantee:
    with k categories and truth >= 1/k every two keep the ratio truth (k - 1)/(1 - truth), which is tight.

    >>> k_ary_response(0, categories=4, truth="3/4")
    Distribution({0: 3/4, 1: 1/12, 2: 1/12, 3: 1/12})
    """
    among = tuple(range(whole(categories, "categories", 2))) if isinstance(categories, int) else tuple(categories)
    if value not in among:
        raise MechanismError(f"{value!r} is none of the categories {', '.join(map(repr, among))}")
    if len(among) < 2:
        raise MechanismError("a response needs at least two categories")
    t = share(truth, "truth")
    return Distribution({c: t if c == value else (1 - t) / (len(among) - 1) for c in among})
