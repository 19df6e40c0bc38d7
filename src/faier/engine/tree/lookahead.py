"""What prefixes lead to when a short loop follows them for ever: a better lower bound than their own readings.

Nothing is proved here: it names words, whose exact ratios are then computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faier.comparison import Floats
from faier.engine.loops.letters import Letters, necklaces
from faier.engine.words import Found

from .batch import Batch
from .search import Search

_LONGEST_LOOP = 3
_MOST_LOOPS = 60
_MOST_COLUMNS = 120
_MOST_STATES = 200
_ROUNDS = 200
_STILL = 1e-14
_MOST_REPEATS = 600
_MOST_BITS = 300_000
_PATIENCE = 400


@dataclass(frozen=True)
class _Ending:
    """A word that begins with some letters and then repeats a loop; and what it is worth from each state, scaled."""

    letters: tuple[int, ...]
    loop: tuple[int, ...]
    column: Floats


@dataclass(frozen=True)
class Promise:
    """A word that seems to be bad enough, and the family of words prefix loop^n that it belongs to."""

    word: Found
    prefix: tuple[int, ...]
    loop: tuple[int, ...]


class Lookahead:
    """Endings that repeat a loop, tried on all open prefixes at once."""

    def __init__(self, search: Search):
        self._search = search
        self._letters = Letters(search.comparison)
        self._endings: list[_Ending] | None = None
        self._matrix: Floats | None = None
        self._left = _PATIENCE

    def word(self, batch: Batch, above: float, slack: float) -> Promise | None:
        """A word that starts with one of the prefixes and seems to have a ratio, or to tend to one, above a number."""
        if self._left <= 0 or self._letters.too_large or self._search.automaton.size > _MOST_STATES or not len(batch):
            return None
        if self._endings is None:
            self._endings = self._all_endings()
            self._matrix = np.array([ending.column for ending in self._endings]).T
        if not self._endings:
            return None
        assert self._matrix is not None
        values = _quotients(batch.left @ self._matrix[batch.columns], batch.right @ self._matrix[batch.columns])
        with np.errstate(over="ignore"):
            values = np.ldexp(values, np.clip(batch.shift, -900, 900)[:, None])
        values[~batch.safe] = 0
        values[~np.isfinite(values)] = 0
        place, number = np.unravel_index(int(np.argmax(values)), values.shape)
        if not values[place, number] > above * (1 + slack):
            return None
        self._left -= 1
        return self._repeated(batch, int(place), self._endings[int(number)], float(values[place, number]), slack)

    def _repeated(self, batch: Batch, place: int, ending: _Ending, goal: float, slack: float) -> Promise:
        """The loop as often as it takes to come near the goal, within reason."""
        size = self._letters.size
        rows = np.zeros((2, size))
        rows[0, batch.columns], rows[1, batch.columns] = batch.left[place], batch.right[place]
        for letter in ending.letters:
            rows = rows @ self._letters.floats[letter]
        scale = float(np.ldexp(1.0, int(np.clip(batch.shift[place], -900, 900))))
        loop = self._letters.float_word(ending.loop)
        depth = int(batch.depth[place]) + len(ending.letters)
        bits = self._search.automaton.exact.common.bit_length()
        repeats = 0
        while repeats < _MOST_REPEATS and (depth + repeats * len(ending.loop)) * bits < _MOST_BITS:
            rows = rows @ loop
            scale *= rows[0].max() / rows[1].max() if rows.max(axis=1).all() else 1.0
            rows /= np.maximum(rows.max(axis=1, keepdims=True), 1e-300)
            repeats += 1
            if rows[0].sum() / max(float(rows[1].sum()), 1e-300) * scale >= goal * (1 - slack / 4):
                break
        nodes, node = self._search.nodes, int(batch.ids[place])
        prefix = (*nodes.letters(node), *ending.letters)
        word = Found(int(nodes.direction[node]), (*prefix, *ending.loop * repeats), False)
        return Promise(word, prefix, ending.loop)

    def _all_endings(self) -> list[_Ending]:
        letters = self._letters
        found: list[_Ending] = []
        seen: set[bytes] = set()

        def put(first: tuple[int, ...], loop: tuple[int, ...], column: Floats) -> None:
            top = column.max()
            if top > 0 and len(found) < _MOST_COLUMNS:
                column = column / top
                if (key := np.round(column, 9).tobytes()) not in seen:
                    seen.add(key)
                    found.append(_Ending(first, loop, column))

        by_length: dict[int, list[tuple[int, ...]]] = {}
        for least in necklaces(letters.moves, _LONGEST_LOOP, _MOST_LOOPS, self._search.limits.reached):
            by_length.setdefault(len(least), []).extend(least[k:] + least[:k] for k in range(len(least)))
        for loops in by_length.values():
            columns = _repeated_for_ever(letters.floats, loops, letters.size)
            for number, loop in enumerate(loops):
                put((), loop, columns[:, number])
        for ending in list(found):
            for letter in range(len(letters.moves)):
                put((letter,), ending.loop, letters.floats[letter] @ ending.column)
        return found


def _repeated_for_ever(floats: Floats, loops: Sequence[tuple[int, ...]], size: int) -> Floats:
    """A column for each of some loops of one length, scaled: what the loop is worth, often repeated, from each state.

    All loops are read back together, one product a letter, until nothing changes any more; where loops rotate states
    that never comes, and they are read a fixed number of times.
    """
    columns = np.ones((size, len(loops)))
    read = [
        [(letter, np.flatnonzero(letters == letter)) for letter in np.unique(letters).tolist()]
        for letters in np.array(loops).T[::-1]
    ]
    for _ in range(_ROUNDS):
        before = columns
        for groups in read:
            after = np.empty_like(columns)
            for letter, which in groups:
                after[:, which] = floats[letter] @ columns[:, which]
            columns = after
        columns = columns / np.maximum(columns.max(axis=0), 1e-300)
        if np.abs(columns - before).max() < _STILL:
            break
    return columns


def _quotients(left: Floats, right: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.asarray(np.where((left > 0) & (right > 0), left / right, 0.0))
