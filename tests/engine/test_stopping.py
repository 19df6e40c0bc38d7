"""Limits, Ctrl-C and repetition: what a stopped search says is true, and the same question gets the same answer."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import inf
from random import Random

import pytest
from chains import SIX, flipping
from hypothesis import given
from hypothesis import strategies as st
from judge import at, examples, reading_of, tight

import strategies
from faier.certificate import certify
from faier.comparison import Comparison
from faier.engine import columns, epsilon, verify
from faier.engine.progress import Limits
from faier.engine.tree import anytime, dive, levels
from faier.engine.tree.exact import ExactRows
from faier.engine.tree.search import Search
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Pair, Scenario
from faier.verdict import Holds, Unknown, Violated

SEARCHES = {
    "tight": lambda c, limits: levels.tight_at(c, limits),
    "decide": lambda c, limits: levels.decide(c, c.scenario.claim.budget, limits),
    "columns tight": lambda c, limits: columns.tight_at(c, limits),
    "columns decide": lambda c, limits: columns.decide(c, c.scenario.claim.budget, limits),
    "any": lambda c, limits: anytime.tight_at_any(c, Fraction(1, 10**6), limits),
    "decide any": lambda c, limits: levels.decide(c, c.scenario.claim.budget, limits),
}
searches = pytest.mark.parametrize("name", SEARCHES)


def question(name: str):
    horizons = ("any",) if "any" in name else (2, 3, 4)
    return strategies.scenarios(max_states=3, horizons=horizons)


def judge_stopped(comparison: Comparison, outcome) -> None:
    """Sound bounds, and no proof unless the search came to its end."""
    scenario = comparison.scenario
    truth, budget = tight(scenario), scenario.claim.budget
    if outcome.diverges is not None:
        assert outcome.lower == outcome.upper == inf
        return
    if outcome.limit is not None:
        assert reading_of(comparison, outcome.found).ratio < outcome.lower == outcome.limit.ratio
    elif outcome.found is not None:
        assert reading_of(comparison, outcome.found).ratio == outcome.lower
    if scenario.claim.horizon != "any":
        assert outcome.lower <= truth
    else:
        assert outcome.lower == 0 or outcome.found is not None
        truth = max(truth, outcome.lower)
    if outcome.trace is not None:
        assert truth <= outcome.trace.ratio
        assert outcome.reason is None
    if outcome.trace is None and outcome.reason is None:
        assert outcome.found is not None
        assert outcome.lower == inf or budget.compare(outcome.lower) > 0
    assert truth <= outcome.upper
    assert outcome.lower <= outcome.upper


@searches
def test_few_nodes(name):
    @examples(30)
    @given(scenario=question(name), nodes=st.integers(0, 30))
    def sound(scenario, nodes):
        comparison = Comparison(scenario)
        judge_stopped(comparison, SEARCHES[name](comparison, Limits(nodes=nodes)))

    sound()


@searches
def test_no_memory(name):
    @examples(15)
    @given(scenario=question(name))
    def sound(scenario):
        comparison = Comparison(scenario)
        judge_stopped(comparison, SEARCHES[name](comparison, Limits(bytes_=100)))

    sound()


@searches
def test_little_time(name):
    @examples(15)
    @given(scenario=question(name), seconds=st.sampled_from([0.0, 0.0005, 0.002, 0.01]))
    def sound(scenario, seconds):
        comparison = Comparison(scenario)
        judge_stopped(comparison, SEARCHES[name](comparison, Limits(seconds)))

    sound()


@examples(15)
@given(scenario=strategies.scenarios(), seconds=st.sampled_from([0.0, 0.001]))
def test_results_of_a_stopped_search(scenario, seconds):
    """Unknown with bounds, or a verdict that is right; an incomplete epsilon, or the exact one."""
    truth = tight(scenario)
    verdict = verify(scenario, engine="tree", seconds=seconds)
    allowed = truth != inf and scenario.claim.budget.compare(truth) <= 0
    if isinstance(verdict, Unknown):
        assert verdict.bounds.lower <= truth <= verdict.bounds.upper
        assert "time limit" in verdict.reason
    else:
        assert isinstance(verdict, Holds if allowed else Violated)
    result = epsilon(scenario, seconds=seconds)
    assert result.ratio.lower <= truth <= result.ratio.upper
    if result.complete:
        assert result.exact
    else:
        assert "time limit" in result.reason


class Interrupt:
    """Raises KeyboardInterrupt at the n-th call of the functions that a search is made of."""

    def __init__(self, patch: pytest.MonkeyPatch, after: int):
        self.left = after
        self.struck = False
        for owner, name in (
            (Search, "assess"),
            (Search, "expand"),
            (Search, "measure"),
            (Search, "roots"),
            (ExactRows, "row"),
            (columns.Columns, "exact"),
            (columns.Columns, "quotients"),
            (levels, "dive"),
            (anytime, "dive"),
            (dive, "_narrow"),
        ):
            patch.setattr(owner, name, self._counted(getattr(owner, name)))

    def _counted(self, function):
        def wrapped(*args, **kwargs):
            self.left -= 1
            if self.left < 0 and not self.struck:
                self.struck = True
                raise KeyboardInterrupt
            return function(*args, **kwargs)

        return wrapped


@searches
def test_an_interrupt_anywhere(name):
    """It may come through where a proof is being written, but what is returned is sound."""
    struck = returned = 0

    @examples(40)
    @given(scenario=question(name), after=st.integers(0, 60))
    def sound(scenario, after):
        nonlocal struck, returned
        comparison = Comparison(scenario)
        with pytest.MonkeyPatch.context() as patch:
            # One prefix at a time, so that others stay open meanwhile.
            patch.setattr(anytime, "_AT_ONCE", 1)
            interrupt = Interrupt(patch, after)
            try:
                outcome = SEARCHES[name](comparison, Limits(nodes=300))
            except KeyboardInterrupt:
                outcome = None
        struck += interrupt.struck
        if outcome is not None:
            returned += interrupt.struck
            judge_stopped(comparison, outcome)

    sound()
    assert struck >= 5
    assert returned >= struck // 2


@examples(30)
@given(scenario=strategies.scenarios(horizons=(1, 2, 3, 4, "any")))
def test_the_same_question_gets_the_same_answer(scenario):
    one, two = (
        (
            levels.decide(comparison, scenario.claim.budget, Limits(nodes=150)),
            (anytime.tight_at_any(comparison, Fraction(1, 10**6), Limits(nodes=150)))
            if comparison.length is None
            else levels.tight_at(comparison, Limits()),
        )
        for comparison in (Comparison(scenario), Comparison(scenario))
    )
    assert one == two


@examples(20)
@given(scenario=strategies.scenarios())
def test_the_same_question_gets_the_same_certificate(scenario):
    for decide in (lambda: verify(scenario, engine="tree"), lambda: epsilon(scenario)):
        assert certify(decide()) == certify(decide())


def test_progress_is_told():
    heard = []

    def listen(told):
        heard.append(told)
        if len(heard) == 3:
            raise KeyboardInterrupt

    epsilon(at(flipping(SIX), "any"), tolerance=Fraction(1, 10**1000), seconds=60, progress=listen)
    assert len(heard) == 3
    assert all(p.seconds <= q.seconds and p.nodes <= q.nodes for p, q in pairwise(heard))


def test_an_interrupt_while_one_of_two_prefixes_is_replaced(monkeypatch):
    """The prefix left open says 2 at most; the children of the other one, not yet judged, reach 6."""
    bit = {"0": {"a": Fraction(3, 4), "b": Fraction(1, 4)}, "1": {"a": Fraction(1, 4), "b": Fraction(3, 4)}}
    coin = {"2": {"a": Fraction(1, 2), "b": Fraction(1, 2)}, "3": {"a": Fraction(2, 5), "b": Fraction(3, 5)}}
    stay, flip = Fraction(9, 10), Fraction(1, 10)
    model = HMM(
        emit=bit | coin,
        step={
            "0": {"0": stay, "1": flip}, "1": {"0": flip, "1": stay},
            "2": {"2": stay, "3": flip}, "3": {"2": flip, "3": stay},
        },
    )  # fmt: skip
    slow = {
        name: Belief.of(name, {"2": weight, "3": 1 - weight}, model)
        for name, weight in (("more", Fraction(2, 3)), ("less", Fraction(1, 3)))
    }
    sides = ((Belief.at("0"), Belief.at("1")), (slow["more"], slow["less"]))
    pairs = tuple(Pair(left, right, one_way=True) for left, right in sides)
    scenario = Scenario(model, pairs, Claim(horizon="any"))
    truth = tight(scenario)
    assert truth > 6
    for after in range(40):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(anytime, "_AT_ONCE", 1)
            patch.setattr(anytime, "dive", lambda *_, **__: (None, Fraction(0)))
            Interrupt(patch, after)
            outcome = anytime.tight_at_any(Comparison(scenario), Fraction(1, 10**6), Limits())
        assert outcome.reason == "interrupted"
        assert outcome.lower <= outcome.upper
        assert truth <= outcome.upper


def test_an_interrupt_while_a_prefix_above_the_budget_is_taken(monkeypatch):
    """Its exact ratio is not yet known: Unknown, not an error."""

    def strike(*_):
        raise KeyboardInterrupt

    scenario = at(flipping(SIX), 4)
    scenario = replace(scenario, claim=replace(scenario.claim, budget=Budget.of_ratio(2)))
    comparison = Comparison(scenario)
    monkeypatch.setattr(levels, "dive", lambda *_, **__: (None, Fraction(0)))
    monkeypatch.setattr(levels.Levels, "take", strike)
    outcome = levels.decide(comparison, scenario.claim.budget, Limits())
    assert outcome.lower <= tight(scenario) <= outcome.upper
    assert outcome.trace is None


def two_rooms(states: int) -> Scenario:
    """Dense random numbers; two sides that never meet, so that longer words are ever worse."""
    dice = Random(5)
    names = [[f"{room}{i}" for i in range(states // 2)] for room in "st"]

    def row(among):
        weights = [dice.randint(1, 1000) for _ in among]
        return {name: Fraction(w, sum(weights)) for name, w in zip(among, weights, strict=True)}

    model = HMM(
        emit={state: row("abcde") for room in names for state in room},
        step={state: row(room) for room in names for state in room},
    )
    return Scenario.of(model, [("s0", "t0")], ratio=3, horizon="any")


def test_a_word_that_breaks_the_claim_is_not_followed_further():
    scenario = two_rooms(20)
    shortest = verify(scenario).witness
    assert len(shortest.word) == 1
    hurried = verify(scenario, seconds=1e-9)
    assert isinstance(hurried, Violated)
    assert hurried.witness == shortest
    found, value = dive.dive(Comparison(scenario), Limits(), enough=Fraction(10**6))
    assert 10**6 < value < 10**9
    assert len(found.letters) < len(dive.dive(Comparison(scenario), Limits())[0].letters)


def test_words_are_not_followed_to_where_their_exact_numbers_take_long():
    found, _ = dive.dive(Comparison(two_rooms(80)), Limits())
    assert len(found.letters) <= 40
    started = time.process_time()
    assert epsilon(two_rooms(80), seconds=0.2).ratio.upper == inf
    assert time.process_time() - started < 10
