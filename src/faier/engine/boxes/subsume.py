"""Covering a prefix on a box by one that was expanded before: [T3], coefficient by coefficient."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from faier.number.bernstein import Box, coefficients, degrees_of, is_nonnegative
from faier.number.exact import simplest_between

from .symbolic import Row, Symbolic
from .values import float_values, largest_coefficient

if TYPE_CHECKING:
    from .search import Node, Prefix

_MOST_CANDIDATES = 6


@dataclass(frozen=True)
class Cover:
    """left <= scale * left of `step`, right >= scale * right of it."""

    step: int
    scale: Fraction


class Covers:
    """The expanded nodes, by their rows up to a factor, and by direction."""

    def __init__(self, symbolic: Symbolic):
        self.symbolic = symbolic
        self._same: dict[tuple[Any, ...], list[tuple[Node, Prefix]]] = {}
        self._signatures: dict[tuple[int, tuple[int, ...]], tuple[tuple[Any, ...], Fraction]] = {}
        self._recent: dict[tuple[int, tuple[int, ...]], list[Node]] = {}
        # Rows of different lengths are over different denominators, unless these are constants.
        self._plain = symbolic.scale().is_constant()
        # By direction its beliefs that are probabilities for some values only, as far as is known: what a direction
        # claims is claimed where both of its beliefs are probabilities.
        self._unsure = [
            frozenset(frozenset(b.weights.items()) for b in (d.left, d.right) if not b.is_constant)
            for d in symbolic.directions
        ]

    def add(self, prefix: Prefix, node: Node) -> None:
        self._same.setdefault(_sizes(prefix.row), []).append((node, prefix))
        self._recent.setdefault((prefix.direction, prefix.letters), []).append(node)

    def find(self, prefix: Prefix, node: Node) -> Cover | None:
        """An expanded node that covers this one, with its scale."""
        for other, its in self._same.get(_sizes(prefix.row), ()):
            if not (self._suits(prefix, other) and _inside(node.box, other.box)):
                continue
            # Texts of rows are long: they are compared only where nothing shorter tells rows apart.
            (key, content), (its_key, its_content) = self._signature(prefix), self._signature(its)
            if key == its_key:
                return Cover(other.step, content / its_content / self._length_scale(prefix, other))
        if self.symbolic.length is not None or not self._plain:
            return None
        return self._by_ancestor(prefix, node)

    def _signature(self, prefix: Prefix) -> tuple[tuple[Any, ...], Fraction]:
        place = prefix.direction, prefix.letters
        if (found := self._signatures.get(place)) is None:
            found = self._signatures[place] = _signature(prefix.row)
        return found

    def _by_ancestor(self, prefix: Prefix, node: Node) -> Cover | None:
        letters = prefix.letters
        for size in range(len(letters) - 1, max(-1, len(letters) - 1 - _MOST_CANDIDATES), -1):
            for other in self._recent.get((prefix.direction, letters[:size]), ()):
                if _inside(node.box, other.box) and _may_cover(prefix.row, other.prefix.row, node.box):
                    scale = _scale(prefix.row, other.prefix.row, node.box)
                    if scale is not None:
                        return Cover(other.step, scale / self._length_scale(prefix, other))
        return None

    def _factor(self, prefix: Prefix) -> str:
        direction = self.symbolic.directions[prefix.direction]
        return self.symbolic.factors[direction.pair, direction.forward]

    def _suits(self, prefix: Prefix, other: Node) -> bool:
        if self._factor(prefix) != self._factor(other.prefix):
            return False
        if not self._unsure[other.prefix.direction] <= self._unsure[prefix.direction]:
            return False
        if len(other.prefix.letters) == len(prefix.letters):
            return True
        return self._plain and len(other.prefix.letters) < len(prefix.letters)

    def _length_scale(self, prefix: Prefix, other: Node) -> Fraction:
        """What each further letter multiplies the integers of a row by."""
        further = len(prefix.letters) - len(other.prefix.letters)
        if not further:
            return Fraction(1)
        return Fraction(int(self.symbolic.scale().leading_coefficient())) ** further


def _sizes(row: Row) -> tuple[Any, ...]:
    """What rows have in common that are the same up to a factor."""
    return tuple((i, len(left), len(right)) for i, (left, right) in row.items())


def _signature(row: Row) -> tuple[tuple[Any, ...], Fraction]:
    """The row over its largest integer factor, and that factor."""
    content = 0
    for pair in row.values():
        for polynomial in pair:
            if polynomial != 0:
                content = _gcd(content, abs(int(polynomial.content())))
    content = content or 1
    parts = tuple(
        (i, _text(left / content if content > 1 else left), _text(right / content if content > 1 else right))
        for i, (left, right) in row.items()
    )
    return parts, Fraction(content)


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def _text(polynomial: Any) -> str:
    return str(polynomial)


def _inside(box: Box, other: Box) -> bool:
    return all(a <= lo and hi <= b for (lo, hi), (a, b) in zip(box, other, strict=True))


def _may_cover(row: Row, other: Row, box: Box) -> bool:
    """Whether one scale would do at the middle of the box, in floats; only what is worth exact work goes on."""
    middle = np.array([[float((lo + hi) / 2) for lo, hi in box]])
    low, high = 0.0, math.inf
    for i, (left, right) in row.items():
        pair = other.get(i)
        if pair is None:
            if left != 0:
                return False
            continue
        values = [_magnitude(p, middle) for p in (left, pair[0], right, pair[1])]
        if values[0] > 0:
            low = max(low, values[0] / values[1]) if values[1] > 0 else math.inf
        if values[3] > 0:
            high = min(high, values[2] / values[3])
    return not low > high * (1 + 1e-9)  # where floats overflow, exact numbers decide


def _magnitude(polynomial: Any, point: Any) -> float:
    return 0.0 if polynomial == 0 else float(float_values(polynomial, point)[0]) * largest_coefficient(polynomial)


def _scale(row: Row, other: Row, box: Box) -> Fraction | None:
    """s with left <= s left_other and right >= s right_other in every state on the box, by coefficients."""
    low, high = Fraction(0), None
    for i, (left, right) in row.items():
        pair = other.get(i)
        its_left, its_right = pair if pair is not None else (None, None)
        if left != 0:
            if its_left is None or its_left == 0:
                return None
            a, b = (t.ravel().tolist() for t in coefficients([left, its_left], box, degrees_of([left, its_left])))
            for x, y in zip(a, b, strict=True):
                if x > low * y:
                    if y <= 0:
                        return None
                    low = Fraction(x, y)
        if its_right is not None and its_right != 0:
            if right == 0:
                return None
            a, b = (t.ravel().tolist() for t in coefficients([right, its_right], box, degrees_of([right, its_right])))
            for x, y in zip(a, b, strict=True):
                if y > 0 and (high is None or x < high * y):
                    high = Fraction(x, y)
    for i, (_, its_right) in other.items():
        if its_right != 0 and i not in row:
            return None
    if low == 0 or (high is not None and high < low):
        return None
    scale = simplest_between(low, high) if high is not None else low
    for i, (left, right) in row.items():
        zero = left * 0
        its_left, its_right = other.get(i, (zero, zero))
        top, bottom = scale.numerator, scale.denominator
        if not is_nonnegative(its_left * top - left * bottom, box):
            return None
        if not is_nonnegative(right * bottom - its_right * top, box):
            return None
    return scale
