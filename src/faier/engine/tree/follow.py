"""To a far horizon with exact rows, where ratios are too large for floats: the worst prefix, letter by letter."""

from __future__ import annotations

from fractions import Fraction

from faier.comparison import Comparison
from faier.engine.exact import ExactRow, advance
from faier.engine.progress import Limits
from faier.engine.words import Found, ratio, row_after
from faier.number.exact import Extended

from .search import Search


def follow(
    comparison: Comparison, search: Search, found: list[tuple[float, int, bool]], limits: Limits
) -> tuple[Found, Extended] | None:
    """A word of the horizon's length that begins with the worst of these prefixes, and its ratio; not under `both`.

    A letter that made the ratio grow is taken again as long as it does so by the same factor; runs that end are left.
    None where that leads to nothing within the limits.
    """
    for _, node, _ in sorted(found, reverse=True):
        direction = int(search.nodes.direction[node])
        letters = list(search.nodes.letters(node))
        row = row_after(comparison, direction, letters)
        if _open(comparison, row):
            return _followed(comparison, direction, letters, row, limits)
    return None


def _followed(
    comparison: Comparison, direction: int, letters: list[int], row: ExactRow, limits: Limits
) -> tuple[Found, Extended] | None:
    assert comparison.length is not None
    growth = Fraction(0)
    while len(letters) < comparison.length:
        if limits.reached():
            return None
        before = ratio(*row.prefix())
        if not isinstance(before, Fraction) or before == 0:
            return None
        after = advance(comparison, row, letters[-1])
        if _open(comparison, after) and growth and _at_least(after, row, growth):
            letters.append(letters[-1])
            row = after
            continue
        best: tuple[Extended, int, ExactRow] | None = None
        for letter in range(comparison.automaton.letters):
            after = advance(comparison, row, letter)
            if not after.left or not (_open(comparison, after) or len(letters) + 1 == comparison.length):
                continue
            value = ratio(*after.prefix())
            if best is None or value > best[0]:
                best = value, letter, after
        if best is None or not isinstance(best[0], Fraction):
            return None
        growth = best[0] / before
        letters.append(best[1])
        row = best[2]
    return Found(direction, tuple(letters), False), ratio(*row.prefix())


def _open(comparison: Comparison, row: ExactRow) -> bool:
    """Whether some run on the left goes on."""
    return any(x for i, x in row.left.items() if i != comparison.automaton.done)


def _at_least(after: ExactRow, before: ExactRow, growth: Fraction) -> bool:
    """Whether the prefix ratio grew by at least this factor."""
    (a, b), (c, d) = after.prefix(), before.prefix()
    return not b or a * d * growth.denominator >= b * c * growth.numerator
