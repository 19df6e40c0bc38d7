"""The headers of the example files: what is expected of each, read from its first comments."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from pathlib import Path

from faier.api import load_with_warnings
from faier.scenario.scenario import Scenario

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
# Those below library/ name a mechanism instead of writing a model; tests/targets has them.
FILES = sorted(path for path in EXAMPLES.glob("**/*.toml") if path.parent.name != "library")
ALL_NAMES = [str(path.relative_to(EXAMPLES).with_suffix("")) for path in FILES]


def has_unknowns(name: str) -> bool:
    """Whether a file has parameters or powers of e, which the brute force over words does not know."""
    text = (EXAMPLES / f"{name}.toml").read_text("utf-8")
    return "[parameters]" in text or "exp(" in text


def has_delta(name: str) -> bool:
    """Whether a file claims a delta: what is expected of it is delta at its ratio, not its tight ratio."""
    return re.search(r"^delta =", (EXAMPLES / f"{name}.toml").read_text("utf-8"), re.M) is not None


DELTA_NAMES = [name for name in ALL_NAMES if has_delta(name)]
NAMES = [name for name in ALL_NAMES if not has_unknowns(name) and not has_delta(name)]
UNKNOWN_NAMES = [name for name in ALL_NAMES if has_unknowns(name)]

Exact = Fraction | float
Values = dict[str, Exact]


@dataclass(frozen=True)
class Header:
    """What a file promises: `lower <= tight <= upper` at its own horizon, infinite where unbounded.

    Of a file with unknown parameters also `worst`, values that attain the ratio or are approached, as `attained`
    says, and some that break the claim or keep it; values that are roots are floats.
    """

    holds: bool
    shortest: int | None
    lower: Exact
    upper: Exact
    unbounded: bool
    attained: bool
    tight_at: dict[int, Exact] = field(hash=False)
    source: str
    twin_of: str | None
    fault: str | None
    worst: Values = field(hash=False)
    broken: tuple[Values, ...] = field(hash=False)
    kept: tuple[Values, ...] = field(hash=False)


@cache
def header(name: str) -> Header:
    lines = (EXAMPLES / f"{name}.toml").read_text("utf-8").splitlines()
    comments = [line[2:] for line in lines[: lines.index("faier = 1")] if line.startswith("# ")]
    given = dict(line.split(": ", 1) for line in comments if re.match(r"[a-z ]+(\d+)?: ", line))
    expect = re.fullmatch(r"holds|violated, shortest witness (\d+)", given["expect"])
    assert expect, given["expect"]
    unbounded = given["tight"] == "unbounded"
    ends = ["infinity"] if unbounded else given["tight"].split("..")
    twin = re.fullmatch(r"(\w+)\.toml; fault: (.+)", given["twin of"]) if "twin of" in given else None
    return Header(
        holds=expect[1] is None,
        shortest=int(expect[1]) if expect[1] else None,
        lower=_power(ends[0])[0] if ends[0].startswith("exp") else exact(ends[0]),
        upper=_power(ends[0])[1] if ends[0].startswith("exp") else exact(ends[-1]),
        unbounded=unbounded,
        attained=not given.get("attained", "yes").startswith("no"),
        tight_at={int(k.split()[-1]): exact(v) for k, v in given.items() if k.startswith("tight at")},
        source=given["source"],
        twin_of=str(Path(name).with_name(twin[1])) if twin else None,
        fault=twin[2] if twin else None,
        worst=_values(given.get("attained", "")),
        broken=_each_values(given.get("broken", "")),
        kept=_each_values(given.get("kept", "")),
    )


@cache
def scenario(name: str) -> Scenario:
    return load_with_warnings(EXAMPLES / f"{name}.toml")[0]


def exact(text: str) -> Exact:
    return math.inf if text == "infinity" else Fraction(text)


def _power(text: str) -> tuple[Fraction, Fraction]:
    """exp(r) between two fractions that share fifty digits."""
    exponent = Fraction(text.removeprefix("exp(").removesuffix(")"))
    with localcontext(prec=60):
        near = Fraction((Decimal(exponent.numerator) / exponent.denominator).exp())
    return near * (1 - Fraction(1, 10**50)), near * (1 + Fraction(1, 10**50))


def _values(text: str) -> Values:
    """ "p = 1/2, q -> 1" and the like; "x = sqrt(1/2)" is a float."""
    found: Values = {}
    for name, root, number in re.findall(r"(\w+) (?:=|->) (sqrt\()?(\d+(?:/\d+)?)", text):
        found[name] = math.sqrt(Fraction(number)) if root else Fraction(number)
    return found


def _each_values(text: str) -> tuple[Values, ...]:
    """Points one after the other: a name that comes again begins the next."""
    points: list[Values] = []
    for part in text.split(", ") if text else ():
        one = _values(part)
        if not points or one.keys() & points[-1].keys():
            points.append({})
        points[-1] |= one
    return tuple(points)
