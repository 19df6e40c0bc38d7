"""The event that breaks a claim: prefixes and complete runs that together exceed the ratio by more than delta. [T10]"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from faier.comparison import Comparison
from faier.engine.exact import ExactRow, advance, start
from faier.engine.progress import Limits, Stopped
from faier.number.budget import Budget
from faier.verdict import Event, Outcome

from .adversary import Adversary
from .excess import Excess

_MOST_OUTCOMES = 1_000


def event(comparison: Comparison, found: Excess, budget: Budget, delta: Fraction, limits: Limits) -> Event:
    """All outcomes where the direction exceeds the ratio, if these are few; else the weightiest that suffice.

    Outcomes are prefixes, each of which stands for all words that begin with it, and complete runs; no two overlap.
    """
    # At `any` the search has counted complete runs of `depth` symbols apart from the prefixes of that length.
    length = comparison.length if comparison.length is not None else found.depth + 1
    listed: list[tuple[Outcome, Fraction, Fraction]] = []
    total = Fraction(0)
    shown = _stream_outcomes if len(comparison.scenario.choices) > 1 else _outcomes
    for item in shown(comparison, found, length, limits):
        if len(listed) >= _MOST_OUTCOMES and total > delta:
            listed = _fewest(listed, found.ratio, delta)
            break
        listed.append(item)
        total += item[1] - found.ratio * item[2]
    outcomes = [outcome for outcome, _, _ in listed]
    left = sum((a for _, a, _ in listed), Fraction(0))
    right = sum((b for _, _, b in listed), Fraction(0))
    d = comparison.directions[found.direction]
    pair = comparison.scenario.pairs[d.pair]
    one, two = (pair.left, pair.right) if d.forward else (pair.right, pair.left)
    outcomes.sort(key=lambda o: len(o.word))
    return Event(d.pair, d.forward, one.name, two.name, tuple(outcomes), left, right, budget)


def _fewest(
    listed: list[tuple[Outcome, Fraction, Fraction]], ratio: Fraction, delta: Fraction
) -> list[tuple[Outcome, Fraction, Fraction]]:
    """Those that exceed the ratio most, as few as exceed delta together."""
    total = Fraction(0)
    chosen: list[tuple[Outcome, Fraction, Fraction]] = []
    for one in sorted(listed, key=lambda one: ratio * one[2] - one[1]):
        chosen.append(one)
        total += one[1] - ratio * one[2]
        if total > delta:
            break
    return chosen


@dataclass(frozen=True, order=True)
class _Open:
    """A prefix to look at; those that may show most come first, and among equals the shorter."""

    rank: Fraction
    size: int
    letters: tuple[int, ...]
    ended: bool


def _stream_outcomes(
    comparison: Comparison, found: Excess, length: int, limits: Limits
) -> Iterator[tuple[Outcome, Fraction, Fraction]]:
    game = Adversary(comparison, found.direction, found.ratio, length)
    while game.open():
        game.expand(limits)
    yield from game.outcomes()


def _outcomes(
    comparison: Comparison, found: Excess, length: int, limits: Limits
) -> Iterator[tuple[Outcome, Fraction, Fraction]]:
    """Closed prefixes and complete runs that exceed the ratio, one after the other."""
    symbols, done = comparison.scenario.model.symbols, comparison.automaton.done
    rows: dict[tuple[tuple[int, ...], bool], ExactRow] = {}
    waiting: list[_Open] = []

    def put(row: ExactRow, letters: tuple[int, ...], ended: bool) -> None:
        over = sum((x for x in _differences(row, found.ratio) if x > 0), Fraction(0)) * row.unit
        if over:
            rows[letters, ended] = row
            heapq.heappush(waiting, _Open(-over, len(letters), letters, ended))

    put(start(comparison, found.direction), (), False)
    while waiting:
        if reason := limits.reached(nodes=len(rows)):
            raise Stopped(reason)
        at = heapq.heappop(waiting)
        row = rows.pop((at.letters, at.ended))
        closed = at.ended or at.size == length or (at.size > 0 and min(_differences(row, found.ratio)) >= 0)
        if closed:
            left, right = row.prefix()
            if left * row.unit > found.ratio * right * row.unit:
                word = tuple(symbols[s] for s in at.letters)
                yield Outcome(word, at.ended), left * row.unit, right * row.unit
            continue
        if row.left.get(done):
            one, two = row.ended(done)
            put(ExactRow({done: one}, {done: two}, row.numerator, row.denominator), at.letters, True)
        for letter in sorted(comparison.automaton.exact.letters_of(row.left)):
            put(advance(comparison, row, letter), (*at.letters, letter), False)


def _differences(row: ExactRow, ratio: Fraction) -> list[Fraction]:
    found = [x - ratio * row.right.get(i, 0) for i, x in row.left.items()]
    return found + [-ratio * y for i, y in row.right.items() if i not in row.left]
