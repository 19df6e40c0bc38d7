"""Whether expanding prefixes will soon be enough by itself, so that dearer rules can wait. Nothing is proved here."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from math import inf, isfinite, log

_LOOK_BACK = 4
_SOON = 400
_SHARE = 3
_WAIT = 40
_LENGTHS = 4
_FEW = 16


class Pace:
    """How the gap between the largest bound and the lower bound shrinks while prefixes are expanded.

    Where a chain forgets, each symbol shrinks it by a factor, and how many expansions are left is known after a few.
    Where it stays as it is, or is infinite, no number of them is enough.
    """

    def __init__(self, tolerance: Fraction):
        self._goal = max(float(min(tolerance, Fraction(1))), 1e-15) / 2
        self._seen: deque[tuple[int, float]] = deque(maxlen=_LOOK_BACK)
        self.good = False

    def start(self, *, bounded: bool) -> None:
        """Whether every prefix has a finite bound after one letter at the latest."""
        self.good = bounded

    def note(self, expanded: int, upper: float, lower: Fraction) -> None:
        """The largest bound and the lower bound after so many expansions; call it before each further one."""
        low = float(lower) if lower < 10**300 else inf
        gap = upper / low - 1 if low > 0 and isfinite(upper) else inf
        self._seen.append((expanded, gap))
        if expanded:
            self.good = gap <= self._goal or (isfinite(gap) and self._soon(expanded, gap))

    def _soon(self, expanded: int, gap: float) -> bool:
        first, before = self._seen[0]
        if not isfinite(before):
            # Finite only by now: some expansions more will tell.
            return expanded <= _WAIT
        if not gap < before:
            return False
        left = (expanded - first) / log(before / gap) * log(gap / self._goal)
        return left <= max(_SOON, _SHARE * expanded)


class Width:
    """How many prefixes are open from length to length, where the horizon is finite.

    While these are few, and no more than some lengths ago, following them to the end takes a time in proportion to the
    horizon, and no rule that closes some of them can gain much.
    """

    def __init__(self) -> None:
        self._seen: deque[int] = deque(maxlen=_LENGTHS)

    def note(self, count: int) -> None:
        self._seen.append(count)

    @property
    def good(self) -> bool:
        return len(self._seen) == _LENGTHS and self._seen[-1] <= min(_FEW, self._seen[0])
