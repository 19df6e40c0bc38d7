"""Mechanisms that release again and again: their words by three ways, and questions about them."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

import faier
from faier.definition import forward


@st.composite
def rows(draw: st.DrawFn, values: list[str]) -> dict[str, F]:
    weights = [draw(st.integers(0, 3)) for _ in values]
    weights[draw(st.integers(0, len(values) - 1))] += 1
    return {v: F(w, sum(weights)) for v, w in zip(values, weights, strict=True)}


@given(st.data(), st.integers(1, 4))
def test_words_by_forward_by_paths_and_by_the_model(data: st.DataObject, length: int) -> None:
    hidden = ["u", "v", "end"]
    start, *others = (data.draw(rows(hidden)) for _ in range(3))
    step = {"u": others[0], "v": others[1]}
    emit = {h: data.draw(rows(["a", "b"])) for h in hidden}
    process = faier.Process(lambda _: start, emit.__getitem__, step.get, inputs=["only"])
    words = process.releases(length).distribution("only")
    assert words == process.releases(length).by_paths("only")
    assert process.distribution("only") == process.by_paths("only")
    model = process.model()
    for word, p in words.items():
        after = forward(model, dict(process.starts("only")), word)
        assert p == (sum(after.values()) if len(word) == length else after[None])


def test_a_response_that_is_remembered_tells_no_more_the_second_time() -> None:
    kept = faier.Process(
        start=lambda bit: faier.noise.randomized_response(bit, "3/4"), emit=lambda bit: {bit: 1}, inputs=[0, 1]
    )
    for horizon in (1, 5, "any"):
        found = faier.epsilon(faier.differential_privacy(kept, adjacent=faier.one_record, horizon=horizon))
        assert (found.exact, found.ratio.upper) == (True, 3)


def test_what_is_known_of_the_data_is_passed_on_to_what_is_hidden() -> None:
    fresh = faier.Process(start=lambda bit: {bit: 1}, emit=faier.noise.randomized_response, inputs=[0, 1])
    scenario = faier.pufferfish(
        fresh,
        prior=faier.all_or_none("1/2", 2),
        query=lambda data: data[1],
        secrets=[faier.record(1), ~faier.record(1)],
        horizon=3,
    )
    assert faier.epsilon(scenario).ratio.upper == 27


def test_a_memory_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faier.mechanisms.process.MOST_HIDDEN", 100)
    counter = faier.Process(lambda _: {0: 1}, lambda h: {"tick": 1}, lambda h: {h + 1: 1}, inputs=[0])
    with pytest.raises(faier.MechanismError, match="more than 100 hidden states"):
        counter.model()


def test_parameters_anywhere_need_ranges() -> None:
    kept = faier.Process(lambda bit: {bit: "1-f", 1 - bit: "f"}, lambda bit: {bit: 1}, inputs=[0, 1])
    with pytest.raises(faier.MechanismError, match="range of the parameter f is not known"):
        faier.differential_privacy(kept, adjacent=faier.one_record)
    scenario = faier.differential_privacy(
        kept, adjacent=faier.one_record, parameters={"f": "1/4 <= f <= 1/2"}, horizon=2, ratio=3
    )
    assert isinstance(faier.verify(scenario), faier.Holds)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: faier.Process(lambda _: {0: "1/2"}, lambda h: {h: 1}).distribution(1), "process, the start for 1"),
        (lambda: faier.Process(lambda _: {0: 1}, lambda h: {h: 0}).distribution(1), "what is released in 0: the"),
        (lambda: faier.Process(lambda _: {0: 1}, lambda h: {h: 1}).releases(0), "number of releases is at least 1"),
        (lambda: faier.Process(lambda _: {0: 1}, lambda h: {h: 1}).model(), "does not say which data sets"),
    ],
)
def test_what_is_no_process(make, message: str) -> None:
    with pytest.raises(faier.MechanismError, match=message):
        make()
