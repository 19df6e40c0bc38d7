"""What the definition says about a question, and how an engine's answer is judged by it."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

from hypothesis import HealthCheck, settings

import reference
from faier.comparison import Comparison
from faier.definition import counted_words
from faier.engine import verify
from faier.engine.outcome import Outcome
from faier.engine.words import Found
from faier.number.exact import Extended
from faier.scenario.scenario import Scenario
from faier.verdict import Holds, Unknown, Violated, Witness

LONGEST = 5


def examples(count: int) -> settings:
    """The same examples every time; FAIER_EXPLORE=30 draws thirty times as many, new ones each time."""
    factor = int(os.environ.get("FAIER_EXPLORE", "0"))
    return settings(
        derandomize=not factor,
        max_examples=count * max(1, factor),
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@dataclass(frozen=True)
class Reading:
    pair: int
    forward: bool
    word: tuple[object, ...]
    ended: bool
    left: Fraction
    right: Fraction

    @property
    def ratio(self) -> Extended:
        return self.left / self.right if self.right else inf

    @property
    def key(self) -> tuple[int, bool, tuple[object, ...], bool]:
        return self.pair, self.forward, self.word, self.ended


def readings(scenario: Scenario) -> list[Reading]:
    """What counts at a finite horizon, by the definition; at `any`, all of up to five symbols."""
    if scenario.claim.horizon != "any":
        return [Reading(*r) for r in counted_words(scenario, scenario.claim.horizon)]
    found = []
    for pair, forward, word, left, right in reference.walk(scenario, LONGEST):
        # Both sides are in one unit, which is as good as probabilities for all but a witness.
        for ended in (False, True):
            a, b = (
                (row.get(reference.DONE, 0) if ended else sum(row.values())) for row in (left, right)
            )
            if (a and b) or ((a or b) and scenario.claim.possible == "either"):
                found.append(Reading(pair, forward, word, ended, Fraction(a), Fraction(b)))
    return found


def tight(scenario: Scenario) -> Extended:
    return max((r.ratio for r in readings(scenario)), default=Fraction(0))


def worst_of_the_shortest(scenario: Scenario) -> list[Reading]:
    """The violating readings that may be the witness: the shortest, and among those the worst, in order."""
    budget = scenario.claim.budget
    broken = [r for r in readings(scenario) if not budget.allows(r.left, r.right)]
    if not broken:
        return []
    length = min(len(r.word) for r in broken)
    worst = max(r.ratio for r in broken if len(r.word) == length)
    place = scenario.model.symbol_index
    return sorted(
        (r for r in broken if len(r.word) == length and r.ratio == worst),
        key=lambda r: (r.pair, not r.forward, [place[s] for s in r.word], r.ended),
    )


def reading_of(comparison: Comparison, found: Found) -> Reading:
    """A found word with its probabilities by the tests' reference; it must count."""
    scenario, direction = comparison.scenario, comparison.directions[found.direction]
    pair = scenario.pairs[direction.pair]
    sides = (pair.left, pair.right) if direction.forward else (pair.right, pair.left)
    word = tuple(scenario.model.symbols[s] for s in found.letters)
    left, right = (reference.probability(scenario.model, s.weights, word, found.ended) for s in sides)
    horizon = scenario.claim.horizon
    assert word, "the empty word does not count"
    assert horizon == "any" or (len(word) < horizon if found.ended else len(word) == horizon)
    assert scenario.claim.possible == "either" or (left and right)
    return Reading(direction.pair, direction.forward, word, found.ended, left, right)


def judge_tight(comparison: Comparison, outcome: Outcome) -> None:
    """The outcome is exactly the tight ratio at a finite horizon."""
    truth = tight(comparison.scenario)
    assert outcome.reason is None
    assert (outcome.lower, outcome.upper) == (truth, truth)
    assert (outcome.trace is None) == (truth == inf)
    if outcome.found is None:
        assert truth == 0
    else:
        assert reading_of(comparison, outcome.found).ratio == truth


def judge_decision(comparison: Comparison, outcome: Outcome) -> None:
    """The outcome decides the claim at a finite horizon as the definition does, with the witness promised."""
    scenario = comparison.scenario
    broken = worst_of_the_shortest(scenario)
    assert outcome.reason is None
    assert (outcome.trace is None) == bool(broken)
    if broken:
        assert outcome.found is not None
        assert outcome.lower == broken[0].ratio
        assert reading_of(comparison, outcome.found).key in {r.key for r in broken}
        return
    assert outcome.trace is not None
    assert tight(scenario) <= outcome.trace.ratio
    assert scenario.claim.budget.compare(outcome.trace.ratio) <= 0
    assert outcome.lower <= outcome.upper


def judge_witness(scenario: Scenario, witness: Witness) -> Reading:
    """The witness counts, its names are those of its direction, and both probabilities are right."""
    pair = scenario.pairs[witness.pair]
    assert witness.forward or not pair.one_way
    left, right = (pair.left, pair.right) if witness.forward else (pair.right, pair.left)
    assert (witness.left, witness.right) == (left.name, right.name)
    a, b = (reference.probability(scenario.model, s.weights, witness.word, witness.ended) for s in (left, right))
    assert (witness.left_probability, witness.right_probability) == (a, b)
    horizon = scenario.claim.horizon
    assert witness.word
    assert horizon == "any" or (
        len(witness.word) < horizon if witness.ended else len(witness.word) == horizon
    )
    assert scenario.claim.possible == "either" or (a and b)
    return Reading(witness.pair, witness.forward, witness.word, witness.ended, a, b)


def judge_verdict(scenario: Scenario, verdict: Holds | Violated | Unknown) -> None:
    """A verdict of the dispatcher, at a finite horizon."""
    broken = worst_of_the_shortest(scenario)
    if not broken:
        assert isinstance(verdict, Holds)
        return
    assert isinstance(verdict, Violated)
    assert judge_witness(scenario, verdict.witness).key in {r.key for r in broken}
    assert verdict.witness.ratio == broken[0].ratio


def judge_enclosure(scenario: Scenario, lower: Extended, upper: Extended) -> None:
    """Bounds at any horizon, or of a search that was stopped: no counted word (of few symbols) lies above."""
    assert lower <= upper
    assert tight(scenario) <= upper


def judge_at_any(scenario: Scenario, verdict: Holds | Violated | Unknown) -> None:
    """A verdict at horizon any, as far as words of five symbols tell."""
    broken = worst_of_the_shortest(scenario)
    if isinstance(verdict, Violated):
        found = judge_witness(scenario, verdict.witness)
        assert not scenario.claim.budget.allows(found.left, found.right)
        if not broken:
            assert len(found.word) > LONGEST
        elif (len(found.word), found.ratio) != (len(broken[0].word), broken[0].ratio):
            # Only a search that a limit stopped may name a longer word.
            whole = verify(scenario)
            assert isinstance(whole, Violated)
            assert (len(whole.witness.word), whole.witness.ratio) == (len(broken[0].word), broken[0].ratio)
        return
    if isinstance(verdict, Holds):
        assert not broken
        return
    judge_enclosure(scenario, verdict.bounds.lower, verdict.bounds.upper)


def at(scenario: Scenario, horizon: object) -> Scenario:
    return replace(scenario, claim=replace(scenario.claim, horizon=horizon))


def claimed(scenario: Scenario, budget: object) -> Scenario:
    return replace(scenario, claim=replace(scenario.claim, budget=budget))
