"""Everything that faier raises on purpose.

FaierError
├── NumberError         a number, expression or budget that cannot be read exactly
├── ModelError          a model, belief, pair or file that is not valid; carries every problem found
├── UsageError          a question that cannot be asked: no budget, no horizon, an engine that cannot do it
│   └── NotYetError     understood, valid, and not built yet
├── MechanismError      a mechanism, its noise or what is known of its data cannot be what is written
├── OutOfTime           the time limit came before there was a model to ask about
├── SamplerError        something that is sampled died, hung or gave what is no output
├── SolverError         an external solver is missing, died or answered nonsense
├── PrivacyViolation    raised by `assert_private`: the claim is broken
└── PrivacyUndecided    raised by `assert_private`: nothing was decided within the limits
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from faier.evidence import Evidence


class FaierError(Exception):
    """The root of all exceptions that faier raises on purpose."""


class NumberError(FaierError):
    """A number, expression or budget that cannot be read exactly."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a model or file: where, on which line if known, and what."""

    place: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        where = f"{self.place} (line {self.line})" if self.line is not None else self.place
        return f"{where}: {self.message}" if where else self.message


class ModelError(FaierError):
    """A model, belief, pair or file that is not valid; `problems` lists all of them."""

    def __init__(self, problems: str | Iterable[Problem], place: str = "", line: int | None = None):
        if isinstance(problems, str):
            problems = [Problem(place, problems, line)]
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class UsageError(FaierError):
    """A question that cannot be asked."""


class NotYetError(UsageError):
    """Understood, valid, and not built yet."""


class SolverError(FaierError):
    """An external solver is missing, died or answered nonsense."""


class OutOfTime(FaierError):
    """The time limit came while the model was being built: nothing is known of the claim."""

    def __init__(self, message: str, seconds: float):
        self.seconds = seconds
        super().__init__(message)


class SamplerError(FaierError):
    """Something that is sampled died, hung or gave what is no output; `partial` is the evidence gathered before."""

    partial: Evidence | None = None


class MechanismError(FaierError):
    """A mechanism, its noise or what is known of its data cannot be what is written."""


class PrivacyViolation(FaierError, AssertionError):
    """A scenario that was asserted to be private is not; `verdict` has the witness."""

    def __init__(self, message: str, verdict: Any = None):
        super().__init__(message)
        self.verdict = verdict


class PrivacyUndecided(FaierError, AssertionError):
    """Whether a scenario is private was not decided within the limits; `verdict` says why, with bounds."""

    def __init__(self, message: str, verdict: Any = None):
        super().__init__(message)
        self.verdict = verdict
