"""The proof by boxes as values: its shape is checked here, its meaning nowhere yet."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .errors import CertificateError
from .strict_json import array, boolean, fields, integer, rational, signed, string

WORD_FIELDS: dict[str, tuple[str, ...]] = {
    "dominate": (),
    "expand": (),
    "end": (),
    "subsume": ("by", "scale"),
    "split": ("variable", "at"),
    "outside": ("cut",),
}
POLYNOMIAL_FIELDS: dict[str, tuple[str, ...]] = {
    "coefficients": (),
    "split": ("variable", "at"),
    "squares": ("root",),
    "face": ("variable", "side"),
    "sector": ("corner",),
    "product": ("factor",),
    "parabola": ("variable",),
    "given": ("cut", "multiplier"),
    "outside": ("cut",),
    "solver": ("solver",),
}
_PLACES = ("root", "after", "half", "reading", "part")
READINGS = ("prefix", "ended")
SOLVERS = ("z3", "cvc5")


@dataclass(frozen=True, slots=True)
class BoxStep:
    """One step: where it stands, its rule and the rule's fields; those of other rules have no meaning.

    `place` is the kind of its place; `parent` (none for a root) and `key` say which place of that kind.
    """

    number: int
    rule: str
    place: str
    parent: int
    key: int | str | tuple[int, bool]
    by: int = -1
    scale: Fraction = Fraction(1)
    variable: int = -1
    at: Fraction = Fraction(0)
    cut: int = -1
    root: str = ""
    factor: str = ""
    multiplier: str = ""
    side: int = 0
    corner: tuple[int, ...] = ()
    solver: str = ""


@dataclass(frozen=True)
class BoxProof:
    """Steps that prove left <= ratio * right on a box of the variables; a step's number is its place."""

    ratio: str
    variables: tuple[tuple[str, Fraction, Fraction], ...]
    steps: tuple[BoxStep, ...]


def read_box_proof(value: object) -> BoxProof:
    proof = fields(value, "proof", ("rule", "ratio", "variables", "steps"))
    variables = []
    for item in array(proof["variables"], "proof.variables"):
        parts = array(item, "a variable")
        if len(parts) != 3:
            raise CertificateError("a variable is a name and two ends")
        variables.append(
            (string(parts[0], "a variable's name"), signed(parts[1], "an end"), signed(parts[2], "an end"))
        )
    steps = tuple(_step(i, step) for i, step in enumerate(array(proof["steps"], "proof.steps")))
    return BoxProof(string(proof["ratio"], "proof.ratio"), tuple(variables), steps)


def _step(number: int, value: object) -> BoxStep:
    try:
        return _read_step(number, value)
    except CertificateError as error:
        rule = value.get("rule") if isinstance(value, dict) else None
        known = isinstance(rule, str) and rule in (*WORD_FIELDS, *POLYNOMIAL_FIELDS)
        raise CertificateError(error.reason, rule=str(rule) if known else "step", step=number) from None


def _read_step(number: int, value: object) -> BoxStep:
    if not isinstance(value, dict):
        raise CertificateError("a step must be an object")
    rule = value.get("rule")
    own = None
    if isinstance(rule, str):
        own = POLYNOMIAL_FIELDS.get(rule, WORD_FIELDS.get(rule))
    if own is None or not isinstance(rule, str):
        names = ", ".join(dict.fromkeys((*WORD_FIELDS, *POLYNOMIAL_FIELDS)))
        raise CertificateError(f"rule must be one of {names}")
    # In `squares`, "root" is the root of the square, and no place.
    places = [name for name in _PLACES if name in value and name not in own]
    if len(places) != 1:
        raise CertificateError("a step stands at exactly one of " + ", ".join(_PLACES))
    place = places[0]
    fields(value, "it", ("rule", place, *own))
    where = array(value[place], place)
    if len(where) != 2:
        raise CertificateError(f"{place} must have two entries")
    if place == "root":
        parent = -1
        key: int | str | tuple[int, bool] = (
            integer(where[0], "the pair of a root", 0),
            boolean(where[1], "the direction of a root"),
        )
    else:
        parent = integer(where[0], "the parent", 0)
        key = (
            _choice(where[1], "the reading", READINGS) if place == "reading" else integer(where[1], place, 0)
        )
    return BoxStep(
        number,
        rule,
        place,
        parent,
        key,
        by=integer(value["by"], "by", 0) if "by" in own else -1,
        scale=rational(value["scale"], "scale", positive=True) if "scale" in own else Fraction(1),
        variable=integer(value["variable"], "variable", 0) if "variable" in own else -1,
        at=signed(value["at"], "at") if "at" in own else Fraction(0),
        cut=integer(value["cut"], "cut", 0) if "cut" in own else -1,
        root=string(value["root"], "root") if "root" in own else "",
        factor=string(value["factor"], "factor") if "factor" in own else "",
        multiplier=string(value["multiplier"], "multiplier") if "multiplier" in own else "",
        side=_bit(value["side"], "side") if "side" in own else 0,
        corner=tuple(_bit(c, "corner") for c in array(value["corner"], "corner")) if "corner" in own else (),
        solver=_choice(value["solver"], "solver", SOLVERS) if "solver" in own else "",
    )


def _bit(value: object, place: str) -> int:
    number = integer(value, place, 0)
    if number > 1:
        raise CertificateError(f"{place} must be 0 or 1, got {number}")
    return number


def _choice(value: object, place: str, choices: tuple[str, ...]) -> str:
    text = string(value, place)
    if text not in choices:
        raise CertificateError(f"{place} must be one of {', '.join(choices)}, got {text[:40]!r}")
    return text
