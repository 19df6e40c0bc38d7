"""A certificate as values: its shape is checked here, its meaning nowhere yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from .errors import CertificateError
from .number import brief
from .strict_json import array, boolean, fields, integer, rational, signed, string

VERSION = 1
LEAST_PRECISION, MOST_PRECISION = 16, 65_536

Horizon: TypeAlias = int | None
"""The number of symbols that words may have; None is "any"."""

Infinity: TypeAlias = Literal["infinity"]


@dataclass(frozen=True)
class Budget:
    """The ratio c = e^power * base^(1/root), greater than 0."""

    power: Fraction
    base: Fraction
    root: int

    @property
    def ratio_text(self) -> str:
        parts = [f"e^({brief(self.power)})"] if self.power else []
        if self.base != 1 or not parts:
            parts.append(brief(self.base) if self.root == 1 else f"({brief(self.base)})^(1/{self.root})")
        return " * ".join(parts)

    @property
    def epsilon_text(self) -> str:
        parts = [brief(self.power)] if self.power else []
        if self.base != 1 or not parts:
            logarithm = "0" if self.base == 1 else f"ln({brief(self.base)})"
            parts.append(logarithm if self.root == 1 else f"{logarithm}/{self.root}")
        return " + ".join(parts)


@dataclass(frozen=True)
class Claim:
    """What is claimed of every direction: a budget, or bounds of the tight ratio."""

    horizon: Horizon
    both: bool
    budget: Budget | None
    lower: Fraction | Infinity
    upper: Fraction | Infinity


@dataclass(frozen=True, slots=True)
class Step:
    """One closed prefix. A root has a direction, any other step a parent and the symbol that follows it."""

    number: int
    rule: str
    root: tuple[int, bool] | None
    parent: int
    symbol: int
    exact: bool
    by: int
    scale: Fraction


@dataclass(frozen=True)
class Tree:
    """Steps that prove left <= ratio * right; a step's number is its place."""

    ratio: Fraction
    precision: int
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Enumeration:
    """Every counted word is to be looked at."""

    ratio: Fraction


@dataclass(frozen=True)
class Witness:
    """A counted word with its two probabilities."""

    direction: tuple[int, bool]
    word: tuple[str, ...]
    ended: bool
    left: Fraction
    right: Fraction


@dataclass(frozen=True)
class Certificate:
    """`terms` is the claim as the certificate writes it."""

    kind: str
    model: str
    claim: Claim
    proof: Tree | Enumeration | None
    witness: Witness | None
    terms: Mapping[str, object]


def read_certificate(value: object) -> Certificate:
    """Read the JSON value of a certificate, or raise CertificateError, for unknown and missing fields too."""
    if not isinstance(value, dict) or "faier_certificate" not in value:
        raise CertificateError("this is not a faier certificate")
    version = value["faier_certificate"]
    if isinstance(version, bool) or version != VERSION:
        raise CertificateError(f"version {version!r} is not known here, only {VERSION}"[:120])
    fields(value, "the certificate", ("faier_certificate", "kind", "model", "claim", "proof", "witness"))
    kind = string(value["kind"], "kind")
    if kind not in ("holds", "violated", "epsilon"):
        raise CertificateError(f"unknown kind {kind[:60]!r}")
    claim = _claim(value["claim"], kind)
    needs_proof = kind == "holds" or (kind == "epsilon" and claim.upper != "infinity")
    needs_witness = kind == "violated" or (kind == "epsilon" and claim.lower != 0)
    for name, needed in (("proof", needs_proof), ("witness", needs_witness)):
        if needed and value[name] is None:
            raise CertificateError(f"this certificate needs a {name}")
        if not needed and value[name] is not None:
            raise CertificateError(f"this certificate has no place for a {name}; it must be null")
    terms = value["claim"]
    assert isinstance(terms, dict)
    return Certificate(
        kind,
        string(value["model"], "model"),
        claim,
        _proof(value["proof"]) if needs_proof else None,
        _witness(value["witness"]) if needs_witness else None,
        terms,
    )


def _claim(value: object, kind: str) -> Claim:
    bounds = ("lower", "upper") if kind == "epsilon" else ("budget",)
    claim = fields(value, "claim", (*bounds, "horizon", "possible", "delta"))
    horizon = None if claim["horizon"] == "any" else integer(claim["horizon"], "claim.horizon", 1)
    if claim["possible"] not in ("either", "both"):
        raise CertificateError('claim.possible must be "either" or "both"')
    if signed(claim["delta"], "claim.delta") != 0:
        raise CertificateError('claim.delta must be "0"; other values cannot be certified yet')
    both = claim["possible"] == "both"
    if kind != "epsilon":
        return Claim(horizon, both, _budget(claim["budget"]), Fraction(0), "infinity")
    return Claim(
        horizon, both, None, _bound(claim["lower"], "claim.lower"), _bound(claim["upper"], "claim.upper")
    )


def _budget(value: object) -> Budget:
    budget = fields(value, "claim.budget", ("power", "base", "root"))
    return Budget(
        signed(budget["power"], "claim.budget.power"),
        rational(budget["base"], "claim.budget.base", positive=True),
        integer(budget["root"], "claim.budget.root", 1),
    )


def _bound(value: object, place: str) -> Fraction | Infinity:
    return "infinity" if value == "infinity" else rational(value, place)


def _proof(value: object) -> Tree | Enumeration:
    rule = value.get("rule") if isinstance(value, dict) else None
    if rule == "enumerate":
        proof = fields(value, "proof", ("rule", "ratio"))
        return Enumeration(rational(proof["ratio"], "proof.ratio"))
    if rule != "tree":
        raise CertificateError('proof.rule must be "enumerate" or "tree"')
    proof = fields(value, "proof", ("rule", "ratio", "precision", "steps"))
    precision = integer(proof["precision"], "proof.precision", LEAST_PRECISION)
    if precision > MOST_PRECISION:
        raise CertificateError(f"proof.precision must be at most {MOST_PRECISION}, got {precision}")
    steps = tuple(_step(i, step) for i, step in enumerate(array(proof["steps"], "proof.steps")))
    return Tree(rational(proof["ratio"], "proof.ratio"), precision, steps)


def _step(number: int, value: object) -> Step:
    try:
        return _read_step(number, value)
    except CertificateError as error:
        rule = value.get("rule") if isinstance(value, dict) else None
        raise CertificateError(error.reason, rule=rule if rule in _RULES else "step", step=number) from None


_RULES = ("dominate", "expand", "end", "subsume")


def _read_step(number: int, value: object) -> Step:
    rule = value.get("rule") if isinstance(value, dict) else None
    if rule not in _RULES:
        raise CertificateError(f"rule must be one of {', '.join(_RULES)}")
    assert isinstance(value, dict)
    place = "root" if "root" in value else "after"
    subsumes = rule == "subsume"
    fields(value, "it", ("rule", place, *(("by", "scale") if subsumes else ())), ("exact",))
    if "exact" in value and value["exact"] is not True:
        raise CertificateError("exact must be true where it is given")
    where = array(value[place], place)
    if len(where) != 2:
        raise CertificateError(f"{place} must have two entries")
    root = None
    parent = symbol = -1
    if place == "root":
        root = (integer(where[0], "the pair of a root", 0), boolean(where[1], "the direction of a root"))
    else:
        parent, symbol = integer(where[0], "the parent", 0), integer(where[1], "the symbol", 0)
    by = integer(value["by"], "by", 0) if subsumes else -1
    scale = rational(value["scale"], "scale", positive=True) if subsumes else Fraction(1)
    return Step(number, rule, root, parent, symbol, "exact" in value, by, scale)


def _witness(value: object) -> Witness:
    witness = fields(value, "witness", ("pair", "forward", "word", "ended", "left", "right"))
    return Witness(
        (integer(witness["pair"], "witness.pair", 0), boolean(witness["forward"], "witness.forward")),
        tuple(string(s, "a symbol of witness.word") for s in array(witness["word"], "witness.word")),
        boolean(witness["ended"], "witness.ended"),
        rational(witness["left"], "witness.left"),
        rational(witness["right"], "witness.right"),
    )
