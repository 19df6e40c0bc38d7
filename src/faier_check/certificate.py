"""A certificate as values: its shape is checked here, its meaning nowhere yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from .box_steps import BoxProof, read_box_proof
from .errors import CertificateError
from .families import Pump, WordsLimit, read_pump, read_words_limit
from .matrices import Matrix, read_matrices
from .number import brief
from .strict_json import array, boolean, fields, integer, rational, signed, string

VERSION = 1
LEAST_PRECISION, MOST_PRECISION = 16, 65_536

Horizon: TypeAlias = int | None
"""The number of symbols that words may have; None is "any"."""

Infinity: TypeAlias = Literal["infinity"]


@dataclass(frozen=True)
class Expression:
    """A number that is not rational, as its text."""

    text: str


Bound: TypeAlias = Fraction | Infinity | Expression


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
    """What is claimed of every direction: a budget, a ratio in the parameters, or bounds of the tight ratio."""

    horizon: Horizon
    both: bool
    budget: Budget | None
    lower: Bound
    upper: Bound
    ratio: str | None = None


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
    matrix: int = -1
    parts: tuple[tuple[int, Fraction], ...] = ()


@dataclass(frozen=True)
class Tree:
    """Steps that prove left <= ratio * right; a step's number is its place."""

    ratio: Fraction
    precision: int
    steps: tuple[Step, ...]
    matrices: tuple[Matrix, ...] = ()


@dataclass(frozen=True)
class Enumeration:
    """Every counted word is to be looked at."""

    ratio: Fraction


@dataclass(frozen=True)
class Witness:
    """A counted word with its two probabilities, and the values of the parameters where it has them."""

    direction: tuple[int, bool]
    word: tuple[str, ...]
    ended: bool
    left: Fraction | Expression
    right: Fraction | Expression
    parameters: Mapping[str, Fraction] | None = None


@dataclass(frozen=True)
class Limit:
    """A counted word whose ratio is approached as variables, in turn, go to values from above or below."""

    direction: tuple[int, bool]
    word: tuple[str, ...]
    ended: bool
    approach: tuple[tuple[str, Fraction, str], ...]


@dataclass(frozen=True)
class Certificate:
    """`terms` is the claim as the certificate writes it."""

    kind: str
    model: str
    claim: Claim
    proof: Tree | Enumeration | BoxProof | None
    witness: Witness | None
    terms: Mapping[str, object]
    limit: Limit | WordsLimit | None = None
    diverges: Pump | None = None
    classes: tuple[int, ...] | None = None
    """Where rows are over classes of states, the class of each state."""


def read_certificate(value: object) -> Certificate:
    """Read the JSON value of a certificate, or raise CertificateError, for unknown and missing fields too."""
    if not isinstance(value, dict) or "faier_certificate" not in value:
        raise CertificateError("this is not a faier certificate")
    version = value["faier_certificate"]
    if isinstance(version, bool) or version != VERSION:
        raise CertificateError(f"version {version!r} is not known here, only {VERSION}"[:120])
    more = {"epsilon": ("limit", "diverges", "classes"), "holds": ("classes",)}
    optional: tuple[str, ...] = more.get(str(value.get("kind")), ())
    fields(
        value,
        "the certificate",
        ("faier_certificate", "kind", "model", "claim", "proof", "witness"),
        optional,
    )
    kind = string(value["kind"], "kind")
    if kind not in ("holds", "violated", "epsilon"):
        raise CertificateError(f"unknown kind {kind[:60]!r}")
    claim = _claim(value["claim"], kind)
    needs_proof = kind == "holds" or (kind == "epsilon" and claim.upper != "infinity")
    limit = None if value.get("limit") is None else _limit(value["limit"])
    diverges = None if value.get("diverges") is None else read_pump(value["diverges"])
    if limit is not None and diverges is not None:
        raise CertificateError("a certificate has a limit or diverges, not both")
    shown_by_words = limit is not None or diverges is not None
    needs_witness = kind == "violated" or (kind == "epsilon" and claim.lower != 0 and not shown_by_words)
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
        limit,
        diverges,
        read_classes(value["classes"]) if "classes" in value else None,
    )


def horizon_of(value: object) -> Horizon:
    """The horizon of a certificate that is read as a whole later."""
    claim = value.get("claim") if isinstance(value, dict) else None
    horizon = claim.get("horizon") if isinstance(claim, dict) else None
    if horizon is None:
        raise CertificateError("this is not a faier certificate")
    return None if horizon == "any" else integer(horizon, "claim.horizon", 1)


def read_classes(value: object) -> tuple[int, ...]:
    """The class of each state."""
    return tuple(integer(number, "a class", 0) for number in array(value, "classes"))


def _claim(value: object, kind: str) -> Claim:
    by_ratio = kind != "epsilon" and isinstance(value, dict) and "ratio" in value and "budget" not in value
    bounds = ("lower", "upper") if kind == "epsilon" else ("ratio",) if by_ratio else ("budget",)
    claim = fields(value, "claim", (*bounds, "horizon", "possible", "delta"))
    horizon = None if claim["horizon"] == "any" else integer(claim["horizon"], "claim.horizon", 1)
    if claim["possible"] not in ("either", "both"):
        raise CertificateError('claim.possible must be "either" or "both"')
    if signed(claim["delta"], "claim.delta") != 0:
        raise CertificateError('claim.delta must be "0"; other values cannot be certified yet')
    both = claim["possible"] == "both"
    if by_ratio:
        ratio = string(claim["ratio"], "claim.ratio")
        return Claim(horizon, both, None, Fraction(0), "infinity", ratio)
    if kind != "epsilon":
        return Claim(horizon, both, read_budget(claim["budget"]), Fraction(0), "infinity")
    return Claim(
        horizon, both, None, _bound(claim["lower"], "claim.lower"), _bound(claim["upper"], "claim.upper")
    )


def read_budget(value: object) -> Budget:
    """The claimed ratio."""
    budget = fields(value, "claim.budget", ("power", "base", "root"))
    return Budget(
        signed(budget["power"], "claim.budget.power"),
        rational(budget["base"], "claim.budget.base", positive=True),
        integer(budget["root"], "claim.budget.root", 1),
    )


def _bound(value: object, place: str) -> Bound:
    return "infinity" if value == "infinity" else _number(value, place)


def _number(value: object, place: str) -> Fraction | Expression:
    """A non-negative exact number, or an expression that uses exp."""
    if isinstance(value, str) and "exp(" in value:
        return Expression(value)
    return rational(value, place)


def _proof(value: object) -> Tree | Enumeration | BoxProof:
    rule = value.get("rule") if isinstance(value, dict) else None
    if rule == "boxes":
        return read_box_proof(value)
    if rule == "enumerate":
        proof = fields(value, "proof", ("rule", "ratio"))
        return Enumeration(rational(proof["ratio"], "proof.ratio"))
    if rule != "tree":
        raise CertificateError('proof.rule must be "enumerate", "tree" or "boxes"')
    proof = fields(value, "proof", ("rule", "ratio", "precision", "steps"), ("matrices",))
    precision = integer(proof["precision"], "proof.precision", LEAST_PRECISION)
    if precision > MOST_PRECISION:
        raise CertificateError(f"proof.precision must be at most {MOST_PRECISION}, got {precision}")
    steps = tuple(_step(i, step) for i, step in enumerate(array(proof["steps"], "proof.steps")))
    return Tree(rational(proof["ratio"], "proof.ratio"), precision, steps, read_matrices(proof.get("matrices", [])))


def _step(number: int, value: object) -> Step:
    try:
        return _read_step(number, value)
    except CertificateError as error:
        rule = value.get("rule") if isinstance(value, dict) else None
        raise CertificateError(error.reason, rule=rule if rule in _RULES else "step", step=number) from None


_RULES = ("dominate", "expand", "end", "subsume", "simulate", "cosimulate", "combine", "outweigh")
_FURTHER = {
    "subsume": ("by", "scale"),
    "simulate": ("matrix",),
    "cosimulate": ("matrix",),
    "combine": ("parts",),
    "outweigh": ("parts",),
}


def _read_step(number: int, value: object) -> Step:
    rule = value.get("rule") if isinstance(value, dict) else None
    if rule not in _RULES:
        raise CertificateError(f"rule must be one of {', '.join(_RULES)}")
    assert isinstance(value, dict)
    place = "root" if "root" in value else "after"
    subsumes = rule == "subsume"
    fields(value, "it", ("rule", place, *_FURTHER.get(rule, ())), ("exact",))
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
    matrix = integer(value["matrix"], "matrix", 0) if rule in ("simulate", "cosimulate") else -1
    parts = _parts(value["parts"]) if rule in ("combine", "outweigh") else ()
    return Step(number, rule, root, parent, symbol, "exact" in value, by, scale, matrix, parts)


def _parts(value: object) -> tuple[tuple[int, Fraction], ...]:
    found = []
    for item in array(value, "parts"):
        part = array(item, "an entry of parts")
        if len(part) != 2:
            raise CertificateError("an entry of parts is the number of a step and a scale")
        found.append((integer(part[0], "a step of parts", 0), rational(part[1], "a scale of parts", positive=True)))
    if not found:
        raise CertificateError("parts is empty")
    return tuple(found)


def _witness(value: object) -> Witness:
    witness = fields(value, "witness", ("pair", "forward", "word", "ended", "left", "right"), ("parameters",))
    parameters = None
    if "parameters" in witness:
        given = witness["parameters"]
        if not isinstance(given, dict):
            raise CertificateError("witness.parameters must be an object")
        parameters = {name: signed(v, f"witness.parameters.{name[:60]}") for name, v in given.items()}
    return Witness(
        *_word(witness, "witness"),
        _number(witness["left"], "witness.left"),
        _number(witness["right"], "witness.right"),
        parameters,
    )


def _limit(value: object) -> Limit | WordsLimit:
    if isinstance(value, dict) and "loop" in value:
        return read_words_limit(value)
    limit = fields(value, "limit", ("pair", "forward", "word", "ended", "approach"))
    approach = []
    for item in array(limit["approach"], "limit.approach"):
        parts = array(item, "an entry of limit.approach")
        if len(parts) != 3 or parts[2] not in ("above", "below", "at"):
            raise CertificateError(
                'an entry of limit.approach is a variable, a value and "above", "below" or "at"'
            )
        approach.append(
            (string(parts[0], "a variable"), signed(parts[1], "a value"), string(parts[2], "a side"))
        )
    return Limit(*_word(limit, "limit"), tuple(approach))


def _word(value: Mapping[str, object], place: str) -> tuple[tuple[int, bool], tuple[str, ...], bool]:
    return (
        (integer(value["pair"], f"{place}.pair", 0), boolean(value["forward"], f"{place}.forward")),
        tuple(string(s, f"a symbol of {place}.word") for s in array(value["word"], f"{place}.word")),
        boolean(value["ended"], f"{place}.ended"),
    )
