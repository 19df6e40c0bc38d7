"""The known exact answers, one test a line, through the engine."""

from __future__ import annotations

import math
from fractions import Fraction as F
from itertools import product
from math import prod

import pytest
from headers import scenario

import faier
import reference
from faier.model.hmm import HMM
from faier.scenario.scenario import Scenario


def tight(name: str | Scenario, **options: object) -> F | float:
    """The exact tight ratio of an example file or a scenario, reached by its witness."""
    result = faier.epsilon(scenario(name) if isinstance(name, str) else name, **options)
    assert result.ratio.lower == result.ratio.upper, str(result)
    assert result.witness is not None
    assert result.witness.ratio == result.ratio.lower
    return result.ratio.lower


def test_truncated_geometric_neighbours() -> None:
    assert tight("truncated_geometric") == 2


def test_contagious_disease() -> None:
    assert tight("contagious") == 4
    witness = faier.epsilon(scenario("contagious")).witness
    assert (witness.left, witness.right, witness.word) == ("sick", "well", ("~2",))
    assert (witness.left_probability, witness.right_probability) == (F(2, 3), F(1, 6))


def test_contagious_disease_breaks_ln_2_and_keeps_ln_4() -> None:
    assert isinstance(faier.verify(scenario("contagious"), epsilon="ln 2"), faier.Violated)
    assert isinstance(faier.verify(scenario("contagious"), epsilon="ln 4"), faier.Holds)


@pytest.mark.parametrize(
    ("name", "ratio"),
    [
        ("noisy_max_2", F(12, 5)),
        ("noisy_max_3", F(24, 7)),
        ("noisy_max_4", F(432, 113)),
        ("large/noisy_max_5", F(288, 73)),
    ],
)
def test_noisy_max_all_move(name: str, ratio: F) -> None:
    assert tight(name) == ratio


def test_noisy_max_of_five_has_the_known_witness() -> None:
    result = faier.epsilon(scenario("large/noisy_max_5"))
    assert math.isclose(math.log(result.ratio.lower), 1.3725010389875, abs_tol=1e-12)
    model = scenario("large/noisy_max_5").model
    assert reference.probability(model, {"11111": F(1)}, ("1",)) == F(1, 5)
    assert reference.probability(model, {"02222": F(1)}, ("1",)) == F(73, 1440)
    assert result.witness.ratio == F(1, 5) / F(73, 1440)
    assert (result.witness.left, result.witness.right, result.witness.word) == ("11111", "02222", ("1",))


@pytest.mark.parametrize(
    ("name", "ratio"), [("noisy_max_3_one", F(40, 21)), ("large/noisy_max_5_one", F(1312, 657))]
)
def test_noisy_max_one_moves(name: str, ratio: F) -> None:
    assert tight(name) == ratio


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("noisy_max_2_first", 2),
        ("noisy_max_3_first", 3),
        ("noisy_max_4_first", 4),
        ("large/noisy_max_5_first", 5),
    ],
)
def test_noisy_max_with_ties_to_the_first_index(name: str, count: int) -> None:
    assert tight(name) == 2**count


@pytest.mark.parametrize(
    ("people", "queries", "ratio"),
    [
        (2, 3, F(40, 21)),
        (2, 4, F(224, 113)),
        (2, 5, F(1312, 657)),
        (2, 6, F(7808, 3905)),
        (3, 3, F(84, 43)),
        (3, 4, F(904, 453)),
        (4, 3, F(172, 87)),
        (4, 4, F(3624, 1813)),
    ],
)
def test_noisy_max_with_unknown_rates_at_its_worst_corner(people: int, queries: int, ratio: F) -> None:
    """pA -> 0 and all others -> 1: the first count is 1 against 0, and everybody has the other diseases."""
    rest = (people,) * (queries - 1)
    emit = {"one": noisy_max(people, (1, *rest)), "none": noisy_max(people, (0, *rest))}
    assert tight(Scenario.of(HMM(emit=emit), [("one", "none")], horizon=1)) == ratio


def noisy_max(people: int, counts: tuple[int, ...]) -> dict[str, F]:
    """The index of the largest count under truncated 1/2-geometric noise, ties broken uniformly."""

    def noise(count: int, noisy: int) -> F:
        edge = noisy in (0, people)
        return F(1, 2) ** abs(noisy - count) * (F(2, 3) if edge else F(1, 3))

    row: dict[str, F] = {}
    for noisy in product(range(people + 1), repeat=len(counts)):
        winners = [str(i) for i, v in enumerate(noisy, 1) if v == max(noisy)]
        for winner in winners:
            weight = prod(map(noise, counts, noisy), start=F(1, len(winners)))
            row[winner] = row.get(winner, F(0)) + weight
    return row


@pytest.mark.parametrize(
    ("p2", "ratio"),
    [
        (F(0), F(25978441, 7988302)),
        (F(1, 2), F(372332141, 108657806)),
        (F(1), F(26213471, 7193368)),
    ],
)
def test_noisy_max_in_a_family(p2: F, ratio: F) -> None:
    question = family(p2)
    assert tight(question) == ratio
    assert faier.epsilon(question).witness.word == ("1",)
    assert isinstance(faier.verify(question, epsilon="ln 2"), faier.Violated)


def test_noisy_max_in_a_family_output_3_breaks_nothing() -> None:
    for p2 in (F(0), F(1, 2), F(1)):
        question = family(p2)
        ill, well = (
            reference.probability(question.model, side.weights, ("3",))
            for side in (question.pairs[0].left, question.pairs[0].right)
        )
        assert F(1, 2) < ill / well < 1


def family(p2: F) -> Scenario:
    """The example file with another rate of disease 2."""
    rates = (p2, F(3, 10), F(4, 10), F(5, 10))
    counts = [((1 - p) ** 2, 2 * p * (1 - p), p**2) for p in rates]
    beliefs = {
        name: {
            "".join(map(str, (first, *rest))): prod(
                (c[i] for c, i in zip(counts, rest, strict=True)), start=F(1)
            )
            for rest in product(range(3), repeat=4)
        }
        for name, first in (("ill", 2), ("well", 0))
    }
    model = scenario("noisy_max_family").model
    return Scenario.of(model, [("ill", "well")], beliefs=beliefs, ratio=2, horizon=1)


def test_noisy_max_in_a_family_file() -> None:
    assert tight("noisy_max_family") == F(372332141, 108657806)


def test_an_independent_disease_approaches_ratio_2_as_it_gets_rare() -> None:
    """At p: left (0, (2-2p)/(2-p), p/(2-p)), right ((1-p)^2, 2p(1-p), p^2); 2 is the value at p = 0."""

    def at(p: F) -> F | float:
        beliefs = {
            "ill": {"1": (2 - 2 * p) / (2 - p), "2": p / (2 - p)},
            "prior": {"0": (1 - p) ** 2, "1": 2 * p * (1 - p), "2": p**2},
        }
        model = scenario("independent").model
        return tight(Scenario.of(model, [("ill", "prior")], beliefs=beliefs, horizon=1))

    assert at(F(0)) == 2
    assert F("1.999") < at(F(1, 10**4)) < 2
    assert at(F(1, 2)) == tight("independent") == F(27, 20)


def test_noisy_max_that_returns_the_value() -> None:
    assert tight("noisy_max_3_value") == 8
    assert tight("noisy_max_3_value_one") == 2


@pytest.mark.parametrize("queries", range(1, 11))
def test_above_threshold_in_the_papers_encoding(queries: int) -> None:
    assert tight("above_threshold", horizon=2 * queries + 1) == 2**queries


@pytest.mark.parametrize("queries", range(1, 11))
def test_above_threshold_with_threshold_2(queries: int) -> None:
    assert tight("above_threshold_t2", horizon=2 * queries + 1) == 2**queries


def test_above_threshold_without_possible_both() -> None:
    assert tight("above_threshold", horizon=2, possible="either") == math.inf


def test_above_threshold_is_tight_on_bot_after_one_query() -> None:
    assert faier.epsilon(scenario("above_threshold"), horizon=3).witness.word[-1] == "bot"


def test_above_threshold_top_alone() -> None:
    """Of the words with one answer that is top: 25/14."""
    near = [(j, k) for j, k in product(range(3), repeat=2) if abs(j - k) <= 1]
    starts = [((f"t{t}r{j}", f"u:t{t}r{k}"), ("_", f"{j}{k}", "top")) for t in range(3) for j, k in near]
    assert max(max(r, 1 / r) for r in (word_ratio(*pair, word) for pair, word in starts)) == F(25, 14)


@pytest.mark.parametrize(("n", "ratio"), [(1, F(143, 38)), (2, F(271, 35)), (4, F(4156, 131))])
def test_above_threshold_the_papers_family(n: int, ratio: F) -> None:
    word = ("_", *("12", "bot") * n, "21", "top")
    assert word_ratio("t2r1", "u:t2r2", word) == ratio
    assert tight("above_threshold_t2", horizon=2 * n + 3) > ratio


@pytest.mark.parametrize("threshold", range(3))
def test_above_threshold_the_counterexample_of_table_1(threshold: int) -> None:
    word = ("_", "01", "bot", "12", "bot", "12", "bot", "12", "bot", "21", "top")
    assert word_ratio(f"t{threshold}r0", f"u:t{threshold}r1", word) == 20


def word_ratio(left: str, right: str, word: tuple[str, ...]) -> F:
    model = scenario("above_threshold").model
    one, two = (reference.probability(model, {state: F(1)}, word) for state in (left, right))
    return one / two


@pytest.mark.parametrize(
    ("k", "truth", "ratio"), [(2, F(3, 4), 3), (4, F(3, 4), 9), (3, F(1, 2), 2), (10, F(9, 10), 81)]
)
def test_randomised_response_over_k_values(k: int, truth: F, ratio: int) -> None:
    values = [str(i) for i in range(k)]
    emit = {v: {w: truth if v == w else (1 - truth) / (k - 1) for w in values} for v in values}
    pairs = [(v, w) for v in values for w in values if v < w]
    assert ratio == truth * (k - 1) / (1 - truth)
    assert tight(Scenario.of(HMM(emit=emit), pairs, horizon=1)) == ratio


@pytest.mark.parametrize(("reports", "ratio"), [(1, F(5929, 2025)), (2, F(162409, 21609))])
def test_rappor(reports: int, ratio: F) -> None:
    assert tight("rappor", horizon=reports) == ratio


def test_rappor_once() -> None:
    assert tight("rappor_once") == F(5929, 2025)


def test_rappor_for_ever_approaches_81_and_does_not_reach_it() -> None:
    assert isinstance(faier.verify(scenario("rappor"), ratio=81), faier.Holds)
    assert isinstance(faier.verify(scenario("rappor"), ratio=50), faier.Violated)
    result = faier.epsilon(scenario("rappor"), tolerance="1/1000")
    assert F(8091, 100) < result.ratio.lower <= 81 <= result.ratio.upper < F(8109, 100)


def test_exact_sampler_of_balcer_and_vadhan() -> None:
    assert tight("geo_sample") == F(9, 8)


@pytest.mark.parametrize("count", [2, 3])
def test_permute_and_flip(count: int) -> None:
    assert tight(f"permute_and_flip_{count}") == 4


@pytest.mark.parametrize(
    ("name", "ratio"),
    [
        ("exponential_2", F(3)),
        ("exponential_3", F(17, 5)),
        ("exponential_2_leaving", F(11, 3)),
        ("exponential_3_leaving", F(65, 17)),
    ],
)
def test_exponential_mechanism(name: str, ratio: F) -> None:
    assert tight(name) == ratio


def test_subsampled_randomised_response_with_one_hidden_sample() -> None:
    assert tight("subsampled_reused", horizon=1) == F(6, 5)
    assert tight("subsampled_reused", horizon=2) == F(9, 5)
    assert tight("subsampled_fresh") == F(36, 25)


def test_activity_chain() -> None:
    result = faier.epsilon(scenario("activity_chain"))
    assert F("8.35889") < result.ratio.lower <= result.ratio.upper < F("8.35890")


def test_activity_chain_of_five_readings() -> None:
    assert tight("activity_chain_5") == F(75099, 9097)


@pytest.mark.parametrize("name", ["flu_clique", "flu_clique_unclamped"])
def test_flu_clique(name: str) -> None:
    assert tight(name) == F(11, 5)


def test_dining_cryptographers() -> None:
    assert tight("dining_cryptographers") == 1
    assert tight("dining_cryptographers_faulty") == 2


def test_crowds() -> None:
    assert tight("crowds") == F(2614, 909)


def test_the_reduction_of_a_formula() -> None:
    """4 where all clauses can be satisfied; (4s/5 + (m-s)/2) / (s/5 + (m-s)/2) where only s of m can."""
    assert tight(one_way("formula_satisfiable")) == 4
    m, s = 2, 1
    assert tight(one_way("formula_unsatisfiable")) == (F(4 * s, 5) + F(m - s, 2)) / (F(s, 5) + F(m - s, 2))


def one_way(name: str) -> Scenario:
    question = scenario(name)
    pairs = [faier.Pair(pair.left, pair.right, one_way=True) for pair in question.pairs]
    return Scenario.of(question.model, pairs, horizon=question.claim.horizon)
