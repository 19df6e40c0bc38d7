"""Exact probabilities of single words, and the witnesses made from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

import numpy as np

from faier.comparison import Comparison
from faier.engine.exact import ExactRow, advance
from faier.engine.known_rows import known_rows
from faier.engine.one_letter import one_letter
from faier.engine.progress import Limits, Stopped
from faier.number.exact import Extended
from faier.verdict import Witness

_MOST_DIRECTIONS = 64
_QUICK_BITS = 100_000_000
_LARGE_MODEL = 2000
_NEAR = 1e-6


@dataclass(frozen=True)
class Found:
    """A word in one direction, as letters, with the reading meant."""

    direction: int
    letters: tuple[int, ...]
    ended: bool


def row_after(comparison: Comparison, direction: int, letters: Sequence[int]) -> ExactRow:
    """The exact row of a word; what is known of its prefixes is not computed again."""
    return known_rows(comparison).word(comparison, direction, letters).row


def witness(comparison: Comparison, found: Found) -> Witness:
    """Both exact probabilities of a word, in its direction."""
    left, right, unit = _sides(comparison, found)
    d = comparison.directions[found.direction]
    pair = comparison.scenario.pairs[d.pair]
    one, two = (pair.left, pair.right) if d.forward else (pair.right, pair.left)
    return Witness(
        d.pair,
        d.forward,
        one.name,
        two.name,
        tuple(comparison.scenario.model.symbols[s] for s in found.letters),
        found.ended,
        left * unit,
        right * unit,
    )


def _sides(comparison: Comparison, found: Found) -> tuple[int, int, Fraction]:
    """Both probabilities of a word as integers, and what one stands for."""
    if comparison.length == 1 and len(found.letters) == 1 and not found.ended:
        left, right, over = one_letter(comparison, found.direction, found.letters[0])
        return left, right, Fraction(1, over)
    row = row_after(comparison, found.direction, found.letters)
    left, right = row.ended(comparison.automaton.done) if found.ended else row.prefix()
    return left, right, row.unit


def ratio(left: int, right: int) -> Extended:
    if right == 0:
        return inf if left else Fraction(0)
    return Fraction(left, right)


def counts(comparison: Comparison, found: Found) -> bool:
    """Whether the word's length and reading count at the horizon."""
    size = len(found.letters)
    if comparison.length is None:
        return size > 0
    return 0 < size < comparison.length if found.ended else size == comparison.length


def extend(comparison: Comparison, found: Found, limits: Limits | None = None) -> Found:
    """A counted word that starts with this prefix and whose ratio is at least the prefix's. [T5]

    For `either` only, where each prefix is the sum of its ended reading and of the prefixes one symbol longer,
    so by the mediant inequality one of them has at least its ratio. A shorter word wins a tie.
    """
    if found.ended or (comparison.length is None and found.letters):
        return found
    length = comparison.length or 1     # at `any` only the empty word does not count
    automaton = comparison.automaton
    row = row_after(comparison, found.direction, found.letters)
    letters = list(found.letters)
    while len(letters) < length:
        if limits is not None and (reason := limits.reached()):
            raise Stopped(reason)
        best = (-1, 1)
        choice: tuple[int, ExactRow] | None = None
        if letters and not _less(ended := row.ended(automaton.done), row.prefix()):
            return Found(found.direction, tuple(letters), True) if ended[0] else found
        for letter in range(automaton.letters):
            after = advance(comparison, row, letter)
            if after.left and _less(best, value := after.prefix()):
                best, choice = value, (letter, after)
        assert choice is not None, "a possible prefix has a possible child or has ended"
        letters.append(choice[0])
        row = choice[1]
    return Found(found.direction, tuple(letters), False)


def is_far(comparison: Comparison, found: Found) -> bool:
    """Whether to extend the prefix to a counted word would take more than seconds: its numbers grow as it does."""
    length = comparison.length or 1
    carried = (length - len(found.letters)) * length
    return carried * comparison.automaton.exact.common.bit_length() > _QUICK_BITS


def _less(one: tuple[int, int], two: tuple[int, int]) -> bool:
    """Whether the ratio of one reading (left, right) is below the other's; nothing over nothing is 0."""
    (a, b), (c, d) = one, two
    if a and not b:
        return False
    if not b or not d:
        return bool(c)
    return a * d < c * b


def first_among_equals(comparison: Comparison, found: Found) -> Found:
    """The same word in the first direction, in the order of the file, that gives it the same ratio."""
    if not 0 < found.direction <= _MOST_DIRECTIONS:
        return found
    value = value_of(comparison, found)
    for direction in _alike(comparison, found):
        other = Found(direction, found.letters, found.ended)
        if value_of(comparison, other) == value:
            return other
    return found


def _alike(comparison: Comparison, found: Found) -> list[int]:
    """The directions before the word's own in which floats cannot tell its ratio from its own there."""
    automaton, size = comparison.automaton, comparison.automaton.size
    before = list(range(found.direction))
    if size > _LARGE_MODEL or automaton.dense_step is None:
        return before
    rows = comparison.start_floats(np.arange(size + 1))
    size_of = np.zeros(len(rows))
    with np.errstate(divide="ignore", invalid="ignore"):
        for letter in found.letters:
            rows = (rows[:, :size] * automaton.emit[:, letter]) @ automaton.dense_step
            total = rows.sum(axis=1)
            size_of += np.log(total)
            rows = rows / total[:, None]
        if found.ended:
            size_of += np.log(rows[:, automaton.done])
        asked = comparison.directions[: found.direction + 1]
        left, right = size_of[asked.left], size_of[asked.right]
        apart = np.abs((left - right) - (left[-1] - right[-1])) > _NEAR
    return [direction for direction in before if not apart[direction]]


def value_of(comparison: Comparison, found: Found) -> Extended:
    """The exact ratio of a word."""
    left, right, _ = _sides(comparison, found)
    return ratio(left, right)
