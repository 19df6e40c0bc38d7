"""Certificates about delta: what the engine writes is accepted, and no wrong one is."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import faier
from faier.certificate import certify
from faier.definition import delta_by_definition
from faier.model.toml_write import dumps
from faier.number.budget import Budget
from faier.scenario.load import load as load_file
from faier.scenario.load import loads
from faier.scenario.scenario import Scenario
from faier_check import CertificateError, check
from strategies import quick, scenarios

Json = dict[str, Any]
EXAMPLES = Path(__file__).parents[2] / "examples"
BUDGETS = [
    *map(Budget.of_ratio, (Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(3))),
    Budget(power=Fraction(1, 2)),
    Budget(base=Fraction(3), root=2),
]
DELTAS = [Fraction(text) for text in ("1/100", "1/12", "1/4", "1/2")]

MODEL = """faier = 1
[model.emit]
"0" = { "~0" = "2/3", "~1" = "1/6", "~2" = "1/6" }
"1" = { "~0" = "1/3", "~1" = "1/3", "~2" = "1/3" }
"2" = { "~0" = "1/6", "~1" = "1/6", "~2" = "2/3" }
[[compare]]
left = "0"
right = "1"
[[compare]]
left = "1"
right = "2"
[claim]
ratio = "3/2"
horizon = 1
"""


def written(result: Any) -> Json:
    found: Json = json.loads(json.dumps(certify(result)))
    return found


def accepts(certificate: Json, model: str) -> str:
    return check(json.dumps(certificate).encode(), model.encode()).claim


def rejects(certificate: Json, match: str, model: str = MODEL) -> None:
    with pytest.raises(CertificateError, match=match):
        check(json.dumps(certificate).encode(), model.encode())


def load() -> Scenario:
    return loads(MODEL)


@quick
@given(scenarios(possible=["either"]), st.sampled_from(BUDGETS), st.sampled_from(DELTAS))
def test_verdicts_with_a_delta_are_certified(question: Scenario, budget: Budget, delta: Fraction) -> None:
    verdict = faier.verify(question, ratio=budget, delta=delta)
    certificate, model = written(verdict), dumps(question)
    accepts(certificate, model)
    # The opposite verdict has no proof of this form.
    if isinstance(verdict, faier.Holds):
        truth = delta_by_definition(question, question.claim.horizon, budget.below(300))
        if truth > 0:
            certificate["claim"]["delta"] = str(truth * Fraction(999, 1000))
            rejects(certificate, "layers", model)
    else:
        event = verdict.witness
        assert isinstance(event, faier.Event)
        certificate["claim"]["delta"] = str(min(Fraction(1), event.delta.above))
        rejects(certificate, "event", model)


@quick
@given(
    scenarios(possible=["either"], horizons=[1, 2, 3, "any"]), st.sampled_from(BUDGETS), st.sampled_from([-1, 1])
)
def test_points_of_a_profile_are_certified(question: Scenario, budget: Budget, side: int) -> None:
    found = faier.profile(question, ratio=budget, tolerance="1/20", timeout=1)
    if not found.complete:
        return
    certificate, model = written(found), dumps(question)
    accepts(certificate, model)
    # No bound may be a little tighter than what is true, where it is tight.
    end = "upper" if side < 0 else "lower"
    stated = Fraction(certificate["claim"][end])
    point = found.point
    assert point is not None
    if point.mass is not None and 0 < stated < 1:
        certificate["claim"][end] = str(stated + side * stated * Fraction(1, 10**20))
        with pytest.raises(CertificateError):
            check(json.dumps(certificate).encode(), model.encode())


def test_the_claim_is_said_in_words() -> None:
    question = load()
    assert "left <= 3/2 * right + 1/6" in accepts(written(faier.verify(question, delta="1/6")), MODEL)
    assert "an event of 1 outcome" in accepts(written(faier.verify(question, delta="1/7")), MODEL)
    said = accepts(written(faier.profile(question, ratio="3/2")), MODEL)
    assert "lies between 1/6 and 1/6" in said


def holds() -> Json:
    return written(faier.verify(load(), delta="1/6"))


def violated() -> Json:
    return written(faier.verify(load(), delta="1/7"))


def profile() -> Json:
    return written(faier.profile(load(), ratio="3/2"))


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"claim": {"delta": "1/7"}}, "layers: .*only shown to be at most 1/6"),
        ({"claim": {"budget": {"power": "0", "base": "7/5", "root": 1}}}, "budget: .*exceeds the claimed"),
        ({"proof": {"ratio": "7/5"}}, "layers: .*only shown to be at most 1/5"),
        ({"proof": {"depth": 0}}, "layers: .*only shown to be at most"),
        ({"proof": {"depth": 2}}, "beyond the horizon"),
        ({"proof": {"rule": "enumerate"}}, 'must be "layers"'),
        ({"claim": {"possible": "both"}}, 'must be "either"'),
        ({"claim": {"delta": "7/6"}}, "at most 1"),
        ({"claim": {"delta": "-1/6"}}, "at least 0"),
        ({"witness": {}}, "no place for a witness"),
        ({"proof": None}, "needs a proof"),
        ({"proof": {"more": 1}}, "unknown field"),
        ({"model": "sha256:0"}, "another model"),
    ],
)
def test_a_wrong_certificate_of_holds_is_rejected(change: Json, match: str) -> None:
    rejects(_changed(holds(), change), match)


def test_one_symbol_is_enough_where_every_run_ends_after_it() -> None:
    accepts(_changed(holds(), {"claim": {"horizon": "any"}}), MODEL)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"witness": {"left": "3/4"}}, "left is 2/3, not 3/4"),
        ({"witness": {"right": "1/4"}}, "right is 1/3, not 1/4"),
        ({"witness": {"words": [["~1"]], "left": "1/6"}}, "does not exceed"),
        ({"witness": {"words": [["~0"], ["~0"]], "ended": [False, False]}}, "stands twice"),
        ({"witness": {"words": [["~0"], ["~0", "~1"]], "ended": [False, False]}}, "does not count"),
        ({"witness": {"ended": [True]}}, "does not count"),
        ({"witness": {"ended": []}}, "an entry for each word"),
        ({"witness": {"words": [[]]}}, "empty word"),
        ({"witness": {"words": [["~7"]]}}, "no symbol"),
        ({"witness": {"pair": 9}}, "no such direction"),
        ({"claim": {"delta": "1/6"}}, "does not exceed the claimed delta"),
        ({"claim": {"delta": "2/3"}}, "does not exceed the claimed delta"),
        ({"claim": {"budget": {"power": "1", "base": "3/2", "root": 1}}}, "does not exceed"),
        ({"proof": {"rule": "layers"}}, "no place for a proof"),
        ({"witness": None}, "needs a witness"),
    ],
)
def test_a_wrong_certificate_of_violated_is_rejected(change: Json, match: str) -> None:
    rejects(_changed(violated(), change), match)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"claim": {"upper": "1/7", "lower": "1/7"}}, "at most 1/6"),
        ({"claim": {"upper": "1/5", "lower": "1/5"}}, "at least 1/6"),
        ({"claim": {"upper": "1/7"}}, "below"),
        ({"proof": {"above": "7/5"}}, "below the claimed ratio"),
        ({"proof": {"below": "8/5"}}, "exceeds the claimed"),
        ({"proof": {"below": "7/5"}}, "at most 1/5"),
        ({"proof": {"above": "8/5"}}, "at least 2/15"),
        ({"claim": {"delta": "0"}}, "unknown field"),
    ],
)
def test_a_wrong_certificate_of_a_profile_is_rejected(change: Json, match: str) -> None:
    rejects(_changed(profile(), change), match)


def test_outcomes_that_go_together_are_rejected() -> None:
    model = MODEL.replace("[[compare]]", '[model.step]\n"0" = { "0" = "1" }\n"1" = { "1" = "1" }\n[[compare]]', 1)
    model = model.replace("horizon = 1", "horizon = 2")
    certificate = written(faier.verify(loads(model), ratio="3/2", delta="1/100"))
    words = certificate["witness"]["words"]
    for extra in ([*words[0], "~0"], words[0][:1]):
        changed = deepcopy(certificate)
        changed["witness"]["words"] = [*words, extra]
        changed["witness"]["ended"] = [*changed["witness"]["ended"], False]
        rejects(changed, "outcome|does not count", model)


def _changed(certificate: Json, change: Json) -> Json:
    for key, value in change.items():
        if isinstance(value, dict) and isinstance(certificate[key], dict):
            certificate[key] = {**certificate[key], **value}
        else:
            certificate[key] = value
    return certificate


@pytest.mark.parametrize("name", ["two_copies", "equal_at_every_length"])
def test_classes_of_states_are_certified_at_every_length(name: str) -> None:
    question = load_file(EXAMPLES / f"{name}.toml").claiming(horizon="any")
    model = dumps(question)
    found = faier.profile(question, ratio="3/2")
    assert found.complete
    assert found.point is not None
    assert found.point.delta.lower == found.point.delta.upper
    verdict = faier.verify(question, ratio="3/2", delta="2/3")
    assert isinstance(verdict, faier.Holds)
    for certificate in (written(found), written(verdict)):
        accepts(certificate, model)
        states = len(certificate["classes"])
        rejects({**certificate, "classes": [0] * states}, "lump: .*do not emit alike", model)
        rejects({**certificate, "classes": [0] * (states + 1)}, "lump", model)
    # Without the classes the states of two sides are never compared, and less is shown.
    plain = {key: value for key, value in written(found).items() if key != "classes"}
    rejects(plain, "only shown to be at most", model)
