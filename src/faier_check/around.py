"""What a stationary run shows around a step: the model that bounds sets of states at every step. [T18]"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from .errors import CertificateError, ModelFileError
from .family import Family
from .gate import Gate, gated
from .limits import Meter
from .model import Distribution
from .rows import distribution
from .strict_json import array, fields, integer

_LONGEST = 1_000
_MOST_STEPS = 10_000


@dataclass(frozen=True)
class Window:
    """A question, by number, about a pair: from so many steps before the step to so many symbols from it on.

    From another start than a stationary one, the window is read from a measure, by number, and bounds one step, or all
    that come after one.
    """

    pair: int
    before: int
    symbols_on: int
    question: int
    step: int = 0
    after: int | None = None
    measure: int | None = None

    @property
    def symbols(self) -> int:
        """How many symbols the question is about: the ends show states."""
        return self.before + self.symbols_on + 1


def read_window(value: object) -> Window:
    """A part of a certificate that has `window`."""
    part = fields(value, "a part", ("pair", "window", "question"), ("step", "after", "measure"))
    sizes = [integer(n, "a part's window", 1) for n in array(part["window"], "a part's window")]
    if len(sizes) != 2 or max(sizes) > _LONGEST:
        raise CertificateError(f"a window is two numbers of at most {_LONGEST}")
    pair, question = (integer(part[name], f"a part's {name}", 0) for name in ("pair", "question"))
    measure, step, after = (
        read(part[name], f"a part's {name}", least) if name in part else None
        for name, least, read in (("measure", 0, integer), ("step", 1, a_step), ("after", 1, a_step))
    )
    if ((step is None) == (after is None)) != (measure is None) or (step is not None and after is not None):
        raise CertificateError("a window from a measure is for a step, or for all after one")
    return Window(pair, sizes[0], sizes[1], question, step or 0, after, measure)


def a_step(value: object, place: str, least: int) -> int:
    """The number of a step, where the way there is short enough to be gone."""
    if (number := integer(value, place, least)) > _MOST_STEPS:
        raise CertificateError(f"{place} is at most {_MOST_STEPS:,}", rule="apart")
    return number


def family_around(family: Family, gate: Gate, row: Mapping[int, Fraction], part: Window, meter: Meter) -> Family:
    """The gate in the middle of a window, whose first and last symbol show the states there.

    The row is a stationary distribution.
    """
    try:
        start = distribution(sorted(row.items()), "window")
    except ModelFileError as error:
        raise CertificateError(error.message, rule="window") from None
    kept, last = [i for i, _ in start.entries], part.symbols - 1
    meter.spend(20 * len(kept) * (last + 1))
    places = {(d, i): n for n, (d, i) in enumerate((d, i) for d in range(last + 1) for i in kept)}
    symbols = [*family.symbols]
    symbols += [f"began in {family.states[i]}" for i in kept]
    symbols += [f"then in {family.states[i]}" for i in kept]
    names = tuple(f"{d}:{family.states[i]}" for d, i in places)
    if len(set(symbols)) < len(symbols) or len(set(names)) < len(names):
        raise CertificateError("the file uses names that are needed here", rule="window")
    emit: list[Distribution] = []
    step: list[Distribution | None] = []
    for n, (d, i) in enumerate(places):
        here, onward = family.emit[i], family.step[i]
        assert isinstance(here, Distribution)
        assert isinstance(onward, Distribution)
        meter.spend(10 * len(onward.entries))
        if d in (0, last):
            here = Distribution(((len(family.symbols) + n % len(kept) + (len(kept) if d else 0), 1),), 1)
        emit.append(here)
        moved = tuple((places[d + 1, j], p) for j, p in onward.entries) if d < last else ()
        step.append(Distribution(moved, onward.denominator) if moved else None)
    beliefs = (Distribution(tuple((places[0, i], p) for i, p in start.entries), start.denominator),)
    left, right = (
        tuple(places[part.before, i] for i in side if i in kept) for side in (gate.left, gate.right)
    )
    shown = replace(gate, start=0, at=part.before + 1, left=left, right=right)
    made = Family(family.unknowns, tuple(symbols), names, tuple(emit), tuple(step), beliefs, ())
    try:
        return gated(made, [shown], meter, lambda: None)
    except ModelFileError as error:
        raise CertificateError(error.message, rule="window") from None
