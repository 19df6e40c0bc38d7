"""One path through the draws of a function, and the way from it to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from faier.errors import FaierError
from faier.number.exact import Prob

from .distribution import Distribution, Value

MOST_DRAWS = 1_000


class Endless(Exception):
    """More draws than any path may have."""


class Unsteady(Exception):
    """A draw that is another one than when the path was walked before."""


@dataclass
class _Draw:
    among: Distribution
    values: list[Value]
    before: Prob
    """How likely the draws before this one are."""
    taken: int = 0

    @property
    def value(self) -> Value:
        return self.values[self.taken]

    @property
    def weight(self) -> Prob:
        return self.before * self.among[self.values[self.taken]]


@dataclass
class Path:
    """The choices of one run; those already there are taken again, further ones start with the first value."""

    draws: list[_Draw] = field(default_factory=list)
    position: int = 0
    trouble: FaierError | None = None
    stopped: Endless | Unsteady | None = None

    def start(self) -> None:
        """Walk the path again from its first draw."""
        self.position, self.trouble, self.stopped = 0, None, None

    def choose(self, among: Distribution) -> Value:
        if self.stopped is not None:
            # The function caught it; nothing that it does now counts.
            raise self.stopped
        if self.position == len(self.draws):
            if self.position >= MOST_DRAWS:
                self.stopped = Endless()
                raise self.stopped
            self.draws.append(_Draw(among, list(among), self.weight()))
        draw = self.draws[self.position]
        if draw.among is not among and dict(draw.among) != dict(among):
            self.stopped = Unsteady(f"draw {self.position + 1} is from {among!r}, and was from {draw.among!r}")
            raise self.stopped
        self.position += 1
        return draw.value

    def weight(self) -> Prob:
        """The probability of the draws so far."""
        return self.draws[-1].weight if self.draws else Fraction(1)

    def advance(self) -> bool:
        """Go to the next path; False after the last."""
        while self.draws:
            last = self.draws[-1]
            if last.taken + 1 < len(last.values):
                last.taken += 1
                return True
            self.draws.pop()
        return False

    def text(self) -> str:
        """Which draws led here."""
        if not self.draws:
            return "before any draw"
        shown = [repr(draw.value) for draw in self.draws]
        if len(shown) > 12:
            shown = [*shown[:6], "...", *shown[-4:]]
        count = len(self.draws)
        return f"after {count} draw{'' if count == 1 else 's'}: {', '.join(shown)}"
