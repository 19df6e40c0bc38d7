"""The parts of a certificate of secrets at every step, as values. [T18]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from .alone import Alone, read_alone
from .around import Window, a_step, read_window
from .certificate import VERSION, Budget, Horizon, read_budget
from .errors import CertificateError
from .strict_json import array, boolean, fields, integer, rational, string


@dataclass(frozen=True)
class Part:
    """`step` is the number of a step, 0 for every one; where `after` is not None, all steps after that one.

    `measure` is the number of a stationary distribution from which the past is read instead of the start. Where a side
    is several states, the part is about `states`, the numbers of one of either.
    """

    direction: tuple[int, bool]
    step: int
    after: int | None
    past: int | None
    future: int | None
    measure: int | None = None
    states: tuple[int, int] | None = None


@dataclass(frozen=True)
class Apart:
    """The certificate as values."""

    kind: str
    model: str
    horizon: Horizon
    budget: Budget | None
    lower: Fraction | None
    upper: Fraction | None
    questions: tuple[object, ...]
    parts: tuple[Part | Alone | Window, ...]
    shows: int | None
    terms: Mapping[str, object]
    measures: tuple[Mapping[int, Fraction], ...] = ()


def is_apart(value: object) -> bool:
    """Whether a certificate is one of these."""
    return isinstance(value, dict) and "parts" in value


def read_apart(value: object) -> Apart:
    """Read the JSON value, or raise CertificateError, for unknown and missing fields too."""
    names = ("faier_certificate", "kind", "model", "claim", "questions", "parts", "shows")
    top = fields(value, "the certificate", names, ("measures",))
    if isinstance(top["faier_certificate"], bool) or top["faier_certificate"] != VERSION:
        raise CertificateError(f"version {top['faier_certificate']!r} is not known here, only {VERSION}"[:120])
    kind = string(top["kind"], "kind")
    if kind not in ("holds", "violated", "epsilon"):
        raise CertificateError(f"unknown kind {kind[:60]!r}")
    bounds = ("lower", "upper") if kind == "epsilon" else ("budget",)
    claim = fields(top["claim"], "claim", (*bounds, "horizon", "possible", "delta"))
    if claim["possible"] != "either" or claim["delta"] != "0":
        raise CertificateError('secrets at every step are certified for possible = "either" and delta = "0"')
    lower = upper = None
    if kind == "epsilon":
        lower, upper = (_bound(claim[name], f"claim.{name}") for name in bounds)
    parts = tuple(map(_part, array(top["parts"], "parts")))
    shows = None if top["shows"] is None else integer(top["shows"], "shows", 0)
    if shows is not None and shows >= len(parts):
        raise CertificateError("shows is the number of a part")
    return Apart(
        kind,
        string(top["model"], "model"),
        None if claim["horizon"] == "any" else a_step(claim["horizon"], "claim.horizon", 1),
        None if kind == "epsilon" else read_budget(claim["budget"]),
        lower,
        upper,
        tuple(array(top["questions"], "questions")),
        parts,
        shows,
        claim,
        tuple(_measure(row) for row in array(top.get("measures", []), "measures")),
    )


def _part(value: object) -> Part | Alone | Window:
    if isinstance(value, dict) and "window" in value:
        return read_window(value)
    if isinstance(value, dict) and "pairs" in value:
        return read_alone(value)
    later = isinstance(value, dict) and "after" in value
    names = ("pair", "forward", "after" if later else "step", "past", "future")
    part = fields(value, "a part", names, ("measure", "states"))
    direction = integer(part["pair"], "a part's pair", 0), boolean(part["forward"], "a part's forward")
    past, future = (None if part[k] is None else integer(part[k], f"a part's {k}", 0) for k in ("past", "future"))
    measure = integer(part["measure"], "a part's measure", 0) if "measure" in part else None
    states = _states(part["states"]) if "states" in part else None
    if later:
        return Part(direction, 0, a_step(part["after"], "a part's after", 0), past, future, measure, states)
    step = 0 if part["step"] == "every" else a_step(part["step"], "a part's step", 1)
    return Part(direction, step, None, past, future, measure, states)


def _states(value: object) -> tuple[int, int]:
    found = [integer(n, "a state of a part", 0) for n in array(value, "a part's states")]
    if len(found) != 2:
        raise CertificateError("a part's states are two numbers")
    return found[0], found[1]


def _measure(value: object) -> Mapping[int, Fraction]:
    found: dict[int, Fraction] = {}
    for item in array(value, "a measure"):
        entry = array(item, "an entry of a measure")
        if len(entry) != 2:
            raise CertificateError("an entry of a measure is a number of a state and a value")
        state = integer(entry[0], "a state of a measure", 0)
        if state in found:
            raise CertificateError("a measure has a state twice")
        found[state] = rational(entry[1], "a value of a measure", positive=True)
    return found


def _bound(value: object, place: str) -> Fraction | None:
    return None if value == "infinity" else rational(value, place)
