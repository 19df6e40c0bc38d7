"""What an engine leaves behind: the steps of its proof, from which a certificate is written.

A trace proves left(w) <= `ratio` * right(w) for every counted word, pair and direction, where `ratio` is a rational
that does not exceed the budget. Three shapes exist: `Enumeration` (every counted word was looked at), `Tree`
(a forest of prefixes, each closed by one rule) and `Boxes` (the same where parameters are unknown). The rules are
those of docs/certificates.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from faier.number.exact import Extended, Prob

Rule: TypeAlias = Literal["expand", "end", "dominate", "subsume", "simulate", "cosimulate", "combine", "outweigh"]
Simulation: TypeAlias = Mapping[int, Mapping[int, Fraction]]
"""Row -> column -> entry of a matrix that the rules `simulate` and `cosimulate` refer to; what is left out is 0."""


@dataclass(frozen=True)
class Step:
    """One closed prefix. A root names its direction; any other step its parent step and its letter.

    `exact` says that the rule needs exact rows (a bound is met with equality).
    """

    rule: Rule
    root: tuple[int, bool] | None = None  # (pair, forward)
    parent: int = -1
    letter: int = -1
    by: int = -1  # subsume: the expanded step that covers this one; (co)simulate: the number of the matrix
    scale: Fraction = Fraction(1)  # subsume: left <= scale * left of `by`, right >= scale * right
    exact: bool = False
    parts: tuple[tuple[int, Fraction], ...] = ()  # combine, outweigh: expanded steps, with scales


@dataclass(frozen=True)
class Tree:
    ratio: Fraction
    steps: Sequence[Step] = field(repr=False)
    precision: int = 64
    matrices: Sequence[Simulation] = field(default=(), repr=False)


@dataclass(frozen=True)
class Enumeration:
    ratio: Fraction


@dataclass(frozen=True)
class BoxStep:
    """One step of a proof about a box of parameters, as the certificate has it.

    `place` is the kind of place and what it refers to: ("root", (pair, forward)), ("after", (step, letter)),
    ("half", (step, 0 or 1)), ("reading", (step, "prefix" or "ended")), ("part", (step, k)).
    """

    rule: str
    place: tuple[str, tuple[Any, ...]]
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Boxes:
    """A forest of prefixes and boxes; proves left <= ratio * right for all values of the parameters.

    `variables` are the names with the closed hull of their ranges. What a solver alone decided is among the steps
    (rule `solver`), and named in `rests_on`.
    """

    ratio: Prob
    variables: Sequence[tuple[str, Fraction, Fraction]]
    steps: Sequence[BoxStep] = field(repr=False)
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layers:
    """Proves, of every direction, that delta at `ratio` is at most what the claim allows: within `depth` symbols."""

    ratio: Fraction
    depth: int


@dataclass(frozen=True)
class Part:
    """What was proved of one direction of a secret at every step: of step `step`, of all (0), of all after -step.

    `past` and `future` are results about runs that are read away from the step, backwards and forwards, for which the
    state at the step is known; `past` is None where nothing is before it.
    """

    pair: int
    forward: bool
    step: int
    past: Any
    future: Any
    measure: Mapping[int, Fraction] | None = None
    """Where the past is read from a stationary distribution instead of the start: that."""
    factor: Fraction = Fraction(1)
    """What the product of both is to be multiplied by, for the upper bound."""
    states: tuple[int, int] | None = None
    """Where a side is several states: which state of either this is about. It is no lower bound then."""


@dataclass(frozen=True)
class Asked:
    """What was found of some pairs, by number, when they were asked about alone.

    The scenario of `answer` has its horizon; where that is shorter than the claim's, it is a lower bound only.
    """

    pairs: tuple[int, ...]
    answer: Any
    step: int | None = None
    """Where the one pair is at every step, and was asked about at this one alone."""


@dataclass(frozen=True)
class Window:
    """What bounds a pair at every step, of a stationary start: what is shown around it, and the states at the ends.

    The window begins `before` steps before the step and has `after` symbols from it on.
    """

    pair: int
    before: int
    after: int
    answer: Any
    step: int = 0
    """Of another start: the step that is bounded so, or all after -step; the window is read from `measure`."""
    measure: Mapping[int, Fraction] | None = None


@dataclass(frozen=True)
class Apart:
    """Past and future apart: the ratio of a step is the product of their ratios. [T18]

    `ratio` is at least the product of every part; `shows` is the part whose product is the lower bound. Pairs that are
    not at every step are asked about alone, and so are sets of states for words that are lower bounds.
    """

    ratio: Extended
    parts: Sequence[Part | Asked | Window] = field(repr=False)
    shows: Part | Asked | None = field(repr=False)


Trace: TypeAlias = Tree | Enumeration | Boxes | Layers | Apart
