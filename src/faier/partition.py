"""What `faier region` answers: a rectangle of one or two parameters, cut into boxes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NoReturn, TypeAlias

from faier.number.unknowns import Range
from faier.scenario.scenario import Claim, Scenario
from faier.verdict import Witness

Standing: TypeAlias = Literal["safe", "unsafe", "undecided", "outside"]
STANDINGS: tuple[Standing, ...] = ("safe", "unsafe", "undecided", "outside")


@dataclass(frozen=True)
class RegionBox:
    """A closed box, one interval for each parameter, and what is proved of all allowed values in it.

    safe: the claim holds at all of them, for all values of the other parameters. unsafe: at each of them some values
    of the other parameters break it; those of the witness do, everywhere in the box, and the witness has both
    probabilities for one point of the box. outside: no values are allowed. undecided: nothing is proved.
    """

    sides: tuple[tuple[Fraction, Fraction], ...]
    verdict: Standing
    witness: Witness | None = None


@dataclass(frozen=True)
class Region:
    """A partition of the rectangle of the parameters `over`; boxes overlap in their sides alone.

    `areas` are shares of the rectangle, exactly; they sum to 1. `reason` says why something is undecided;
    `stopped` whether that is because a limit of time was reached, or the search was interrupted.
    """

    scenario: Scenario
    over: tuple[str, ...]
    ranges: tuple[Range, ...]
    boxes: tuple[RegionBox, ...]
    examined: int
    reason: str | None
    stopped: bool
    seconds: float

    @property
    def claim(self) -> Claim:
        return self.scenario.claim

    @property
    def areas(self) -> dict[Standing, Fraction]:
        """The share of the rectangle that each verdict has."""
        found: dict[Standing, Fraction] = dict.fromkeys(STANDINGS, Fraction(0))
        for box in self.boxes:
            found[box.verdict] += self.share(box)
        return found

    def share(self, box: RegionBox) -> Fraction:
        """How much of the rectangle a box is."""
        share = Fraction(1)
        for (lo, hi), range_ in zip(box.sides, self.ranges, strict=True):
            share *= (hi - lo) / (range_.upper - range_.lower)
        return share

    def __bool__(self) -> NoReturn:
        raise TypeError("a region is not a truth value; look at .boxes and .areas")

    def to_dict(self) -> dict[str, object]:
        """The result as the JSON of the command line."""
        from faier.report.region import region_record

        return region_record(self)

    def __str__(self) -> str:
        from faier.report.region import region_sentence

        return region_sentence(self)

    def _repr_html_(self) -> str:
        from faier.report.region_picture import region_html

        return region_html(self)
