"""The checker against the definition: it accepts what is proved, and never a false claim."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from random import Random

import pytest
from checker_cases import Json
from checker_models import Spec, keeps, specs, tight
from checker_prover import Prover
from hypothesis import given, settings
from hypothesis import strategies as st

from faier_check import CertificateError, check

RATIOS = [
    Fraction(n, d) for n, d in ((0, 1), (1, 100), (1, 2), (9, 10), (1, 1), (3, 2), (2, 1), (3, 1), (10, 1))
]
seeds = st.integers(0, 10**9).map(Random)
horizons = st.sampled_from([None, None, 1, 2, 3])


def passes(certificate: Json, spec: Spec) -> bool:
    try:
        check(json.dumps(certificate).encode(), spec.toml())
    except CertificateError:
        return False
    return True


def true(certificate: Json, spec: Spec) -> bool:
    """Whether the certificate's claim holds by the definition; at "any", as far as one looks."""
    claim = certificate["claim"]
    horizon = None if claim["horizon"] == "any" else claim["horizon"]
    return keeps(spec, Fraction(claim["budget"]["base"]), horizon, claim["possible"] == "both")


@settings(deadline=None, max_examples=100)
@given(specs(), seeds, horizons, st.booleans(), st.sampled_from([Fraction(1), Fraction(11, 10), Fraction(5)]))
def test_accepts_what_an_honest_prover_proves(spec, random, horizon, both, slack):
    ratio = tight(spec, horizon, both)
    if ratio is None:
        return
    certificate = Prover(spec, horizon, both, ratio * slack, random, careless=False).certificate()
    if certificate is not None:
        check(json.dumps(certificate).encode(), spec.toml())
        assert true(certificate, spec)


def careless(spec: Spec, random: Random, horizon: int | None, both: bool) -> Json | None:
    """A certificate of a claim that is likely to be a little wrong."""
    ratio = tight(spec, horizon, both)
    choices = [*RATIOS, *([] if ratio is None else 8 * [ratio * Fraction(9, 10), ratio - Fraction(1, 10**9)])]
    return Prover(
        spec, horizon, both, max(random.choice(choices), Fraction(0)), random, careless=True
    ).certificate()


@settings(deadline=None, max_examples=200)
@given(specs(), seeds, horizons, st.booleans())
def test_rejects_a_careless_prover_where_the_claim_is_false(spec, random, horizon, both):
    certificate = careless(spec, random, horizon, both)
    if certificate is not None and passes(certificate, spec):
        assert true(certificate, spec)


def mutate(certificate: Json, spec: Spec, random: Random) -> None:
    """Change one thing."""
    proof, claim = certificate["proof"], certificate["claim"]
    steps = proof["steps"]
    step = random.choice(steps) if steps else {}
    match random.randrange(11):
        case 0:
            claim["horizon"] = random.choice(["any", 1, 2, 3])
        case 1:
            claim["possible"] = random.choice(["either", "both"])
        case 2 | 3:
            lower = Fraction(proof["ratio"]) * random.choice(
                [Fraction(9, 10), Fraction(1, 2), 1 - Fraction(1, 10**30)]
            )
            proof["ratio"] = claim["budget"]["base"] = str(lower or Fraction(1))
        case 4:
            step["rule"] = random.choice(["end", "dominate", "expand"])
            step.pop("by", None)
            step.pop("scale", None)
        case 5:
            step.update(
                rule="subsume",
                by=random.randrange(len(steps) + 1),
                scale=random.choice(["1", "1/2", "3/4", "2"]),
            )
        case 6 if "after" in step:
            step["after"] = [random.randrange(len(steps)), random.randrange(spec.symbols)]
        case 7 if steps:
            del steps[random.randrange(len(steps))]
        case 8 if steps:
            steps.pop()
        case 9:
            step.pop("exact", None)
            proof["precision"] = random.choice([16, 17, 64])
        case 10 if len(steps) > 1:
            i, j = random.sample(range(len(steps)), 2)
            steps[i], steps[j] = steps[j], steps[i]


@settings(deadline=None, max_examples=200)
@given(specs(), seeds, horizons, st.booleans(), st.integers(1, 3))
def test_no_mutation_makes_it_accept_a_false_claim(spec, random, horizon, both, times):
    ratio = tight(spec, horizon, both)
    if ratio is None:
        return
    certificate = Prover(spec, horizon, both, ratio, random, careless=False).certificate()
    if certificate is None:
        return
    changed = copy.deepcopy(certificate)
    for _ in range(times):
        mutate(changed, spec, random)
    if passes(changed, spec):
        assert true(changed, spec)


@settings(deadline=None, max_examples=100)
@given(specs(), st.sampled_from([1, 2, 3]), st.booleans(), st.sampled_from(RATIOS))
def test_enumeration_accepts_exactly_the_true_claims(spec, horizon, both, ratio):
    largest = tight(spec, horizon, both)
    for base in [ratio, *([] if largest is None else [largest, largest - Fraction(1, 10**30)])]:
        if base > 0:
            prover = Prover(spec, horizon, both, base, Random(0), careless=False)
            certificate = prover.around({"rule": "enumerate", "ratio": str(base)})
            assert passes(certificate, spec) == true(certificate, spec)


@pytest.mark.slow
def test_at_length():
    for seed in range(20_000):
        random = Random(seed)
        spec = some_spec(random)
        horizon, both = random.choice([None, None, 1, 2, 3]), random.random() < 0.6
        certificate = careless(spec, random, horizon, both)
        if certificate is not None and passes(certificate, spec):
            assert true(certificate, spec), (seed, certificate)


def some_spec(random: Random) -> Spec:
    """Like `specs()`, quicker to draw."""
    states, symbols = random.randint(1, 3), random.randint(1, 2)

    def row(width: int) -> tuple[Fraction, ...]:
        weights = [random.choice([0, 0, 1, 1, 2, 3]) for _ in range(width)]
        if not any(weights):
            weights[random.randrange(width)] = 1
        return tuple(Fraction(w, sum(weights)) for w in weights)

    step = tuple(row(states) if random.random() < 0.7 else None for _ in range(states))
    pairs = tuple((row(states), row(states), random.random() < 0.5) for _ in range(random.choice([1, 1, 2])))
    return Spec(tuple(row(symbols) for _ in range(states)), step, pairs)
