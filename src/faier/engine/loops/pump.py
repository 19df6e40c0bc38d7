"""Divergence: a loop that the left side comes back from with a larger factor than the right side. [T8]

Floats look for loops; what they find is confirmed with rational vectors, or it is not said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from faier.comparison import Comparison, Floats
from faier.engine.progress import Limits
from faier.families import Divergence

from .confirm import always_possible, grows, is_above
from .letters import Letters, classes, closure, necklaces, reachable
from .mixtures import mixed_loops
from .perron import column_above, radius, row_below
from .powers import slow_divergence
from .supports import Prefixes, Suffix, prefixes, suffixes

_MOST_PREFIXES = 2000
_MOST_SUFFIXES = 24
_LONGEST_LOOP = 6
_MOST_LOOPS = 1000
_WORK = 3_000_000_000
_LONGEST_SLOW = 3
_LONGEST_MIXED = 2
_MOST_MIXED = 30
_MOST_STATES_MIXED = 60
_CLEAR = 1 + 1e-10
_CONFIRMED_AT_MOST = 8


@dataclass(frozen=True)
class _Candidate:
    growth: float
    prefix: int
    loop: tuple[int, ...]
    suffix: int
    members: tuple[int, ...]

    @property
    def order(self) -> tuple[float, int, int, tuple[int, ...]]:
        return -round(self.growth, 9), self.prefix, self.suffix, self.loop


class Pumps:
    """Looks for divergence in one comparison; what is known of its supports serves every search."""

    def __init__(self, comparison: Comparison, limits: Limits):
        self.comparison = comparison
        self.limits = limits
        self.letters = Letters(comparison)
        self._seen: set[tuple[int, ...]] = set()
        self._known: tuple[Prefixes, list[Suffix]] | None = None

    def find(self, hints: Iterable[tuple[int, ...]] = ()) -> Divergence | None:
        """A family that grows without end: by one of the loops given, else by one of the shortest that does."""
        if self.letters.too_large or self._is_infinite():
            return None
        hints = tuple(hints)
        loops = hints or tuple(self._short_loops())
        fresh = [loop for loop in loops if loop not in self._seen]
        for length in sorted({len(loop) for loop in loops}):
            candidates: list[_Candidate] = []
            for loop in loops:
                if len(loop) == length and loop not in self._seen:
                    self._seen.add(loop)
                    if self.limits.reached():
                        return None
                    candidates += self._candidates(loop)
            candidates.sort(key=lambda candidate: candidate.order)
            for candidate in candidates[:_CONFIRMED_AT_MOST]:
                if (found := self._confirmed(candidate)) is not None:
                    return self._sharpest(candidate, found)
        return slow_divergence(self.letters, *self.known, [loop for loop in fresh if len(loop) <= _LONGEST_SLOW])

    def find_mixed(self) -> Divergence | None:
        """The same by longer loops that are made of two short ones."""
        if self.letters.too_large or self.letters.size > _MOST_STATES_MIXED or self._is_infinite():
            return None
        short = necklaces(self.letters.moves, _LONGEST_MIXED, _MOST_MIXED, self.limits.reached)
        hints = mixed_loops(self.letters, self.known[0], list(short))
        return self.find(hints) if hints else None

    def _sharpest(self, candidate: _Candidate, found: Divergence) -> Divergence:
        """The same family with a growth that is exact, where one begun loop more at its end gives that."""
        suffix = self.known[1][candidate.suffix]
        for length in range(1, len(candidate.loop) + 1):
            if found.growth >= candidate.growth * (1 - 1e-12):
                break
            if suffix.word:
                break
            longer = Suffix(candidate.loop[:length], suffix.ended, suffix.states)
            other = self._confirmed(candidate, longer)
            if other is not None and other.growth > found.growth:
                found = other
        return found

    def _is_infinite(self) -> bool:
        """Whether a single word has an infinite ratio, which says more than a family would."""
        if self.comparison.both:
            return False
        before = self.known[0]
        alone = ~before.right.any(axis=1) | (before.left[:, -1] & ~before.right[:, -1])
        return bool(alone.any())

    def _short_loops(self) -> Iterable[tuple[int, ...]]:
        most = min(_MOST_LOOPS, max(40, _WORK // (20 * self.letters.size**3)))
        return necklaces(self.letters.moves, _LONGEST_LOOP, most, self.limits.reached)

    @property
    def known(self) -> tuple[Prefixes, list[Suffix]]:
        if self._known is None:
            self._known = prefixes(self.letters, _MOST_PREFIXES), suffixes(self.letters, _MOST_SUFFIXES)
        return self._known

    def _candidates(self, loop: tuple[int, ...]) -> list[_Candidate]:
        """For each suffix the place where the loop's factors differ most, where they do."""
        before, after = self.known
        self.limits.effort.loops += 1
        matrix = self.letters.float_word(loop)
        closed = reachable(matrix > 0)
        factors = [(c, radius(matrix[np.ix_(c, c)])) for c in classes(closed)]
        factors = [(c, r) for c, r in factors if r > 0]
        found = []
        for number, suffix in enumerate(after):
            ahead = np.zeros(len(matrix))
            for members, own in factors:
                if (closed[members[0]] & suffix.states).any():
                    ahead = np.maximum(ahead, np.where(closed[:, members[0]], own, 0.0))
            right = (before.right * ahead).max(axis=1)
            best: _Candidate | None = None
            for members, own in factors:
                if suffix.states[members].any():
                    found_here = self._best(before, members, own, right, loop, number)
                    if found_here is not None and (best is None or found_here.order < best.order):
                        best = found_here
            if best is not None:
                found.append(best)
        return found

    def _best(
        self, before: Prefixes, members: Sequence[int], own: float, right: Floats, loop: tuple[int, ...], suffix: int
    ) -> _Candidate | None:
        with np.errstate(divide="ignore"):
            growth = np.where(before.left[:, members].all(axis=1) & (right > 0), own / right, 0.0)
        top = float(growth.max())
        if top <= _CLEAR:
            return None
        first = int(np.flatnonzero(growth >= top * (1 - 1e-9))[0])
        return _Candidate(top, first, loop, suffix, tuple(members))

    def _confirmed(self, candidate: _Candidate, suffix: Suffix | None = None) -> Divergence | None:
        before, after = self.known
        suffix = after[candidate.suffix] if suffix is None else replace(
            suffix, states=self.letters.reading(suffix.word, suffix.ended)
        )
        loop, letters = candidate.loop, self.letters
        reaches = letters.reaches(loop)
        right = before.right[candidate.prefix]
        if self.comparison.both and not always_possible(right, reaches, suffix):
            return None
        below = row_below(letters.exact_rows(candidate.members, loop), candidate.members)
        if below is None:
            return None
        row, row_factor = below
        states = np.flatnonzero(closure(right, reaches)).tolist()
        target = letters.exact_column(suffix.word, suffix.ended)
        rows = letters.exact_rows(states, loop)
        above = column_above(rows, states, target, float(row_factor) * (1 - 1e-11))
        if above is None:
            return None
        column, column_factor = above
        direction = self.comparison.directions[before.direction[candidate.prefix]]
        pair = self.comparison.scenario.pairs[direction.pair]
        one, two = (pair.left, pair.right) if direction.forward else (pair.right, pair.left)
        names = self.comparison.scenario.model.symbols
        found = Divergence(
            direction.pair,
            direction.forward,
            one.name,
            two.name,
            tuple(names[s] for s in before.words[candidate.prefix]),
            tuple(names[s] for s in loop),
            tuple(names[s] for s in suffix.word),
            suffix.ended,
            row,
            row_factor,
            column,
            column_factor,
        )
        sound = (
            row_factor > column_factor > 0
            and any(i in target for i in row)
            and grows(row, row_factor, letters.exact_rows(row, loop))
            and is_above(column, column_factor, rows, target)
        )
        return found if sound else None
