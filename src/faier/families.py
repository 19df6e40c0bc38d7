"""Families of words u v^n z, n = 0, 1, 2, ...: what shows that a ratio grows without end, or what it tends to.

Vectors and matrices are indexed by the numbers of states; what they leave out is 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from faier.model.hmm import Word

Vector: TypeAlias = Mapping[int, Fraction]
Matrix: TypeAlias = Mapping[tuple[int, int], Fraction]


@dataclass(frozen=True)
class Family:
    """The words prefix loop^n suffix in one direction of a pair; `ended` says that they are meant as complete runs."""

    pair: int
    forward: bool
    left: str
    right: str
    prefix: Word
    loop: Word
    suffix: Word
    ended: bool


@dataclass(frozen=True)
class Divergence(Family):
    """A family whose ratio is at least a constant times growth^n n^power, for every n: no finite epsilon exists. [T8]

    With x = `row` and y = `column`: x L[loop] >= row_factor x and L[loop] y <= column_factor y. Where there are
    `further_rows`, each row gives the next one besides with every loop: x L[loop] >= row_factor x + next.
    """

    row: Vector = field(repr=False)
    row_factor: Fraction = field(repr=False)
    column: Vector = field(repr=False)
    column_factor: Fraction = field(repr=False)
    further_rows: tuple[Vector, ...] = field(default=(), repr=False)

    @property
    def power(self) -> int:
        """The power of n that comes to growth^n."""
        return len(self.further_rows)

    @property
    def growth(self) -> Fraction:
        return self.row_factor / self.column_factor


@dataclass(frozen=True)
class WordsLimit(Family):
    """A family whose ratio tends to `ratio` as n grows. [T11]

    `left_projection` and `right_projection` are the limits of (L[loop] / factor)^n on the states that either side
    reaches; 2^squarings is a power at which both are near.
    """

    ratio: Fraction
    factor: Fraction = field(repr=False)
    left_projection: Matrix = field(repr=False)
    right_projection: Matrix = field(repr=False)
    squarings: int = field(repr=False)
