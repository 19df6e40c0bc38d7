"""Steps so late that it hardly matters where a run began: the past read from a stationary distribution. [T18]"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from faier.comparison import Floats
from faier.engine.loops.perron import as_float
from faier.number.exact import Extended
from faier.trace import Part
from faier.verdict import Bounds, Tight, Witness

from .question import Direction
from .reach import reach_of

if TYPE_CHECKING:
    from .search import Search

_MOST_STEPS = 2_000
_LONGER = 8
_TRIES = 6


@dataclass(frozen=True)
class Late:
    """What is known of the past of late steps: it bounds every step that has at least `reach` symbols before it."""

    past: Tight
    reach: int


def late(search: Search, direction: Direction, tolerance: Fraction) -> Late | None:
    """The question about the past, where there is a stationary distribution to read it from and it is of use."""
    question = search.question
    if question.measure is None or {direction.left, direction.right} - question.measure.keys():
        return None
    share = tolerance / 8
    key = "measured", (direction.left, direction.right), share
    past = search.tight(question.measured(direction), key, share, row_by_row=True)
    reach = reach_of(past.trace)
    if reach is None or past.ratio.upper == inf:
        return None
    # What is dominated is where a run was one step before the symbols: there has to be such a step.
    return Late(past, reach + 1)


def at_step(search: Search, direction: Direction, found: Late, step: int, future: Tight) -> Part:
    """A late step, with its own factor."""
    measure, factor = search.question.measure, search.question.factor(direction, step)
    return Part(direction.pair, direction.forward, step, found.past, future, measure, factor)


def after_all(
    search: Search, direction: Direction, found: Late, future: Tight, tolerance: Fraction
) -> tuple[Part, int] | None:
    """All steps after one from which the start has nearly been forgotten, and that one."""
    steps, question = max(found.reach, 1), search.question
    while steps <= _MOST_STEPS and not search.limits.reached():
        factor = question.factor_after(direction, steps)
        if factor != inf and Fraction(factor) <= 1 + tolerance / 8:
            part = Part(
                direction.pair, direction.forward, -steps, found.past, future, question.measure, Fraction(factor)
            )
            return part, steps
        steps += max(1, steps // 4)
    return None


def reached(
    search: Search, direction: Direction, found: Late, future: Tight, from_step: int, tolerance: Fraction
) -> Part | None:
    """A late step with a long word, whose ratio is near that of the stationary distribution: a lower bound."""
    if found.past.witness is None:
        return None
    word = tuple(search.question.model.symbol_index[s] for s in found.past.witness.word)
    upper = found.past.ratio.upper
    assert isinstance(upper, Fraction)
    enough = upper / (1 + tolerance / 2)
    best: tuple[Fraction, int, tuple[int, ...], Fraction, Fraction] | None = None
    step = max(from_step, len(word) + 2)
    for _ in range(_TRIES):
        if all(i in search.question.distribution(step) for i in (direction.left, direction.right)):
            letters = _continued(search, direction, word, step)
            left, right = _probabilities(search, direction, letters, step)
            if right and (best is None or left / right > best[0]):
                best = left / right, step, letters, left, right
            if best is not None and best[0] >= enough:
                break
        step += _LONGER
    return None if best is None else _part(search, direction, future, *best)


def starts_matter(search: Search, direction: Direction, part: Part | None, goal: Extended) -> bool:
    """Whether, in floats, some state to begin in would take the word of this part above the goal."""
    if part is None or part.past is None or part.past.witness is None or goal == inf:
        return False
    letters = [search.question.model.symbol_index[s] for s in part.past.witness.word]
    columns = np.zeros((search.automaton.size, 2))
    columns[direction.left, 0] = columns[direction.right, 1] = 1.0
    for letter in letters:
        columns = search.automaton.emit[:, letter][:, None] * (_moves(search) @ columns)
        columns /= columns.max() or 1.0
    here = search.question.distribution(part.step)
    with np.errstate(divide="ignore", invalid="ignore"):
        worst = float(np.nanmax(np.where(columns.sum(axis=1) > 0, columns[:, 0] / columns[:, 1], 0.0)))
    future = part.future.ratio.lower
    if future in (0, inf):
        return bool(future)
    # Exactly, as the chance of a state may be too small for a float.
    enough = Fraction(goal) * here[direction.left] / (here[direction.right] * Fraction(future))
    return worst > as_float(enough) * (1 + 1e-9)


def _moves(search: Search) -> Floats:
    automaton = search.automaton
    moves = automaton.dense_step if automaton.dense_step is not None else automaton.step.toarray()
    return np.asarray(moves[:, : automaton.size])


def _part(
    search: Search,
    direction: Direction,
    future: Tight,
    ratio: Fraction,
    step: int,
    letters: tuple[int, ...],
    left: Fraction,
    right: Fraction,
) -> Part:
    asked = search.question.past(direction, step)
    pair, symbols = asked.pairs[0], search.question.model.symbols
    shown = Witness(
        0, True, pair.left.name, pair.right.name, tuple(symbols[s] for s in letters), False, left, right
    )
    past = Tight(
        asked, Bounds(ratio, inf), attained=False, witness=shown, complete=False, reason="a word is enough",
        engine="tree", seconds=0.0, trace=None,
    )  # fmt: skip
    return Part(direction.pair, direction.forward, step, past, future)


def _continued(search: Search, direction: Direction, word: tuple[int, ...], step: int) -> tuple[int, ...]:
    """The word, backwards, with the symbols before it that make its ratio largest, one by one, in floats.

    By the mediant inequality one of the symbols never lowers the ratio.
    """
    automaton, moves = search.automaton, _moves(search)
    size = automaton.size
    columns = np.zeros((size, 2))
    columns[direction.left, 0] = columns[direction.right, 1] = 1.0
    letters = list(word)
    for n in range(step - 1):
        moved = moves @ columns
        if n >= len(letters):
            here = np.zeros(size)
            for i, p in search.question.distribution(step - 1 - n).items():
                here[i] = float(p)
            sums = np.einsum("k,ks,kc->sc", here, automaton.emit, moved)
            with np.errstate(divide="ignore", invalid="ignore"):
                ratios = np.where(sums[:, 0] > 0, sums[:, 0] / sums[:, 1], -1.0)
            letters.append(int(np.argmax(ratios)))
        columns = automaton.emit[:, letters[n]][:, None] * moved
        columns /= columns.max() or 1.0
    return tuple(letters)


def _probabilities(
    search: Search, direction: Direction, letters: tuple[int, ...], step: int
) -> tuple[Fraction, Fraction]:
    """How likely these symbols, backwards, are before the step, given either state at it."""
    question = search.question
    scale = math.lcm(*(value.denominator for value in question.start.values()))
    row = {i: int(value * scale) for i, value in question.start.items()}
    unit = Fraction(1, scale)
    for letter in reversed(letters):
        (row,), over = search.automaton.exact.advance((row,), letter)
        unit /= over
    here = question.distribution(step)
    left, right = (row.get(state, 0) * unit / here[state] for state in (direction.left, direction.right))
    return left, right
