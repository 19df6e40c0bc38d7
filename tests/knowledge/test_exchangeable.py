"""Records that are exchangeable: the smaller question has the same answers, and wrong declarations are refused."""

from __future__ import annotations

import json
import random
from fractions import Fraction as F
from itertools import permutations, product
from pathlib import Path

import pytest

import faier
from faier.knowledge import exchangeable
from faier.mechanisms.mechanism import Mechanism
from faier.model.toml_write import dumps
from faier.scenario.scenario import Scenario

RELATIONS = {
    "each_within": faier.each_within(1),
    "one_within": faier.one_within(1),
    "one_record": faier.one_record,
}


def tight(scenario: Scenario) -> F:
    found = faier.epsilon(scenario)
    assert found.exact
    return found.ratio.upper


def every_way(mechanism: Mechanism, adjacent: object) -> list[F]:
    """The tight ratio of all data sets, of kinds shown by how records are read, of kinds shown by listing."""
    return [
        tight(faier.differential_privacy(mechanism, adjacent=adjacent, exchangeable=False)),
        tight(faier.differential_privacy(mechanism, adjacent=adjacent, exchangeable=True)),
        tight(
            faier.differential_privacy(
                mechanism, adjacent=adjacent, exchangeable=True, inputs=mechanism.all_inputs()
            )
        ),
    ]


@pytest.mark.parametrize(
    ("queries", "counts", "adjacent", "ratio"),
    [
        (2, 2, "each_within", F(12, 5)),
        (3, 2, "each_within", F(24, 7)),
        (4, 2, "each_within", F(432, 113)),
        (3, 2, "one_within", F(40, 21)),
        (4, 2, "one_within", F(224, 113)),
        (3, 2, "one_record", None),
        (3, 3, "one_record", None),
        (3, 3, "each_within", None),
    ],
)
def test_noisy_max_has_the_ratio_of_all_data_sets(
    queries: int, counts: int, adjacent: str, ratio: F | None
) -> None:
    noisy = faier.library.noisy_max(queries=queries, counts=counts)
    found = every_way(noisy, RELATIONS[adjacent])
    assert len(set(found)) == 1
    assert ratio is None or found[0] == ratio


@pytest.mark.parametrize("adjacent", RELATIONS)
def test_noisy_max_that_returns_the_value(adjacent: str) -> None:
    noisy = faier.library.noisy_max(queries=3, report="value", alpha="1/3")
    found = every_way(noisy, RELATIONS[adjacent])
    assert len(set(found)) == 1


def test_known_answers_at_five_queries() -> None:
    noisy = faier.library.noisy_max(queries=5)
    all_move = faier.differential_privacy(noisy, adjacent=faier.each_within(1), exchangeable=True)
    found = faier.epsilon(all_move)
    assert found.ratio.lower == found.ratio.upper == F(288, 73)
    assert found.witness is not None
    assert (found.witness.left, found.witness.right) == ("(1, 1, 1, 1, 1)", "(0, 2, 2, 2, 2)")
    assert found.witness.word == (1,)
    assert found.witness.left_probability == F(1, 5)
    assert found.witness.right_probability == F(73, 1440)
    assert len(all_move.model.states) == 45
    one_moves = faier.differential_privacy(noisy, adjacent=faier.one_within(1), exchangeable=True)
    assert tight(one_moves) == F(1312, 657)


def test_ten_queries_are_asked_by_symmetry_without_being_told() -> None:
    noisy = faier.library.noisy_max(queries=10)
    scenario = faier.differential_privacy(noisy, adjacent=faier.each_within(1))
    assert len(scenario.model.states) == 165
    # The worst neighbours are those of smaller sizes: all counts 1, against one 0 and 2 otherwise.
    own, rest = noisy.distribution((0,) + (2,) * 9).of(1), noisy.distribution((1,) * 10).of(1)
    assert rest == F(1, 10)
    assert tight(scenario) == rest / own


@pytest.mark.parametrize("seed", range(12))
def test_random_mechanisms_are_accepted_only_where_order_does_not_matter(seed: int) -> None:
    chance = random.Random(seed)
    memories, length = 3, 3
    commutes = seed % 2 == 0
    tables = [
        [[chance.randint(1, 4) for _ in range(memories)] for _ in range(memories if not commutes else 1)]
        for _ in range(2)
    ]
    releases = [[chance.randint(1, 5) for _ in range(2)] for _ in range(memories)]

    def read(memory: int, record: int) -> int:
        weights = tables[record][0 if commutes else memory]
        drawn = faier.draw({k: F(w, sum(weights)) for k, w in enumerate(weights)})
        # A sum of independent draws does not depend on their order; a walk by a table of its own does.
        return (memory + drawn) % memories if commutes else drawn

    def release(memory: int) -> str:
        one, two = releases[memory]
        return str(faier.draw({"x": F(one, one + two), "y": F(two, one + two)}))

    made = faier.by_record(0, read, release, values=[0, 1], length=length, name="random")
    symmetric = all(
        made.distribution(data) == made.distribution(other)
        for data in product((0, 1), repeat=length)
        for other in permutations(data)
    )
    assert symmetric == commutes
    if symmetric:
        found = every_way(made, faier.one_record)
        assert len(set(found)) == 1
        return
    with pytest.raises(faier.MechanismError, match=r"not exchangeable: it releases '[xy]' with probability"):
        faier.differential_privacy(made, adjacent=faier.one_record, exchangeable=True)
    with pytest.raises(faier.MechanismError, match=r"not exchangeable: it releases '[xy]' with probability"):
        faier.differential_privacy(
            made, adjacent=faier.one_record, exchangeable=True, inputs=made.all_inputs()
        )


@pytest.mark.parametrize("adjacent", RELATIONS)
@pytest.mark.parametrize("entry", ["exponential_mechanism", "permute_and_flip"])
def test_candidates_are_exchangeable(entry: str, adjacent: str) -> None:
    mechanism = faier.library.entry(entry)(candidates=3, scores=2, base="3/2")
    found = every_way(mechanism, RELATIONS[adjacent])
    assert len(set(found)) == 1


@pytest.mark.parametrize(("entry", "ratio"), [("exponential_mechanism", F(11, 3)), ("permute_and_flip", F(4))])
def test_five_candidates(entry: str, ratio: F) -> None:
    mechanism = faier.library.entry(entry)(candidates=5)
    scenario = faier.differential_privacy(mechanism)
    assert len(scenario.model.states) == 140
    assert tight(scenario) == ratio


def test_the_exponential_mechanism_of_every_base() -> None:
    mechanism = faier.library.exponential_mechanism(candidates=3, base="b", parameters={"b": "1 < b < 3"})
    scenario = faier.differential_privacy(mechanism, exchangeable=True, ratio="b^2")
    assert isinstance(faier.verify(scenario), faier.Holds)


@pytest.mark.parametrize("adjacent", RELATIONS)
@pytest.mark.parametrize("seed", range(3))
def test_random_lotteries_have_the_ratio_of_all_data_sets(seed: int, adjacent: str) -> None:
    chance = random.Random(seed)
    tickets = [chance.randint(1, 9) for _ in range(3)]

    def read(memory: tuple[int, int], record: int, mine: bool) -> tuple[int, int]:
        total, own = memory
        drawn = faier.draw([(tickets[record], F(2, 3)), (tickets[0], F(1, 3))])
        return total + drawn, drawn if mine else own

    def release(memory: tuple[int, int]) -> bool:
        total, own = memory
        return own > 0 and faier.flip(F(own, total))

    lottery = faier.by_record((0, 0), read, release, values=[2, 0, 1], length=3, picks=True, name="lottery")
    for data in ((0, 1, 2), (2, 2, 0)):
        moved = lottery.distribution((data[1], data[2], data[0]))
        assert [moved.of(k) for k in (3, 1, 2)] == [lottery.distribution(data).of(k) for k in (1, 2, 3)]
        assert lottery.by_paths(data) == lottery.distribution(data)
    found = every_way(lottery, RELATIONS[adjacent])
    assert len(set(found)) == 1


def test_a_mechanism_by_record_says_which_data_sets_are_neighbours() -> None:
    total = faier.by_record(
        0, lambda so_far, bit: so_far + bit, lambda ones: faier.draw(faier.noise.truncated_geometric(ones, 12)),
        values=[0, 1], length=12, adjacent="one_record", name="total",
    )  # fmt: skip
    scenario = faier.differential_privacy(total)
    assert len(scenario.model.states) == 13
    assert not scenario.ratios_only
    assert tight(scenario) == 2


def test_unknown_noise_is_exchangeable_too() -> None:
    noisy = faier.library.noisy_max(queries=3, alpha=faier.parameter("a"), parameters={"a": "1/4 <= a <= 1/2"})
    scenario = faier.differential_privacy(noisy, adjacent=faier.one_within(1), exchangeable=True, ratio=4)
    assert len(scenario.model.states) == 18
    at = faier.library.noisy_max(queries=3, alpha="1/3")
    fixed = faier.differential_privacy(at, adjacent=faier.one_within(1))
    assert tight(scenario.fixing({"a": "1/3"})) == tight(fixed)


def test_ties_to_the_first_index_are_not_exchangeable() -> None:
    noisy = faier.library.noisy_max(queries=3, ties="first")
    with pytest.raises(
        faier.MechanismError, match=r"not exchangeable: it releases 1 with probability .* for \(0, 0, 0\), and 2 with"
    ):
        faier.differential_privacy(noisy, adjacent=faier.each_within(1), exchangeable=True)
    assert tight(faier.differential_privacy(noisy, adjacent=faier.each_within(1))) == 8


def test_too_many_data_sets_to_look_at_are_refused() -> None:
    noisy = faier.library.noisy_max(queries=20, ties="first")
    with pytest.raises(faier.UsageError, match=r"more than 200,000 data sets.*faier\.by_record"):
        faier.differential_privacy(noisy, adjacent=faier.each_within(1), exchangeable=True)


def test_one_record_that_is_favoured_is_found_out() -> None:
    @faier.mechanism(inputs=list(product((0, 1), repeat=3)))
    def second(data: tuple[int, ...]) -> int:
        return data[1] if faier.flip("3/4") else sum(data)

    with pytest.raises(faier.MechanismError, match=r"second is not exchangeable: it releases 1 with probability 1 for"):
        faier.differential_privacy(second, adjacent=faier.one_record, exchangeable=True)


def test_a_mine_that_depends_on_when_it_is_read_is_found_out() -> None:
    def read(memory: tuple[int, int], record: int, mine: bool) -> tuple[int, int]:
        seen, place = memory
        return seen + 1, seen + 1 if mine else place

    early = faier.by_record(
        (0, 0), read, lambda memory: memory[1] == 1, values=[0, 1], length=4, picks=True, name="early"
    )
    assert early.distribution((0, 1, 0, 1)) == faier.Distribution({1: 1})
    with pytest.raises(faier.MechanismError, match=r"early is not exchangeable: for .* it releases 2 with"):
        faier.differential_privacy(early, adjacent=faier.one_record, exchangeable=True)


def test_places_that_are_never_or_doubly_picked_are_found_out() -> None:
    def read(memory: bool, record: int, mine: bool) -> bool:
        return memory or (mine and record == 1)

    ones = faier.by_record(False, read, lambda mine: mine, values=[0, 1], length=2, picks=True, name="ones")
    with pytest.raises(faier.MechanismError, match=r"ones: for \(0, 0\) the probabilities .* sum to 0, not 1"):
        faier.differential_privacy(ones, adjacent=faier.one_record, exchangeable=True)


def test_neighbours_that_are_not_symmetric_are_refused() -> None:
    noisy = faier.library.noisy_max(queries=2)

    def only_first(one: tuple[int, ...], two: tuple[int, ...]) -> bool:
        return one[1] == two[1]

    with pytest.raises(faier.MechanismError, match=r"neighbours are not exchangeable: \(0, 0\) and \(1, 0\) are"):
        faier.differential_privacy(noisy, adjacent=only_first, exchangeable=True)


def test_a_symmetric_relation_that_is_a_function() -> None:
    noisy = faier.library.noisy_max(queries=3)

    def total(one: tuple[int, ...], two: tuple[int, ...]) -> bool:
        return abs(sum(one) - sum(two)) <= 1

    plain, reduced = (
        tight(faier.differential_privacy(noisy, adjacent=total, exchangeable=said)) for said in (False, True)
    )
    assert plain == reduced


@pytest.mark.parametrize("adjacent", RELATIONS)
def test_witnesses_name_neighbours(adjacent: str) -> None:
    noisy = faier.library.noisy_max(queries=3, counts=3)
    scenario = faier.differential_privacy(noisy, adjacent=RELATIONS[adjacent], exchangeable=True)
    for pair in scenario.pairs:
        one, two = (tuple(int(x) for x in b.name.strip("()").split(", ")) for b in (pair.left, pair.right))
        moved = [abs(x - y) for x, y in zip(one, two, strict=True) if x != y]
        assert moved
        assert adjacent == "each_within" or len(moved) == 1
        assert adjacent == "one_record" or max(moved) == 1
        for belief, data in ((pair.left, one), (pair.right, two)):
            (state,) = belief.weights
            assert noisy.distribution(data).of(1) == noisy.distribution(state).of(1)


def test_the_certificate_is_checked_against_the_smaller_model(tmp_path: Path) -> None:
    noisy = faier.library.noisy_max(queries=7)
    scenario = faier.differential_privacy(noisy, adjacent=faier.each_within(1), ratio=4)
    model, proof = tmp_path / "model.toml", tmp_path / "proof.json"
    model.write_text(dumps(scenario), encoding="utf-8")
    verdict = faier.verify(scenario)
    assert isinstance(verdict, faier.Holds)
    proof.write_text(json.dumps(faier.certify(verdict)), encoding="utf-8")
    assert "4" in str(faier.check(proof, model))
    assert tight(faier.load(model)) == tight(scenario)


def test_what_looks_at_every_output_is_refused() -> None:
    noisy = faier.library.noisy_max(queries=3)
    with pytest.raises(faier.UsageError, match="keeps ratios; ask with exchangeable=False"):
        faier.differential_privacy(noisy, adjacent=faier.each_within(1), exchangeable=True, possible="both")
    reduced = faier.differential_privacy(noisy, adjacent=faier.each_within(1), exchangeable=True)
    with pytest.raises(faier.UsageError, match="a profile looks at every output"):
        faier.profile(reduced, ratio=2)
    with pytest.raises(faier.UsageError, match="a delta looks at every output"):
        faier.verify(reduced, ratio=2, delta="1/10")
    value = faier.library.noisy_max(queries=3, report="value")
    faier.differential_privacy(value, adjacent=faier.each_within(1), exchangeable=True, possible="both")


def test_memories_that_only_python_takes_for_the_same_are_told_apart() -> None:
    def read(memory: object, record: int) -> object:
        return True if record else 1

    named = faier.by_record(1, read, lambda memory: repr(memory), values=[0, 1], length=2, name="named")
    with pytest.raises(faier.MechanismError, match="the memories 1 and True are equal in Python"):
        faier.differential_privacy(named, adjacent=faier.one_record, exchangeable=True)


def test_what_is_not_exchangeable_and_cannot_be_listed_says_why() -> None:
    last = faier.by_record(0, lambda memory, record: record, lambda memory: memory, values=[0, 1], length=30)
    with pytest.raises(faier.MechanismError, match="not exchangeable: it releases 1 with probability 1 for"):
        faier.differential_privacy(last, adjacent=faier.one_record)


def test_runs_of_many_releases_are_refused() -> None:
    process = faier.Process(start=lambda data: {data: 1}, emit=lambda bits: {sum(bits): 1}, inputs=[(0, 1), (1, 0)])
    with pytest.raises(faier.UsageError, match="releases again and again"):
        faier.differential_privacy(process, adjacent=faier.any_two, exchangeable=True)


def test_a_delta_is_asked_of_all_data_sets() -> None:
    value = faier.library.permute_and_flip(candidates=5)
    scenario = faier.differential_privacy(value, adjacent=faier.one_within(1), ratio=2, delta="1/10")
    assert len(scenario.model.states) == 4**5


def test_a_number_for_a_parameter_brings_no_merged_output_back() -> None:
    noisy = faier.library.noisy_max(queries=2, alpha="a")
    asked = {"adjacent": faier.each_within(1), "parameters": {"a": "0 < a < 1"}}
    small = faier.differential_privacy(noisy, exchangeable=True, **asked).fixing({"a": "1/2"})
    full = faier.differential_privacy(noisy, exchangeable=False, **asked).fixing({"a": "1/2"})
    assert faier.epsilon(small).ratio == faier.epsilon(full).ratio
    assert faier.profile(full, ratio=1).points[0].delta.upper > 0
    for question in (
        lambda: faier.profile(small, ratio=1),
        lambda: faier.verify(small, ratio=1, delta="1/10"),
        lambda: faier.epsilon(small, possible="both"),
        lambda: faier.compose(small, 2),
    ):
        with pytest.raises(faier.UsageError, match="looks at every output"):
            question()


def test_more_kinds_of_neighbours_than_can_be_listed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchangeable, "MOST_KINDS", 1000)
    noisy = faier.library.noisy_max(queries=10)
    with pytest.raises(faier.MechanismError, match="more than 1,000 kinds of neighbours among data sets of 10 records"):
        faier.differential_privacy(noisy, adjacent=faier.each_within(1), exchangeable=True)
