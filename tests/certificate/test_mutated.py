"""No changed certificate, and none moved to another model, makes the checker accept what brute force refutes."""

from __future__ import annotations

import copy
from dataclasses import replace
from fractions import Fraction
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutations import MUTATIONS, PART, change_horizon, drop_exact, lower_claim, toggle_possible
from written import accepted, examples, largest, refuted, results, written

import strategies
from faier.certificate.digest import digest
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.toml_write import dumps
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Pair, Scenario


def certificates(scenario: Scenario) -> list[dict]:
    """What the engines write for the claim, and for the tight ratio as the claim."""
    truth = largest(scenario, scenario.claim.horizon, scenario.claim.possible)
    found = [written(scenario, result).certificate for result in results(scenario)]
    if truth not in (0, inf):
        met = replace(scenario, claim=replace(scenario.claim, budget=Budget.of_ratio(truth)))
        found += [written(met, result).certificate for result in results(met)]
    return found


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.__name__)
def test_mutated(mutation):
    @examples(12)
    @given(scenario=strategies.scenarios(max_states=3, horizons=(1, 2, 3, "any")), seed=st.integers(0, 10**6))
    def sound(scenario, seed):
        model = dumps(scenario).encode()
        for certificate in certificates(scenario):
            changed = copy.deepcopy(certificate)
            mutation(changed, Random(seed))
            if changed != certificate and accepted(changed, model):
                assert not refuted(changed, scenario)

    sound()


@examples(50)
@given(
    scenario=strategies.scenarios(max_states=3, horizons=(1, 2, 3, "any")),
    seed=st.integers(0, 10**6),
    times=st.integers(2, 4),
)
def test_mutated_again_and_again(scenario, seed, times):
    model, dice = dumps(scenario).encode(), Random(seed)
    for certificate in certificates(scenario):
        for _ in range(times):
            dice.choice(MUTATIONS)(certificate, dice)
        if accepted(certificate, model):
            assert not refuted(certificate, scenario)


@examples(60)
@given(scenario=strategies.scenarios(horizons=(1, 2, 3)))
def test_a_tight_claim_cannot_be_lowered(scenario):
    """One part in 10^30 below the tight ratio no proof is accepted, however it is made."""
    truth = largest(scenario, scenario.claim.horizon, scenario.claim.possible)
    if truth in (0, inf):
        return
    model = dumps(scenario).encode()
    for certificate in certificates(scenario):
        claim, proof = certificate["claim"], certificate["proof"]
        if proof is None or Fraction(proof["ratio"]) != truth:
            continue
        lower = str(truth * (1 - PART))
        proof["ratio"] = lower
        if certificate["kind"] == "epsilon":
            claim["upper"] = lower
        else:
            claim["budget"] = {"power": "0", "base": lower, "root": 1}
        assert not accepted(certificate, model)
        for step in proof.get("steps", ()):
            step["exact"] = True
            if step["rule"] == "expand" and "root" in step:
                del step["exact"]
        assert not accepted(certificate, model)


def nearby(scenario: Scenario, dice: Random) -> Scenario:
    """One probability moved by 10^-30, or the sides of a pair exchanged, or one state more able to go on."""
    model = scenario.model
    emit, step = model.emit_rows(), model.step_rows()
    match dice.randrange(4):
        case 0 | 1:
            rows = [r for r in (*emit.values(), *step.values()) if len(r) > 1]
            if rows:
                row = dice.choice(rows)
                one, two = dice.sample(list(row), 2)
                moved = min(PART, row[one])
                row[one], row[two] = row[one] - moved, row[two] + moved
        case 2:
            k = dice.randrange(len(scenario.pairs))
            pair = scenario.pairs[k]
            pairs = list(scenario.pairs)
            pairs[k] = Pair(pair.right, pair.left, pair.one_way)
            return replace(scenario, pairs=tuple(pairs))
        case 3:
            state = dice.choice(list(emit))
            step[state] = {dice.choice(list(emit)): Fraction(1)}
    return replace(scenario, model=HMM(emit=emit, step=step))


@pytest.mark.parametrize("renamed", [False, True], ids=["as it is", "with the digest of the other"])
def test_about_another_model(renamed):
    """The digest tells the models apart; and where it is forged, the numbers do."""

    @examples(50)
    @given(scenario=strategies.scenarios(max_states=3, horizons=(1, 2, 3, "any")), seed=st.integers(0, 10**6))
    def sound(scenario, seed):
        other = nearby(scenario, Random(seed))
        if digest(other) == digest(scenario):
            return
        model = dumps(other).encode()
        for certificate in certificates(scenario):
            if not renamed:
                assert not accepted(certificate, model)
                continue
            certificate["model"] = digest(other)
            if accepted(certificate, model):
                assert not refuted(certificate, other)

    sound()


def test_some_mutated_certificates_are_accepted_and_some_false_ones_are_not():
    """Else the tests above would say nothing: they need both statements that are true and ones that are false."""
    counts = {"accepted": 0, "false": 0, "accepted and false": 0}

    @examples(35)
    @given(scenario=strategies.scenarios(max_states=3, horizons=(2, 3, "any")), seed=st.integers(0, 10**6))
    def look(scenario, seed):
        model, dice = dumps(scenario).encode(), Random(seed)
        for certificate in certificates(scenario):
            dice.choice([lower_claim, change_horizon, toggle_possible, drop_exact])(certificate, dice)
            took, false = accepted(certificate, model), refuted(certificate, scenario)
            counts["accepted"] += took
            counts["false"] += false
            counts["accepted and false"] += took and false

    look()
    assert counts["accepted"] > 20
    assert counts["false"] > 20
    assert counts["accepted and false"] == 0


def test_rounding_is_not_enough_where_a_bound_is_met():
    """Dropping the exact flags of a claim met with equality, with thirds that no binary fraction equals."""
    third = Fraction(1, 3)
    model = HMM(
        emit={"x": {"a": 2 * third, "b": third}, "y": {"a": third, "b": 2 * third}},
        step={"x": {"x": third, "y": 2 * third}, "y": {"x": third, "y": 2 * third}},
    )
    scenario = Scenario(model, (Pair(Belief.at("x"), Belief.at("y")),), Claim(Budget.of_ratio(2), 3))
    text = dumps(scenario).encode()
    for result in results(scenario):
        certificate = written(scenario, result).certificate
        if certificate["proof"] is None or certificate["proof"]["rule"] != "tree":
            continue
        assert accepted(certificate, text)
        if any(step.get("exact") for step in certificate["proof"]["steps"]):
            drop_exact(certificate, Random(1))
            assert not accepted(certificate, text)
