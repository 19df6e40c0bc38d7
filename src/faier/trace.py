"""What an engine leaves behind: the steps of its proof, from which a certificate is written.

A trace proves left(w) <= `ratio` * right(w) for every counted word, pair and direction, where `ratio` is a rational
that does not exceed the budget. Two shapes exist: `Enumeration` (every counted word was looked at) and `Tree`
(a forest of prefixes, each closed by one rule). The rules are those of docs/certificates.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

Rule: TypeAlias = Literal["expand", "end", "dominate", "subsume"]


@dataclass(frozen=True)
class Step:
    """One closed prefix. A root names its direction; any other step its parent step and its letter.

    `exact` says that the rule needs exact rows (a bound is met with equality).
    """

    rule: Rule
    root: tuple[int, bool] | None = None  # (pair, forward)
    parent: int = -1
    letter: int = -1
    by: int = -1  # subsume: the expanded step that covers this one
    scale: Fraction = Fraction(1)  # subsume: left <= scale * left of `by`, right >= scale * right
    exact: bool = False


@dataclass(frozen=True)
class Tree:
    ratio: Fraction
    steps: Sequence[Step] = field(repr=False)
    precision: int = 64


@dataclass(frozen=True)
class Enumeration:
    ratio: Fraction


Trace: TypeAlias = Tree | Enumeration
