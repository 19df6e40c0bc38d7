"""Five thousand random questions about delta, and three thousand about streams, secrets inside a run and every length:
brute force, the engine and the checker say the same.

A hundred and some dozens always run; `pytest -m slow tests/nightly` runs them all.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction

import pytest
from by_words import game
from random_lengths import question as question_at_any
from random_models import question

import faier
import reference
from faier.certificate import certify
from faier.model.toml_write import dumps
from faier.number.budget import Budget
from faier_check import CertificateError, check

ALL, BLOCK = 5_000, 500
MORE = 3_000
SECONDS = 0.2
"""At every length an enclosure may get narrower for ever; what it is when the time is over has to be true as well."""
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


@pytest.mark.parametrize("seeds", [range(start, start + 20) for start in range(0, 60, 20)], ids=str)
def test_some_dozens_of_all_kinds_agree(seeds: range) -> None:
    for seed in seeds:
        agree_on_all_kinds(seed)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seeds", [range(start, start + BLOCK) for start in range(0, MORE, BLOCK)], ids=str)
def test_all_of_all_kinds_agree(seeds: range) -> None:
    for seed in seeds:
        agree_on_all_kinds(seed)


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


def agree_on_all_kinds(seed: int) -> None:
    """Exact at a finite horizon; at every length no delta of a finite one lies above, and what is claimed is proved."""
    scenario = question_at_any(seed)
    scenario = replace(scenario, claim=replace(scenario.claim, possible="either"))
    choose = random.Random(seed)
    ratio, horizon = choose.choice(RATIOS), choose.choice((1, 2, 3) if scenario.stream is None else (1, 2))
    short = scenario.claiming(horizon=horizon)
    truth = delta_of(short, ratio)
    found = faier.profile(short, ratio=ratio)
    assert found.point is not None
    assert (found.point.delta.lower, found.point.delta.upper) == (truth, truth), seed
    check(json.dumps(certify(found)).encode(), dumps(short).encode())
    ever = faier.profile(scenario, ratio=ratio, timeout=SECONDS)
    claim = scenario.claiming(ratio=ratio, delta=choose.choice((Fraction(1, 50), Fraction(1, 4), truth)))
    verdict = faier.verify(claim, timeout=SECONDS)
    assert ever.point is not None
    assert truth <= ever.point.delta.upper, seed
    assert ever.point.delta.lower <= ever.point.delta.upper, seed
    if not isinstance(verdict, faier.Unknown):
        assert isinstance(verdict, faier.Violated) or truth <= claim.claim.delta, seed
        check(json.dumps(certify(verdict)).encode(), dumps(claim).encode())


def delta_of(scenario: faier.Scenario, ratio: Fraction) -> Fraction:
    """The sum over words of what the left exceeds the ratio by, in the worst direction; of a stream, what the best
    adversary is shown."""
    if scenario.stream is not None:
        assert scenario.written is not None
        pairs = [(dict(p.left.weights), dict(p.right.weights)) for p in scenario.written.pairs]
        ways = [*pairs, *((right, left) for left, right in pairs)]
        return max(game(scenario.stream, left, right, ratio, scenario.claim.horizon) for left, right in ways)
    beyond: dict[tuple[int, bool], Fraction] = {}
    for pair, forward, word, ended, _, _ in reference.counted(scenario, scenario.claim.horizon):
        sides = (scenario.pairs[pair].left, scenario.pairs[pair].right)[:: 1 if forward else -1]
        left, right = (reference.probability(scenario.model, side.weights, word, ended) for side in sides)
        beyond[pair, forward] = beyond.get((pair, forward), Fraction(0)) + max(Fraction(0), left - ratio * right)
    return max(beyond.values())
