"""Every certificate that an engine writes is accepted by the checker, and says what the definition says."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from math import inf

import pytest
from chains import mixing
from hypothesis import given
from written import dispatched, examples, largest, refuted, results, written

import strategies
from faier.certificate import certify, dump
from faier.engine import epsilon, verify
from faier.errors import UsageError
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Pair, Scenario
from faier.verdict import Bounds, Holds, Unknown
from faier_check import check


def judge(scenario: Scenario, found: list) -> None:
    for result in found:
        item = written(scenario, result)
        proved = check(json.dumps(item.certificate).encode(), item.model)
        assert proved.kind == item.certificate["kind"]
        assert proved.rests_on == ()
        assert not refuted(item.certificate, scenario)


@examples(80)
@given(scenario=strategies.scenarios())
def test_finite_horizons(scenario):
    judge(scenario, results(scenario))


@examples(60)
@given(scenario=strategies.scenarios(max_states=3, horizons=("any",)))
def test_words_of_every_length(scenario):
    judge(scenario, results(scenario))


@examples(40)
@given(scenario=strategies.scenarios(models=mixing(), horizons=("any",)))
def test_suprema_that_no_word_reaches(scenario):
    judge(scenario, results(scenario, nodes=400, tolerance=Fraction(1, 100)))


@examples(25)
@given(scenario=strategies.scenarios(max_states=3, horizons=(1, 3, "any")))
def test_what_the_dispatcher_writes(scenario):
    judge(scenario, dispatched(scenario))


@examples(60)
@given(scenario=strategies.scenarios(max_states=3, horizons=(2, 4, "any")))
def test_tight_claims_need_exact_steps_and_get_them(scenario):
    """The claim is the tight ratio itself, met with equality."""
    truth = largest(scenario, scenario.claim.horizon, scenario.claim.possible)
    if truth in (0, inf):
        return
    judge(
        replace(scenario, claim=replace(scenario.claim, budget=Budget.of_ratio(truth))),
        results(replace(scenario, claim=replace(scenario.claim, budget=Budget.of_ratio(truth)))),
    )


@pytest.mark.parametrize("small", [Fraction(1, 2**150), Fraction(1, 10**200), Fraction(1, 10**400)], ids=float)
@pytest.mark.parametrize("horizon", [1, 3, "any"])
@pytest.mark.parametrize("possible", ["either", "both"])
def test_probabilities_of_very_different_size(small, horizon, possible):
    model = HMM(
        emit={"x": {"a": small, "b": 1 - small}, "y": {"a": 3 * small, "b": 1 - 3 * small}},
        step={"x": {"x": 1 - small, "y": small}},
    )
    scenario = Scenario.of(model, [("x", "y")], ratio=3, horizon=horizon, possible=possible)
    judge(scenario, results(scenario))


def test_entries_far_below_the_largest_of_their_row_keep_enough_digits():
    """After three symbols an entry is 2^-104 of the largest, and nearer to the bound than 2^-39."""
    tiny, small = Fraction(1, 10**15 + 1), Fraction(1, 10**9 + 1)
    half = Fraction(1, 2)
    model = HMM(
        emit={"x": {"a": half, "b": half}, "y": {"a": 1 - small, "b": small}, "z": {"a": tiny, "b": 1 - tiny}},
        step={"x": {"y": 1}, "y": {"y": 1}, "z": {"x": half, "z": half}},
    )
    total = 10**15 + 10**9 + 1
    left = {"x": Fraction(1, total), "y": Fraction(10**9, total), "z": Fraction(10**15, total)}
    pair = Pair(Belief.of("left", left, model), Belief.of("right", {"y": half, "z": half}, model), one_way=True)
    scenario = Scenario.of(model, [pair], horizon="any", possible="both")
    judge(scenario, [epsilon(scenario)])


def test_all_kinds_rules_and_shapes_occur():
    kinds, rules = set(), set()

    @examples(60)
    @given(scenario=strategies.scenarios(horizons=(1, 3, "any"), max_states=3))
    def look(scenario):
        for result in results(scenario):
            certificate = certify(result)
            proof = certificate["proof"] or {"rule": None}
            kinds.add((certificate["kind"], proof["rule"], certificate["claim"]["horizon"] == "any"))
            rules.update((step["rule"], "exact" in step) for step in proof.get("steps", ()))

    look()
    for any_length in (False, True):
        assert ("holds", "tree", any_length) in kinds
        assert ("epsilon", "tree", any_length) in kinds
        assert ("violated", None, any_length) in kinds
    assert ("holds", "enumerate", False) in kinds
    assert {rule for rule, _ in rules} >= {"expand", "end", "dominate", "subsume"}
    assert {rule for rule, _ in rules} & {"simulate", "cosimulate"}
    assert {rule for rule, exact in rules if exact} >= {"dominate", "subsume"}


def test_what_was_not_decided_has_no_certificate():
    model = HMM(emit={"x": {"a": "2/3", "b": "1/3"}, "y": {"a": "1/3", "b": "2/3"}})
    scenario = Scenario.of(model, [("x", "y")], ratio=2, horizon=1)
    verdict = Unknown(scenario, "tree", 0.0, None, reason="time", bounds=Bounds(Fraction(0), inf))
    with pytest.raises(UsageError, match="not decided"):
        certify(verdict)


def test_a_horizon_that_the_format_cannot_write_has_no_certificate():
    model = HMM(emit={"x": {"a": 1}}, step={"x": {"x": 1}})
    scenario = Scenario.of(model, [("x", "x")], ratio=1)
    furthest = replace(scenario, claim=replace(scenario.claim, horizon=10**18 - 1))
    item = written(furthest, verify(furthest))
    assert check(json.dumps(item.certificate).encode(), item.model).kind == "holds"
    with pytest.raises(UsageError, match="18 digits"):
        certify(verify(replace(scenario, claim=replace(scenario.claim, horizon=10**18))))


def test_a_solvers_word_has_no_certificate():
    model = HMM(emit={"x": {"a": "2/3", "b": "1/3"}, "y": {"a": "1/3", "b": "2/3"}})
    scenario = Scenario.of(model, [("x", "y")], ratio=2, horizon=1)
    with pytest.raises(UsageError, match="leaves no proof"):
        certify(Holds(scenario, "z3", 0.0, None))


def test_a_dumped_certificate_is_the_same(tmp_path):
    @examples(20)
    @given(scenario=strategies.scenarios())
    def same(scenario):
        for result in results(scenario):
            certificate = certify(result)
            dump(certificate, tmp_path / "c.json")
            assert json.loads((tmp_path / "c.json").read_text()) == certificate

    same()
    assert [p.name for p in tmp_path.iterdir()] == ["c.json"]


def test_the_claim_is_in_a_certificate_but_not_in_its_digest():
    model = HMM(emit={"x": {"a": "2/3", "b": "1/3"}, "y": {"a": "1/3", "b": "2/3"}})
    one = Scenario.of(model, [("x", "y")], ratio=2, horizon=1)
    two = replace(one, claim=Claim(Budget.of_ratio(3), 1))
    assert certify(verify(one))["model"] == certify(verify(two))["model"]
    assert certify(verify(one))["claim"] != certify(verify(two))["claim"]
