"""What `faier profile` answers: how much probability lies beyond a ratio, and at which ratio it is what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NoReturn

from faier.number.budget import Budget
from faier.number.exact import Extended
from faier.number.mass import Mass
from faier.scenario.scenario import Scenario
from faier.verdict import Between, Bounds


@dataclass(frozen=True)
class Point:
    """delta.lower <= delta at the ratio <= delta.upper, of all pairs and directions; `left`, `right` are the worst.

    `mass` is the exact value where it is known: always at a finite horizon, unless a limit stopped the search.
    `ratio` is a budget; infinite where no ratio keeps the delta that was asked for, and 0 where all of them do.
    """

    ratio: Budget | Extended
    delta: Between
    mass: Mass | None
    pair: int
    forward: bool
    left: str
    right: str

    @property
    def exact(self) -> bool:
        return self.mass is not None


@dataclass(frozen=True)
class Profile:
    """Points of the curve of delta against the ratio, in order of the ratio.

    `linear` says that delta is exactly linear in the ratio between neighbouring points, and constant after the last.
    `reach` encloses the smallest ratio that keeps `delta`, where that was asked for; the point is at its upper end.
    `complete` is False where a limit stopped the search; the bounds hold in any case.
    """

    scenario: Scenario
    points: Sequence[Point]
    linear: bool
    complete: bool
    reason: str | None
    seconds: float
    delta: Fraction | None = None
    reach: Bounds | None = None
    depth: int | None = field(default=None, repr=False)
    classes: Sequence[int] | None = field(default=None, repr=False)
    """Where bounds are about classes of states that behave alike: the class of each state. [T14]"""

    @property
    def point(self) -> Point | None:
        """The one point that was asked for, None where it was not found."""
        return self.points[-1] if self.points else None

    def __bool__(self) -> NoReturn:
        raise TypeError("a profile is not a truth value; look at .points")

    def to_dict(self) -> dict[str, object]:
        """The result as the JSON of the command line."""
        from faier.report.profile import profile_record

        return profile_record(self)

    def __str__(self) -> str:
        from faier.report.profile import profile_sentence

        return profile_sentence(self)

    def _repr_html_(self) -> str:
        from faier.report.profile_picture import profile_html

        return profile_html(self)

