"""Longer loops that promise divergence: two short ones, each so often that the left side gains more than any part
of the right one.

Nothing is proved here: it names loops, which T8 then confirms or refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from faier.comparison import Bools, Floats, Ints

from .letters import Letters, classes, reachable
from .perron import radius
from .supports import Prefixes

_MOST_TIMES = 24
_MOST_SIDES = 60
_MOST_FOUND = 8
_NEVER = -60.0
_CLEAR = 1e-6


def mixed_loops(letters: Letters, before: Prefixes, short: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Loops one^p two^q, the shortest first for each place where left and right may stand."""
    closed = reachable(np.asarray(letters.moves.any(axis=0)))
    groups = classes(closed)
    gains = np.array([[_gain(letters, loop, group) for group in groups] for loop in short])
    if len(short) < 2:
        return []
    found: list[tuple[int, ...]] = []
    one, two = np.triu_indices(len(short), 1)
    times = np.array([(p, q) for p in range(1, _MOST_TIMES + 1) for q in range(1, _MOST_TIMES + 1 - p)])
    for own, others in _sides(before, closed, groups):
        # How much more the left side gains than the class that gains most, for each pair of loops and of numbers.
        ahead = gains[:, own, None] - gains[:, others]
        ahead[gains[:, own] <= _NEVER] = _NEVER
        margin = np.min(
            times[None, :, 0, None] * ahead[one][:, None] + times[None, :, 1, None] * ahead[two][:, None], axis=2
        )
        pairs = [(short[i], short[j]) for i, j in zip(one.tolist(), two.tolist(), strict=True)]
        for loop in _best(margin, times, pairs):
            if loop not in found:
                found.append(loop)
        if len(found) >= _MOST_FOUND:
            break
    return found[:_MOST_FOUND]


def _gain(letters: Letters, loop: tuple[int, ...], group: list[int]) -> float:
    own = radius(letters.float_word(loop)[np.ix_(group, group)])
    return float(np.log(own)) if own > np.exp(_NEVER) else _NEVER


def _sides(before: Prefixes, closed: Bools, groups: list[list[int]]) -> Iterator[tuple[int, Ints]]:
    """A class that the left side is in, and all that the right side may come to, after some prefix."""
    seen: set[tuple[int, bytes]] = set()
    for left, right in zip(before.left, before.right, strict=True):
        ahead = closed[right].any(axis=0)
        others = np.array([bool(ahead[group].any()) for group in groups])
        for number, group in enumerate(groups):
            key = number, others.tobytes()
            # Where the right side may come to the same class it gains as much.
            if left[group].all() and others.any() and not others[number] and key not in seen:
                seen.add(key)
                yield number, np.flatnonzero(others)
                if len(seen) == _MOST_SIDES:
                    return


def _best(
    margin: Floats, times: Ints, pairs: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]
) -> Iterator[tuple[int, ...]]:
    """The shortest loop that gains, and the one that gains most for each of its symbols."""
    if not (margin > _CLEAR).any():
        return
    sizes = np.array([[len(v), len(w)] for v, w in pairs]) @ times.T
    shortest = np.where(margin > _CLEAR, sizes, np.inf)
    for place in (int(np.argmin(shortest)), int(np.argmax(margin / sizes))):
        pair, number = np.unravel_index(place, margin.shape)
        (v, w), (p, q) = pairs[int(pair)], times[int(number)].tolist()
        yield v * p + w * q
