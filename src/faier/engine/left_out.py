"""Under possible = "both": how much probability the words have that do not count."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from faier.comparison import Comparison
from faier.verdict import LeftOut

_MOST_PAIRS = 64
_MOST_STATES = 2000
_MOST_GROUPS = 4096
_MOST_STEPS = 6000

_Row: TypeAlias = dict[int, int]


def left_out(comparison: Comparison) -> tuple[LeftOut, ...]:
    """One entry per pair of which some probability is left out, at a finite horizon; empty where that is too long.

    Prefixes with the same supports on both sides have the same counted continuations, so their rows are added
    up; the number of groups does not grow with the number of words. At `any` only pairs of which no word counts
    at all are named.
    """
    too_large = comparison.automaton.size > _MOST_STATES or len(comparison.scenario.pairs) > _MOST_PAIRS
    if not comparison.both or too_large:
        return ()
    result = []
    steps = [_MOST_STEPS]
    for k, direction in enumerate(comparison.directions):
        if not direction.forward:
            continue
        shares = _shares(comparison, k, steps)
        if shares is None:
            return ()
        left, right = shares
        if left or right:
            pair = comparison.scenario.pairs[direction.pair]
            result.append(LeftOut(pair.left.name, pair.right.name, left, right))
    return tuple(result)


def _shares(comparison: Comparison, direction: int, steps: list[int]) -> tuple[Fraction, Fraction] | None:
    automaton, exact = comparison.automaton, comparison.automaton.exact
    left, right, unit = comparison.start_exact(direction)
    groups = {(frozenset(left), frozenset(right)): (left, right)}
    lost_left = lost_right = Fraction(0)
    length = comparison.length or 1
    for depth in range(1, length + 1):
        following: dict[tuple[frozenset[int], frozenset[int]], tuple[_Row, _Row]] = {}
        # What no counted continuation takes is left out: all that a group has, less what goes on below.
        gone = [0, 0]
        scale = exact.common
        for one, two in groups.values():
            gone[0] += sum(one.values()) * scale
            gone[1] += sum(two.values()) * scale
            for letter in sorted(exact.letters_of(one) & exact.letters_of(two)):
                steps[0] -= 1
                if steps[0] < 0:
                    return None
                (a, b), _ = exact.advance((one, two), letter, over=scale)
                if depth < length:
                    x, y = a.pop(automaton.done, 0), b.pop(automaton.done, 0)
                    if x and y:
                        gone[0] -= x
                        gone[1] -= y
                    if not a or not b:
                        continue
                gone[0] -= sum(a.values())
                gone[1] -= sum(b.values())
                known = following.setdefault((frozenset(a), frozenset(b)), ({}, {}))
                _add(known[0], a)
                _add(known[1], b)
        unit /= scale
        lost_left += gone[0] * unit
        lost_right += gone[1] * unit
        if len(following) > _MOST_GROUPS:
            return None
        groups = following
        if not groups:
            break
    if comparison.length is None and (lost_left < 1 and lost_right < 1):
        return Fraction(0), Fraction(0)
    return lost_left, lost_right


def _add(row: _Row, more: _Row) -> None:
    for i, x in more.items():
        row[i] = row.get(i, 0) + x
