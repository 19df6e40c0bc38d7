"""Probabilities from 1/2 to 10^-400: rows that floats cannot hold, and ratios that they cannot either."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge import at, claimed, examples, judge_at_any, judge_decision, judge_tight, judge_verdict, tight

from faier.comparison import Comparison
from faier.engine import columns, epsilon, verify
from faier.engine.columns import TooSmall
from faier.engine.progress import Limits
from faier.engine.tree import anytime, levels
from faier.engine.tree.batch import Margin, normalise
from faier.engine.tree.search import Search
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Pair, Scenario
from faier.verdict import Holds, Unknown, Violated
from strategies import BUDGETS, beliefs

SCALES = {
    "floats hold them for a while": (Fraction(1), Fraction(3), Fraction(1, 2**150), Fraction(5, 2**190)),
    "products underflow": (Fraction(1), Fraction(2), Fraction(1, 10**200), Fraction(3, 10**200), Fraction(1, 10**280)),
    "denormal": (Fraction(1), Fraction(2), Fraction(1, 10**320), Fraction(7, 10**320), Fraction(1, 10**160)),
    "zero as floats": (Fraction(1), Fraction(1), Fraction(1, 10**400), Fraction(2, 10**400), Fraction(1, 10**5)),
    "all at once": (Fraction(1), Fraction(1, 2**150), Fraction(1, 10**200), Fraction(1, 10**320), Fraction(1, 10**400)),
}
scales = pytest.mark.parametrize("scale", SCALES.values(), ids=SCALES.keys())


@st.composite
def wide(draw, scale, horizons=(1, 2, 3), possible=("either", "both"), max_states=3):
    """Like strategies.scenarios, with weights of very different size."""

    def row(names):
        weights = [draw(st.sampled_from([Fraction(0), *scale])) for _ in names]
        if not any(weights):
            weights[0] = Fraction(1)
        return {n: w / sum(weights) for n, w in zip(names, weights, strict=True) if w}

    states = ("x", "y", "z")[: draw(st.integers(2, max_states))]
    symbols = ("a", "b")
    emit = {s: row(symbols) for s in states}
    step = {s: row(states) for s in states if draw(st.integers(0, 3))}
    model = HMM(emit=emit, step=step)
    pairs = []
    for i in range(draw(st.integers(1, 2))):
        sides = []
        for name in (f"left{i}", f"right{i}"):
            at_a_state = draw(st.booleans())
            sides.append(draw(beliefs(model, name)) if at_a_state else Belief.of(name, row(states), model))
        pairs.append(Pair(*sides, one_way=draw(st.integers(0, 3)) == 0))
    large = (Budget.of_ratio(10**150), Budget.of_ratio(Fraction(1, 10**200)), Budget.of_ratio(10**400))
    claim = Claim(
        draw(st.sampled_from(BUDGETS + large)), draw(st.sampled_from(horizons)), draw(st.sampled_from(possible))
    )
    return Scenario(model, tuple(pairs), claim)


@scales
def test_tree(scale):
    @examples(15)
    @given(scenario=wide(scale))
    def agrees(scenario):
        comparison = Comparison(scenario)
        judge_tight(comparison, levels.tight_at(comparison, Limits()))
        judge_decision(comparison, levels.decide(comparison, scenario.claim.budget, Limits()))

    agrees()


@scales
def test_columns_are_right_or_decline(scale):
    @examples(15)
    @given(scenario=wide(scale))
    def agrees(scenario):
        comparison = Comparison(scenario)
        try:
            judge_tight(comparison, columns.tight_at(comparison, Limits()))
            judge_decision(comparison, columns.decide(comparison, scenario.claim.budget, Limits()))
        except TooSmall:
            pass

    agrees()


@scales
def test_the_dispatcher(scale):
    @examples(8)
    @given(scenario=wide(scale))
    def agrees(scenario):
        judge_verdict(scenario, verify(scenario))
        assert epsilon(scenario).ratio.upper == tight(scenario)

    agrees()


@scales
def test_budgets_at_the_tight_ratio(scale):
    @examples(8)
    @given(scenario=wide(scale), part=st.sampled_from([0, -Fraction(1, 10**30)]))
    def agrees(scenario, part):
        truth = tight(scenario)
        if truth in (0, inf):
            return
        scenario = claimed(scenario, Budget.of_ratio(truth * (1 + part)))
        comparison = Comparison(scenario)
        judge_decision(comparison, levels.decide(comparison, scenario.claim.budget, Limits()))

    agrees()


@scales
def test_words_of_every_length(scale):
    @examples(8)
    @given(scenario=wide(scale, horizons=("any",), max_states=2))
    def agrees(scenario):
        tolerance = Fraction(1, 10**6)
        outcome = anytime.tight_at_any(Comparison(scenario), tolerance, Limits(0.2, nodes=60))
        assert outcome.lower <= outcome.upper
        assert tight(scenario) <= outcome.upper
        judge_at_any(scenario, verify(scenario, seconds=0.2))

    agrees()


def bit(right: Fraction, *, stay: Fraction | None = None, horizon: object = 1) -> Scenario:
    """A bit shown with probability `right`; it ends after one symbol unless it may stay."""
    emit = {"0": {"a": right, "b": 1 - right}, "1": {"a": 1 - right, "b": right}}
    step = {} if stay is None else {"0": {"0": stay, "1": 1 - stay}, "1": {"0": 1 - stay, "1": stay}}
    model = HMM(emit, step)
    return Scenario(model, (Pair(Belief.at("0"), Belief.at("1")),), Claim(horizon=horizon))


@pytest.mark.parametrize("power", [150, 290, 320, 400, 1000])
@pytest.mark.parametrize("horizon", [1, "any"])
def test_huge_ratios_are_exact(power, horizon):
    scenario = bit(1 - Fraction(1, 10**power), horizon=horizon)
    result = epsilon(scenario, seconds=10)
    assert result.ratio.lower == 10**power - 1
    if power > 90 and horizon == "any" and not result.complete:
        assert result.ratio.upper >= 10**power - 1
    else:
        assert result.ratio.upper == 10**power - 1
    for part, expected in ((0, Holds), (-Fraction(1, 10**30), Violated)):
        claim = claimed(scenario, Budget.of_ratio((10**power - 1) * (1 + part)))
        assert isinstance(verify(claim, engine="tree", seconds=10), expected)


@pytest.mark.parametrize(("right", "each"), [(Fraction(3, 4), 3), (Fraction(999, 1000), 999)])
def test_horizon_200(right, each):
    scenario = bit(right, stay=Fraction(1), horizon=200)
    result = epsilon(scenario, seconds=60)
    assert (result.ratio.lower, result.ratio.upper) == (each**200, each**200)
    assert len(result.witness.word) == 200
    for part, expected in ((0, Holds), (-Fraction(1, 10**30), Violated)):
        assert isinstance(verify(claimed(scenario, Budget.of_ratio(each**200 * (1 + part)))), expected)


def test_a_long_word_that_floats_cannot_hold():
    """Each letter has probability 10^-20 or twice that: 10^-1000 after 50 letters."""
    tiny = Fraction(1, 10**20)
    model = HMM(
        emit={"x": {"a": tiny, "b": 1 - tiny}, "y": {"a": 2 * tiny, "b": 1 - 2 * tiny}},
        step={s: {s: Fraction(1)} for s in ("x", "y")},
    )
    scenario = Scenario(model, (Pair(Belief.at("y"), Belief.at("x"), one_way=True),), Claim(horizon=50))
    result = epsilon(scenario, seconds=30)
    assert result.ratio.upper == 2**50
    assert set(result.witness.word) == {"a"}


def test_ties_at_depth_50():
    """The claim meets the worst word, and each letter's best rival, with equality."""
    scenario = bit(Fraction(2, 3), stay=Fraction(1), horizon=50)
    for budget, expected in (
        (Budget.of_ratio(2**50), Holds),
        (Budget.of_ratio(2**50 - Fraction(1, 10**20)), Violated),
        (Budget(base=Fraction(2**150), root=3), Holds),
    ):
        for engine in ("auto", "tree"):
            assert isinstance(verify(claimed(scenario, budget), engine=engine), expected)


def test_a_bound_met_by_every_word_of_50_letters():
    """Left is half of right's rival in each state and letter: all words tie at exactly 2."""
    model = HMM(
        emit={"x": {"a": Fraction(1, 3), "b": Fraction(1, 3), "c": Fraction(1, 3)}, "z": {"d": Fraction(1)}},
        step={"x": {"x": Fraction(1)}, "z": {"z": Fraction(1)}},
    )
    left = Belief.of("left", {"x": Fraction(2, 3), "z": Fraction(1, 3)}, model)
    right = Belief.of("right", {"x": Fraction(1, 3), "z": Fraction(2, 3)}, model)
    scenario = Scenario(model, (Pair(left, right),), Claim(Budget.of_ratio(2), 50))
    assert isinstance(verify(scenario), Holds)
    assert isinstance(verify(at(scenario, "any")), Holds)
    closer = claimed(scenario, Budget.of_ratio(2 - Fraction(1, 10**30)))
    assert isinstance(verify(closer), Violated)
    assert epsilon(at(scenario, "any")).ratio.upper == 2


def test_rows_of_wide_range_are_marked_unsafe():
    """Else floats would decide what they lost: 10^-290 beside 1, at the start and one letter later."""
    scenario = bit(Fraction(2, 3), stay=Fraction(1), horizon=2)
    wide = Belief.of("wide", {"0": 1 - Fraction(1, 10**290), "1": Fraction(1, 10**290)}, scenario.model)
    scenario = Scenario(scenario.model, (Pair(wide, Belief.at("0")),), scenario.claim)
    search = Search(Comparison(scenario), Limits())
    batch = search.roots()
    assert not batch.safe.any()
    (batch,) = search.expand(batch)
    assert not batch.safe.any()


def test_a_start_that_floats_lose_is_marked_unsafe():
    tiny = Fraction(1, 10**400)
    model = HMM(emit={"x": {"a": Fraction(1)}, "y": {"b": Fraction(1)}})
    left = Belief.of("left", {"x": tiny, "y": 1 - tiny}, model)
    scenario = Scenario(model, (Pair(left, Belief.at("y")),), Claim(Budget.of_ratio(2), 1))
    search = Search(Comparison(scenario), Limits())
    batch = search.roots()
    normalise(batch, Margin(search.automaton))
    assert not batch.safe.all()
    assert epsilon(scenario).ratio.lower == inf
    assert epsilon(at(scenario, "any")).ratio.lower == inf


def test_huge_ratios_are_seen_to_have_no_end():
    scenario = bit(Fraction(999, 1000), stay=Fraction(1), horizon="any")
    result = epsilon(scenario, seconds=5)
    assert result.complete
    assert result.ratio.lower == result.ratio.upper == inf
    assert result.diverges.growth == 999
    verdict = verify(claimed(scenario, Budget.of_ratio(10**9)))
    assert isinstance(verdict, Violated)
    assert len(verdict.witness.word) == 4
    assert not isinstance(verify(claimed(scenario, Budget.of_ratio(10**400)), seconds=3), Holds | Unknown)
