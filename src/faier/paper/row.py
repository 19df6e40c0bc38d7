"""One row of the paper's tables: what was published, what is asked, and what is expected of the answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from faier.api import epsilon, verify
from faier.scenario.scenario import Scenario
from faier.verdict import Tight, Verdict, Witness

from .remarks import Remark, Remarked, witness_of

Decision = Literal["holds", "violated"]


@dataclass(frozen=True)
class Published:
    """What the paper says: its verdict, the witness that it gives, and how long it took."""

    verdict: Decision
    time: str
    witness: str = ""
    by: str = "FAIER"


@dataclass(frozen=True)
class Expected:
    """What the answer is, by arithmetic that has nothing to do with the engine; `word` where the claim is broken."""

    verdict: Decision
    ratio: Fraction | float
    attained: bool = True
    word: tuple[Hashable, ...] | None = None


@dataclass(frozen=True)
class Row:
    """A question of the paper."""

    name: str
    part: str
    mechanism: str
    asked: str
    published: Published
    scenario: Callable[[], Scenario]
    expected: Expected
    remarks: tuple[Remark, ...] = ()

    def answer(self) -> Answer:
        """Build the model, decide the claim, find the tight ratio, and work out the remarks."""
        begin = time.perf_counter()
        scenario = self.scenario()
        verdict, tight = verify(scenario), epsilon(scenario)
        seconds = time.perf_counter() - begin
        return Answer(self, verdict, tight, seconds, tuple(remark() for remark in self.remarks))


@dataclass(frozen=True)
class Answer:
    """A row with its exact answer; `seconds` are those of the model, the verdict and the tight ratio."""

    row: Row
    verdict: Verdict
    tight: Tight
    seconds: float
    remarks: tuple[Remarked, ...]

    @property
    def decision(self) -> str:
        return type(self.verdict).__name__.lower()

    @property
    def witness(self) -> Witness | None:
        """The word that breaks the claim."""
        return witness_of(self.verdict)

    @property
    def agrees(self) -> bool:
        """Whether the paper's verdict is the exact one."""
        return self.row.published.verdict == self.decision

    @property
    def as_expected(self) -> bool:
        """Whether verdict, tight ratio, witness and remarks are what they are known to be."""
        expected, tight = self.row.expected, self.tight
        word = None if self.witness is None else self.witness.word
        return (
            self.decision == expected.verdict
            and tight.ratio.lower == tight.ratio.upper == expected.ratio
            and tight.attained is expected.attained
            and word == expected.word
            and all(remark.true for remark in self.remarks)
        )
