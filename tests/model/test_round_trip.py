"""What is written reads back the same."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faier.errors import ModelError
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.toml_write import dumps, string
from faier.scenario.load import loads
from faier.scenario.scenario import Claim, Pair, Scenario
from strategies import scenarios


@given(scenarios(horizons=(1, 3, "any")))
@settings(max_examples=200)
def test_scenarios_read_back_equal(scenario: Scenario) -> None:
    text = dumps(scenario)
    again = loads(text)
    assert again == scenario
    assert dumps(again) == text


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(
    st.lists(texts, min_size=2, max_size=4, unique=True),
    st.lists(texts, min_size=1, max_size=3, unique=True),
    texts,
)
def test_any_names_survive(states: list[str], symbols: list[str], title: str) -> None:
    model = HMM(
        emit={s: {x: Fraction(1, len(symbols)) for x in symbols} for s in states},
        step={states[0]: {states[1]: 1}},
    )
    scenario = Scenario.of(model, [(states[0], states[1])], title=title)
    assert loads(dumps(scenario)) == scenario


def test_the_order_of_symbols_survives_with_zeros() -> None:
    model = HMM(emit={"s": {"never": 0, "b": "1/2", "a": "1/2"}, "t": {"a": 1}})
    scenario = Scenario.of(model, [("s", "t")])
    assert loads(dumps(scenario)).model.symbols == ("never", "b", "a")
    late = HMM(emit={"s": {"b": 1}, "t": {"a": 1, "b": 0}, "u": {"never": 0, "b": 1}})
    assert loads(dumps(Scenario.of(late, [("s", "t")]))).model == late


def test_parameters_and_constraints_survive() -> None:
    model = HMM(
        emit={"s": {"a": "p0", "b": "p1"}, "t": {"a": "(1-p0)^2/2", "b": "1-(1-p0)^2/2"}},
        parameters={"p0": "0 < p0 < 1", "p1": "0 < p1 < 1"},
        constraints=["p0 + p1 == 1"],
    )
    scenario = Scenario.of(
        model, [("mix", "s")], beliefs={"mix": {"s": "p0^2", "t": "1-p0^2"}}, ratio="1/p0^2", horizon=2
    )
    again = loads(dumps(scenario))
    assert again == scenario
    assert not again.model.is_constant


def test_names_that_are_not_strings_are_written_by_their_labels() -> None:
    model = HMM(emit={(0, 1): {1: "1/2", 2: "1/2"}, 3: {2: 1}}, step={(0, 1): {3: 1}})
    again = loads(dumps(Scenario.of(model, [((0, 1), 3)], ratio=2, horizon="any")))
    assert again.model.states == ("(0, 1)", "3")
    assert again.model.symbols == ("1", "2")
    assert again.pairs[0].left == Belief.at("(0, 1)")


def test_names_that_would_be_written_alike_are_refused() -> None:
    model = HMM(emit={1: {"a": 1}, "1": {"a": 1}})
    with pytest.raises(ModelError, match="would both be written '1'"):
        dumps(Scenario.of(model, [(1, "1")]))


def test_beliefs_that_share_a_name_get_names_of_their_own() -> None:
    model = HMM(emit={"s": {"a": 1}, "t": {"a": 1}})
    even, one = Belief.of("b", {"s": "1/2", "t": "1/2"}, model), Belief.of("b", {"s": 1}, model)
    like_a_state = Belief.of("s", {"t": 1}, model)
    scenario = Scenario.of(model, [(even, one), (like_a_state, "s"), (one, even)])
    again = loads(dumps(scenario))
    for pair, other in zip(scenario.pairs, again.pairs, strict=True):
        assert (pair.left.weights, pair.right.weights) == (other.left.weights, other.right.weights)
    assert again.pairs[0].left == again.pairs[2].right
    assert again.pairs[1].left.name == "s_2"


def test_every_part_of_a_claim_survives() -> None:
    model = HMM(emit={"s": {"a": 1}, "t": {"a": 1}})
    pair = Pair(Belief.at("s"), Belief.at("t"), one_way=True)
    for claim in (
        Claim(),
        Claim(horizon=10**30),
        Claim(horizon="any", possible="both"),
        Claim(delta=Fraction(1, 7), horizon=2),
    ):
        scenario = Scenario(model, (pair,), claim, {}, "a title")
        assert loads(dumps(scenario)) == scenario


def test_long_numbers_survive() -> None:
    tiny = Fraction(1, 3**9000)
    model = HMM(emit={"s": {"a": tiny, "b": 1 - tiny}, "t": {"a": 1}})
    scenario = Scenario.of(model, [("s", "t")], ratio=10**4000)
    assert loads(dumps(scenario)) == scenario


def test_half_a_surrogate_pair_cannot_be_written() -> None:
    with pytest.raises(ModelError, match="surrogate"):
        string("\ud800")
