"""The example files that claim a delta: brute force over words confirms delta, and the engine and checker agree."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from headers import DELTA_NAMES, EXAMPLES, scenario

import faier
import reference
from faier_check import CertificateError


def promise(name: str) -> dict[str, str]:
    text = (EXAMPLES / f"{name}.toml").read_text("utf-8")
    return dict(re.findall(r"^# (expect|delta|source|twin of): (.+)$", text, re.M))


def delta_of(question: faier.Scenario, ratio: Fraction) -> Fraction:
    """The sum over words of what the left exceeds the ratio by, in the worst direction."""
    beyond: dict[tuple[int, bool], Fraction] = {}
    for pair, forward, word, ended, _, _ in reference.counted(question, question.claim.horizon):
        sides = (question.pairs[pair].left, question.pairs[pair].right)[:: 1 if forward else -1]
        left, right = (reference.probability(question.model, side.weights, word, ended) for side in sides)
        beyond[pair, forward] = beyond.get((pair, forward), Fraction(0)) + max(Fraction(0), left - ratio * right)
    return max(beyond.values())


@pytest.mark.parametrize("name", DELTA_NAMES)
def test_delta_is_confirmed_by_brute_force(name: str) -> None:
    question = scenario(name)
    ratio = question.claim.budget.exact
    assert ratio is not None
    truth = delta_of(question, ratio)
    assert truth == Fraction(promise(name)["delta"])
    assert (truth <= question.claim.delta) is (promise(name)["expect"] == "holds")
    assert promise(name)["source"]
    point = faier.profile(question, ratio=ratio).point
    assert point is not None
    assert point.delta.lower == point.delta.upper == truth


@pytest.mark.parametrize("name", DELTA_NAMES)
def test_the_verdict_is_the_one_expected_and_certified(name: str, tmp_path: Path) -> None:
    verdict = faier.verify(scenario(name))
    assert isinstance(verdict, faier.Holds if promise(name)["expect"] == "holds" else faier.Violated)
    certificate = tmp_path / "certificate.json"
    certificate.write_text(json.dumps(faier.certify(verdict)), "utf-8")
    assert faier.check(certificate, EXAMPLES / f"{name}.toml").kind == promise(name)["expect"]


@pytest.mark.parametrize("name", [name for name in DELTA_NAMES if "twin of" in promise(name)])
def test_a_twin_is_broken_and_the_certificate_of_its_original_is_not_about_it(name: str, tmp_path: Path) -> None:
    original = promise(name)["twin of"].split(".toml; fault: ")[0]
    assert promise(original)["expect"] == "holds"
    assert promise(name)["expect"] == "violated"
    certificate = tmp_path / "certificate.json"
    certificate.write_text(json.dumps(faier.certify(faier.verify(scenario(original)))), "utf-8")
    with pytest.raises(CertificateError, match="another model"):
        faier.check(certificate, EXAMPLES / f"{name}.toml")


def test_every_file_with_a_delta_has_a_twin() -> None:
    holding = {name for name in DELTA_NAMES if promise(name)["expect"] == "holds"}
    assert holding == {promise(n)["twin of"].split(".toml")[0] for n in DELTA_NAMES if "twin of" in promise(n)}
