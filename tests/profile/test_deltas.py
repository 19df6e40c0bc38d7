"""Delta, the ratio at a delta, the curve and claims, against the sum over words that defines them."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import faier
from faier.definition import counted_words, delta_by_definition, tight_by_definition
from faier.number.budget import Budget
from faier.scenario.scenario import Scenario
from strategies import quick, scenarios

RATIOS = [Fraction(text) for text in ("0", "1/2", "1", "7/5", "3/2", "2", "3", "8")]
IRRATIONAL = [Budget(power=Fraction(1, 2)), Budget(base=Fraction(3), root=2), Budget(Fraction(-1, 4), Fraction(5))]
DELTAS = [Fraction(text) for text in ("1/100", "1/12", "1/4", "1/3", "1/2", "2/3")]


def questions() -> st.SearchStrategy[Scenario]:
    return scenarios(possible=["either"])


@quick
@given(questions(), st.sampled_from(RATIOS[1:]))
def test_delta_at_a_rational_ratio_is_the_sum_over_words(question: Scenario, ratio: Fraction) -> None:
    point = faier.profile(question, ratio=ratio).point
    assert point is not None
    expected = delta_by_definition(question, question.claim.horizon, ratio)
    assert point.delta.lower == point.delta.upper == expected
    assert point.mass is not None
    assert point.mass.exact == expected


@quick
@given(questions(), st.sampled_from(IRRATIONAL))
def test_delta_at_an_irrational_ratio_lies_between_its_neighbours(question: Scenario, ratio: Budget) -> None:
    point = faier.profile(question, ratio=ratio).point
    assert point is not None
    assert point.mass is not None
    low = delta_by_definition(question, question.claim.horizon, ratio.above(300))
    high = delta_by_definition(question, question.claim.horizon, ratio.below(300))
    assert point.delta.lower <= high
    assert low <= point.delta.upper
    assert point.delta.upper - point.delta.lower < Fraction(1, 2**200)


@quick
@given(questions(), st.sampled_from([Fraction(0), *DELTAS, Fraction(1)]))
def test_the_ratio_at_a_delta_is_the_smallest_one(question: Scenario, delta: Fraction) -> None:
    reach = faier.profile(question, delta=delta).reach
    horizon = question.claim.horizon
    assert reach is not None
    assert reach.lower == reach.upper
    if reach.lower == inf:
        assert delta_by_definition(question, horizon, Fraction(10**12)) > delta
        return
    assert delta_by_definition(question, horizon, reach.lower) <= delta
    if reach.lower > 0:
        assert delta_by_definition(question, horizon, reach.lower * (1 - Fraction(1, 10**9))) > delta
    if delta == 0:
        assert reach.lower == tight_by_definition(question, horizon)


@quick
@given(questions())
def test_the_curve_is_linear_between_its_corners_and_constant_after_the_last(question: Scenario) -> None:
    found = faier.profile(question)
    assert found.linear
    horizon = question.claim.horizon
    corners = [(p.ratio.exact, p.delta.lower) for p in found.points]
    assert corners[0][0] == 1
    for ratio, delta in corners:
        assert delta_by_definition(question, horizon, ratio) == delta
    for (c1, d1), (c2, d2) in itertools.pairwise(corners):
        middle = (c1 + 2 * c2) / 3
        assert delta_by_definition(question, horizon, middle) == (d1 + 2 * d2) / 3
    ratio, delta = corners[-1]
    assert delta_by_definition(question, horizon, 7 * ratio + 1) == delta


@quick
@given(questions(), st.sampled_from([*map(Budget.of_ratio, RATIOS[1:6]), *IRRATIONAL]), st.data())
def test_claims_are_decided_and_broken_by_an_event(question: Scenario, budget: Budget, data: st.DataObject) -> None:
    horizon = question.claim.horizon
    truth = delta_by_definition(question, horizon, budget.above(300))
    exactly = [truth] if 0 < truth <= 1 else []
    delta = data.draw(st.sampled_from([*DELTAS, *exactly]))
    verdict = faier.verify(question, ratio=budget, delta=delta)
    if budget.exact is None and delta == truth:
        return
    assert isinstance(verdict, faier.Violated if truth > delta else faier.Holds)
    if isinstance(verdict, faier.Violated):
        event = verdict.witness
        assert isinstance(event, faier.Event)
        assert shown(question, event) == (event.left_probability, event.right_probability)
        assert event.delta.exceeds(delta)


def shown(question: Scenario, event: faier.Event) -> tuple[Fraction, Fraction]:
    """Both probabilities of an event, counted word by word; each word belongs to one outcome at most."""
    left = right = Fraction(0)
    for pair, forward, word, ended, a, b in counted_words(question, question.claim.horizon):
        if (pair, forward) == (event.pair, event.forward):
            hit = [
                o for o in event.outcomes
                if (ended and o.word == word if o.ended else o.word == word[: len(o.word)])
            ]  # fmt: skip
            assert len(hit) <= 1
            left, right = (left + a, right + b) if hit else (left, right)
    return left, right


@settings(quick, max_examples=25)
@given(scenarios(possible=["either"], horizons=["any"]), st.sampled_from(RATIOS[1:]))
def test_at_every_length_delta_is_enclosed_and_no_length_exceeds_it(question: Scenario, ratio: Fraction) -> None:
    point = faier.profile(question, ratio=ratio, tolerance="1/50", timeout=0.2).point
    assert point is not None
    longest = max(delta_by_definition(question, n, ratio) for n in (1, 2, 3, 4))
    assert longest <= point.delta.upper


@settings(quick, max_examples=25)
@given(scenarios(possible=["either"], horizons=["any"]), st.sampled_from(RATIOS[1:5]), st.sampled_from(DELTAS))
def test_verdicts_at_every_length_are_not_contradicted_by_a_length(
    question: Scenario, ratio: Fraction, delta: Fraction
) -> None:
    verdict = faier.verify(question, ratio=ratio, delta=delta, timeout=0.2)
    longest = max(delta_by_definition(question, n, ratio) for n in (1, 2, 3, 4))
    match verdict:
        case faier.Holds():
            assert longest <= delta
        case faier.Violated(witness=event):
            size = max(len(o.word) for o in event.outcomes) + 1
            if size <= 5:
                at = replace(question, claim=replace(question.claim, horizon=size))
                assert shown(at, event) == (event.left_probability, event.right_probability)
            assert event.delta.exceeds(delta)
        case faier.Unknown(bounds=bounds):
            # A claim may be known to be broken before its event is written down.
            assert bounds.lower <= bounds.upper
            assert delta <= bounds.upper
            assert longest <= bounds.upper


def test_delta_of_many_pairs_is_that_of_the_worst() -> None:
    rows = {f"x{k}": {"a": Fraction(k + 1, 40), "b": Fraction(39 - k, 40)} for k in range(30)}
    model = faier.HMM(emit=rows)
    names = list(rows)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    question = faier.Scenario.of(model, pairs, horizon=1)
    for ratio in (Fraction(1), Fraction(3, 2), Fraction(8)):
        expected = delta_by_definition(question, 1, ratio)
        point = faier.profile(question, ratio=ratio).point
        assert point is not None
        assert point.delta.lower == point.delta.upper == expected


@pytest.mark.parametrize("delta", ["2", "-1/2"])
def test_a_delta_is_a_probability(delta: str) -> None:
    question = faier.Scenario.of(faier.HMM(emit={"a": {"x": 1}, "b": {"x": 1}}), [("a", "b")], horizon=1)
    with pytest.raises(faier.UsageError, match="between 0 and 1"):
        faier.profile(question, delta=delta)


def test_a_delta_and_possible_both_do_not_go_together() -> None:
    question = faier.Scenario.of(faier.HMM(emit={"a": {"x": 1}, "b": {"x": 1}}), [("a", "b")], horizon=1)
    with pytest.raises(faier.UsageError, match="do not go together"):
        faier.verify(question, ratio=2, delta="1/10", possible="both")
    with pytest.raises(faier.UsageError, match="do not go together"):
        faier.profile(question.claiming(possible="both"), ratio=2)
