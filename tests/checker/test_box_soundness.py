"""Proofs by boxes against the definition at points: true claims pass, false ones never do."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from random import Random

import pytest
from box_prover import BoxProver, Json, PolySpec, some_poly_spec

from faier_check import CertificateError, check

RATIOS = [Fraction(n, d) for n, d in ((1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (8, 1))]


def passes(certificate: Json, spec: PolySpec) -> bool:
    try:
        check(json.dumps(certificate).encode(), spec.toml())
    except CertificateError:
        return False
    return True


def true(certificate: Json, spec: PolySpec) -> bool:
    """Whether the claim holds at the points of a grid."""
    claim = certificate["claim"]
    horizon = None if claim["horizon"] == "any" else claim["horizon"]
    return spec.keeps(Fraction(claim["budget"]["base"]), horizon, claim["possible"] == "both")


def drawn(random: Random, careless: bool) -> tuple[PolySpec, Json | None]:
    spec = some_poly_spec(random)
    horizon, both = random.choice([None, None, 1, 2, 3]), random.random() < 0.4
    return spec, BoxProver(spec, horizon, both, random.choice(RATIOS), random, careless).certificate()


def look_at_honest(seeds: range) -> None:
    found = splits = subsumed = 0
    for seed in seeds:
        spec, certificate = drawn(Random(seed), careless=False)
        if certificate is not None:
            check(json.dumps(certificate).encode(), spec.toml())
            assert true(certificate, spec), seed
            rules = {step["rule"] for step in certificate["proof"]["steps"]}
            found, splits, subsumed = found + 1, splits + ("split" in rules), subsumed + ("subsume" in rules)
    assert found > len(seeds) // 5
    assert splits > len(seeds) // 100
    assert subsumed > len(seeds) // 100


def test_accepts_what_an_honest_prover_proves():
    look_at_honest(range(200))


def look_at_careless(seeds: range) -> None:
    false = 0
    for seed in seeds:
        spec, certificate = drawn(Random(seed), careless=True)
        if certificate is not None:
            holds = true(certificate, spec)
            false += not holds
            assert holds or not passes(certificate, spec), seed
    assert false > len(seeds) // 20


def test_rejects_a_careless_prover_where_the_claim_is_false():
    look_at_careless(range(1_000, 1_150))


def mutate(certificate: Json, random: Random) -> None:
    """Change one thing."""
    proof, claim = certificate["proof"], certificate["claim"]
    steps = proof["steps"]
    step = random.choice(steps)
    place = next(name for name in ("root", "after", "half", "reading", "part") if name in step)
    match random.randrange(9):
        case 0:
            claim["horizon"] = random.choice(["any", 1, 2, 3])
        case 1:
            claim["possible"] = random.choice(["either", "both"])
        case 2 | 3:
            lower = Fraction(proof["ratio"]) * random.choice(
                [Fraction(9, 10), Fraction(1, 2), 1 - Fraction(1, 10**30)]
            )
            proof["ratio"] = claim["budget"]["base"] = str(lower)
        case 4:
            for name in ("by", "scale", "variable", "at"):
                step.pop(name, None)
            step["rule"] = random.choice(["end", "dominate", "expand"])
        case 5:
            step.pop("variable", None)
            step.pop("at", None)
            step.update(
                rule="subsume", by=random.randrange(len(steps)), scale=random.choice(["1", "1/2", "3/4", "2"])
            )
        case 6 if place != "root":
            step[place] = [random.randrange(len(steps)), random.randrange(2)]
        case 7:
            del steps[random.randrange(len(steps))]
        case 8 if "at" in step:
            step["at"] = random.choice(["1/4", "1/2", "3/4", "1/3", "9/10"])


def look_at_mutants(seeds: range) -> None:
    false = 0
    for seed in seeds:
        random = Random(seed)
        spec, certificate = drawn(random, careless=random.random() < 0.3)
        if certificate is None:
            continue
        changed = copy.deepcopy(certificate)
        for _ in range(random.randint(1, 3)):
            mutate(changed, random)
            if not changed["proof"]["steps"]:
                break
        if passes(changed, spec):
            assert true(changed, spec), seed
        else:
            false += 1
    assert false > len(seeds) // 10


def test_no_mutation_makes_it_accept_a_false_claim():
    look_at_mutants(range(2_000, 2_300))


@pytest.mark.slow
def test_at_length():
    look_at_honest(range(10_000, 13_000))
    look_at_careless(range(20_000, 22_000))
    look_at_mutants(range(30_000, 40_000))
