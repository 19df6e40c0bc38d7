"""For which values of one or two parameters a claim holds: the rectangle cut into boxes, the largest first."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count, product

from faier.engine.progress import Limits
from faier.number.bernstein import Interval
from faier.number.unknowns import Range
from faier.partition import Region, RegionBox, Standing
from faier.scenario.narrowing import spread
from faier.scenario.scenario import Scenario
from faier.trace import Boxes

from .breach import Breach, Breaches
from .search import INTERRUPTED, Broken, Open

EFFORT = 1_000
_SECONDS_FOR_ONE = 1.0
_SMALLEST = Fraction(1, 2**40)


@dataclass(eq=False)
class Piece:
    """A box: decided, or halved, or waiting. At the points `broken` in it the claim is known not to hold."""

    sides: tuple[Interval, ...]
    area: Fraction
    broken: tuple[tuple[Fraction, ...], ...] = ()
    verdict: Standing = "undecided"
    breach: Breach | None = None
    halves: tuple[Piece, ...] = field(default=())

    def leaves(self) -> Iterator[Piece]:
        """The boxes that are not halved."""
        if not self.halves:
            yield self
        for half in self.halves:
            yield from half.leaves()

    def merge(self) -> Standing:
        """Halves that are both safe, or both outside, become one again."""
        verdicts = {half.merge() for half in self.halves}
        if verdicts in ({"safe"}, {"outside"}):
            self.halves, self.verdict = (), verdicts.pop()
        return "undecided" if self.halves else self.verdict

    def middle(self) -> tuple[Fraction, ...]:
        return tuple((lo + hi) / 2 for lo, hi in self.sides)


def region(scenario: Scenario, over: Sequence[str], effort: int | None, limits: Limits) -> Region:
    """Cut the rectangle of some parameters into boxes, until all is decided or `effort` boxes were looked at."""
    spread_out, ranges = spread(scenario, over)
    sides = tuple((r.lower, r.upper) for r in (ranges[name] for name in over))
    survey = Survey(Breaches(spread_out, over), tuple(ranges[name] for name in over), limits)
    root = Piece(sides, Fraction(1))
    reason: str | None
    try:
        reason = survey.run(root, effort)
    except KeyboardInterrupt:
        reason, survey.stopped = "interrupted", True
    root.merge()
    boxes = tuple(
        RegionBox(
            piece.sides, piece.verdict, survey.breaches.inside(piece.breach, piece.sides) if piece.breach else None
        )
        for piece in root.leaves()
    )
    if all(box.verdict != "undecided" for box in boxes):
        reason, survey.stopped = None, False
    return Region(
        scenario, tuple(over), survey.ranges, boxes, survey.examined, reason, survey.stopped, limits.elapsed
    )


class Survey:
    """Looks at boxes, the largest first; what breaks the claim in one is tried in others."""

    def __init__(self, breaches: Breaches, ranges: Sequence[Range], limits: Limits):
        self.breaches, self.ranges, self.limits = breaches, tuple(ranges), limits
        self.examined = 0
        self.stopped = False
        self.decided = Fraction(0)

    def run(self, root: Piece, effort: int | None) -> str:
        """Decide pieces until none waits, or a limit is reached; what stopped it."""
        order = count()
        waiting = [(-root.area, next(order), root)]
        while waiting:
            if (reason := self.limits.reached()) is not None:
                self.stopped = True
                return reason
            if effort is not None and self.examined >= effort:
                return f"{effort:,} boxes were looked at"
            _, _, piece = heapq.heappop(waiting)
            self.examined += 1
            self.decide(piece)
            if piece.verdict != "undecided":
                self.decided += piece.area
            elif piece.area > _SMALLEST:
                for half in self.halve(piece):
                    heapq.heappush(waiting, (-half.area, next(order), half))
            self.limits.tell_in_words(self._so_far)
        return "the boxes that are left are too small to matter"

    def decide(self, piece: Piece) -> None:
        """Prove that the claim holds, or is broken, at every point of a box; else leave it undecided.

        A point where it does not hold is looked for as well, and put down.
        """
        breaches = self.breaches
        if breaches.domain.misses(breaches.box(piece.sides)) is not None:
            piece.verdict = "outside"
            return
        if self._breaks_everywhere(piece):
            return
        middle = piece.middle()
        known = [p for p in (middle, *product(*piece.sides)) if breaches.known_to_break(p) is not None]
        piece.broken += tuple(known)
        if not piece.broken:
            # The whole box may be safe.
            match breaches.search(piece.sides, self._a_while()):
                case Boxes():
                    piece.verdict = "safe"
                    return
                case Broken() as broken:
                    piece.broken += (breaches.learn(broken),)
                case Open(reason=reason):
                    if reason == INTERRUPTED:
                        raise KeyboardInterrupt
                    return
        elif middle in known:
            breaches.improve(middle)
        self._breaks_everywhere(piece)

    def halve(self, piece: Piece) -> tuple[Piece, ...]:
        """Cut a box across its longer side, as a share of the range."""
        shares = [(hi - lo) / (r.upper - r.lower) for (lo, hi), r in zip(piece.sides, self.ranges, strict=True)]
        axis = shares.index(max(shares))
        lo, hi = piece.sides[axis]
        at = (lo + hi) / 2
        halves = []
        for lower, upper in ((lo, at), (at, hi)):
            broken = tuple(p for p in piece.broken if lower <= p[axis] <= upper)
            sides = (*piece.sides[:axis], (lower, upper), *piece.sides[axis + 1 :])
            halves.append(Piece(sides, piece.area / 2, broken))
        piece.halves = tuple(halves)
        return piece.halves

    def _breaks_everywhere(self, piece: Piece) -> bool:
        """At every point that is allowed; and at one point at least, which is then the witness's."""
        breach = self.breaches.everywhere(piece.sides)
        if breach is None or self.breaches.point_inside(breach, piece.sides) is None:
            return False
        piece.breach, piece.verdict = breach, "unsafe"
        return True

    def _so_far(self) -> str:
        return f"{self.examined:,} boxes looked at, {min(99, int(100 * self.decided))} % of the area decided"

    def _a_while(self) -> Limits:
        left = self.limits.seconds
        return Limits(_SECONDS_FOR_ONE if left is None else min(_SECONDS_FOR_ONE, left - self.limits.elapsed))
