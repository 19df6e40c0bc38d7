"""Certificates about delta as values: claims with a delta above 0, and points of a profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from .certificate import VERSION, Budget, Horizon, read_budget, read_classes
from .errors import CertificateError
from .strict_json import array, boolean, fields, integer, rational, string


@dataclass(frozen=True)
class Layers:
    """Prefixes of up to `depth` symbols bound delta: from above at the ratio `below`, from below at `above`."""

    below: Fraction
    above: Fraction
    depth: int


@dataclass(frozen=True)
class Outcomes:
    """Prefixes and complete runs in one direction, with the probability of all together on both sides."""

    direction: tuple[int, bool]
    words: tuple[tuple[str, ...], ...]
    ended: tuple[bool, ...]
    left: Fraction
    right: Fraction


@dataclass(frozen=True)
class DeltaCertificate:
    """`lower` and `upper` are the bounds of a profile; in a claim both are the claimed delta."""

    kind: str
    model: str
    budget: Budget
    horizon: Horizon
    lower: Fraction
    upper: Fraction
    layers: Layers | None
    outcomes: Outcomes | None
    terms: Mapping[str, object]
    classes: tuple[int, ...] | None = None
    """Where rows are over classes of states, the class of each state."""


def is_about_delta(value: object) -> bool:
    """Whether a certificate is one of these: of kind `profile`, or with a claim whose delta is not "0"."""
    if not isinstance(value, dict):
        return False
    claim = value.get("claim")
    delta = claim.get("delta", "0") if isinstance(claim, dict) else "0"
    with_delta = isinstance(delta, str) and delta != "0" and value.get("kind") in ("holds", "violated")
    return value.get("kind") == "profile" or with_delta


def read_delta_certificate(value: object) -> DeltaCertificate:
    """Read the JSON value, or raise CertificateError, for unknown and missing fields too."""
    names = ("faier_certificate", "kind", "model", "claim", "proof", "witness")
    more = () if isinstance(value, dict) and value.get("kind") == "violated" else ("classes",)
    top = fields(value, "the certificate", names, more)
    if isinstance(top["faier_certificate"], bool) or top["faier_certificate"] != VERSION:
        raise CertificateError(f"version {top['faier_certificate']!r} is not known here, only {VERSION}"[:120])
    kind = string(top["kind"], "kind")
    amounts = ("lower", "upper") if kind == "profile" else ("delta",)
    claim = fields(top["claim"], "claim", ("budget", *amounts, "horizon", "possible"))
    if claim["possible"] != "either":
        raise CertificateError('claim.possible must be "either" where there is a delta')
    first = _amount(claim[amounts[0]], f"claim.{amounts[0]}")
    lower, upper = first, first
    if kind == "profile":
        upper = _amount(claim["upper"], "claim.upper")
        if lower > upper:
            raise CertificateError("claim.upper is below claim.lower")
    shown, idle = ("witness", "proof") if kind == "violated" else ("proof", "witness")
    if top[shown] is None:
        raise CertificateError(f"this certificate needs a {shown}")
    if top[idle] is not None:
        raise CertificateError(f"this certificate has no place for a {idle}; it must be null")
    return DeltaCertificate(
        kind,
        string(top["model"], "model"),
        read_budget(claim["budget"]),
        None if claim["horizon"] == "any" else integer(claim["horizon"], "claim.horizon", 1),
        lower,
        upper,
        None if kind == "violated" else _layers(top["proof"], kind),
        _outcomes(top["witness"]) if kind == "violated" else None,
        claim,
        read_classes(top["classes"]) if "classes" in top else None,
    )


def _layers(value: object, kind: str) -> Layers:
    rule = value.get("rule") if isinstance(value, dict) else None
    if rule != "layers":
        raise CertificateError('proof.rule must be "layers" where there is a delta')
    names = ("below", "above") if kind == "profile" else ("ratio", "ratio")
    proof = fields(value, "proof", ("rule", *dict.fromkeys(names), "depth"))
    below, above = (rational(proof[name], f"proof.{name}") for name in names)
    return Layers(below, above, integer(proof["depth"], "proof.depth", 0))


def _outcomes(value: object) -> Outcomes:
    witness = fields(value, "witness", ("pair", "forward", "words", "ended", "left", "right"))
    words = tuple(
        tuple(string(s, "a symbol of witness.words") for s in array(word, "a word of witness.words"))
        for word in array(witness["words"], "witness.words")
    )
    ended = tuple(boolean(e, "an entry of witness.ended") for e in array(witness["ended"], "witness.ended"))
    if len(words) != len(ended):
        raise CertificateError("witness.ended must have an entry for each word")
    return Outcomes(
        (integer(witness["pair"], "witness.pair", 0), boolean(witness["forward"], "witness.forward")),
        words,
        ended,
        rational(witness["left"], "witness.left"),
        rational(witness["right"], "witness.right"),
    )


def _amount(value: object, place: str) -> Fraction:
    amount = rational(value, place)
    if amount > 1:
        raise CertificateError(f"{place} must be at most 1")
    return amount
