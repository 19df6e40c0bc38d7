"""Streams as step functions: their tables, questions about them, runs at random, and mistakes that read well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

import pytest
from scipy import stats

import faier
from faier.mechanisms import answering
from faier.mechanisms.answering import Step


@faier.stream(start=0, inputs=["yes", "no"], adjacent=[("yes", "no")])
def twice(answered: int, truth: str) -> Step:
    """Two answers, each a randomised response."""
    said = truth if faier.flip("3/4") else faier.draw({"yes": "1/2", "no": "1/2"})
    return faier.emit(said, answered + 1) if answered == 0 else faier.stop(said)


def test_the_table_has_all_memories_that_can_be_reached() -> None:
    table = twice.table([("yes", "no")])
    assert table.memories == (0, 1)
    assert table.adjacent == (("yes", "no"),)
    assert set(table.answers["yes", 0]) == {("yes", 1, F(7, 8)), ("no", 1, F(1, 8))}
    assert set(table.answers["no", 1]) == {("yes", None, F(1, 8)), ("no", None, F(7, 8))}


def test_a_question_about_a_stream() -> None:
    scenario = faier.differential_privacy(twice, horizon=2)
    assert scenario.title == "twice"
    assert faier.epsilon(scenario).ratio.upper == 49
    assert faier.epsilon(scenario, horizon="any").ratio.upper == 49
    assert faier.epsilon(faier.differential_privacy(twice, horizon=1)).ratio.upper == 7
    assert isinstance(faier.verify(faier.differential_privacy(twice, ratio=49, horizon=5)), faier.Holds)
    assert isinstance(faier.verify(faier.differential_privacy(twice, ratio=48, horizon=5)), faier.Violated)


def test_a_start_that_is_drawn_is_a_belief_of_its_own() -> None:
    @faier.stream(start={"low": "1/3", "start": "2/3"}, inputs=[0, 1])
    def above(limit: str, count: int) -> Step:
        return faier.stop("top") if count > (limit == "start") - 1 else faier.emit("bot", limit)

    scenario = faier.differential_privacy(above, adjacent=faier.each_within(1), horizon=1)
    (pair,) = scenario.written.pairs  # type: ignore[union-attr]
    assert pair.left.name == "start'"
    assert dict(pair.left.weights) == {"low": F(1, 3), "start": F(2, 3)}


def test_probabilities_of_a_stream_may_have_parameters() -> None:
    p = faier.parameter("p")

    @faier.stream(start="m", inputs=[0, 1], adjacent=faier.any_two, parameters={"p": "0 < p <= 1/2"})
    def noisy(memory: str, bit: int) -> Step:
        return faier.emit(1 - bit if faier.flip(p) else bit, memory)

    scenario = faier.differential_privacy(noisy, horizon=2)
    broken = faier.verify(scenario, ratio=4)
    assert isinstance(broken, faier.Violated)
    assert broken.witness.left_probability <= 1
    assert faier.epsilon(scenario.fixing({"p": "1/3"})).ratio.upper == 4


def test_runs_at_random_agree_with_the_table() -> None:
    stream = faier.library.above_threshold()
    inputs = [0, 1, 1, 2]
    word_of = {}
    row = {memory: F(p) for memory, p in stream.start.items()}
    level: dict[tuple[Any, ...], dict[Any, F]] = {(): row}
    table = stream.table()
    for asked in inputs:
        longer: dict[tuple[Any, ...], dict[Any, F]] = {}
        for word, memories in level.items():
            for memory, weight in memories.items():
                for said, then, p in table.answers[asked, memory]:
                    if then is None:
                        word_of[*word, said] = word_of.get((*word, said), F(0)) + weight * p
                    else:
                        found = longer.setdefault((*word, said), {})
                        found[then] = found.get(then, F(0)) + weight * p
        level = longer
    expected = word_of | {word: sum(memories.values()) for word, memories in level.items()}
    assert sum(expected.values()) == 1
    seen = Counter(stream.sample(inputs, 200_000, seed=7))
    assert set(seen) == {word for word, p in expected.items() if p}
    counts = [(seen[word], float(p) * 200_000) for word, p in expected.items() if p]
    assert stats.chisquare([c for c, _ in counts], [e for _, e in counts]).pvalue > 1e-4
    runs = Counter(stream.run(inputs, seed=k) for k in range(3_000))
    assert set(runs) <= set(seen)
    assert list(stream.sample(inputs, 5, seed=3)) == list(stream.sample(inputs, 5, seed=3))
    assert list(stream.sample([], 2, seed=1)) == [(), ()]
    assert len(stream.sample(inputs, 0, seed=1)) == 0


def made(function: Callable[..., Any], **options: Any) -> faier.StreamMechanism:
    return faier.stream(**({"start": 0, "inputs": [0, 1]} | options))(function)


@pytest.mark.parametrize(
    ("stream", "match"),
    [
        (made(lambda m, a: None), "returned nothing; a step returns faier.emit"),
        (made(lambda m, a: a), "returned 0; a step returns faier.emit"),
        (made(lambda m, a: faier.emit([a], m)), "not hashable; return a tuple"),
        (made(lambda m, a: faier.emit(a, [m])), "a memory must be hashable"),
        (made(lambda m, a: faier.emit(a, 0.5)), "it remembers the float 0.5"),
        (made(lambda m, a: faier.emit(a, None)), "the memory that follows is None"),
        (made(lambda m, a: faier.emit(faier.draw({0: "1/2"}), m)), "sums to 1/2, not 1"),
        (made(lambda m, a: 1 / 0), "ZeroDivisionError"),
        (made(lambda m, a: faier.emit(a, True if m == 1 else 1), start=1), "Python takes for equal"),
        (made(lambda m, a: faier.emit(a, m), inputs=None), "does not say what it may be asked"),
        (made(lambda m, a: faier.emit(faier.flip(faier.parameter("p")), m)), "uses the parameter p, whose range"),
    ],
)
def test_mistakes_of_a_step_function(stream: faier.StreamMechanism, match: str) -> None:
    with pytest.raises(faier.MechanismError, match=match):
        stream.table()


def test_more_memories_than_can_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "MOST_MEMORIES", 50)
    counting = made(lambda m, a: faier.emit(a, m + a))
    with pytest.raises(faier.MechanismError, match=r"more than 50 memories, such as 50; .* remember less"):
        counting.table()
    # A sampler needs only the memories that it meets.
    assert list(counting.sample([1, 1, 0], 2, seed=1)) == [(1, 1, 0)] * 2


def test_mistakes_in_what_a_stream_is_made_of() -> None:
    with pytest.raises(faier.MechanismError, match="a step function of memory and input"):
        faier.stream(start=0)(3)  # type: ignore[arg-type]
    with pytest.raises(faier.MechanismError, match="a plain function"):
        made((lambda m, a: (yield m)))
    with pytest.raises(faier.MechanismError, match="starts with the memory None"):
        made(lambda m, a: faier.stop(a), start=None)
    with pytest.raises(faier.MechanismError, match="must be hashable"):
        made(lambda m, a: faier.stop(a), start=[])
    with pytest.raises(faier.UsageError, match="does not say which inputs are neighbours"):
        faier.differential_privacy(made(lambda m, a: faier.stop(a)))
    with pytest.raises(faier.UsageError, match="no two of the inputs are neighbours"):
        faier.differential_privacy(made(lambda m, a: faier.stop(a), inputs=[0, 5]), adjacent=faier.each_within(1))
    with pytest.raises(faier.NotYetError, match="priors on the inputs of a stream"):
        faier.pufferfish(twice, prior={"yes": 1}, secrets=[])  # type: ignore[arg-type]


def test_an_error_is_shown_with_the_line_of_the_step() -> None:
    @faier.stream(start=0, inputs=[0, 1], adjacent=faier.any_two)
    def broken(memory: int, asked: int) -> Step:
        raise KeyError(asked)

    with pytest.raises(faier.MechanismError, match=r"it raised KeyError: 0 \(line \d+ of test_answering\.py\)"):
        faier.differential_privacy(broken, horizon=1)
