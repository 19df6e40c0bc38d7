"""Pairs of neighbouring inputs worth trying: the seven patterns that testers use, all neighbours, or the user's own.

The patterns are those of Z. Ding, Y. Wang, G. Wang, D. Zhang and D. Kifer (Detecting violations of differential
privacy, 2018), for answers of any number and range: where they have 1, the middle of the range stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal, TypeAlias

from faier.errors import UsageError

DataSet: TypeAlias = tuple[int, ...]
DataPair: TypeAlias = tuple[DataSet, DataSet]

_MOST_NEIGHBOURS = 20_000


def patterns(length: int, low: int = 0, high: int = 2) -> dict[str, DataPair]:
    """name -> pair, for lists of `length` answers from `low` to `high` of which each may move by 1.

    >>> patterns(5)["one below, rest above"]
    ((1, 1, 1, 1, 1), (0, 2, 2, 2, 2))

    Pairs that leave the range, are equal, or are those of an earlier pattern, are left out.
    """
    if length < 1 or high <= low:
        raise UsageError(f"patterns need one answer and two values at least, got {length} in {low}..{high}")
    middle = (low + high) // 2
    n, half = length, length // 2
    base = (middle,) * n
    top = max(middle, low + 1)
    listed = {
        "one above": (base, (middle + 1, *base[1:])),
        "one below": (base, (middle - 1, *base[1:])),
        "one above, rest below": (base, (middle + 1, *((middle - 1,) * (n - 1)))),
        "one below, rest above": (base, (middle - 1, *((middle + 1,) * (n - 1)))),
        "half half": (base, (middle - 1,) * half + (middle + 1,) * (n - half)),
        "all above": (base, (middle + 1,) * n),
        "all below": (base, (middle - 1,) * n),
        "x shape": ((top,) * half + (top - 1,) * (n - half), (top - 1,) * half + (top,) * (n - half)),
    }
    found: dict[str, DataPair] = {}
    for name, (one, two) in listed.items():
        inside = all(low <= x <= high for x in (*one, *two))
        if inside and one != two and (one, two) not in found.values():
            found[name] = one, two
    return found


def neighbours(length: int, low: int, high: int, move: Literal["each", "one"] = "each") -> list[DataPair]:
    """All pairs of lists of answers in a small range that differ by at most 1 in each place, or in one place only."""
    return list(_neighbours(length, low, high, move))


def _neighbours(length: int, low: int, high: int, move: str) -> Iterator[DataPair]:
    if (high - low + 1) ** length * (3**length if move == "each" else 2 * length) > 40 * _MOST_NEIGHBOURS:
        raise UsageError(
            f"{length} answers from {low} to {high} have too many neighbours to list; use patterns"
        )
    for one in product(range(low, high + 1), repeat=length):
        for two in product(*((x - 1, x, x + 1) for x in one)):
            moved = sum(a != b for a, b in zip(one, two, strict=True))
            if two > one and all(low <= x <= high for x in two) and (move == "each" or moved == 1):
                yield one, two


def listed(pairs: Sequence[Sequence[object]]) -> list[tuple[object, object]]:
    """The user's own pairs, with lists read as tuples."""
    found = []
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise UsageError(f"a pair is a list of two data sets, got {pair!r}")
        found.append((frozen(pair[0]), frozen(pair[1])))
    return found


def frozen(data: object) -> object:
    """A data set as JSON writes it, with tuples for lists."""
    if isinstance(data, dict | set):
        raise UsageError(f"a data set is a number, a string, or a list of these, got {str(data)[:60]}")
    return tuple(frozen(x) for x in data) if isinstance(data, list | tuple) else data
