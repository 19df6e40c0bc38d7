"""Noise: probabilities against their definitions, and the lumped tails against many integers."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import combinations, pairwise, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

import faier
from faier import noise

ALPHA = st.fractions(F(1, 20), F(19, 20), max_denominator=20)


@given(st.integers(1, 8), ALPHA, st.data())
def test_clamped_geometric_noise(counts: int, alpha: F, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, counts))
    row = noise.truncated_geometric(count, counts, alpha)
    for z in range(1, counts):
        assert row[z] == (1 - alpha) / (1 + alpha) * alpha ** abs(z - count)
    # The ends take what lies beyond them: the sum of a geometric series.
    assert row[0] == alpha**count / (1 + alpha)
    assert row[counts] == alpha ** (counts - count) / (1 + alpha)


@given(st.integers(1, 8), ALPHA, st.data())
def test_renormalised_geometric_noise(counts: int, alpha: F, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, counts))
    row = noise.renormalised_geometric(count, counts, alpha)
    assert all(row[z] * alpha ** abs(y - count) == row[y] * alpha ** abs(z - count) for z in row for y in row)


@given(st.integers(1, 6), ALPHA, st.data())
def test_tails_are_sums_and_tell_counts_apart_as_each_of_their_integers_does(
    width: int, alpha: F, data: st.DataObject
) -> None:
    """Every integer of a tail has the ratio of the tail, so lumping them changes no ratio."""
    one, two = (data.draw(st.integers(0, width)) for _ in range(2))
    rows = [noise.tailed_geometric(count, 0, width, alpha) for count in (one, two)]

    def exactly(count: int, z: int) -> F:
        return (1 - alpha) / (1 + alpha) * alpha ** abs(z - count)

    tails = [z for z in rows[0] if isinstance(z, noise.Tail)]
    assert len(tails) == 2
    for tail in tails:
        integers = range(width, width + 40) if tail.upwards else range(0, -40, -1)
        ratio = rows[0][tail] / rows[1][tail]
        assert all(exactly(one, z) / exactly(two, z) == ratio for z in integers)
        rest = rows[0][tail] - sum(exactly(one, z) for z in integers)
        assert rest == rows[0][tail] * alpha**40


def test_tails_have_short_names() -> None:
    assert sorted(map(str, noise.tailed_geometric(0, 0, 2))) == ["1", "<=0", ">=2"]


def test_a_parameter_for_the_noise() -> None:
    row = noise.truncated_geometric(0, 2, "alpha")
    assert str(row[0]) == "1/(alpha + 1)"
    assert noise.truncated_geometric(0, 2, faier.parameter("alpha")) == row


def test_balcer_and_vadhan() -> None:
    """A sampler by whole numbers of what is clamped geometric noise with alpha = 8/9."""
    rows = [noise.discrete_laplace(c, counts=4, bits=3) for c in range(5)]
    assert rows == [noise.truncated_geometric(c, 4, F(8, 9)) for c in range(5)]
    d = 17 * 9**3
    assert all((p * d).denominator == 1 for row in rows for p in row.values())
    assert max(a[z] / b[z] for a, b in pairwise(rows) for z in a) == F(9, 8)


@given(st.integers(1, 3), st.integers(1, 3))
def test_balcer_and_vadhan_by_their_uniform_number(counts: int, bits: int) -> None:
    """The least z with u <= F(z), for every u from 1 to d, where F is written out as in the paper."""
    k, base = bits, 2**bits + 1
    d = (2 ** (k + 1) + 1) * base ** (counts - 1)
    for c in range(counts + 1):
        upper = {
            z: 2 ** (k * (c - z)) * base ** (counts - (c - z))
            if z <= c
            else d - 2 ** (k * (z - c + 1)) * base ** (counts - 1 - (z - c))
            for z in range(counts)
        }
        upper[counts] = d
        drawn = [min(z for z in upper if u <= upper[z]) for u in range(1, d + 1)]
        row = noise.discrete_laplace(c, counts, bits)
        assert all(row.of(z) == F(drawn.count(z), d) for z in range(counts + 1))


@given(st.integers(0, 8), st.fractions(0, 1, max_denominator=7))
def test_binomial(n: int, p: F) -> None:
    assert all(noise.binomial(n, p).of(k) == comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1))


@given(st.integers(0, 8), st.data())
def test_hypergeometric(population: int, data: st.DataObject) -> None:
    marked, drawn = (data.draw(st.integers(0, population)) for _ in range(2))
    row = noise.hypergeometric(population, marked, drawn)
    assert sum(k * p for k, p in row.items()) * population == marked * drawn
    # Every sample is as likely as any other.
    samples = list(combinations(range(population), drawn))
    found = [sum(member < marked for member in sample) for sample in samples]
    assert all(p == F(found.count(k), len(samples)) for k, p in row.items())


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=4), st.fractions(F(1, 3), 4, max_denominator=5))
def test_exponential_weights(scores: list[int], base: F) -> None:
    row = noise.exponential_weights(scores, base)
    for (i, one), (j, two) in product(enumerate(scores, 1), repeat=2):
        assert row[i] == row[j] * base ** (one - two)
    assert sum(row.values()) == 1


def test_exponential_weights_with_a_power_of_e() -> None:
    row = noise.exponential_weights([0, 1], "exp(1/2)")
    assert row[1] == faier.Distribution({0: "1/(1 + exp(1/2))", 1: "exp(1/2)/(1 + exp(1/2))"})[0]


@given(st.integers(2, 5), st.fractions(0, 1, max_denominator=6))
def test_responses(categories: int, truth: F) -> None:
    for own in range(categories):
        row = noise.k_ary_response(own, categories, truth)
        assert row.of(own) == truth
        assert {row.of(z) for z in range(categories) if z != own} == {(1 - truth) / (categories - 1)}


def test_what_is_equal_in_python_is_not_mixed_up() -> None:
    """A distribution that was made for other arguments, which Python holds to be equal, is not used again."""
    assert [type(z) for z in noise.uniform([1, 0])] == [int, int]
    assert [type(z) for z in noise.uniform([True, False])] == [bool, bool]
    assert [type(z) for z in noise.k_ary_response(True, (True, False))] == [bool, bool]
    assert noise.truncated_geometric(0, 2, F(1, 2)) is noise.truncated_geometric(0, 2, F(1, 2))
    for wrong in (lambda: noise.truncated_geometric(0, 2, 0.5), lambda: noise.truncated_geometric(False, 2, F(1, 2))):
        with pytest.raises(faier.MechanismError):
            wrong()


def test_small_ones() -> None:
    assert noise.hypergeometric(5, 2, 3).of(2) == F(3, 10)
    assert dict(noise.bernoulli("1/3")) == {1: F(1, 3), 0: F(2, 3)}
    assert dict(noise.uniform("abc")) == {c: F(1, 3) for c in "abc"}
    assert dict(noise.randomized_response(1)) == {1: F(3, 4), 0: F(1, 4)}
    assert dict(noise.k_ary_response(2, 4)) == {2: F(3, 4), 0: F(1, 12), 1: F(1, 12), 3: F(1, 12)}
    assert dict(noise.exponential_weights({"a": 3, "b": 1}, 2)) == {"a": F(4, 5), "b": F(1, 5)}
    assert str(noise.exponential_weights([1, 0], "b")[1]) == "b/(b + 1)"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: noise.truncated_geometric(3, 2), "a count lies between 0 and 2, got 3"),
        (lambda: noise.truncated_geometric(0, 2, "3/2"), "alpha is to be 0 < alpha < 1, got 3/2"),
        (lambda: noise.truncated_geometric(0, 2, 0.5), "write it as a string"),
        (lambda: noise.truncated_geometric("0", 2), "count is a whole number, got '0'"),
        (lambda: noise.tailed_geometric(5, 0, 2), "lies between low = 0 and high = 2"),
        (lambda: noise.binomial(-1), "n is at least 0, got -1"),
        (lambda: noise.bernoulli("5/4"), "p is to be 0 <= p <= 1, got 5/4"),
        (lambda: noise.hypergeometric(2, 3, 1), "of 2 no 3 can be marked or drawn"),
        (lambda: noise.k_ary_response(0, 1), "categories is at least 2, got 1"),
        (lambda: noise.geometric(0, 0), "alpha is to be 0 < alpha < 1, got 0"),
        (lambda: faier.noise.uniform(()), "needs at least one value"),
        (lambda: noise.uniform([]), "needs at least one value"),
        (lambda: noise.k_ary_response("x", ("a", "b")), "'x' is none of the categories 'a', 'b'"),
        (lambda: noise.exponential_weights([1], 0), "base is greater than 0, got 0"),
        (lambda: noise.exponential_weights({}), "nothing to choose from"),
        (lambda: noise.discrete_laplace(0, 4, 0), "bits is at least 1, got 0"),
    ],
)
def test_what_is_no_noise(make, message: str) -> None:
    with pytest.raises(faier.MechanismError, match=message):
        make()
