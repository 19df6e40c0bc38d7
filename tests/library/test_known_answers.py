"""Known exact answers, through the library or a short mechanism: one test a line, which reads like the line."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

import pytest

import faier
from faier import library
from faier.noise import binomial, tailed_geometric

EVERY = faier.each_within(1)
ONE = faier.one_within(1)
JOHN = faier.record(1)


def private(mechanism: faier.Mechanism, adjacent: Any = EVERY, **options: Any) -> faier.Scenario:
    return faier.differential_privacy(mechanism, adjacent=adjacent, **options)


def tight(scenario: faier.Scenario) -> Fraction:
    found = faier.epsilon(scenario)
    assert found.exact
    assert isinstance(found.ratio.upper, Fraction)
    return found.ratio.upper


def approached(scenario: faier.Scenario) -> tuple[Fraction, dict[str, Fraction]]:
    """The supremum over all values of the parameters, which is not reached, and the values that come near it."""
    found = faier.epsilon(scenario)
    assert found.exact
    assert not found.attained
    assert isinstance(found.ratio.upper, Fraction)
    assert found.limit is not None
    return found.ratio.upper, {name: value for name, value, _ in found.limit.approach}


def test_truncated_geometric_noise_on_0_to_2() -> None:
    assert tight(private(library.truncated_geometric(counts=2, alpha="1/2"))) == 2


def test_the_same_contagious() -> None:
    """0 against 2, after ~2 or ~0."""
    scenario = faier.pufferfish(
        library.truncated_geometric(counts=2, alpha="1/2"),
        prior=faier.all_or_none("1/2", people=2),
        query=faier.count(),
        secrets=[JOHN, ~JOHN],
    )
    found = faier.epsilon(scenario)
    assert found.ratio.upper == 4
    assert found.witness is not None
    assert (found.witness.left, found.witness.word) in {("record 1 is 1", (2,)), ("not record 1 is 1", (0,))}


def test_the_same_two_people_with_rate_p_the_count_is_not_0_against_the_unconditioned_prior() -> None:
    scenario = faier.pufferfish(
        library.truncated_geometric(counts=2, alpha="1/2"),
        prior=faier.independent("p", people=2),
        parameters={"p": "0 < p < 1"},
        query=faier.count(),
        secrets=[faier.Secret("the count is not 0", any), faier.anything()],
        ratio=2,
    )
    assert isinstance(faier.verify(scenario), faier.Holds)
    assert approached(scenario) == (2, {"p": 0})


@pytest.mark.parametrize(("n", "ratio"), [(2, "12/5"), (3, "24/7"), (4, "432/113"), (5, "288/73")])
def test_noisy_max_all_move(n: int, ratio: str) -> None:
    found = faier.epsilon(private(library.noisy_max(queries=n, counts=2, alpha="1/2")))
    assert found.ratio.upper == Fraction(ratio)
    assert found.witness is not None
    if n == 5:
        shown = library.noisy_max(queries=5)
        left, right = shown.distribution((1, 1, 1, 1, 1))[1], shown.distribution((0, 2, 2, 2, 2))[1]
        assert (left, right) == (Fraction(1, 5), Fraction(73, 1440))
        assert left / right == found.witness.ratio


@pytest.mark.parametrize(("n", "ratio"), [(3, "40/21"), (5, "1312/657")])
def test_noisy_max_one_moves(n: int, ratio: str) -> None:
    assert tight(private(library.noisy_max(queries=n), adjacent=ONE)) == Fraction(ratio)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_noisy_max_ties_go_to_the_first_index(n: int) -> None:
    assert tight(private(library.noisy_max(queries=n, ties="first"))) == 2**n


def test_noisy_max_that_returns_the_value() -> None:
    noisy = library.noisy_max(queries=3, report="value")
    assert tight(private(noisy, adjacent=EVERY)) == 8
    assert tight(private(noisy, adjacent=ONE)) == 2


def counts_of(people: int, *rates: str) -> faier.Prior:
    """How many people have each disease, where everybody falls ill independently, at these rates."""
    return faier.product(*(faier.table(binomial(people, rate).map(lambda k: (k,))) for rate in rates))


def unknown(*rates: str) -> dict[str, str]:
    return {rate: f"0 < {rate} < 1" for rate in rates}


def unknown_rates(people: int, *rates: str, **options: Any) -> faier.Scenario:
    """Noisy max of the counts; the count of the first disease is at least 1, against less than all."""
    return faier.pufferfish(
        library.noisy_max(queries=len(rates), counts=people),
        prior=counts_of(people, *rates),
        secrets=[faier.record(1, *range(1, people + 1)), faier.record(1, *range(people))],
        parameters=unknown(*rates),
        **options,
    )


def test_noisy_max_of_3_at_unknown_rates_the_count_at_least_1_against_at_most_1() -> None:
    scenario = unknown_rates(2, "pA", "pB", "pC", epsilon="ln 2")
    assert isinstance(faier.verify(scenario), faier.Holds)
    assert approached(scenario) == (Fraction(40, 21), {"pA": 0, "pB": 1, "pC": 1})


def test_the_same_where_the_secret_is_johns_own_record() -> None:
    scenario = faier.pufferfish(
        library.noisy_max(queries=3),
        prior=faier.product(faier.independent("pA", 2), counts_of(2, "pB", "pC")),
        query=lambda data: (data[0] + data[1], data[2], data[3]),
        secrets=[JOHN, ~JOHN],
        parameters=unknown("pA", "pB", "pC"),
    )
    assert approached(scenario) == (Fraction(40, 21), {"pA": 0, "pB": 1, "pC": 1})


@pytest.mark.parametrize(
    ("people", "n", "ratio"),
    [
        (2, 4, "224/113"),
        (2, 5, "1312/657"),
        (3, 3, "84/43"),
        (3, 4, "904/453"),
        (4, 3, "172/87"),
        pytest.param(2, 6, "7808/3905", marks=pytest.mark.slow),
        pytest.param(4, 4, "3624/1813", marks=pytest.mark.slow),
    ],
)
def test_noisy_max_of_more_people_or_queries_at_unknown_rates(people: int, n: int, ratio: str) -> None:
    rates = [f"p{i}" for i in range(n)]
    supremum, corner = approached(unknown_rates(people, *rates))
    assert supremum == Fraction(ratio)
    assert set(corner.values()) <= {0, 1}


def family(p2: str, **options: Any) -> faier.Scenario:
    """Five diseases of two people: the first is had by both or none, the others have rates."""
    return faier.pufferfish(
        library.noisy_max(queries=5),
        prior=faier.product(faier.all_or_none("1/2", 2), counts_of(2, p2, "3/10", "4/10", "5/10")),
        query=lambda data: (data[0] + data[1], *data[2:]),
        secrets=[JOHN, ~JOHN],
        **options,
    )


def test_noisy_max_of_5_in_a_family_where_disease_1_is_all_or_none() -> None:
    unknown_rate = family("p2", parameters=unknown("p2"))
    assert approached(unknown_rate) == (Fraction(26213471, 7193368), {"p2": 1})
    assert tight(family("1/2")) == Fraction(372332141, 108657806)
    # Output 1 is the worst at both ends, where the family is a mechanism too.
    for p2, ratio in ((0, "25978441/7988302"), (1, "26213471/7193368")):
        found = faier.epsilon(family(str(p2)))
        assert found.ratio.upper == Fraction(ratio)
        assert found.witness is not None
        assert found.witness.word == (1,)


def test_noisy_max_in_a_family_breaks_ln_2_always_and_17_5_for_some_p2() -> None:
    always = faier.region(family("p2", parameters=unknown("p2"), epsilon="ln 2"), "p2")
    assert always.areas["unsafe"] == 1
    verdict = faier.verify(family("p2", parameters=unknown("p2"), ratio="17/5"))
    assert isinstance(verdict, faier.Violated)
    assert isinstance(faier.verify(family("1/100", ratio="17/5")), faier.Holds)


@pytest.mark.parametrize(("k", "t", "ratio"), [(2, "3/4", 3), (4, "3/4", 9), (3, "1/2", 2)])
def test_k_ary_randomized_response(k: int, t: str, ratio: int) -> None:
    assert tight(private(library.randomized_response(categories=k, truth=t), adjacent=faier.one_record)) == ratio


TWO_AGAINST_TWO = [((1, 1, 0, 0), (0, 0, 1, 1))]


@pytest.mark.parametrize(("reports", "ratio"), [(1, "5929/2025"), (2, "162409/21609")])
def test_rappor_reports_of_the_same_permanent_bits(reports: int, ratio: str) -> None:
    bits = library.rappor(bits=4, f="1/2", p="1/2", q="3/4")
    assert tight(private(bits, adjacent=TWO_AGAINST_TWO, horizon=reports)) == Fraction(ratio)
    if reports == 1:
        again = bits.releases(1)
        assert tight(private(again, adjacent=TWO_AGAINST_TWO)) == Fraction(ratio)


def test_rappor_any_number_of_reports() -> None:
    scenario = private(library.rappor(), adjacent=TWO_AGAINST_TWO, horizon="any", ratio=81)
    assert isinstance(faier.verify(scenario), faier.Holds)
    found = faier.epsilon(scenario)
    assert (found.ratio.upper, found.attained) == (81, False)


def test_geo_sample_with_base_2_to_the_minus_3() -> None:
    assert tight(private(library.geo_sample(counts=4, bits=3))) == Fraction(9, 8)


@pytest.mark.parametrize("n", [2, 3])
def test_permute_and_flip(n: int) -> None:
    assert tight(private(library.permute_and_flip(candidates=n, scores=3, base=2))) == 2**2


@pytest.mark.parametrize(("n", "inside", "leaving"), [(2, "3", "11/3"), (3, "17/5", "65/17")])
def test_the_exponential_mechanism(n: int, inside: str, leaving: str) -> None:
    stays = library.exponential_mechanism(candidates=n, scores=3, base=2)
    assert tight(private(stays)) == Fraction(inside)
    leaves = library.exponential_mechanism(candidates=n, low=-1, scores=4, base=2)
    known = set(stays.all_inputs())
    assert tight(private(leaves, lambda a, b: a in known and EVERY(a, b))) == Fraction(leaving)


@pytest.mark.parametrize("n", [2, 3])
def test_both_for_every_base_at_once(n: int) -> None:
    """With e^(epsilon/2) = b unknown."""
    ranges = {"b": "1 < b <= 4"}
    for entry in (library.permute_and_flip, library.exponential_mechanism):
        scenario = private(entry(candidates=n, scores=2, base="b", parameters=ranges), ratio="b^2")
        assert isinstance(faier.verify(scenario), faier.Holds)


@pytest.mark.parametrize(("k", "hidden", "fresh"), [(1, "6/5", "6/5"), (2, "9/5", "36/25")])
def test_subsampled_randomized_response(k: int, hidden: str, fresh: str) -> None:
    """q = 1/10, base 3: one hidden sample for k answers, against a fresh one for each."""
    for reused, ratio in ((True, hidden), (False, fresh)):
        mechanism = library.subsampled("randomized_response", truth="3/4", rate="1/10", reused=reused)
        assert tight(private(mechanism, adjacent=faier.one_record, horizon=k)) == Fraction(ratio)


def test_a_chain_that_flips_with_1_5_read_through_a_response_that_flips_with_1_4() -> None:
    release = library.markov_release(states=2, stay="4/5", truth="3/4")
    assert tight(release.scenario(horizon=5)) == Fraction(75099, 9097)
    anyhow = faier.epsilon(release.scenario(horizon="any")).ratio
    assert Fraction("8.35889") < anyhow.lower <= anyhow.upper < Fraction("8.35890")


@pytest.mark.parametrize(
    ("t", "ratio"),
    [(1, "75099/9097"), (2, "11271/757"), (3, "79707/4489"), (4, "11271/757"), (5, "75099/9097")],
)
def test_the_same_chain_from_its_uniform_start_5_readings_the_state_at_step_t(t: int, ratio: str) -> None:
    release = library.markov_release(states=2, stay="4/5", truth="3/4")
    assert tight(release.scenario(at=t, horizon=5)) == Fraction(ratio)


def test_that_question_by_listing_trajectories() -> None:
    """A data set is a whole trajectory, which the chain is the prior of; each of its states is told."""
    step = {s: {s: "4/5", 1 - s: "1/5"} for s in (0, 1)}
    told = faier.Mechanism(lambda path: tuple(faier.draw({s: "3/4", 1 - s: "1/4"}) for s in path))
    scenario = faier.pufferfish(
        told,
        prior=faier.markov_chain({0: "1/2", 1: "1/2"}, step, length=5),
        secrets=[faier.record(2, 0), faier.record(2, 1)],
    )
    assert tight(scenario) == Fraction(11271, 757)


def clique() -> faier.Prior:
    """4 exchangeable people, of whom 0 to 4 are ill with .1 .15 .5 .15 .1."""
    chances = [Fraction(x) for x in (".1", ".15", ".5", ".15", ".1")]
    data_sets = list(product((0, 1), repeat=4))
    alike = [sum(sum(data) == k for data in data_sets) for k in range(5)]
    return faier.table({data: chances[sum(data)] / alike[sum(data)] for data in data_sets})


@pytest.mark.parametrize("noisy", [library.truncated_geometric, library.geometric])
def test_a_clique_with_influenza_clamped_or_not(noisy: Any) -> None:
    scenario = faier.pufferfish(
        noisy(counts=4, alpha="1/2"), prior=clique(), query=faier.count(), secrets=[JOHN, ~JOHN]
    )
    assert tight(scenario) == Fraction(11, 5)


def test_dining_cryptographers_with_fair_and_with_biased_coins() -> None:
    assert tight(private(library.dining_cryptographers(heads="1/2"), adjacent=faier.one_record)) == 1
    assert tight(private(library.dining_cryptographers(heads="2/3"), adjacent=faier.one_record)) == 2
    assert tight(private(library.dining_cryptographers(people=5, heads="2/3"), adjacent=faier.one_record)) == 8


def test_crowds_one_run() -> None:
    crowd = library.crowds(honest=5, corrupt="0.091", forward="0.8")
    assert tight(private(crowd, adjacent=faier.one_record)) == Fraction(2614, 909)


def test_a_key_that_is_released_when_its_noisy_count_is_at_least_3() -> None:
    """Count 1 against the key being absent: released with 1/6, which no ratio covers."""

    @faier.mechanism(inputs=["absent", "counted once"])
    def released(key: str) -> Hashable:
        if key == "absent":
            return "no key"
        return "key" if faier.draw(tailed_geometric(1, low=0, high=3, alpha="1/2")) >= 3 else "no key"

    scenario = private(released, adjacent=faier.one_record)
    assert faier.epsilon(scenario).ratio.upper == inf
    assert [delta(scenario, ratio=c) for c in (2, 10**9)] == [Fraction(1, 6)] * 2
    reach = faier.profile(scenario, delta="1/6").reach
    assert reach is not None
    assert reach.upper < inf
    smaller = faier.profile(scenario, delta="0.16666").reach
    assert smaller is not None
    assert smaller.lower == inf


def delta(scenario: faier.Scenario, **at: Any) -> Fraction:
    """delta at a ratio or an epsilon, exactly."""
    point = faier.profile(scenario, **at).point
    assert point is not None
    assert point.delta.lower == point.delta.upper
    return point.delta.upper


@pytest.mark.parametrize(("epsilon", "answer"), [("0", "1/3"), ("ln 1.5", "1/6"), ("ln 2", "0")])
def test_delta_of_truncated_geometric_noise_on_0_to_2_for_0_and_1(epsilon: str, answer: str) -> None:
    scenario = private(library.truncated_geometric(counts=2, alpha="1/2"), inputs=[0, 1])
    assert delta(scenario, epsilon=epsilon) == Fraction(answer)


def formula(clauses: list[set[int]], variables: int) -> faier.Mechanism:
    """The reduction of appendix 1: walk through an assignment, then tell whether a random clause is met."""

    @faier.mechanism(inputs=["A'", "B'"])
    def walk(side: str) -> Hashable:
        clause = faier.draw(faier.noise.uniform(range(len(clauses))))
        assignment = tuple(faier.flip() for _ in range(variables))
        met = any(assignment[abs(x) - 1] is (x > 0) for x in clauses[clause])
        top = faier.flip(("4/5" if side == "A'" else "1/5") if met else "1/2")
        return assignment, "top" if top else "bot"

    return walk


@pytest.mark.parametrize(
    ("clauses", "variables"),
    [
        ([{1}, {-1}], 2),
        ([{1, -2}, {-1}], 2),
        ([{1, 2}, {-1, 2}, {1, -2}, {-1, -2}], 2),
        ([{1, 2, 3}, {-1, -2}, {-2, -3}, {-1, -3}], 3),
        ([{1}, {2}, {3}, {-1, -2, -3}, {1, 2}], 3),
    ],
)
def test_the_reduction_of_a_formula(clauses: list[set[int]], variables: int) -> None:
    """4 exactly when it is satisfiable; else by how many clauses are satisfiable together."""
    m, half = len(clauses), Fraction(1, 2)
    s = max(
        sum(any(values[abs(x) - 1] is (x > 0) for x in clause) for clause in clauses)
        for values in product((False, True), repeat=variables)
    )
    expected = (Fraction(4, 5) * s + (m - s) * half) / (Fraction(1, 5) * s + (m - s) * half)
    assert tight(private(formula(clauses, variables), adjacent=faier.one_record)) == expected
    assert (expected == 4) == (s == m)
