"""Word by word, from the back: one column of probabilities serves every belief and both directions of every pair.

The direction of choice where words are few and pairs are many, as in a one-shot mechanism with thousands of
neighbours. Floats filter under the bound of T6; exact columns decide the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from faier.comparison import Bools, Comparison, Floats, Ints
from faier.engine.outcome import Outcome, Stopped
from faier.engine.progress import Limits
from faier.engine.words import Found, row_after
from faier.number.budget import Budget
from faier.number.exact import Extended, common_denominator
from faier.trace import Enumeration

from .one_letter import one_letter
from .scaled import one_letter_values
from .tree.batch import YES, Margin, compare

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_CHUNK_BYTES = 32 << 20
_LARGE_MODEL = 20_000
_KEPT_ENTRIES = 2_000_000
# No product of a value, two model entries and a belief's weight can then underflow.
_SMALLEST_VALUE = 2.0**-600
_SMALLEST_WEIGHT = 2.0**-200
_MOST_SCALED = 300_000_000
_FEW_DIRECTIONS = 8


class TooSmall(Exception):
    """Some probability is so small that floats might lose it; the tree can do without them."""



@dataclass(frozen=True)
class Words:
    """The values of some words of one length: `values[belief, word]`, and the words as rows of letters."""

    letters: Ints
    ended: bool
    values: Floats


class Columns:
    """All counted words at a finite horizon, with the probability that each compared belief gives them."""

    def __init__(self, comparison: Comparison, limits: Limits, *, ratios_only: bool = False):
        """Where only ratios count, the values of single letters may be scaled: then none is too small."""
        assert comparison.length is not None
        self.comparison = comparison
        self.automaton = comparison.automaton
        self.limits = limits
        self.length = comparison.length
        self.margin = Margin(self.automaton)
        directions = comparison.directions
        # Directions between the same two beliefs say the same, so each such question is asked once, by the first.
        _, first = np.unique(directions.left * len(comparison.beliefs) + directions.right, return_index=True)
        self.asked = np.sort(first).astype(np.int64)
        self.left, self.right = directions.left[self.asked], directions.right[self.asked]
        self._starts = _starts(comparison)
        weights = self._starts[1]
        least = 1.0 if weights is None else float(np.min(weights, where=weights > 0, initial=1.0))
        self._scaled = not self.margin.usable or least < _SMALLEST_WEIGHT
        entries = len(comparison.beliefs) * self.automaton.model.emit.stored
        if self._scaled and not (ratios_only and self.length == 1 and entries <= _MOST_SCALED):
            raise TooSmall
        self._sparse: csr_array[Any] | None = None
        self._exact: dict[tuple[bytes, bool], tuple[dict[int, int], Fraction]] = {}

    def walk(self) -> Iterator[Words]:
        """All counted words, each once: the ended reading of shorter ones, then the prefix reading of the longest."""
        size = self.automaton.size
        if self._scaled:
            yield self._single_letters()
            return
        if self.automaton.can_end and self.length > 1:
            column = self.automaton.ends.astype(np.float64)[:, None]
            yield from self._grow(np.empty((1, 0), dtype=np.int64), column, self.length - 1, ended=True)
        yield from self._grow(np.empty((1, 0), dtype=np.int64), np.ones((size, 1)), self.length, ended=False)

    def _grow(self, suffixes: Ints, after: Floats, left: int, *, ended: bool) -> Iterator[Words]:
        """Put each letter before each suffix; `after[i]` is the value of a suffix for a run that has left state i."""
        fan = self.automaton.letters
        block = max(1, _CHUNK_BYTES // (8 * self.automaton.size * fan))
        for start in range(0, len(suffixes), block):
            part = after if len(suffixes) <= block else after[:, start : start + block]
            chosen = suffixes[start : start + block]
            letters = np.concatenate(
                [np.repeat(np.arange(fan), len(chosen))[:, None], np.tile(chosen, (fan, 1))], axis=1
            )
            if reason := self.limits.reached():
                raise Stopped(reason)
            if float(np.min(part, where=part > 0, initial=1.0)) < _SMALLEST_VALUE:
                raise TooSmall
            if ended or left == 1:
                self.limits.effort.words += len(letters)
                yield self._words(letters, part, ended)
            if left > 1:
                columns = (self.automaton.emit[:, :, None] * part[:, None, :]).reshape(
                    self.automaton.size, -1
                )
                alive = columns.any(axis=0)
                if not alive.all():
                    columns, letters = np.ascontiguousarray(columns[:, alive]), letters[alive]
                if len(letters):
                    yield from self._grow(letters, self._step(columns), left - 1, ended=ended)

    def _words(self, letters: Ints, after: Floats, ended: bool) -> Words:
        """The values of all words that put one letter before these suffixes, impossible ones left out."""
        states, weights = self._starts
        emit = self.automaton.emit
        if weights is None:
            chosen = emit[states]
            values = (chosen[:, :, None] * after[states][:, None, :]).reshape(len(states), -1)
        else:
            # One letter at a time, so that nothing of the size of all columns is ever made.
            every = len(states) == self.automaton.size
            rows = after if every else after[states]
            part = emit if every else emit[states]
            values = np.concatenate(
                [np.asarray((weights * part[:, letter]) @ rows) for letter in range(self.automaton.letters)],
                axis=1,
            )
        alive = values.any(axis=0)
        if not alive.all():
            values, letters = values[:, alive], letters[alive]
        return Words(letters, ended, values)

    def _single_letters(self) -> Words:
        values, usable = one_letter_values(self.comparison, self.limits)
        if not usable.all():
            raise TooSmall
        alive = values.any(axis=0)
        self.limits.effort.words += int(alive.sum())
        return Words(np.flatnonzero(alive)[:, None], False, values[:, alive])

    def _step(self, columns: Floats) -> Floats:
        """Column of a suffix as seen before a move; a state that ends the run gives it nothing."""
        if (dense := self.automaton.dense_step) is not None:
            return np.asarray(dense[:, : self.automaton.size] @ columns)
        if self._sparse is None:
            self._sparse = self.automaton.step[:, : self.automaton.size].tocsr()
        return np.asarray(self._sparse @ columns)

    # Exact values

    def exact(self, belief: int, letters: Ints, *, ended: bool) -> Fraction:
        """The exact probability that a belief gives a word."""
        automaton = self.automaton
        if automaton.size > _LARGE_MODEL:
            # Rows of few reachable states are far shorter than columns over all states.
            weights = dict(self.comparison.weights(belief))
            scale = common_denominator(weights.values())
            row = {i: v.numerator * (scale // v.denominator) for i, v in weights.items()}
            for letter in letters.tolist():
                (row,), over = automaton.exact.advance((row,), letter)
                scale *= over
            return Fraction(row.get(automaton.done, 0) if ended else sum(row.values()), scale)
        key = (letters.tobytes(), ended)
        if key not in self._exact:
            if len(self._exact) * automaton.size > _KEPT_ENTRIES:
                self._exact.clear()
            column = {automaton.done: 1} if ended else dict.fromkeys(range(automaton.size + 1), 1)
            for letter in reversed(letters.tolist()):
                column = automaton.exact.retreat(column, letter)
            self._exact[key] = column, Fraction(1, automaton.exact.common ** len(letters))
        column, unit = self._exact[key]
        return unit * sum(
            (p * x for i, p in self.comparison.weights(belief) if (x := column.get(i))), Fraction(0)
        )

    def exact_ratio(self, direction: int, letters: Ints, *, ended: bool) -> tuple[int, int]:
        """Both sides of a word, exactly, up to a common factor."""
        if self.length == 1:
            left, right, _ = one_letter(self.comparison, direction, int(letters[0]))
            return left, right
        if len(self.comparison.directions) <= _FEW_DIRECTIONS:
            # Rows of two beliefs are shorter than columns over all states, and the witness needs them too.
            row = row_after(self.comparison, direction, letters.tolist())
            return row.ended(self.automaton.done) if ended else row.prefix()
        d = self.comparison.directions[direction]
        one, two = (self.exact(side, letters, ended=ended) for side in (d.left, d.right))
        return one.numerator * two.denominator, two.numerator * one.denominator

    # Comparison of all directions at once

    def quotients(self, words: Words) -> Iterator[tuple[Ints, Floats, Bools]]:
        """For blocks of directions: their numbers, left/right per word as floats, and where both sides are possible."""
        width = max(1, words.values.shape[1])
        block = max(1, _CHUNK_BYTES // (32 * width))
        for start in range(0, len(self.left), block):
            which = np.arange(start, min(start + block, len(self.left)))
            left, right = words.values[self.left[which]], words.values[self.right[which]]
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                quotient = np.where(left > 0, left / right, 0.0)
            yield self.asked[which], quotient, (left > 0) & (right > 0)

    def error(self, words: Words) -> float:
        depth = np.array([words.letters.shape[1]])
        return float(self.margin.total(depth)[0])

    def worst(self, words: Words, at_least: Extended) -> tuple[Extended, Found] | None:
        """The largest exact ratio above `at_least`, the first in the order of directions and words among equals."""
        if at_least == inf:
            return None
        assert isinstance(at_least, Fraction)
        best: tuple[Extended, Found] | None = None
        threshold = at_least
        error = self.error(words)
        for which, quotient, possible in self.quotients(words):
            value = np.where(possible, quotient, 0.0) if self.comparison.both else quotient
            if not value.size or compare(value.max(keepdims=True), threshold, np.asarray(error)).item() == YES:
                continue
            # The most promising first: one exact value usually settles all others.
            some = [int(np.argmax(value))]
            while some:
                improved = False
                for k in some:
                    if reason := self.limits.reached():
                        raise Stopped(reason)
                    r, w = divmod(k, value.shape[1])
                    if not value[r, w] > 0:
                        continue
                    direction = int(which[r])
                    left, right = self.exact_ratio(direction, words.letters[w], ended=words.ended)
                    value[r, w] = 0.0
                    if left == 0 or (right == 0 and self.comparison.both):
                        continue
                    if left * threshold.denominator > threshold.numerator * right:
                        found = Found(direction, tuple(words.letters[w].tolist()), words.ended)
                        if right == 0:
                            return inf, found
                        threshold, improved = Fraction(left, right), True
                        best = threshold, found
                        break
                if improved or len(some) == 1:
                    near = np.flatnonzero((compare(value, threshold, np.asarray(error)) != YES) & (value > 0))
                    some = near[np.argsort(-value.ravel()[near], kind="stable")].tolist()
                else:
                    some = []
        return best if best is None else self._first_equal(words, best)

    def _first_equal(self, words: Words, best: tuple[Extended, Found]) -> tuple[Extended, Found]:
        """The same ratio at the first direction, and there at the first word, that has it."""
        ratio, found = best
        assert isinstance(ratio, Fraction)
        error = self.error(words)
        for which, quotient, _ in self.quotients(words):
            near = compare(quotient, ratio * Fraction(1 - 2 * error), np.asarray(0.0)) != YES
            for r, w in zip(*(x.tolist() for x in np.nonzero(near)), strict=True):
                direction = int(which[r])
                if direction > found.direction:
                    return ratio, found
                left, right = self.exact_ratio(direction, words.letters[w], ended=words.ended)
                if left and left * ratio.denominator == ratio.numerator * right:
                    return ratio, Found(direction, tuple(words.letters[w].tolist()), words.ended)
        return ratio, found


def _starts(comparison: Comparison) -> tuple[Ints, Floats | None]:
    """States and weights such that belief values are weights @ columns[states]; weights None for single states."""
    count = len(comparison.beliefs)
    rows = [list(comparison.weights(b)) for b in range(count)]
    if all(len(row) == 1 for row in rows):
        return np.array([row[0][0] for row in rows], dtype=np.int64), None
    states = comparison.start_states
    return states, comparison.start_floats(states)


def tight_at(comparison: Comparison, limits: Limits) -> Outcome:
    """The tight ratio at a finite horizon, exactly."""
    columns = Columns(comparison, limits, ratios_only=True)
    best: Extended = Fraction(0)
    found: Found | None = None
    try:
        for words in columns.walk():
            if (better := columns.worst(words, best)) is not None:
                best, found = better
                if best == inf:
                    return Outcome(inf, inf, found, None)
    except (Stopped, KeyboardInterrupt) as stop:
        return Outcome(best, inf, found, None, str(stop) or "interrupted")
    assert isinstance(best, Fraction)
    return Outcome(best, best, found, Enumeration(best))


def decide(comparison: Comparison, budget: Budget, limits: Limits) -> Outcome:
    """Decide a claim; the witness is a shortest violating word and among those the worst."""
    columns = Columns(comparison, limits, ratios_only=True)
    ratio = budget.below(128)
    by_length: dict[int, tuple[Extended, Found]] = {}
    best: tuple[Extended, Found] | None = None
    try:
        for words in columns.walk():
            size = words.letters.shape[1]
            floor = by_length[size][0] if size in by_length else ratio
            if (better := columns.worst(words, floor)) is None:
                continue
            if better[0] == inf or budget.compare(better[0]) > 0:  # type: ignore[arg-type]
                by_length[size] = better
            elif best is None or better[0] > best[0]:
                best = better
    except (Stopped, KeyboardInterrupt) as stop:
        if not by_length:
            return Outcome(Fraction(0), inf, None, None, str(stop) or "interrupted")
    if by_length:
        value, found = by_length[min(by_length)]
        return Outcome(value, inf, found, None)
    bits = 128
    while best is not None and budget.below(bits) < best[0]:
        bits *= 2  # T7: e**r itself lies above every word, so a bound below it does as well
    return Outcome(Fraction(0), budget.below(bits), None, Enumeration(budget.below(bits)))
