"""What `faier calibrate` answers: the extreme value of a parameter that keeps the claim."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NoReturn, TypeAlias

from faier.number.unknowns import Range
from faier.scenario.scenario import Claim, Scenario
from faier.verdict import Holds, Witness

Goal: TypeAlias = Literal["maximise", "minimise"]


@dataclass(frozen=True)
class Calibration:
    """The extreme safe value of a parameter: at most `tolerance` of its range from `safe`.

    At `safe` the claim holds for all values of the other parameters; at `unsafe`, next to it on the side of the goal,
    the witness breaks it. Safe values need not be neighbours of one another, so two more things are said:
    `safe_beyond`, whether every value from `safe` to the other end of the range is safe (`exception` breaks the claim
    there where that is false), and `unsafe_beyond`, whether every value from `unsafe` to the end on the side of the
    goal is broken. None where that was not decided.

    `safe` is None where none was found: no value is safe where `unsafe_beyond` is true. `unsafe` is None where
    nothing between `safe` and the end of the range, or as near to an open end as the tolerance, is broken. `witness`
    is None beside an `unsafe` at which nothing is claimed: the constraints leave no values there.
    `complete` is false where the tolerance was not reached; `undecided` are the values that were in the way.
    `proof` is the verdict for the value or, where `safe_beyond`, for all the values that are proved to be safe.
    """

    scenario: Scenario
    parameter: str
    goal: Goal
    range: Range
    tolerance: Fraction
    safe: Fraction | None
    unsafe: Fraction | None
    witness: Witness | None
    safe_beyond: bool | None
    unsafe_beyond: bool | None
    exception: Witness | None
    undecided: tuple[Fraction, ...]
    complete: bool
    reason: str | None
    seconds: float
    verdicts: int
    proof: Holds | None = field(repr=False)

    @property
    def claim(self) -> Claim:
        return self.scenario.claim

    @property
    def monotone(self) -> bool | None:
        """Whether one value parts all that are safe from all that are broken; None where that is not known."""
        if self.safe_beyond is False:
            return False
        known = self.safe is None or self.safe_beyond
        return True if known and (self.unsafe is None or self.unsafe_beyond) and self.complete else None

    def __bool__(self) -> NoReturn:
        raise TypeError("a calibration is not a truth value; look at .safe and .unsafe")

    def to_dict(self) -> dict[str, object]:
        """The result as the JSON of the command line."""
        from faier.report.calibration import calibration_record

        return calibration_record(self)

    def __str__(self) -> str:
        from faier.report.calibration import calibration_sentence

        return calibration_sentence(self)

    def _repr_html_(self) -> str:
        from faier.report.calibration_picture import calibration_html

        return calibration_html(self)
