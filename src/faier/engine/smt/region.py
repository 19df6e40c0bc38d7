"""Where unknown values lie: a box with open and closed ends, cut by the signs of polynomials."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TypeAlias

from .simple import Interval, Point, near, simplified
from .terms import ZERO, asserted, declared, polynomial, rational, signed

Polynomial: TypeAlias = Mapping[tuple[int, ...], int]
"""Exponents, one for each variable, and the integer coefficient of each monomial."""
Cut: TypeAlias = tuple[Polynomial, str]
"""A polynomial and how it compares with 0."""

_SMTLIB = {">": "> {0} {1}", ">=": ">= {0} {1}", "==": "= {0} {1}", "!=": "distinct {0} {1}"}
RELATIONS = tuple(_SMTLIB)


@dataclass(frozen=True)
class Region:
    """The points of the box that keep every cut; `names` are the variables in scripts."""

    names: tuple[str, ...]
    box: tuple[Interval, ...]
    cuts: tuple[Cut, ...] = ()

    def __contains__(self, point: Sequence[Fraction]) -> bool:
        """Exactly."""
        for x, (low, high, open_below, open_above) in zip(point, self.box, strict=True):
            if x < low or x > high or (x == low and open_below) or (x == high and open_above):
                return False
        return all(holds(evaluate(cut, point), relation) for cut, relation in self.cuts)

    def commands(self) -> list[str]:
        """The declarations of the variables, and assertions that keep them in the region."""
        lines: list[str] = []
        for name, (low, high, open_below, open_above) in zip(self.names, self.box, strict=True):
            lines.append(declared(name, "Real"))
            lines.append(asserted(f"({'>' if open_below else '>='} {name} {signed(low)})"))
            lines.append(asserted(f"({'<' if open_above else '<='} {name} {signed(high)})"))
        return lines + [asserted(condition(self.names, cut)) for cut in self.cuts]

    def read(self, values: Mapping[str, str]) -> Point:
        """The point with these values; what is not among them does not matter, and is the lower end."""
        return tuple(
            rational(values[name]) if name in values else low
            for name, (low, *_) in zip(self.names, self.box, strict=True)
        )

    def simple_point(self, start: Sequence[Fraction], good: Callable[[Point], bool]) -> Point | None:
        """A point of the region near `start` that is good, of denominators as small as easily found."""

        def settled(point: Point) -> Point | None:
            moved = self._on_equations(point)
            return moved if moved is not None and moved in self and good(moved) else None

        for candidate in near(start, self.box):
            if (found := settled(candidate)) is not None:
                return simplified(found, self.box, settled)
        return None

    def _on_equations(self, point: Point) -> Point | None:
        """The point moved onto the cuts that are equations linear in a variable, one variable for each."""
        moved: set[int] = set()
        values = list(point)
        for cut, relation in self.cuts:
            if relation != "==" or (gap := evaluate(cut, values)) == 0:
                continue
            for i in reversed(range(len(values))):
                slope = {(*p[:i], 0, *p[i + 1 :]): c for p, c in cut.items() if p[i]}
                linear = all(p[i] <= 1 for p in cut)
                if i not in moved and linear and (by := evaluate(slope, values)) != 0:
                    values[i] -= gap / by
                    moved.add(i)
                    break
            else:
                return None
        return tuple(values)


def condition(names: Sequence[str], cut: Cut) -> str:
    """The cut as a formula."""
    return f"({_SMTLIB[cut[1]].format(polynomial(names, cut[0]), ZERO)})"


def holds(value: Fraction, relation: str) -> bool:
    return {">": value > 0, ">=": value >= 0, "==": value == 0, "!=": value != 0}[relation]


def evaluate(asked: Polynomial, point: Sequence[Fraction]) -> Fraction:
    """The exact value."""
    total = Fraction(0)
    for powers, c in asked.items():
        term = Fraction(c)
        for x, power in zip(point, powers, strict=True):
            if power:
                term *= x**power
        total += term
    return total


def sign(asked: Polynomial, box: Sequence[Interval]) -> int:
    """1 or -1 where the polynomial is easily seen to be nowhere negative, or nowhere positive, in the box; else 0.

    By its Bernstein coefficients, which have its values between them. [T9]
    """
    coefficients = {p: Fraction(c) for p, c in asked.items()}
    for i, (low, high, *_) in enumerate(box):
        degree = max((p[i] for p in asked), default=0)
        if degree:
            coefficients = _converted(coefficients, i, _conversion(degree, low, high))
    values = coefficients.values()
    if all(c >= 0 for c in values):
        return 1
    return -1 if all(c <= 0 for c in values) else 0


def _converted(
    coefficients: dict[tuple[int, ...], Fraction], i: int, matrix: Sequence[Sequence[Fraction]]
) -> dict[tuple[int, ...], Fraction]:
    """Exchange the powers of one variable for its Bernstein polynomials."""
    found: dict[tuple[int, ...], Fraction] = {}
    for powers, c in coefficients.items():
        for k, row in enumerate(matrix):
            if row[powers[i]]:
                key = (*powers[:i], k, *powers[i + 1 :])
                found[key] = found.get(key, Fraction(0)) + c * row[powers[i]]
    return found


@lru_cache(maxsize=256)
def _conversion(degree: int, low: Fraction, high: Fraction) -> tuple[tuple[Fraction, ...], ...]:
    """matrix[k][j]: the k-th Bernstein coefficient of x**j on [low, high]."""
    rows = []
    for k in range(degree + 1):
        row = []
        for j in range(degree + 1):
            # The blossom of x**j at k copies of high and degree - k of low.
            total = Fraction(0)
            for m in range(min(j, k) + 1):
                if j - m <= degree - k:
                    total += comb(k, m) * comb(degree - k, j - m) * high**m * low ** (j - m)
            row.append(total / comb(degree, j))
        rows.append(tuple(row))
    return tuple(rows)
