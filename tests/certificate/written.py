"""Certificates that engines wrote, the statements that they make, and the truth of those by brute force."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import Any

from hypothesis import HealthCheck, settings

import reference
from faier.certificate import certify
from faier.comparison import Comparison
from faier.engine import columns, epsilon, verify
from faier.engine.progress import Limits
from faier.engine.tree import anytime, levels
from faier.engine.words import witness
from faier.model.toml_write import dumps
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Scenario
from faier.verdict import Bounds, Holds, Tight, Unknown, Verdict, Violated
from faier_check import CertificateError, check
from faier_check import Limits as CheckLimits

LONGEST = 5
Json = dict[str, Any]


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
class Written:
    """A certificate with the text of the model it is about."""

    scenario: Scenario
    model: bytes
    certificate: Json


def written(scenario: Scenario, result: Verdict | Tight) -> Written:
    return Written(scenario, dumps(scenario).encode(), json.loads(json.dumps(certify(result))))


def results(
    scenario: Scenario, nodes: int = 120, tolerance: Fraction = Fraction(1, 10**4)
) -> list[Verdict | Tight]:
    """What every engine that applies says of a scenario, undecided answers left out."""
    comparison = Comparison(scenario)
    outcomes = [(levels.decide(comparison, scenario.claim.budget, Limits(nodes=nodes)), True)]
    if comparison.length is None:
        outcomes.append((anytime.tight_at_any(comparison, tolerance, Limits(nodes=nodes)), False))
    else:
        outcomes.append((levels.tight_at(comparison, Limits()), False))
        with suppress(columns.TooSmall):
            outcomes.append((columns.decide(comparison, scenario.claim.budget, Limits()), True))
            outcomes.append((columns.tight_at(comparison, Limits()), False))
    found: list[Verdict | Tight] = []
    for outcome, decided in outcomes:
        if outcome.reason is not None:
            continue
        word = None if outcome.found is None else witness(comparison, outcome.found)
        if not decided:
            bounds = Bounds(outcome.lower, outcome.upper)
            family = outcome.limit or outcome.diverges
            attained = word is not None and outcome.lower == outcome.upper and family is None
            found.append(
                Tight(
                    scenario, bounds, attained, word, True, None, "tree", 0.0, outcome.trace,
                    diverges=outcome.diverges, limit=outcome.limit,
                )
            )  # fmt: skip
        elif outcome.trace is not None:
            found.append(Holds(scenario, "tree", 0.0, outcome.trace))
        elif word is not None and (outcome.lower == inf or scenario.claim.budget.compare(outcome.lower) > 0):
            found.append(Violated(scenario, "tree", 0.0, None, witness=word))
    return found


def dispatched(scenario: Scenario) -> list[Verdict | Tight]:
    """The same by the functions that choose an engine."""
    verdict, tight = verify(scenario, seconds=5), epsilon(scenario, tolerance=Fraction(1, 10**4), seconds=5)
    found: list[Verdict | Tight] = [] if isinstance(verdict, Unknown) else [verdict]
    return [*found, tight] if tight.complete else found


def accepted(certificate: Json, model: bytes) -> bool:
    try:
        check(json.dumps(certificate).encode(), model, CheckLimits(operations=20_000_000))
    except CertificateError:
        return False
    return True


def largest(scenario: Scenario, horizon: object, possible: str) -> Fraction | float:
    """The largest ratio of a counted word; at any, of up to five symbols."""
    scenario = replace(scenario, claim=Claim(None, horizon, possible))
    if horizon != "any":
        return reference.tight(scenario, horizon)
    worst: Fraction | float = Fraction(0)
    for *_, left, right in reference.walk(scenario, LONGEST):
        readings = (
            (sum(left.values()), sum(right.values())),
            (left.get(reference.DONE, 0), right.get(reference.DONE, 0)),
        )
        for a, b in readings:
            if possible == "either" or (a and b):
                worst = max(worst, reference._ratio(a, b))
    return worst


def refuted(certificate: Json, scenario: Scenario) -> bool:
    """Whether brute force contradicts what a certificate states; at any, as far as it looks."""
    claim = certificate["claim"]
    worst = largest(scenario, claim["horizon"], claim["possible"])
    finite = claim["horizon"] != "any"
    if certificate["kind"] == "epsilon":
        upper = inf if claim["upper"] == "infinity" else Fraction(claim["upper"])
        lower = inf if claim["lower"] == "infinity" else Fraction(claim["lower"])
        return worst > upper or (finite and worst < lower)
    stated = claim["budget"]
    budget = Budget(Fraction(stated["power"]), Fraction(stated["base"]), stated["root"])
    broken = worst == inf or budget.compare(Fraction(worst)) > 0
    return broken if certificate["kind"] == "holds" else (finite and not broken)
