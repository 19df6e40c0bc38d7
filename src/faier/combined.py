"""What testing and proving together answer: another tool's claim refuted or confirmed, epsilon bracketed."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NoReturn

from faier.evidence import Evidence
from faier.number.exact import Extended
from faier.scenario.scenario import Scenario
from faier.verdict import Bounds, Tight, Witness


@dataclass(frozen=True)
class Refutation:
    """Whether an event shows at least the epsilon that was claimed for it: exactly.

    `ratio` is the event's own, in the direction in which it is larger: from `left` to `right`.
    """

    claim: Fraction
    confirmed: bool
    ratio: Extended
    left: Hashable
    right: Hashable
    event: tuple[Hashable, ...]
    left_probability: Fraction
    right_probability: Fraction
    seconds: float

    def __bool__(self) -> NoReturn:
        raise TypeError("a refutation is not a truth value; look at .confirmed")

    def to_dict(self) -> dict[str, object]:
        """The result as the JSON of the command line."""
        from faier.report.evidence import refutation_record

        return refutation_record(self)

    def __str__(self) -> str:
        from faier.report.evidence import refutation_sentence

        return refutation_sentence(self)


@dataclass(frozen=True)
class Move:
    """One move of a bracket: what was looked at, and the bounds after it."""

    text: str
    ratio: Bounds


@dataclass(frozen=True)
class Learned:
    """What was learned of a mechanism that can only be run. An estimate, never a proof.

    With probability `confidence` the interval holds for the outputs that were seen; nothing is known of others.
    """

    kind: str
    low: float
    high: float
    confidence: float | None
    outputs: int
    samples: int


@dataclass(frozen=True)
class Bracket:
    """The tight epsilon between two bounds: certified where a model exists (`tight`), else an estimate (`learned`).

    `moves` tells how the interval closed: from what sampling suggested over what the verifier certified.
    """

    scenario: Scenario | None
    tight: Tight | None
    witness: Witness | None
    evidence: Evidence | None
    learned: Learned | None
    moves: tuple[Move, ...] = field(repr=False)
    seconds: float

    def __bool__(self) -> NoReturn:
        raise TypeError("a bracket is not a truth value; look at .tight.ratio, or at .learned")

    def to_dict(self) -> dict[str, object]:
        """The result as the JSON of the command line."""
        from faier.report.evidence import bracket_record

        return bracket_record(self)

    def __str__(self) -> str:
        from faier.report.evidence import bracket_sentence

        return bracket_sentence(self)
