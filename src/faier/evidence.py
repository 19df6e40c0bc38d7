"""What sampling gives: evidence, never a verdict."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import NoReturn


@dataclass(frozen=True)
class Evidence:
    """The outcome of testing whether left and right tell an event apart by more than e**epsilon.

    `rejected` says that the claim "every event keeps e**epsilon" was rejected at the level 1 - `confidence`: a
    mechanism that keeps it is rejected at most that often. `lower_bound` is a lower confidence bound of the
    tight epsilon, by the event `bound_event`, which may be another one: it lies above the truth at most that
    often. Events were chosen on samples that did not judge them. Not rejected proves nothing.

    `estimate` is the logarithm of the quotient of the frequencies of that event, without any guarantee.

    `event` lists its words where they can be listed; `event_text` says it in words in any case. `p_value` is None where
    no epsilon was claimed. `complete` is false where a sampler failed half way; `reason` then says how.
    """

    rejected: bool
    epsilon: float | None
    p_value: float | None
    lower_bound: float
    estimate: float | None
    confidence: float
    left: Hashable
    right: Hashable
    event: tuple[Hashable, ...] | None
    event_text: str
    bound_left: Hashable
    bound_right: Hashable
    bound_event: tuple[Hashable, ...] | None
    bound_event_text: str
    samples: int
    drawn: int
    pairs: int
    events: int
    seed: int
    seconds: float
    complete: bool = True
    reason: str | None = None

    def __bool__(self) -> NoReturn:
        raise TypeError("evidence is not a truth value; look at .rejected and .lower_bound")

    def to_dict(self) -> dict[str, object]:
        """The evidence as the JSON of the command line."""
        from faier.report.evidence import evidence_record

        return evidence_record(self)

    def __str__(self) -> str:
        from faier.report.evidence import evidence_sentence

        return evidence_sentence(self)
