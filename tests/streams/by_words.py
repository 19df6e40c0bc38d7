"""Streams by their definition: all words of letters, both runs followed with fractions. Shares nothing with faier."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf
from typing import Any

END = object()


def after(stream: Any, row: dict[Any, Fraction], asked: Any, symbol: Any) -> dict[Any, Fraction]:
    """The memories of a run that was asked something and answered with this symbol."""
    found: dict[Any, Fraction] = {}
    for memory, weight in row.items():
        if memory is END:
            continue
        for said, then, p in stream.answers[asked, memory]:
            if said == symbol and p:
                place = END if then is None else then
                found[place] = found.get(place, Fraction(0)) + weight * p
    return found


def counted(
    stream: Any, left: dict[Any, Fraction], right: dict[Any, Fraction], horizon: int, both: bool = False
) -> Iterator[tuple[tuple[tuple[Any, Any, Any], ...], bool, Fraction, Fraction]]:
    """(word, ended, left, right): words of `horizon` letters and shorter complete runs, impossible ones left out."""
    near = {(a, a) for a in stream.inputs} | {p for a, b in stream.adjacent for p in ((a, b), (b, a))}
    symbols = {x.symbol for row in stream.answers.values() for x in row}
    open_words = [((), left, right)]
    for size in range(1, horizon + 1):
        longer = []
        for word, one, two in open_words:
            for a, b in near:
                for s in symbols:
                    x, y = after(stream, one, a, s), after(stream, two, b, s)
                    if x or y:
                        longer.append(((*word, (a, b, s)), x, y))
        open_words = longer
        for word, one, two in open_words:
            ended = size < horizon
            p, q = (
                (row.get(END, Fraction(0)) if ended else sum(row.values(), Fraction(0))) for row in (one, two)
            )
            if (p and q) if both else (p or q):
                yield word, ended, p, q


def tight(
    stream: Any, pairs: list[tuple[Any, Any, bool]], horizon: int, both: bool = False
) -> Fraction | float:
    """The largest ratio over all pairs (left, right, one way), both ways round."""
    found: list[Fraction | float] = [Fraction(0)]
    for one, two, one_way in pairs:
        for left, right in ((one, two),) if one_way else ((one, two), (two, one)):
            words = counted(stream, dict(left), dict(right), horizon, both)
            found += [p / q if q else inf for _, _, p, q in words]
    return max(found)


def game(
    stream: Any, left: dict[Any, Fraction], right: dict[Any, Fraction], ratio: Fraction, turns: int
) -> Fraction:
    """The most that left exceeds ratio * right by, of runs that go on for so many more answers or stop before."""
    if not turns:
        return max(Fraction(0), sum(left.values(), Fraction(0)) - ratio * sum(right.values(), Fraction(0)))
    near = {(a, a) for a in stream.inputs} | {p for a, b in stream.adjacent for p in ((a, b), (b, a))}
    best = Fraction(0)
    for a, b in near:
        shown = Fraction(0)
        for symbol in stream.symbols:
            one, two = after(stream, left, a, symbol), after(stream, right, b, symbol)
            if turns > 1:
                stopped = one.pop(END, Fraction(0)) - ratio * two.pop(END, Fraction(0))
                shown += max(Fraction(0), stopped)
            shown += game(stream, one, two, ratio, turns - 1)
        best = max(best, shown)
    return best
