"""Delta of streams, against the game that defines it: an adversary picks inputs answer by answer."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import faier
from faier.model.toml_write import dumps
from faier.number.budget import Budget
from faier.scenario.scenario import Scenario
from faier_check import CertificateError, check
from strategies import quick, stream_scenarios

sys.path.insert(0, str(Path(__file__).parents[1] / "streams"))
from by_words import END, after, game

RATIOS = [Fraction(text) for text in ("1/2", "1", "3/2", "3")]


def questions(horizons: Any = (1, 2, 3)) -> st.SearchStrategy[Scenario]:
    return stream_scenarios(horizons=horizons, possible=["either"])


def truth(question: Scenario, ratio: Fraction, horizon: int | None = None) -> Fraction:
    assert question.written is not None
    turns = question.claim.horizon if horizon is None else horizon
    found = Fraction(0)
    for pair in question.written.pairs:
        one, two = dict(pair.left.weights), dict(pair.right.weights)
        for left, right in ((one, two),) if pair.one_way else ((one, two), (two, one)):
            found = max(found, game(question.stream, left, right, ratio, turns))
    return found


@settings(quick, max_examples=3)
@given(questions((3,)), st.sampled_from(RATIOS[1:3]))
def test_delta_of_three_answers_is_what_the_best_adversary_is_shown(question: Scenario, ratio: Fraction) -> None:
    point = faier.profile(question, ratio=ratio).point
    assert point is not None
    assert point.delta.lower == point.delta.upper == truth(question, ratio)


@settings(quick, max_examples=30)
@given(questions((1, 2)), st.sampled_from(RATIOS))
def test_delta_is_what_the_best_adversary_is_shown(question: Scenario, ratio: Fraction) -> None:
    found = faier.profile(question, ratio=ratio)
    point = found.point
    assert point is not None
    assert point.delta.lower == point.delta.upper == truth(question, ratio)
    certificate = json.loads(json.dumps(faier.certify(found)))
    check(json.dumps(certificate).encode(), dumps(question).encode())
    if point.delta.upper:
        certificate["claim"]["upper"] = certificate["claim"]["lower"] = str(point.delta.upper * Fraction(99, 100))
        with pytest.raises(CertificateError, match="only shown to be at most"):
            check(json.dumps(certificate).encode(), dumps(question).encode())


@settings(quick, max_examples=30)
@given(questions((1, 2)), st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 3)]))
def test_the_ratio_at_a_delta_is_the_smallest_one(question: Scenario, delta: Fraction) -> None:
    reach = faier.profile(question, delta=delta).reach
    assert reach is not None
    assert reach.lower == reach.upper
    if isinstance(reach.lower, float):
        assert truth(question, Fraction(10**12)) > delta
        return
    assert truth(question, reach.lower) <= delta
    if reach.lower:
        assert truth(question, reach.lower * (1 - Fraction(1, 10**9))) > delta


@settings(quick, max_examples=30)
@given(
    questions((1, 2)),
    st.sampled_from([*map(Budget.of_ratio, RATIOS), Budget(power=Fraction(1, 2))]),
    st.sampled_from([Fraction(1, 50), Fraction(1, 8), Fraction(1, 2)]),
)
def test_claims_are_decided_and_broken_by_one_strategy(question: Scenario, budget: Budget, delta: Fraction) -> None:
    verdict = faier.verify(question, ratio=budget, delta=delta)
    exceeds = truth(question, budget.above(300)) > delta
    assert isinstance(verdict, faier.Violated if exceeds else faier.Holds)
    certificate, model = json.loads(json.dumps(faier.certify(verdict))), dumps(question)
    check(json.dumps(certificate).encode(), model.encode())
    if isinstance(verdict, faier.Holds):
        least = truth(question, budget.below(300))
        if least:
            certificate["claim"]["delta"] = str(least * Fraction(99, 100))
            with pytest.raises(CertificateError, match="layers"):
                check(json.dumps(certificate).encode(), model.encode())
    if isinstance(verdict, faier.Violated):
        event = verdict.witness
        assert isinstance(event, faier.Event)
        assert event.delta.exceeds(delta)
        assert shown(question, event) == (event.left_probability, event.right_probability)
        asked: dict[tuple[Any, ...], tuple[Any, Any]] = {}
        for outcome in event.outcomes:
            answers = tuple(letter.symbol for letter in outcome.word)
            for k, letter in enumerate(outcome.word):
                # What is asked next depends on the answers alone.
                assert asked.setdefault(answers[:k], (letter.left, letter.right)) == (letter.left, letter.right)


def shown(question: Scenario, event: faier.Event) -> tuple[Fraction, Fraction]:
    """The probabilities of an event, given its inputs, run by run."""
    stream, pair = question.stream, question.pairs[event.pair]
    found = []
    for side, name in enumerate((event.left, event.right)):
        weights = next(
            dict(b.weights) for p in question.written.pairs for b in (p.left, p.right) if b.name == name
        )
        total = Fraction(0)
        for outcome in event.outcomes:
            row = weights
            for letter in outcome.word:
                row = after(stream, row, letter[side], letter.symbol)
            total += row.get(END, Fraction(0)) if outcome.ended else sum(row.values(), Fraction(0))
        found.append(total)
    assert [pair.left.name, pair.right.name] == [event.left, event.right]
    return found[0], found[1]


@settings(quick, max_examples=12)
@given(questions(["any"]), st.sampled_from(RATIOS), st.sampled_from([Fraction(1, 20), Fraction(1, 3)]))
def test_at_every_length_no_length_contradicts_the_answer(question: Scenario, ratio: Fraction, delta: Fraction) -> None:
    point = faier.profile(question, ratio=ratio, tolerance="1/50", timeout=0.1).point
    assert point is not None
    longest = max(truth(question, ratio, n) for n in (1, 2))
    assert longest <= point.delta.upper
    match faier.verify(question, ratio=ratio, delta=delta, timeout=0.1):
        case faier.Holds():
            assert longest <= delta
        case faier.Violated(witness=event):
            assert event.delta.exceeds(delta)
            assert shown(question, event) == (event.left_probability, event.right_probability)
        case faier.Unknown(bounds=bounds):
            # A claim may be known to be broken before its event is written down.
            assert bounds.lower <= bounds.upper
            assert delta <= bounds.upper


def test_an_adversary_that_looks_at_answers_is_shown_more() -> None:
    """After the first answer it asks about the memory that this answer betrays."""
    stream = faier.Stream(
        on={
            "first": {"m": [("0", "zero", "1/2"), ("1", "one", "1/2")], "zero": [("-", "1")], "one": [("-", "1")]},
            "x": {"m": [("-", "1")], "zero": [("a", "1")], "one": [("-", "1")]},
            "x'": {"m": [("-", "1")], "zero": [("b", "1")], "one": [("-", "1")]},
            "y": {"m": [("-", "1")], "zero": [("-", "1")], "one": [("a", "1")]},
            "y'": {"m": [("-", "1")], "zero": [("-", "1")], "one": [("b", "1")]},
        },
        adjacent=[("x", "x'"), ("y", "y'")],
    )
    question = faier.Scenario.of(stream, [("m", "m")], horizon=2)
    point = faier.profile(question, ratio=1).point
    assert point is not None
    # Asking x in advance would be seen by half of the runs only.
    assert point.delta.upper == 1


def test_outcomes_of_different_adversaries_do_not_go_together() -> None:
    """Each pair of inputs shows a half; both together would show all."""
    half = [("a", "1/2"), ("-", "1/2")]
    other = [("b", "1/2"), ("-", "1/2")]
    stream = faier.Stream(
        on={"x": {"m": half}, "x'": {"m": other}, "y": {"m": half}, "y'": {"m": other}},
        adjacent=[("x", "x'"), ("y", "y'")],
    )
    question = faier.Scenario.of(stream, [("m", "m")], horizon=1, ratio=1, delta="1/3")
    certificate = json.loads(json.dumps(faier.certify(faier.verify(question))))
    first, second = "(x, x', a)", "(y, y', a)"
    assert certificate["witness"]["words"] == [[first]]
    model = dumps(question).encode()
    check(json.dumps(certificate).encode(), model)
    certificate["witness"] |= {"words": [[first], [second]], "ended": [False, False], "left": "1"}
    with pytest.raises(CertificateError, match="different choices of inputs"):
        check(json.dumps(certificate).encode(), model)


def test_what_streams_do_not_have_yet_is_refused() -> None:
    stream = faier.Stream(on={"x": {"m": [("a", "1")]}, "y": {"m": [("b", "1")]}}, adjacent=[("x", "y")])
    question = faier.Scenario.of(stream, [("m", "m")], horizon=1)
    for measure in (lambda: faier.renyi(question, 2), lambda: faier.zcdp(question), lambda: faier.tradeoff(question)):
        with pytest.raises(faier.NotYetError, match="not built yet"):
            measure()
    assert not faier.profile(question).linear
