"""States that behave alike: T14, by brute force on models that are made of copies."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import faier
from faier.definition import forward, tight_by_definition
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.lump import alike, lumped, numbered
from faier.model.table import Table
from faier.scenario.lumping import lump
from faier.scenario.scenario import Claim, Pair, Scenario
from strategies import hmms, quick, scenarios


@st.composite
def copied(draw: st.DrawFn, model: HMM) -> HMM:
    """Every state up to three times; what moves into one is divided among its copies, anew for each copy that moves."""
    count = {s: draw(st.integers(1, 3)) for s in model.states}
    copies = {s: [f"{s}{'abc'[k]}" for k in range(count[s])] for s in model.states}
    order = draw(st.permutations([(s, c) for s in model.states for c in copies[s]]))

    def divided(row: dict[str, F]) -> dict[str, F]:
        shares: dict[str, F] = {}
        for target, value in row.items():
            weights = [draw(st.integers(0, 2)) for _ in copies[target]]
            weights[draw(st.integers(0, len(weights) - 1))] += 1
            for copy, weight in zip(copies[target], weights, strict=True):
                if weight:
                    shares[copy] = value * F(weight, sum(weights))
        return shares

    emit, step = model.emit_rows(), model.step_rows()
    return HMM(
        emit={c: emit[s] for s, c in order},
        step={c: divided(step[s]) for s, c in order if s in step},  # type: ignore[arg-type]
    )


@st.composite
def scenarios_of_copies(draw: st.DrawFn, horizons: tuple[object, ...] = (1, 2, 3)) -> Scenario:
    models = hmms(max_states=3).flatmap(copied)
    scenario: Scenario = draw(scenarios(models=models, horizons=horizons))  # type: ignore[arg-type]
    return scenario


@given(st.data())
@quick
def test_copies_are_found_and_nothing_else(data: st.DataObject) -> None:
    model = data.draw(hmms(max_states=3))
    many = data.draw(copied(model))
    small, most = lumped(many, alike(many)), lumped(model, alike(model))
    assert len(small.states) == len(most.states)
    # A model that is lumped as far as it goes has no two states alike.
    assert alike(small) == tuple(range(len(small.states)))


@given(scenarios_of_copies())
@quick
def test_every_word_keeps_both_readings(scenario: Scenario) -> None:
    small, classes = lump(scenario)
    assert len(small.model.states) == max(classes) + 1
    for pair, other in zip(scenario.pairs, small.pairs, strict=True):
        for belief, pushed in ((pair.left, other.left), (pair.right, other.right)):
            assert belief.name == pushed.name
            for length in range(4):
                for word in product(scenario.model.symbols, repeat=length):
                    before = forward(scenario.model, dict(belief.weights), word)  # type: ignore[arg-type]
                    after = forward(small.model, dict(pushed.weights), word)  # type: ignore[arg-type]
                    assert sum(before.values()) == sum(after.values())
                    assert before.get(None, 0) == after.get(None, 0)


@given(hmms(max_states=4))
@quick
def test_no_coarser_partition_is_lumpable(model: HMM) -> None:
    """Every partition into fewer classes, of states that all differ, breaks the definition."""
    found = alike(model)
    size = len(model.states)
    for partition in {numbered(p) for p in product(range(size), repeat=size)}:
        if _lumpable(model, partition):
            # Each lumpable partition divides the one that was found.
            assert len(set(zip(partition, found, strict=True))) == max(partition) + 1
    assert _lumpable(model, found)


def _lumpable(model: HMM, classes: tuple[int, ...]) -> bool:
    def behaviour(i: int) -> object:
        row = model.step.row(i)
        sums = {c: sum((p for j, p in row.items() if classes[j] == c), F(0)) for c in set(classes)}
        return model.emit.row(i), bool(row), sums

    firsts = {c: behaviour(classes.index(c)) for c in set(classes)}
    return all(behaviour(i) == firsts[c] for i, c in enumerate(classes))


@given(scenarios_of_copies())
@quick
def test_engines_answer_as_the_definition_does(scenario: Scenario) -> None:
    horizon = scenario.claim.horizon
    assert isinstance(horizon, int)
    found = faier.epsilon(scenario)
    assert found.ratio.lower == found.ratio.upper == tight_by_definition(scenario, horizon)


def test_unknown_probabilities_are_alike_where_they_are_the_same_function() -> None:
    model = HMM(
        emit={"x": {"a": "p", "b": "1-p"}, "y": {"a": "(p-p^2)/(1-p)", "b": "1-p"}, "z": {"a": "p^2", "b": "1-p^2"}},
        step={"x": {"y": "p", "z": "1-p"}, "y": {"x": "p/2", "y": "p/2", "z": "1-p"}, "z": {"z": 1}},
        parameters={"p": "0 < p < 1"},
    )
    assert alike(model) == (0, 0, 1)
    small = faier.lump(model)
    assert small.states == ("x", "z")
    assert small.step_rows()["x"] == HMM(
        emit={"x": {"a": 1}, "z": {"a": 1}}, step={"x": {"x": "p", "z": "1-p"}}, parameters={"p": "0 < p < 1"}
    ).step_rows()["x"]


def test_integer_tables_are_compared_in_lowest_terms() -> None:
    emit = Table.from_arrays(2, [0, 2, 4], [0, 1, 0, 1], [1, 1, 2, 2], [2, 4])
    step = Table.from_arrays(2, [0, 2, 3], [0, 1, 0], [1, 1, 5], [2, 5])
    assert alike(HMM.from_tables(emit, step)) == (0, 0)


def test_ending_tells_states_apart() -> None:
    model = HMM(emit={"x": {"a": 1}, "y": {"a": 1}}, step={"x": {"x": 1}})
    assert alike(model) == (0, 1)


def test_beliefs_keep_their_names_and_witnesses_name_them() -> None:
    model = HMM(
        emit={"x": {"a": "2/3", "b": "1/3"}, "y": {"a": "2/3", "b": "1/3"}, "z": {"a": "1/3", "b": "2/3"}},
        step={"x": {"y": 1}, "y": {"x": 1}, "z": {"z": 1}},
    )
    pair = Pair(Belief.of("either", {"x": "1/2", "y": "1/2"}, model), Belief.at("z"))
    found = faier.epsilon(Scenario(model, (pair,), Claim(horizon=3)))
    assert found.witness is not None
    assert (found.witness.left, found.witness.right, found.witness.ratio) == ("either", "z", 8)
    assert found.scenario.model is model


def test_streams_are_not_written_smaller() -> None:
    stream = faier.Stream(
        on={"yes": {"m": [("1", "m", "3/4"), ("0", "m", "1/4")]}, "no": {"m": [("1", "m", "1/4"), ("0", "m", "3/4")]}},
        adjacent=[("yes", "no")],
    )
    scenario = faier.Scenario.of(stream, [("m", "m")], horizon=2)
    assert faier.epsilon(scenario).ratio.upper == 9
    with pytest.raises(faier.UsageError, match="lumped where they are decided"):
        faier.lump(scenario)
