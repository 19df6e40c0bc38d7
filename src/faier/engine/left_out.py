"""Under possible = "both": how much probability the words have that do not count."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from faier.comparison import Comparison
from faier.verdict import LeftOut

_MOST_PAIRS = 64
_MOST_GROUPS = 4096

_Row: TypeAlias = dict[int, int]


def left_out(comparison: Comparison) -> tuple[LeftOut, ...]:
    """One entry per pair of which some probability is left out, at a finite horizon; empty where it would take too long.

    Prefixes with the same supports on both sides have the same counted continuations, so their rows are added
    up; the number of groups does not grow with the number of words. At `any` only pairs of which no word counts
    at all are named.
    """
    if not comparison.both or len(comparison.scenario.pairs) > _MOST_PAIRS:
        return ()
    result = []
    for k, direction in enumerate(comparison.directions):
        if not direction.forward:
            continue
        shares = _shares(comparison, k)
        if shares is None:
            return ()
        left, right = shares
        if left or right:
            pair = comparison.scenario.pairs[direction.pair]
            result.append(LeftOut(pair.left.name, pair.right.name, left, right))
    return tuple(result)


def _shares(comparison: Comparison, direction: int) -> tuple[Fraction, Fraction] | None:
    automaton = comparison.automaton
    left, right, unit = comparison.start_exact(direction)
    groups: dict[tuple[frozenset[int], frozenset[int]], tuple[_Row, _Row]] = {
        (frozenset(left), frozenset(right)): (left, right)
    }
    lost_left = lost_right = Fraction(0)
    length = comparison.length or 1
    for depth in range(1, length + 1):
        unit *= automaton.unit
        following: dict[tuple[frozenset[int], frozenset[int]], tuple[_Row, _Row]] = {}
        for one, two in groups.values():
            for letter in range(automaton.letters):
                a, b = automaton.advance(one, letter), automaton.advance(two, letter)
                if not a or not b:
                    lost_left += sum(a.values()) * unit
                    lost_right += sum(b.values()) * unit
                    continue
                if depth < length:
                    x, y = a.pop(automaton.done, 0), b.pop(automaton.done, 0)
                    if not (x and y):
                        lost_left += x * unit
                        lost_right += y * unit
                    if not a or not b:
                        lost_left += sum(a.values()) * unit
                        lost_right += sum(b.values()) * unit
                        continue
                key = frozenset(a), frozenset(b)
                if key in following:
                    _add(following[key][0], a)
                    _add(following[key][1], b)
                else:
                    following[key] = a, b
        if len(following) > _MOST_GROUPS:
            return None
        groups = following
    if comparison.length is None and (lost_left < 1 and lost_right < 1):
        return Fraction(0), Fraction(0)
    return lost_left, lost_right


def _add(row: _Row, more: _Row) -> None:
    for i, x in more.items():
        row[i] = row.get(i, 0) + x
