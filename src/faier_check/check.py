"""Checking a certificate against a model file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from .budgets import budget, excess
from .certificate import Certificate, Claim, Enumeration, Tree, Witness, read_certificate
from .digest import digest
from .enumeration import enumerate as enumerate_words
from .errors import CertificateError, ModelFileError
from .limits import DEFAULT, Limits, Meter
from .model import Model
from .model_file import read_model
from .rules import TREE_RULES
from .strict_json import read_json
from .tree import Forest
from .witnesses import witness
from .wording import sentence

Source: TypeAlias = str | os.PathLike[str] | bytes


@dataclass(frozen=True)
class Proved:
    """What a certificate proves. There is no value for a certificate that proves nothing: that raises."""

    kind: str
    claim: str
    """The proved claim as one sentence."""
    steps: int
    """How many rules were checked."""
    rests_on: tuple[str, ...]
    """What the proof takes on trust; empty, as no rule of this version rests on a solver."""
    terms: Mapping[str, object] = field(compare=False)
    """The claim as the certificate writes it."""


def check(certificate: Source, model: Source, limits: Limits = DEFAULT) -> Proved:
    """Recompute what the certificate says about the model, or raise CertificateError.

    Either argument is a path, or the text itself as bytes. Guarantee: the returned claim is true.
    Raises ModelFileError for an invalid model file and OSError for an unreadable one.
    """
    model_text = _bytes(model, limits)
    if model_text is None:
        raise ModelFileError(f"the file is longer than {limits.file_bytes} bytes; see --file-bytes")
    certificate_text = _bytes(certificate, limits)
    read = read_model(model_text)
    if certificate_text is None:
        raise CertificateError(f"it is longer than {limits.file_bytes} bytes; see --file-bytes")
    return _check(read_certificate(read_json(certificate_text)), read, Meter(limits))


def _bytes(source: Source, limits: Limits) -> bytes | None:
    """The content, or None where it is longer than allowed."""
    if isinstance(source, bytes):
        return source if len(source) <= limits.file_bytes else None
    with Path(source).open("rb") as file:
        content = file.read(limits.file_bytes + 1)
    return content if len(content) <= limits.file_bytes else None


def _check(certificate: Certificate, model: Model, meter: Meter) -> Proved:
    if certificate.model != (found := digest(model)):
        raise CertificateError(
            f"it is about another model: {certificate.model[:80]!r}, not {found!r}", rule="model"
        )
    claim, steps = certificate.claim, 0
    if certificate.proof is not None:
        steps += _prove(certificate.proof, claim, model, meter)
    if certificate.witness is not None:
        witness(model, claim, certificate.witness, meter)
        steps += 1
    match certificate:
        case Certificate(kind="holds", proof=Tree() | Enumeration() as proof) if claim.budget is not None:
            budget(proof.ratio, claim.budget)
        case Certificate(kind="violated", witness=Witness() as word) if claim.budget is not None:
            excess(word.left, word.right, claim.budget)
        case Certificate(kind="epsilon"):
            _tight(certificate)
        case _:
            raise CertificateError("it proves nothing")
    return Proved(certificate.kind, sentence(certificate, model), steps, (), certificate.terms)


def _prove(proof: Tree | Enumeration, claim: Claim, model: Model, meter: Meter) -> int:
    """left <= proof.ratio * right for every counted word in every direction; returns the number of steps."""
    match proof:
        case Enumeration(ratio=ratio):
            enumerate_words(model, claim, ratio, meter)
            return 1
        case Tree():
            forest = Forest(model, claim, proof, meter)
            for step in forest.in_depth():
                TREE_RULES[step.rule](forest, step)
            return len(proof.steps)


def _tight(certificate: Certificate) -> None:
    """The proof's ratio is the upper bound that is claimed, and the witness's the lower one."""
    claim, proof, word = certificate.claim, certificate.proof, certificate.witness
    if proof is not None and proof.ratio != claim.upper:
        raise CertificateError("the proved ratio is not the claimed upper bound", rule="budget")
    if word is None:
        return
    if word.right == 0:
        right_bound = claim.lower == "infinity" and word.left > 0
    else:
        right_bound = claim.lower == word.left / word.right
    if not right_bound:
        raise CertificateError("the ratio of the witness is not the claimed lower bound", rule="budget")
