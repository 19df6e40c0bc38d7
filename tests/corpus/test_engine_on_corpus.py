"""Every example file through the engine: verdicts, witnesses and tight ratios against the headers."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from headers import EXAMPLES, NAMES, header, scenario

import faier
import reference
from faier_check import CertificateError

FINITE = [name for name in NAMES if not header(name).unbounded]
UNBOUNDED = [name for name in NAMES if header(name).unbounded]


@pytest.mark.parametrize("name", NAMES)
def test_the_verdict_is_the_one_expected(name: str) -> None:
    verdict = faier.verify(scenario(name))
    assert type(verdict) is (faier.Holds if header(name).holds else faier.Violated), str(verdict)


@pytest.mark.parametrize("name", [name for name in NAMES if not header(name).holds])
def test_the_witness_is_a_counted_word_that_breaks_the_claim(name: str) -> None:
    question, promise = scenario(name), header(name)
    verdict = faier.verify(question)
    assert isinstance(verdict, faier.Violated)
    witness = verdict.witness
    check_witness(question, witness)
    assert not reference.allows(question.claim.budget, witness.ratio)
    assert promise.shortest is not None
    assert len(witness.word) >= promise.shortest


@pytest.mark.parametrize("name", FINITE)
def test_the_tight_ratio_is_the_one_expected(name: str) -> None:
    question, promise = scenario(name), header(name)
    tight = faier.epsilon(question)
    assert tight.ratio.lower <= promise.upper
    assert promise.lower <= tight.ratio.upper
    if question.claim.horizon != "any":
        assert tight.ratio.lower == tight.ratio.upper == promise.lower
        assert tight.attained or tight.witness is None
    if not promise.attained:
        assert not tight.attained or tight.ratio.lower < promise.upper
    if tight.witness is not None:
        check_witness(question, tight.witness)
        assert tight.witness.ratio <= promise.upper
        assert tight.witness.ratio == tight.ratio.lower or not tight.attained


@pytest.mark.parametrize("name", UNBOUNDED)
def test_no_finite_ratio_is_claimed_where_there_is_none(name: str) -> None:
    tight = faier.epsilon(scenario(name), timeout=2)
    assert tight.ratio.upper == math.inf
    assert tight.ratio.lower == math.inf or not tight.exact


@pytest.mark.parametrize("name", [name for name in NAMES if header(name).tight_at])
def test_tight_ratios_at_other_horizons(name: str) -> None:
    for horizon, ratio in header(name).tight_at.items():
        tight = faier.epsilon(scenario(name), horizon=horizon)
        assert tight.ratio.lower == tight.ratio.upper == ratio


@pytest.mark.parametrize("name", NAMES)
def test_the_checker_accepts_the_certificate_of_the_verdict(name: str, tmp_path: Path) -> None:
    certificate = tmp_path / "certificate.json"
    certificate.write_text(json.dumps(faier.certify(faier.verify(scenario(name)))), "utf-8")
    faier.check(certificate, EXAMPLES / f"{name}.toml")


@pytest.mark.parametrize("name", FINITE)
def test_the_checker_accepts_the_certificate_of_the_tight_ratio(name: str, tmp_path: Path) -> None:
    certificate = tmp_path / "certificate.json"
    certificate.write_text(json.dumps(faier.certify(faier.epsilon(scenario(name)))), "utf-8")
    faier.check(certificate, EXAMPLES / f"{name}.toml")


@pytest.mark.parametrize("name", [name for name in NAMES if header(name).twin_of])
def test_the_checker_rejects_the_certificate_of_the_model_without_the_fault(
    name: str, tmp_path: Path
) -> None:
    original = scenario(header(name).twin_of)
    if (original.model, original.pairs) == (scenario(name).model, scenario(name).pairs):
        pytest.skip("the fault is in the claim, the model is the same")
    certificate = tmp_path / "certificate.json"
    certificate.write_text(json.dumps(faier.certify(faier.verify(original))), "utf-8")
    with pytest.raises(CertificateError):
        faier.check(certificate, EXAMPLES / f"{name}.toml")


def check_witness(question: faier.Scenario, witness: faier.Witness) -> None:
    """The word counts, and both probabilities are what the model says."""
    pair = question.pairs[witness.pair]
    sides = (pair.left, pair.right) if witness.forward else (pair.right, pair.left)
    assert witness.forward or not pair.one_way
    assert [belief.name for belief in sides] == [witness.left, witness.right]
    left, right = (
        reference.probability(question.model, belief.weights, witness.word, witness.ended) for belief in sides
    )
    # Of a stream the witness has the probabilities given the inputs, and the model draws these.
    inputs = len(question.choices) ** len(witness.word)
    assert (left * inputs, right * inputs) == (witness.left_probability, witness.right_probability)
    assert left > 0
    assert right > 0 or question.claim.possible == "either"
    horizon = question.claim.horizon
    if horizon != "any":
        assert (len(witness.word) < horizon) if witness.ended else (len(witness.word) == horizon)
