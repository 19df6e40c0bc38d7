"""Two-sided geometric noise: on a range of counts, clamped or renormalised; on all integers, with tails as symbols."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from faier.errors import MechanismError
from faier.mechanisms.distribution import Distribution, Weight
from faier.number.exact import Prob

from .reading import number, remembered, share, whole
from .tails import OnIntegers, lumped


def geometric(count: int = 0, alpha: Weight = "1/2") -> OnIntegers:
    """Two-sided geometric noise on all integers: P(z) = (1 - alpha)/(1 + alpha) alpha^|z - count|.

    Guarantee: counts that differ by d keep the ratio alpha^-d, which is tight. It has infinitely many values, so a
    mechanism draws from it with its tails as symbols, `tailed_geometric`, or clamped: `geometric(5).clamped(0, 4)`.

    >>> str(geometric(0, "1/2").of(-3)), str(geometric(0, "1/2").at_least(2))
    ('1/24', '1/6')
    """
    a = share(alpha, "alpha", zero=False, one=False)
    return OnIntegers(whole(count, "count"), ((1 - a) / (1 + a),), a, a)


@remembered
def truncated_geometric(count: int, counts: int = 2, alpha: Weight = "1/2", low: int = 0) -> Distribution:
    """Geometric noise clamped to low..counts: P(z) is as alpha^|z - count| inside, and the ends take the tails.

    Definition: (1 - alpha)/(1 + alpha) alpha^|z - count| for low < z < counts, and alpha^|z - count|/(1 + alpha) at the
    two ends. Guarantee: counts that differ by d keep the ratio alpha^-d, which is tight.

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
    inside, ends = _weights(a, counts - low)
    return Distribution(
        {z: (ends if z in (low, counts) else inside)[abs(z - count)] for z in range(low, counts + 1)}
    )


@remembered
def renormalised_geometric(count: int, counts: int = 2, alpha: Weight = "1/2", low: int = 0) -> Distribution:
    """Geometric noise on low..counts alone: P(z) = alpha^|z - count| over the sum of these.

    Guarantee: counts that differ by d keep the ratio alpha^-2d. It is less where the sums are alike: the sum of one
    count is at most alpha^-d times that of the other.

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
    """Geometric noise on all integers; those up to `low`, and those from `high` on, are one symbol each. [T15]

    Every count that is compared lies between low and high, and has the same alpha: then nothing that tells counts
    apart is lost. Guarantee: counts that differ by d keep the ratio alpha^-d, which is tight.

    >>> tailed_geometric(1, low=0, high=2, alpha="1/2")
    Distribution({<=0: 1/3, 1: 1/3, >=2: 1/3})
    """
    low, high, count = whole(low, "low"), whole(high, "high"), whole(count, "count")
    if not low <= count <= high:
        raise MechanismError(f"a count lies between low = {low} and high = {high}, got {count}")
    if low >= high:
        raise MechanismError(f"low is less than high, got {low} and {high}")
    return lumped({count: geometric(count, alpha)}, low, high)[count]


@remembered
def discrete_laplace(count: int, counts: int, bits: int) -> Distribution:
    """Balcer and Vadhan's sampler of truncated geometric noise with ratio 1 + 2^-bits, on 0..counts.

    Definition: u is drawn uniformly from 1..d, and the least z with u <= F(z) is released, where d and all F(z) are
    whole numbers: with k = bits, d = (2^(k+1) + 1) (2^k + 1)^(counts - 1), F(z) = 2^(k(count - z)) (2^k +
    1)^(counts - (count - z)) up to the count, and d - 2^(k(z - count + 1)) (2^k + 1)^(counts - 1 - (z - count)) above.
    Source: V. Balcer and S. Vadhan, Differential Privacy on Finite Computers, 2018 (GeoSample).
    Guarantee: counts that differ by 1 keep the ratio 1 + 2^-bits, which is tight.

    >>> discrete_laplace(0, counts=1, bits=3)
    Distribution({0: 9/17, 1: 8/17})
    """
    ends = sampler_steps(count, counts, bits)
    return Distribution({z: Fraction(end - before, ends[-1]) for z, (before, end) in enumerate(pairwise([0, *ends]))})


def sampler_steps(count: int, counts: int, bits: int) -> list[int]:
    """F(0), ..., F(counts) of that sampler; the last is d."""
    bits, counts, count = whole(bits, "bits", 1), whole(counts, "counts", 1), whole(count, "count", 0)
    if count > counts:
        raise MechanismError(f"a count lies between 0 and {counts}, got {count}")
    base: int = 1 << bits
    above = base + 1
    d: int = (2 * base + 1) * above ** (counts - 1)

    def cumulative(z: int) -> int:
        if z <= count:
            return int(base ** (count - z) * above ** (counts - (count - z)))
        return int(d - base ** (z - count + 1) * above ** (counts - 1 - (z - count)))

    return [*(cumulative(z) for z in range(counts)), d]


def least_alpha(distance: int, ratio: Weight, digits: int = 6) -> Fraction | None:
    """The least alpha, with so many digits, whose noise keeps the ratio between counts that differ by `distance`.

    Guarantee: alpha^-distance <= ratio, and that of the next smaller number with so many digits is not. None where no
    alpha below 1 has so few digits.

    >>> str(least_alpha(1, 2)), str(least_alpha(5, 2, digits=3))
    ('1/2', '871/1000')
    """
    distance, scale = whole(distance, "distance", 1), 10 ** whole(digits, "digits", 1)
    limit = number(ratio, "ratio")
    if not isinstance(limit, Fraction) or limit <= 1:
        raise MechanismError(f"noise keeps a ratio greater than 1, got {limit}")
    guess = min(scale, math.ceil(math.exp(-math.log(limit) / distance) * scale))
    # The float may be off by a digit; powers of fractions decide.
    while guess > 1 and Fraction(guess - 1, scale) ** distance * limit >= 1:
        guess -= 1
    while guess < scale and Fraction(max(guess, 1), scale) ** distance * limit < 1:
        guess += 1
    return Fraction(max(guess, 1), scale) if guess < scale else None


@lru_cache(maxsize=64)
def _weights(a: Prob, furthest: int) -> tuple[list[Prob], list[Prob]]:
    """(1 - a)/(1 + a) a^d and a^d/(1 + a) for every distance d, which the rows of all counts share."""
    ends: list[Prob] = [1 / (1 + a)]
    for _ in range(furthest):
        ends.append(ends[-1] * a)
    return [weight * (1 - a) for weight in ends], ends


def _power(a: Prob, exponent: int) -> Prob:
    result = a**exponent
    assert not isinstance(result, float)
    return result
