"""Every example file with unknown parameters: the engine's answers against the header and exact evaluations.

The reference reads the files by itself (`at_values`) and looks at one word after the other, at values that the
engine found, that the header names, and on a grid.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from at_values import ModelText, Undefined
from headers import EXAMPLES, UNKNOWN_NAMES, header, scenario

import faier
import reference
from faier.number.exact import Prob
from faier.number.sign import enclosure
from faier_check import CertificateError

FREE = [name for name in UNKNOWN_NAMES if scenario(name).model.unknowns.ranges]
HOLD = [name for name in UNKNOWN_NAMES if header(name).holds]
BROKEN = [name for name in UNKNOWN_NAMES if not header(name).holds]
TWINS = [name for name in UNKNOWN_NAMES if header(name).twin_of]

# At horizon "any" the reference sees all words up to this length.
DEPTH = 8
# How many values of each parameter the grid has where 1, 2, 3 vary.
COUNTS = (25, 9, 5)
# The values of a witness have denominators of at most this ...
SMALL = 50
# ... and come this near to a supremum that is not reached.
NEAR = Fraction(98, 100)
# Equal to a power of e of sixty digits, or below it.
CLOSE = Fraction(1, 10**40)
# The limit is approached in other places as well.
SEVERAL_LIMITS = {"any_prior", "any_prior_faulty", "noisy_max_rates_own_faulty"}


@cache
def text(name: str) -> ModelText:
    return ModelText(EXAMPLES / f"{name}.toml")


@cache
def verdict(name: str) -> faier.Verdict:
    return faier.verify(scenario(name))


@cache
def tight(name: str) -> faier.Tight:
    return faier.epsilon(scenario(name))


def ratio_at(name: str, values: dict[str, Fraction]) -> Fraction | float:
    """The largest ratio of a word at these values; at horizon any, of at most `DEPTH` symbols."""
    question = text(name).at(values)
    horizon = question.claim.horizon
    return max(reference.tight(question, n) for n in range(1, DEPTH + 1)) if horizon == "any" else reference.tight(
        question, horizon
    )


def keeps(name: str, values: dict[str, Fraction], ratio: Fraction | float) -> bool:
    return ratio <= text(name).budget(values) * (1 + CLOSE)


def as_fractions(value: Prob | float) -> tuple[Fraction | float, Fraction | float]:
    return (value, value) if isinstance(value, float) else enclosure(value, 200)


@pytest.mark.parametrize("name", UNKNOWN_NAMES)
def test_the_verdict_is_the_one_expected(name: str) -> None:
    assert type(verdict(name)) is (faier.Holds if header(name).holds else faier.Violated), str(verdict(name))


@pytest.mark.parametrize("name", BROKEN)
def test_the_witness_breaks_the_claim_at_its_values(name: str) -> None:
    found = verdict(name)
    assert isinstance(found, faier.Violated)
    witness, file = found.witness, text(name)
    assert file.allows(witness.parameters)
    question = file.at(witness.parameters)
    pair = question.pairs[witness.pair]
    assert witness.forward or not pair.one_way
    sides = (pair.left, pair.right) if witness.forward else (pair.right, pair.left)
    assert [side.name for side in sides] == [witness.left, witness.right]
    left, right = (
        reference.probability(question.model, side.weights, witness.word, witness.ended) for side in sides
    )
    for value, stated in ((left, witness.left_probability), (right, witness.right_probability)):
        lower, upper = as_fractions(stated)
        assert lower * (1 - CLOSE) <= value <= upper * (1 + CLOSE)
    assert left > right * file.budget(witness.parameters)
    horizon = file.horizon
    assert horizon == "any" or (
        (len(witness.word) < horizon) if witness.ended else (len(witness.word) == horizon)
    )
    shortest = header(name).shortest
    assert shortest is not None
    assert len(witness.word) >= shortest


@pytest.mark.parametrize("name", BROKEN)
def test_the_values_of_the_witness_are_simple(name: str) -> None:
    found = verdict(name)
    assert isinstance(found, faier.Violated)
    assert all(value.denominator <= SMALL for value in found.witness.parameters.values())


@pytest.mark.parametrize("name", UNKNOWN_NAMES)
def test_the_tight_ratio_is_the_one_expected(name: str) -> None:
    promise, found = header(name), tight(name)
    assert found.complete
    lower, upper = as_fractions(found.ratio.lower)[0], as_fractions(found.ratio.upper)[1]
    assert lower <= promise.upper
    assert promise.lower <= upper
    assert upper == math.inf or upper <= lower * (1 + Fraction(2, 10**9))
    if promise.attained and not any(isinstance(value, float) for value in promise.worst.values()):
        assert found.exact
        assert found.attained
    if not promise.attained:
        assert not found.attained
        assert found.exact or text(name).horizon == "any"


@pytest.mark.parametrize("name", FREE)
def test_the_values_of_the_tight_ratio_attain_or_approach_it(name: str) -> None:
    promise, found = header(name), tight(name)
    assert found.witness is not None
    assert text(name).allows(found.witness.parameters)
    word_by_word = ratio_at(name, dict(found.witness.parameters))
    assert word_by_word <= promise.upper
    if len(found.witness.word) <= DEPTH:
        assert word_by_word >= found.witness.ratio
    if found.attained:
        assert word_by_word == found.ratio.lower
    elif promise.upper == math.inf:
        assert word_by_word >= 1000
    else:
        assert word_by_word >= NEAR * promise.lower
    if found.limit is not None:
        assert found.limit.ratio == found.ratio.lower
        assert name in SEVERAL_LIMITS or found.limit.parameters == promise.worst


@pytest.mark.parametrize("name", FREE)
def test_the_header_says_where_the_ratio_is_tight(name: str) -> None:
    """At the values themselves, or the nearer the closer, and never above."""
    promise, file = header(name), text(name)
    assert promise.worst.keys() <= file.ranges.keys()
    assert promise.worst
    if any(isinstance(value, float) for value in promise.worst.values()):
        near = {k: Fraction(value).limit_denominator(10**5) for k, value in promise.worst.items()}
        assert promise.lower * (1 - Fraction(1, 10**6)) < ratio_at(name, near) <= promise.upper
    elif promise.attained:
        assert ratio_at(name, promise.worst) == promise.lower == promise.upper
    elif file.horizon == "any":
        assert promise.lower * NEAR <= ratio_at(name, promise.worst) < promise.upper
    else:
        distances = [Fraction(1, 10**k) for k in (3, 6, 9)]
        ratios = [ratio_at(name, file.near(promise.worst, distance)) for distance in distances]
        assert ratios == sorted(set(ratios))
        for ratio, distance in zip(ratios, distances, strict=True):
            if promise.upper == math.inf:
                assert ratio >= 1 / distance
            else:
                assert promise.lower * (1 - 20 * distance) <= ratio < promise.upper


@pytest.mark.parametrize("name", UNKNOWN_NAMES)
def test_nothing_on_a_grid_exceeds_the_tight_ratio(name: str) -> None:
    promise, file = header(name), text(name)
    seen = 0
    for values in file.grid(COUNTS):
        try:
            ratio = ratio_at(name, values)
        except Undefined:
            continue
        seen += 1
        assert ratio <= promise.upper, values
        assert not promise.holds or keeps(name, values, ratio), values
    assert seen >= (COUNTS[0] - 2 if file.ranges else 1)


@pytest.mark.parametrize("name", [name for name in UNKNOWN_NAMES if header(name).broken or header(name).kept])
def test_the_header_names_values_that_break_the_claim_or_keep_it(name: str) -> None:
    promise = header(name)
    for values, expected in [*((v, False) for v in promise.broken), *((v, True) for v in promise.kept)]:
        assert text(name).allows(values)
        assert keeps(name, values, ratio_at(name, values)) is expected, values
        fixed = scenario(name).fixing({k: str(value) for k, value in values.items()})
        assert isinstance(faier.verify(fixed), faier.Holds if expected else faier.Violated), values


@pytest.mark.parametrize("name", UNKNOWN_NAMES)
@pytest.mark.parametrize("kind", ["verdict", "tight"])
def test_the_checker_accepts_the_certificate(name: str, kind: str, tmp_path: Path) -> None:
    result = verdict(name) if kind == "verdict" else tight(name)
    faier.check(written(result, tmp_path), EXAMPLES / f"{name}.toml")


@pytest.mark.parametrize("name", TWINS)
def test_the_checker_rejects_the_certificate_of_the_model_without_the_fault(name: str, tmp_path: Path) -> None:
    twin_of = header(name).twin_of
    assert twin_of is not None
    original = scenario(twin_of)
    if (original.model, original.pairs) == (scenario(name).model, scenario(name).pairs):
        pytest.skip("the fault is in the claim, the model is the same")
    with pytest.raises(CertificateError):
        faier.check(written(verdict(twin_of), tmp_path), EXAMPLES / f"{name}.toml")


def written(result: faier.Verdict | faier.Tight, folder: Path) -> Path:
    certificate = folder / "certificate.json"
    certificate.write_text(json.dumps(faier.certify(result)), "utf-8")
    return certificate


@pytest.mark.parametrize("name", TWINS)
def test_a_twin_is_broken_and_its_original_is_not(name: str) -> None:
    promise = header(name)
    assert not promise.holds
    assert promise.fault
    assert promise.twin_of in HOLD


@pytest.mark.parametrize("name", HOLD)
def test_a_model_that_holds_has_a_twin(name: str) -> None:
    assert [other for other in TWINS if header(other).twin_of == name]


def test_a_model_without_a_fault_holds() -> None:
    assert set(BROKEN) == set(TWINS)


@pytest.mark.parametrize("name", UNKNOWN_NAMES)
def test_the_header_is_complete(name: str) -> None:
    promise = header(name)
    assert scenario(name).title
    assert promise.source
    assert promise.lower <= promise.upper
    assert promise.upper == math.inf or promise.upper - promise.lower <= Fraction(1, 1000)
