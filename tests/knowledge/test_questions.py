"""Questions about mechanisms: scenarios against hand-written ones, and known answers that read like the table."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import pytest

import faier
from faier.definition import tight_by_definition


def tight(scenario: faier.Scenario) -> F:
    found = faier.epsilon(scenario)
    assert found.exact
    return found.ratio.upper


@pytest.mark.parametrize(
    ("queries", "ratio"), [(2, F(12, 5)), (3, F(24, 7)), (4, F(432, 113)), (5, F(288, 73))]
)
def test_noisy_max_where_all_answers_may_move(queries: int, ratio: F) -> None:
    noisy = faier.library.noisy_max(queries=queries)
    assert tight(faier.differential_privacy(noisy, adjacent=faier.each_within(1))) == ratio


@pytest.mark.parametrize(("queries", "ratio"), [(3, F(40, 21)), (5, F(1312, 657))])
def test_noisy_max_where_one_answer_moves(queries: int, ratio: F) -> None:
    noisy = faier.library.noisy_max(queries=queries)
    assert tight(faier.differential_privacy(noisy, adjacent=faier.one_within(1))) == ratio


@pytest.mark.parametrize("queries", [2, 3, 4])
def test_noisy_max_with_ties_to_the_first_index(queries: int) -> None:
    noisy = faier.library.noisy_max(queries=queries, ties="first")
    assert tight(faier.differential_privacy(noisy, adjacent=faier.each_within(1))) == 2**queries


def test_noisy_max_that_returns_the_value() -> None:
    noisy = faier.library.noisy_max(queries=3, report="value")
    assert tight(faier.differential_privacy(noisy, adjacent=faier.each_within(1))) == 8
    assert tight(faier.differential_privacy(noisy, adjacent=faier.one_within(1))) == 2


@pytest.mark.parametrize("report", ["index", "value"])
@pytest.mark.parametrize("ties", ["uniform", "first"])
def test_the_distribution_of_noisy_max_is_that_of_its_paths(report: str, ties: str) -> None:
    noisy = faier.library.noisy_max(queries=3, counts=2, alpha="1/3", report=report, ties=ties)
    for answers in product(range(3), repeat=3):
        assert noisy.distribution(answers) == noisy.by_paths(answers)


def test_the_contagious_disease() -> None:
    noisy = faier.library.truncated_geometric(counts=2)
    ill = faier.record(1)
    scenario = faier.pufferfish(
        noisy, prior=faier.all_or_none("1/2", people=2), query=faier.count(), secrets=[ill, ~ill], epsilon="ln 2"
    )
    assert isinstance(faier.verify(scenario), faier.Violated)
    assert tight(scenario) == 4


def test_the_papers_example_4_as_stated_there() -> None:
    """The count is not 0, against the unconditioned prior: 2, approached as p -> 0."""
    some = faier.Secret("somebody is ill", any)
    scenario = faier.pufferfish(
        faier.library.truncated_geometric(counts=2),
        prior=faier.independent("p", people=2),
        query=faier.count(),
        secrets=[some, faier.anything()],
        parameters={"p": "0 < p < 1"},
        ratio=2,
    )
    assert isinstance(faier.verify(scenario), faier.Holds)
    found = faier.epsilon(scenario)
    assert (found.ratio.upper, found.attained) == (2, False)


def test_a_clique_with_influenza() -> None:
    """4 exchangeable people, 0 to 4 ill with .1 .15 .5 .15 .1; secret: one person's state."""
    chances = (".1", ".15", ".5", ".15", ".1")
    ways = {data: sum(data) for data in product((0, 1), repeat=4)}
    sizes = [sum(1 for n in ways.values() if n == k) for k in range(5)]
    prior = faier.table({data: F(chances[n]) / sizes[n] for data, n in ways.items()})
    ill = faier.record(1)
    for noisy in (
        faier.library.truncated_geometric(counts=4),
        faier.Mechanism(lambda count: faier.draw(faier.noise.tailed_geometric(count, 0, 4))),
    ):
        assert tight(faier.pufferfish(noisy, prior=prior, query=faier.count(), secrets=[ill, ~ill])) == F(11, 5)


def test_several_priors_are_all_compared() -> None:
    noisy = faier.library.truncated_geometric(counts=2)
    ill = faier.record(1)
    priors = [faier.independent("1/2", 2), faier.all_or_none("1/2", 2)]
    scenario = faier.pufferfish(noisy, prior=priors, query=faier.count(), secrets=[ill, ~ill])
    assert len(scenario.pairs) == 2
    apart = [tight(faier.pufferfish(noisy, prior=p, query=faier.count(), secrets=[ill, ~ill])) for p in priors]
    assert tight(scenario) == max(apart)
    assert tight_by_definition(scenario, 1) == max(apart)


def test_impossible_secrets_are_skipped() -> None:
    noisy = faier.library.truncated_geometric(counts=2)
    three = [faier.Secret(f"{k} are ill", lambda d, k=k: sum(d) == k) for k in range(3)]
    scenario = faier.pufferfish(noisy, prior=faier.all_or_none("1/2", 2), query=faier.count(), secrets=three)
    assert [(p.left.name, p.right.name) for p in scenario.pairs] == [("0 are ill", "2 are ill")]
    with pytest.raises(faier.UsageError, match="one is impossible under the prior"):
        faier.pufferfish(noisy, prior=faier.all_or_none("1/2", 2), query=faier.count(), secrets=three[:2])


def test_neighbours_of_every_kind() -> None:
    bits = faier.Mechanism(lambda data: faier.draw(faier.noise.randomized_response(sum(data) % 2)))
    inputs = list(product((0, 1), repeat=3))
    by_name = faier.differential_privacy(bits, inputs=inputs, adjacent=faier.one_record)
    by_function = faier.differential_privacy(
        bits, inputs=inputs, adjacent=lambda a, b: sum(x != y for x, y in zip(a, b, strict=True)) == 1
    )
    by_list = faier.differential_privacy(
        bits, inputs=inputs, adjacent=[(a, b) for a in inputs for b in inputs if sum(map(int.__ne__, a, b)) == 1]
    )
    sides = [{frozenset((p.left.name, p.right.name)) for p in s.pairs} for s in (by_name, by_function, by_list)]
    assert sides[0] == sides[1] == sides[2]
    assert len(by_name.pairs) == len(by_function.pairs) == len(by_list.pairs) == 12


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"adjacent": faier.each_within(1), "inputs": [(0,)]}, "no two of the inputs are neighbours"),
        ({"adjacent": 3}, "adjacent is faier.one_record"),
        ({"adjacent": [(0, 9)]}, "9, which is said to have a neighbour, is none of the inputs"),
        ({"adjacent": [0]}, "neighbours are listed as pairs"),
        ({"adjacent": faier.each_within(1), "inputs": ["a", "b"]}, "a data set of whole numbers is expected"),
    ],
)
def test_what_is_no_question(arguments: dict, message: str) -> None:
    with pytest.raises(faier.FaierError, match=message):
        faier.differential_privacy(faier.library.truncated_geometric(counts=2), **arguments)


def test_two_secrets_are_needed() -> None:
    noisy = faier.library.truncated_geometric(counts=2)
    for secrets in ([], [faier.record(1)]):
        with pytest.raises(faier.UsageError, match="two secrets at least"):
            faier.pufferfish(noisy, prior=faier.all_or_none("1/2", 2), query=faier.count(), secrets=secrets)
    with pytest.raises(faier.MechanismError, match="the range of the parameter p is not known"):
        faier.pufferfish(
            noisy, prior=faier.independent("p", 2), query=faier.count(), secrets=[faier.record(1), ~faier.record(1)]
        )


def test_what_is_not_quite_meant_is_said() -> None:
    noisy, some = faier.library.geometric(counts=3), faier.independent("1/2", people=5)
    ill = faier.record(1)
    with pytest.raises(faier.MechanismError, match="a count lies between 0 and 3, got 4"):
        faier.pufferfish(noisy, prior=some, query=faier.count(), secrets=[ill, ~ill])
    with pytest.raises(faier.MechanismError, match=r"write faier\.each_within\(1\)"):
        faier.differential_privacy(noisy, adjacent=faier.each_within)
    with pytest.raises(faier.MechanismError, match="pairs of a weight and a prior"):
        faier.mixture([some])  # type: ignore[list-item]


def test_the_parts_of_a_mixture_may_be_tables() -> None:
    mixed = faier.mixture([("1/2", {(0,): 1}), ("1/2", faier.independent("1/2", people=1))])  # type: ignore[list-item]
    ill = faier.record(1)
    asked = faier.pufferfish(faier.library.geometric(counts=1), prior=mixed, query=faier.count(), secrets=[ill, ~ill])
    assert tight(asked) == 2
