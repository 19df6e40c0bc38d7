"""What an engine answers. A verdict is exact; it refuses truth-testing, so match on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NoReturn, TypeAlias

from faier.explanation import Explanation
from faier.families import Divergence, WordsLimit
from faier.model.hmm import Word
from faier.number.budget import Budget
from faier.number.exact import Extended, Prob
from faier.number.mass import Mass
from faier.scenario.scenario import Claim, Scenario
from faier.trace import Trace


@dataclass(frozen=True)
class Witness:
    """A counted word with both exact probabilities, in the direction that breaks (or attains) the bound.

    `pair` is the index of the pair in the scenario, `forward` whether its left is left here.
    """

    pair: int
    forward: bool
    left: str
    right: str
    word: Word
    ended: bool
    left_probability: Prob
    right_probability: Prob
    parameters: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def ratio(self) -> Prob | float:
        from math import inf

        return inf if self.right_probability == 0 else self.left_probability / self.right_probability


@dataclass(frozen=True)
class Outcome:
    """A word that begins the run or, where `ended`, is all of it."""

    word: Word
    ended: bool


@dataclass(frozen=True)
class Event:
    """Outcomes, no two of which go together, that break a claim with a delta: left > ratio * right + delta.

    `left_probability` and `right_probability` are those of all outcomes together.
    """

    pair: int
    forward: bool
    left: str
    right: str
    outcomes: tuple[Outcome, ...]
    left_probability: Fraction
    right_probability: Fraction
    budget: Budget

    @property
    def words(self) -> tuple[Word, ...]:
        return tuple(outcome.word for outcome in self.outcomes)

    @property
    def delta(self) -> Mass:
        """left - ratio * right: what the claim would have to allow for this event."""
        return Mass(self.left_probability, self.right_probability, self.budget)


@dataclass(frozen=True)
class ValuesLimit:
    """A ratio that a word approaches and does not reach, as values of unknowns tend to the ends of their ranges.

    `approach` names each variable with its value and how it gets there ("above", "below", or "at"), in this order;
    `parameters` are the values of the parameters in the limit.
    """

    pair: int
    forward: bool
    left: str
    right: str
    word: Word
    ended: bool
    approach: tuple[tuple[str, Fraction, str], ...]
    parameters: Mapping[str, Fraction]
    ratio: Prob | float


@dataclass(frozen=True)
class Bounds:
    """lower <= tight ratio <= upper; `math.inf` where there is no finite bound."""

    lower: Extended | Prob
    upper: Extended | Prob


@dataclass(frozen=True)
class Between:
    """lower <= value <= upper, of a number that is finite and no less than 0."""

    lower: Fraction
    upper: Fraction


@dataclass(frozen=True)
class LeftOut:
    """Under possible = "both": the probability, on each side of a direction, of words that do not count."""

    left: str
    right: str
    left_probability: Fraction
    right_probability: Fraction

    @property
    def nothing_counts(self) -> bool:
        return self.left_probability == 1 or self.right_probability == 1


@dataclass(frozen=True)
class _Verdict:
    scenario: Scenario
    engine: str
    seconds: float
    trace: Trace | None = field(repr=False)
    explanation: Explanation | None = field(default=None, repr=False, compare=False, kw_only=True)
    """What was tried, what closed what, and what would help; of the engines that say so."""

    @property
    def claim(self) -> Claim:
        return self.scenario.claim

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict is not a truth value; match on Holds, Violated and Unknown")

    def to_dict(self) -> dict[str, object]:
        """The verdict as the JSON of the command line."""
        from faier.report.records import verdict_record

        return verdict_record(self)  # type: ignore[arg-type]

    def __str__(self) -> str:
        from faier.report.sentences import verdict_sentence

        return verdict_sentence(self)  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        from faier.report.html import verdict_html

        return verdict_html(self)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Holds(_Verdict):
    """left(w) <= c * right(w) for every counted word w, every pair and direction."""

    left_out: tuple[LeftOut, ...] = ()
    classes: Sequence[int] | None = field(default=None, repr=False)
    """Where the proof is about classes of states that behave alike: the class of each state. [T14]"""

    __bool__ = _Verdict.__bool__
    __str__ = _Verdict.__str__


@dataclass(frozen=True)
class Violated(_Verdict):
    """The witness breaks the claim: a word, or an event where the claim has a delta."""

    witness: Witness | Event = field(kw_only=True)

    __bool__ = _Verdict.__bool__
    __str__ = _Verdict.__str__


@dataclass(frozen=True)
class Unknown(_Verdict):
    """Not decided within the limits; the bounds reached are sound.

    They are bounds of the tight ratio or, where the claim has a delta, of the delta that the ratio needs.
    """

    reason: str = field(kw_only=True)
    bounds: Bounds = field(kw_only=True)

    __bool__ = _Verdict.__bool__
    __str__ = _Verdict.__str__


Verdict: TypeAlias = Holds | Violated | Unknown


@dataclass(frozen=True)
class Tight:
    """The tight ratio of a scenario: exact where lower == upper, else an enclosure.

    `complete` is False where a limit stopped the search before the tolerance was reached (`reason` says which).
    `witness` attains `ratio.lower` where `attained`; else it is the best word found, if any. Where `diverges` names
    a family of words whose ratio grows without end, it is the first of these that breaks the scenario's own claim.
    """

    scenario: Scenario
    ratio: Bounds
    attained: bool
    witness: Witness | None
    complete: bool
    reason: str | None
    engine: str
    seconds: float
    trace: Trace | None = field(repr=False)
    left_out: tuple[LeftOut, ...] = ()
    diverges: Divergence | None = None
    limit: ValuesLimit | WordsLimit | None = None
    classes: Sequence[int] | None = field(default=None, repr=False)
    """Where proofs and families are about classes of states that behave alike: the class of each state. [T14]"""
    explanation: Explanation | None = field(default=None, repr=False, compare=False)
    """What was tried, what closed what, and what would help; of the engines that say so."""

    @property
    def exact(self) -> bool:
        return self.ratio.lower == self.ratio.upper

    def __bool__(self) -> NoReturn:
        raise TypeError("a tight epsilon is not a truth value; look at .ratio.lower and .ratio.upper")

    def to_dict(self) -> dict[str, object]:
        """The result as the JSON of the command line."""
        from faier.report.records import tight_record

        return tight_record(self)

    def __str__(self) -> str:
        from faier.report.sentences import tight_sentence

        return tight_sentence(self)

    def _repr_html_(self) -> str:
        from faier.report.html import tight_html

        return tight_html(self)
