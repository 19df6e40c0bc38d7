"""Words whose ratio lies within 10^-40 or 10^-90 of an irrational budget. [T7]"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from judge import judge_witness

from faier.certificate import certify
from faier.comparison import Comparison
from faier.engine import columns, verify
from faier.engine.progress import Limits
from faier.engine.tree import levels
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.toml_write import dumps
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Pair, Scenario
from faier.verdict import Holds, Violated
from faier_check import check

BUDGETS = [
    Budget(power=Fraction(1)),
    Budget(power=Fraction(1, 2)),
    Budget(power=Fraction(-1, 3), base=Fraction(4)),
    Budget(base=Fraction(5), root=2),
    Budget(power=Fraction(1, 7), base=Fraction(3), root=3),
]
budgets = pytest.mark.parametrize("budget", BUDGETS, ids=str)
decimals = pytest.mark.parametrize("digits", [15, 40, 60, 90])
sides = pytest.mark.parametrize("above", [False, True], ids=["just below", "just above"])


def convergent(budget: Budget, digits: int, *, above: bool) -> Fraction:
    """A fraction within 10^-digits of the budget, on the side asked for: its continued fraction."""
    low, high = budget.below(4 * digits + 64), budget.above(4 * digits + 64)
    terms, found = [], Fraction(0)
    while True:
        term = low.numerator // low.denominator
        assert term == high.numerator // high.denominator, "not enough bits of the budget"
        terms.append(term)
        low, high = 1 / (high - term), 1 / (low - term)
        found = Fraction(terms[-1])
        for earlier in reversed(terms[:-1]):
            found = earlier + 1 / found
        if found.denominator > 10 ** ((digits + 1) // 2) and (budget.compare(found) > 0) == above:
            return found


def edge(ratio: Fraction, horizon: object, *, late: bool = False, ends: bool = False) -> Scenario:
    """The letter a has exactly this ratio, all others less; it is the first letter or the second."""
    p, q = ratio.numerator, ratio.denominator
    whole = 3 * (p + q)
    emit = {
        "x": {"a": Fraction(p, whole), "b": 1 - Fraction(p, whole)},
        "y": {"a": Fraction(q, whole), "b": 1 - Fraction(q, whole)},
        "u": {"c": Fraction(1)},
        "v": {"c": Fraction(1)},
        "end": {"c": Fraction(1)},
    }
    step = {"u": {"x": Fraction(1)}, "v": {"y": Fraction(1)}}
    if not ends:
        step |= {s: {"end": Fraction(1)} for s in ("x", "y", "end")}
    one, two = ("u", "v") if late else ("x", "y")
    return Scenario(HMM(emit, step), (Pair(Belief.at(one), Belief.at(two)),), Claim(horizon=horizon))


@budgets
@decimals
@sides
def test_both_engines_tell_them_apart(budget, digits, above):
    ratio = convergent(budget, digits, above=above)
    assert abs(ratio / budget.below(512) - 1) < Fraction(3, 10**digits)
    for engine in (levels, columns):
        for late in (False, True):
            comparison = Comparison(edge(ratio, 3, late=late))
            outcome = engine.decide(comparison, budget, Limits())
            assert (outcome.trace is None) == above
            if above:
                assert outcome.lower == ratio
            else:
                assert ratio <= outcome.trace.ratio
                assert budget.compare(outcome.trace.ratio) <= 0


@budgets
@sides
@pytest.mark.parametrize("possible", ["either", "both"])
@pytest.mark.parametrize("horizon", [1, 4, "any"])
@pytest.mark.parametrize("ends", [False, True])
def test_verdicts_and_certificates(budget, above, possible, horizon, ends):
    ratio = convergent(budget, 60, above=above)
    scenario = edge(ratio, horizon, ends=ends)
    scenario = replace(scenario, claim=Claim(budget, horizon, possible))
    verdict = verify(scenario, engine="tree")
    assert isinstance(verdict, Violated if above else Holds)
    if above:
        assert judge_witness(scenario, verdict.witness).ratio == ratio
    proved = check(_bytes(certify(verdict)), dumps(scenario).encode())
    assert proved.kind == ("violated" if above else "holds")


def test_a_longer_word_breaks_what_a_shorter_one_only_nearly_does():
    """The first letter lies between a rational bound and e; only the second letter exceeds e itself."""
    budget = Budget(power=Fraction(1))
    near, over = convergent(budget, 90, above=False), convergent(budget, 90, above=True)
    p, q = near.numerator, near.denominator
    whole = 3 * (p + q)
    factor = over / near
    tenth = Fraction(1, 10)
    model = HMM(
        emit={
            "x": {"a": Fraction(p, whole), "b": 1 - Fraction(p, whole)},
            "y": {"a": Fraction(q, whole), "b": 1 - Fraction(q, whole)},
            "x2": {"a": tenth * factor, "b": 1 - tenth * factor},
            "y2": {"a": tenth, "b": 1 - tenth},
        },
        step={"x": {"x2": Fraction(1)}, "y": {"y2": Fraction(1)}},
    )
    scenario = Scenario(model, (Pair(Belief.at("x"), Belief.at("y")),), Claim(budget, "any"))
    for horizon in (2, "any"):
        verdict = verify(replace(scenario, claim=Claim(budget, horizon)), engine="tree")
        assert isinstance(verdict, Violated)
        assert verdict.witness.word == ("a", "a")
        assert verdict.witness.ratio == over
    assert isinstance(verify(replace(scenario, claim=Claim(budget, 1))), Holds)


def _bytes(certificate: dict) -> bytes:
    import json

    return json.dumps(certificate).encode()
