"""Priors followed record by record, against listing all data sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import faier
from faier.knowledge.following import answers, conditional, conditionals
from faier.knowledge.query import whole

STATES = "ab"


@st.composite
def rows(draw: st.DrawFn, values: Any) -> dict[Any, F]:
    weights = [draw(st.integers(0, 3)) for _ in values]
    if not any(weights):
        weights[0] = 1
    return {v: F(w, sum(weights)) for v, w in zip(values, weights, strict=True)}


@st.composite
def priors(draw: st.DrawFn, depth: int = 1) -> tuple[Any, dict[tuple, F]]:
    """A prior of a few records, and the same as a table of all data sets."""
    kinds = ["independent", "chain", "table", *(["mixture", "product"] if depth else [])]
    kind = draw(st.sampled_from(kinds))
    if kind == "independent":
        rates = draw(st.lists(st.fractions(0, 1, max_denominator=4), min_size=1, max_size=3))
        listed = {}
        for data in product((0, 1), repeat=len(rates)):
            weight = F(1)
            for bit, p in zip(data, rates, strict=True):
                weight *= p if bit else 1 - p
            listed[data] = weight
        return faier.independent(rates), listed
    if kind == "chain":
        start, step = draw(rows((0, 1))), {s: draw(rows((0, 1))) for s in (0, 1)}
        length = draw(st.integers(1, 3))
        listed = {}
        for data in product((0, 1), repeat=length):
            weight = start[data[0]]
            for one, two in pairwise(data):
                weight *= step[one][two]
            listed[data] = weight
        return faier.markov_chain(start, step, length), listed
    if kind == "table":
        length = draw(st.integers(1, 3))
        listed = draw(rows(list(product((0, 1), repeat=length))))
        return faier.table(listed), listed
    (one, a), (two, b) = draw(priors(depth=0)), draw(priors(depth=0))
    if kind == "product":
        return faier.product(one, two), {(*x, *y): p * q for x, p in a.items() for y, q in b.items()}
    if one.length != two.length:
        return one, a
    weight = draw(st.fractions(0, 1, max_denominator=5))
    mixed = {x: weight * a.get(x, F(0)) + (1 - weight) * b.get(x, F(0)) for x in {*a, *b}}
    return faier.mixture([(weight, one), (1 - weight, two)]), mixed


@settings(max_examples=150)
@given(priors(), st.data())
def test_records_one_by_one_and_data_sets_all_at_once(found: tuple[Any, dict[tuple, F]], data: st.DataObject) -> None:
    prior, listed = found
    query: Callable[[Any], Any] = data.draw(
        st.sampled_from([faier.count(), whole(), sum, faier.fold(0, max, name="largest")])
    )
    time = data.draw(st.integers(1, prior.length))
    secret = data.draw(
        st.sampled_from([faier.record(time), ~faier.record(time), faier.anything(), lambda d: sum(d) % 2 == 0])
    )
    if not isinstance(secret, faier.Secret):
        secret = faier.Secret("even", secret)
    expected: dict[Any, F] = {}
    for one, p in listed.items():
        if p and secret.holds(one[time - 1] if secret.time else one):
            expected[query(one)] = expected.get(query(one), F(0)) + p
    probability, row = answers(prior, query, secret)
    assert probability == sum(expected.values())
    assert {a: p for a, p in row.items() if p} == expected


@settings(max_examples=150)
@given(priors(), st.data())
def test_counts_given_many_secrets_at_once(found: tuple[Any, dict[tuple, F]], data: st.DataObject) -> None:
    prior, listed = found
    secrets = [s for t in range(1, prior.length + 1) for s in (faier.record(t), ~faier.record(t))]
    secrets += [faier.record(1, 0, 1), faier.anything(), faier.Secret("none", lambda d: not any(d))]
    wanted = data.draw(st.sampled_from([(1,), (0,), (0, 1), (2,)]))
    query = faier.count(*wanted)
    for secret, row in zip(secrets, conditionals(prior, query, secrets), strict=True):
        expected: dict[Any, F] = {}
        for one, p in listed.items():
            if p and secret.holds(one[secret.time - 1] if secret.time else one):
                answer = sum(x in wanted for x in one)
                expected[answer] = expected.get(answer, F(0)) + p
        total = sum(expected.values())
        assert (row is None) == (total == 0)
        assert row is None or dict(row) == {k: p / total for k, p in expected.items()}


def test_a_sum_of_what_each_record_adds() -> None:
    """Two ways of telling the same query: what it adds, and how it steps."""
    chain = faier.markov_chain({0: "1/3", 2: "2/3"}, {0: {2: "1/2", 0: "1/2"}, 2: {2: "1/5", 0: "4/5"}}, 6)
    secrets = [faier.record(t, x) for t in (1, 4, 6) for x in (0, 2)]
    total = faier.fold(0, lambda so_far, x: so_far + x)
    known = replace(total, adds=lambda x: x)
    assert conditionals(chain, known, secrets) == conditionals(chain, total, secrets)
    half = replace(total, finish=lambda so_far: so_far // 2)
    assert conditionals(chain, replace(half, adds=lambda x: x), secrets) == conditionals(chain, half, secrets)
    with pytest.raises(faier.MechanismError, match="adds a whole number of at least 0 to a sum, got -2"):
        conditionals(chain, replace(total, adds=lambda x: -x), secrets)


def test_a_count_with_unknown_rates_given_many_secrets() -> None:
    prior = faier.independent("p", 3)
    rows = conditionals(prior, faier.count(), [faier.record(2), ~faier.record(2)])
    assert [str(row[1]) for row in rows if row] == ["p^2 - 2*p + 1", "-2*p^2 + 2*p"]


def test_a_count_over_a_thousand_people() -> None:
    """Given one is ill, the other 999 are binomial."""
    row = conditional(faier.independent("1/2", 1000), faier.count(), faier.record(7))
    assert row.of(0) == 0
    assert row[1] == F(1, 2**999)
    assert row[2] == 999 * F(1, 2**999)
    assert len(row) == 1000


def test_a_count_over_a_long_chain_is_symmetric_where_the_chain_is() -> None:
    step = {"well": {"well": "3/4", "ill": "1/4"}, "ill": {"ill": "3/4", "well": "1/4"}}
    chain = faier.markov_chain({"well": "1/2", "ill": "1/2"}, step, 60)
    ill, well = (conditional(chain, faier.count("ill"), faier.record(31, state)) for state in ("ill", "well"))
    assert all(ill.of(k) == well.of(60 - k) for k in range(61))


def test_everybody_or_nobody() -> None:
    prior = faier.all_or_none("p", 5)
    probability, row = answers(prior, faier.count(), faier.record(2))
    assert str(probability) == "p"
    assert {k: str(v) for k, v in row.items()} == {5: "p"}


def test_priors_on_data_sets_that_are_no_tuples() -> None:
    prior = faier.table({"red": "1/2", "green": "1/4", "blue": "1/4"})
    row = conditional(prior, lambda colour: len(colour), faier.Secret("not red", lambda c: c != "red"))
    assert dict(row) == {5: F(1, 2), 4: F(1, 2)}
    with pytest.raises(faier.MechanismError, match="no tuples of records"):
        conditional(prior, len, faier.record(1, "red"))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: faier.independent("1/2"), "people is a whole number, at least 1, got None"),
        (lambda: faier.independent("3/2", 2), "p is to be 0 <= p <= 1"),
        (lambda: faier.independent(["1/2"], 2), "there are 1 rates for 2 people"),
        (lambda: faier.markov_chain({0: 1}, {0: {1: 1}}, 3), "the chain has no row for 1"),
        (lambda: faier.markov_chain({0: "1/2"}, {0: {0: 1}}, 3), "sums to 1/2, not 1"),
        (lambda: faier.table({(0,): "1/3"}), "sums to 1/3, not 1"),
        (
            lambda: faier.mixture([("1/2", faier.independent("1/2", 1)), ("1/2", faier.independent("1/2", 2))]),
            "different lengths",
        ),
        (lambda: faier.product(), "one part at least"),
        (lambda: faier.record(0), "numbered from 1"),
        (lambda: conditional(faier.independent("1/2", 2), faier.count(), faier.record(3)), "has 2 records"),
        (
            lambda: conditional(faier.independent("1/2", 40), whole(), faier.record(3)),
            "more than 2,000,000 cases",
        ),
        (
            lambda: conditional(faier.independent("1/2", 2), lambda d: d[5], faier.record(1)),
            "raised IndexError",
        ),
    ],
)
def test_what_is_no_prior(make: Callable[[], object], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from faier.knowledge import following

    if "cases" in message:
        monkeypatch.setattr(following, "MOST_STATES", 2_000)
        message = "more than 2,000 cases"
    with pytest.raises(faier.MechanismError, match=message):
        make()
