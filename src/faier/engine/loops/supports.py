"""Which states both sides can be in after some prefix, and which states can read some suffix; all up to a limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faier.comparison import Bools, Comparison

from .letters import Letters


@dataclass(frozen=True)
class Prefixes:
    """A shortest prefix for each combination of a direction and the supports of its two rows."""

    direction: Sequence[int]
    words: Sequence[tuple[int, ...]]
    left: Bools
    right: Bools


@dataclass(frozen=True)
class Suffix:
    """A shortest suffix for the states that can read it, as a prefix reading or as the end of a run."""

    word: tuple[int, ...]
    ended: bool
    states: Bools


def prefixes(letters: Letters, most: int) -> Prefixes:
    """The supports that some prefix leads to, the shortest prefixes first."""
    comparison = letters.comparison
    known: set[tuple[int, bytes, bytes]] = set()
    direction, words, left, right = [], [], [], []

    def put(number: int, word: tuple[int, ...], one: Bools, two: Bools) -> None:
        key = (number, np.packbits(one).tobytes(), np.packbits(two).tobytes())
        if key not in known and len(known) < most and one.any() and (two.any() or not comparison.both):
            known.add(key)
            direction.append(number)
            words.append(word)
            left.append(one)
            right.append(two)

    for number, (one, two) in enumerate(_starts(comparison, letters.size)):
        put(number, (), one, two)
    moves = letters.moves.astype(np.float32)
    at = 0
    while at < len(words):
        following = np.stack([left[at], right[at]]).astype(np.float32) @ moves > 0
        for letter in range(len(moves)):
            put(direction[at], (*words[at], letter), following[letter, 0], following[letter, 1])
        at += 1
    return Prefixes(direction, words, np.array(left), np.array(right))


def suffixes(letters: Letters, most: int) -> list[Suffix]:
    """The sets of states that can read some suffix, the shortest suffixes first, prefix readings before ends."""
    every = np.ones(letters.size, dtype=bool)
    done = np.zeros(letters.size, dtype=bool)
    done[-1] = True
    found = [Suffix((), False, every)]
    if letters.automaton.can_end:
        found.append(Suffix((), True, done))
    known = {suffix.states.tobytes() for suffix in found}
    moves = letters.moves.astype(np.float32)
    at = 0
    while at < len(found) and len(found) < most:
        reading = moves @ found[at].states.astype(np.float32) > 0
        for letter in range(len(moves)):
            states = reading[letter]
            if states.any() and states.tobytes() not in known and len(found) < most:
                known.add(states.tobytes())
                found.append(Suffix((letter, *found[at].word), found[at].ended, states))
        at += 1
    return found


def _starts(comparison: Comparison, size: int) -> list[tuple[Bools, Bools]]:
    rows = []
    for direction in comparison.directions:
        sides = []
        for belief in (direction.left, direction.right):
            row = np.zeros(size, dtype=bool)
            row[[i for i, value in comparison.weights(belief) if value]] = True
            sides.append(row)
        rows.append((sides[0], sides[1]))
    return rows
