"""Words that extend prefixes, and the probability of what does not count."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge import examples, reading_of, readings

import reference
import strategies
from faier.comparison import Comparison
from faier.engine import epsilon, verify
from faier.engine.left_out import left_out
from faier.engine.words import Found, counts, extend, ratio, row_after, witness
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Pair, Scenario
from faier.verdict import Holds


@examples(80)
@given(
    scenario=strategies.scenarios(horizons=(1, 2, 3, 4), possible=("either",)),
    direction=st.integers(0, 3),
    prefix=st.lists(st.integers(0, 2), max_size=3),
)
def test_extending_never_lowers_the_ratio(scenario, direction, prefix):
    comparison = Comparison(scenario)
    direction %= len(comparison.directions)
    letters = tuple(s % comparison.automaton.letters for s in prefix[: scenario.claim.horizon])
    row = row_after(comparison, direction, letters)
    if not row.left:
        return
    before = ratio(*row.prefix())
    found = extend(comparison, Found(direction, letters, False))
    assert counts(comparison, found)
    assert found.letters[: len(letters)] == letters
    assert reading_of(comparison, found).ratio >= before


@examples(60)
@given(scenario=strategies.scenarios(horizons=(1, 2, 3)))
def test_every_counted_word_has_its_exact_probabilities(scenario):
    comparison = Comparison(scenario)
    number = {(d.pair, d.forward): i for i, d in enumerate(comparison.directions)}
    index = scenario.model.symbol_index
    for reading in readings(scenario):
        letters = tuple(index[s] for s in reading.word)
        found = Found(number[reading.pair, reading.forward], letters, reading.ended)
        assert counts(comparison, found)
        seen = witness(comparison, found)
        assert (seen.left_probability, seen.right_probability) == (reading.left, reading.right)
        assert seen.ratio == reading.ratio


@pytest.mark.parametrize(
    ("horizon", "size", "ended", "counted"),
    [(2, 2, False, True), (2, 1, True, True), (2, 1, False, False), (2, 2, True, False), (2, 3, False, False),
     (2, 0, True, False), ("any", 1, False, True), ("any", 7, True, True), ("any", 0, False, False)],
)  # fmt: skip
def test_what_counts(horizon, size, ended, counted):
    model = HMM(emit={"x": {"a": Fraction(1)}})
    comparison = Comparison(Scenario(model, (Pair(Belief.at("x"), Belief.at("x")),), Claim(horizon=horizon)))
    assert counts(comparison, Found(0, (0,) * size, ended)) == counted


def shares(scenario: Scenario) -> dict[int, tuple[Fraction, Fraction]]:
    """For each pair the probability, on each side, of all words that do not count: one less those that do."""
    result = {k: [Fraction(1), Fraction(1)] for k in range(len(scenario.pairs))}
    for reading in readings(scenario):
        if reading.forward:
            result[reading.pair][0] -= reading.left
            result[reading.pair][1] -= reading.right
    return {k: (a, b) for k, (a, b) in result.items() if a or b}


@examples(100)
@given(scenario=strategies.scenarios(possible=("both",), max_pairs=3))
def test_left_out_is_what_the_counted_words_leave(scenario):
    expected = [
        (scenario.pairs[k].left.name, scenario.pairs[k].right.name, *share)
        for k, share in shares(scenario).items()
    ]
    found = left_out(Comparison(scenario))
    assert [(o.left, o.right, o.left_probability, o.right_probability) for o in found] == expected
    assert [o.nothing_counts for o in found] == [1 in e[2:] for e in expected]


@examples(40)
@given(scenario=strategies.scenarios(possible=("both",), horizons=("any",), max_pairs=3))
def test_at_any_only_pairs_of_which_nothing_counts_are_named(scenario):
    alone = {
        k
        for k in range(len(scenario.pairs))
        if not any(
            pair == k and a and b
            for pair, _, _, left, right in reference.walk(scenario, 1)
            for a, b in [(sum(left.values()), sum(right.values()))]
        )
    }
    found = left_out(Comparison(scenario))
    assert [(o.left, o.right) for o in found] == [
        (scenario.pairs[k].left.name, scenario.pairs[k].right.name) for k in sorted(alone)
    ]
    assert all(o.nothing_counts for o in found)


@examples(20)
@given(scenario=strategies.scenarios(possible=("either",)))
def test_under_either_nothing_is_left_out(scenario):
    assert left_out(Comparison(scenario)) == ()
    assert epsilon(scenario).left_out == ()


def test_a_verdict_under_both_says_what_it_leaves_out():
    half, third = Fraction(1, 2), Fraction(1, 3)
    model = HMM(emit={"x": {"a": half, "b": half}, "y": {"b": third, "c": 1 - third}})
    scenario = Scenario(
        model, (Pair(Belief.at("x"), Belief.at("y")),), Claim(Budget.of_ratio(2), 1, "both")
    )
    verdict = verify(scenario)
    assert isinstance(verdict, Holds)
    ((lost),) = verdict.left_out
    assert (lost.left_probability, lost.right_probability) == (half, 2 * third)
    assert not lost.nothing_counts
