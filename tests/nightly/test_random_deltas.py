"""Five thousand random questions about delta: brute force, the engine and the checker say the same.

A hundred always run; `pytest -m slow tests/nightly` runs them all.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction

import pytest
from random_models import question

import faier
import reference
from faier.certificate import certify
from faier.model.toml_write import dumps
from faier.number.budget import Budget
from faier_check import CertificateError, check

ALL, BLOCK = 5_000, 500
RATIOS = tuple(map(Fraction, ("1/3", "1", "5/4", "2", "7")))


@pytest.mark.parametrize("seeds", [range(start, start + 25) for start in range(0, 100, 25)], ids=str)
def test_a_hundred_agree(seeds: range) -> None:
    for seed in seeds:
        agree(seed)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seeds", [range(start, start + BLOCK) for start in range(0, ALL, BLOCK)], ids=str)
def test_all_agree(seeds: range) -> None:
    for seed in seeds:
        agree(seed)


def agree(seed: int) -> None:
    scenario = question(seed)
    scenario = replace(scenario, claim=replace(scenario.claim, possible="either"))
    choose = random.Random(seed)
    ratio = choose.choice(RATIOS)
    truth = delta_of(scenario, ratio)
    found = faier.profile(scenario, ratio=ratio)
    point = found.point
    assert point is not None
    assert (point.delta.lower, point.delta.upper) == (truth, truth), seed
    text = dumps(scenario).encode()
    certificate = json.loads(json.dumps(certify(found)))
    check(json.dumps(certificate).encode(), text)
    if truth:
        above = min(Fraction(1), truth * Fraction(101, 100))
        for end, wrong in (("upper", truth * Fraction(99, 100)), ("lower", above)):
            changed = {**certificate, "claim": {**certificate["claim"], end: str(wrong)}}
            if wrong != truth:
                with pytest.raises(CertificateError):
                    check(json.dumps(changed).encode(), text)
    delta = choose.choice([Fraction(1, 100), Fraction(1, 10), truth if 0 < truth <= 1 else Fraction(1, 2)])
    verdict = faier.verify(scenario, ratio=ratio, delta=delta)
    assert isinstance(verdict, faier.Holds if truth <= delta else faier.Violated), seed
    check(json.dumps(certify(verdict)).encode(), text)
    irrational = Budget(power=Fraction(choose.randint(-5, 20), 10), base=Fraction(choose.randint(1, 3)))
    near = faier.profile(scenario, ratio=irrational)
    assert near.point is not None
    assert delta_of(scenario, irrational.above(300)) <= near.point.delta.upper, seed
    assert near.point.delta.lower <= delta_of(scenario, irrational.below(300)), seed
    check(json.dumps(certify(near)).encode(), text)


def delta_of(scenario: faier.Scenario, ratio: Fraction) -> Fraction:
    """The sum over words of what the left exceeds the ratio by, in the worst direction."""
    beyond: dict[tuple[int, bool], Fraction] = {}
    for pair, forward, word, ended, _, _ in reference.counted(scenario, scenario.claim.horizon):
        sides = (scenario.pairs[pair].left, scenario.pairs[pair].right)[:: 1 if forward else -1]
        left, right = (reference.probability(scenario.model, side.weights, word, ended) for side in sides)
        beyond[pair, forward] = beyond.get((pair, forward), Fraction(0)) + max(Fraction(0), left - ratio * right)
    return max(beyond.values())
