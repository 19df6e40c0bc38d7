"""Certificates that are not even well formed: always CertificateError, never anything else."""

from __future__ import annotations

import json

import pytest
from checker_cases import CONTAGIOUS, accepts, claim, holds, rejects

from faier_check import CertificateError, Limits, check

GOOD = holds(CONTAGIOUS, claim("4", 1), {"rule": "enumerate", "ratio": "4"})


def rejects_text(text: bytes, match: str) -> None:
    with pytest.raises(CertificateError, match=match):
        check(text, CONTAGIOUS)


def test_accepts_the_good_one():
    assert accepts(GOOD, CONTAGIOUS).terms == GOOD["claim"]


@pytest.mark.parametrize("name", sorted(GOOD))
def test_rejects_a_missing_field(name):
    rejects(
        {k: v for k, v in GOOD.items() if k != name},
        CONTAGIOUS,
        f"lacks the field '{name}'|not a faier certificate",
    )


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"note": ""}, "unknown field 'note'"),
        ({"faier_certificate": 2}, "version 2 is not known"),
        ({"faier_certificate": True}, "version True is not known"),
        ({"faier_certificate": "1"}, "version '1' is not known"),
        ({"kind": "true"}, "unknown kind 'true'"),
        ({"kind": None}, "kind must be a string"),
        ({"kind": "violated"}, "no place for a proof"),
        ({"kind": "violated", "proof": None}, "needs a witness"),
        ({"kind": "epsilon"}, "claim lacks the field 'lower'"),
        ({"model": "sha256:" + "0" * 64}, "model: it is about another model"),
        ({"model": GOOD["model"].upper()}, "model: it is about another model"),
        ({"model": None}, "model must be a string"),
        ({"proof": None}, "needs a proof"),
        ({"proof": []}, "proof.rule must be"),
        ({"proof": {"rule": "enumerate", "ratio": "4", "steps": []}}, "unknown field 'steps'"),
        ({"proof": {"rule": "enumerate", "ratio": 4}}, "proof.ratio must be a string"),
        ({"proof": {"rule": "enumerate", "ratio": "-4"}}, "proof.ratio must be at least 0"),
        ({"proof": {"rule": "tree", "ratio": "4", "precision": 64}}, "lacks the field 'steps'"),
        ({"proof": {"rule": "tree", "ratio": "4", "precision": 64, "steps": {}}}, "steps must be an array"),
        ({"witness": {}}, "no place for a witness"),
        ({"claim": []}, "claim must be an object"),
    ],
)
def test_rejects_other_envelopes(change, match):
    rejects({**GOOD, **change}, CONTAGIOUS, match)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"horizon": 0}, "claim.horizon must be at least 1"),
        ({"horizon": True}, "claim.horizon must be an integer"),
        ({"horizon": "1"}, "claim.horizon must be an integer"),
        ({"possible": "left"}, "claim.possible must be"),
        ({"possible": []}, "claim.possible must be"),
        ({"delta": "1/10"}, 'proof.rule must be "layers"'),
        ({"delta": 0}, "claim.delta must be a string"),
        ({"budget": "4"}, "claim.budget must be an object"),
        ({"lower": "1"}, "unknown field 'lower'"),
    ],
)
def test_rejects_other_claims(change, match):
    rejects({**GOOD, "claim": {**GOOD["claim"], **change}}, CONTAGIOUS, match)


@pytest.mark.parametrize(
    "number", ["4/1", "8/2", "04", "+4", " 4", "4 ", "4.0", "4e0", "-0", "4/-1", "0/4", "", "٤", "1/0"]
)
def test_rejects_numbers_in_any_other_form(number):
    rejects({**GOOD, "proof": {"rule": "enumerate", "ratio": number}}, CONTAGIOUS, "proof.ratio is not")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (b"", "not JSON"),
        (b"hello", "not JSON"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b"[]", "not a faier certificate"),
        (b"null", "not a faier certificate"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a":' * 200_000, "nested too deeply"),
        (json.dumps(GOOD).encode() + b"{}", "not JSON"),
        (
            json.dumps(GOOD).replace('"kind"', '"kind": "holds", "kind"').encode(),
            "the key 'kind' stands twice",
        ),
        (json.dumps(GOOD).replace('"horizon": 1', '"horizon": 1.0').encode(), "got 1.0"),
        (json.dumps(GOOD).replace('"horizon": 1', '"horizon": NaN').encode(), "got NaN"),
        (json.dumps(GOOD).replace('"horizon": 1', '"horizon": 1e400').encode(), "got 1e400"),
        (
            json.dumps(GOOD).replace('"horizon": 1', f'"horizon": 1{"0" * 9_000}').encode(),
            "an integer is too long",
        ),
    ],
)
def test_rejects_texts(text, match):
    rejects_text(text, match)


def test_rejects_numbers_that_are_absurdly_long():
    rejects(
        {**GOOD, "proof": {"rule": "enumerate", "ratio": "4" * 500_000}},
        CONTAGIOUS,
        "is longer than any number",
    )


def test_rejects_files_that_are_too_long():
    with pytest.raises(CertificateError, match="longer than 1000 bytes"):
        check(json.dumps(GOOD).encode() + b" " * 1000, CONTAGIOUS, Limits(file_bytes=1000))
