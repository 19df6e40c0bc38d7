"""Two-sided geometric noise: on a range of counts, clamped or renormalised; on all integers, with tails as symbols."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from faier.errors import MechanismError
from faier.mechanisms.distribution import Distribution, Weight
from faier.number.exact import Prob

from .reading import remembered, share, whole


@dataclass(frozen=True, order=True)
class Tail:
    """All integers from `end` on, upwards or downwards, as one symbol.

    Between any two counts on this side of `end` they are all told apart by one and the same ratio, so that nothing is
    lost by not telling them apart from one another.
    """

    upwards: bool
    end: int

    def __str__(self) -> str:
        return f"{'>=' if self.upwards else '<='}{self.end}"

    __repr__ = __str__


@remembered
def truncated_geometric(count: int, counts: int = 2, alpha: Weight = "1/2", low: int = 0) -> Distribution:
    """Geometric noise clamped to low..counts: P(z) is as alpha^|z - count| inside, and the ends take the tails.

    >>> truncated_geometric(0, counts=2, alpha="1/2")
    Distribution({0: 2/3, 1: 1/6, 2: 1/6})
    """
    a = share(alpha, "alpha", zero=False, one=False)
    low, counts = whole(low, "low"), whole(counts, "counts")
    count = whole(count, "count")
    if not low <= count <= counts:
        raise MechanismError(f"a count lies between {low} and {counts}, got {count}")
    if low == counts:
        return Distribution({low: 1})
    row: dict[int, Prob] = {}
    for z in range(low, counts + 1):
        weight = _power(a, abs(z - count)) / (1 + a)
        row[z] = weight if z in (low, counts) else (1 - a) * weight
    return Distribution(row)


@remembered
def renormalised_geometric(count: int, counts: int = 2, alpha: Weight = "1/2", low: int = 0) -> Distribution:
    """Geometric noise on low..counts alone: P(z) = alpha^|z - count| over the sum of these.

    >>> renormalised_geometric(0, counts=2, alpha="1/2")
    Distribution({0: 4/7, 1: 2/7, 2: 1/7})
    """
    a = share(alpha, "alpha", zero=False)
    low, counts, count = whole(low, "low"), whole(counts, "counts"), whole(count, "count")
    if low > counts:
        raise MechanismError(f"low is at most counts, got {low} and {counts}")
    weights = {z: _power(a, abs(z - count)) for z in range(low, counts + 1)}
    total = sum(weights.values(), Fraction(0))
    return Distribution({z: w / total for z, w in weights.items()})


@remembered
def tailed_geometric(count: int, low: int, high: int, alpha: Weight = "1/2") -> Distribution:
    """Geometric noise on all integers; those up to `low`, and those from `high` on, are one symbol each.

    Every count that is compared lies between low and high. Nothing that tells counts apart is lost.

    >>> tailed_geometric(1, low=0, high=2, alpha="1/2")
    Distribution({<=0: 1/3, 1: 1/3, >=2: 1/3})
    """
    a = share(alpha, "alpha", zero=False, one=False)
    low, high, count = whole(low, "low"), whole(high, "high"), whole(count, "count")
    if not low <= count <= high:
        raise MechanismError(f"a count lies between low = {low} and high = {high}, got {count}")
    if low >= high:
        raise MechanismError(f"low is less than high, got {low} and {high}")
    row: dict[int | Tail, Prob] = {Tail(False, low): _power(a, count - low) / (1 + a)}
    for z in range(low + 1, high):
        row[z] = (1 - a) * _power(a, abs(z - count)) / (1 + a)
    row[Tail(True, high)] = _power(a, high - count) / (1 + a)
    return Distribution(row)


@remembered
def discrete_laplace(count: int, counts: int, bits: int) -> Distribution:
    """Balcer and Vadhan's sampler of truncated geometric noise with alpha = 2^-bits, on 0..counts.

    It draws u uniformly from 1..d and returns the least z with u <= F(z), where F(z) d is a whole number: so exactly
    that many coin flips are enough (V. Balcer and S. Vadhan, Differential Privacy on Finite Computers, 2018).
    """
    bits, counts, count = whole(bits, "bits", 1), whole(counts, "counts", 1), whole(count, "count", 0)
    if count > counts:
        raise MechanismError(f"a count lies between 0 and {counts}, got {count}")
    base: int = 1 << bits
    above = base + 1
    d: int = (2 * base + 1) * above ** (counts - 1)

    def cumulative(z: int) -> int:
        if z < 0:
            return 0
        if z == counts:
            return d
        if z <= count:
            return int(base ** (count - z) * above ** (counts - (count - z)))
        return int(d - base ** (z - count + 1) * above ** (counts - 1 - (z - count)))

    return Distribution({z: Fraction(cumulative(z) - cumulative(z - 1), d) for z in range(counts + 1)})


def _power(a: Prob, exponent: int) -> Prob:
    result = a**exponent
    assert not isinstance(result, float)
    return result
