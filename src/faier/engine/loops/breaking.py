"""The first word of a family that breaks a claim."""

from __future__ import annotations

from fractions import Fraction

from faier.comparison import Comparison
from faier.engine.exact import ExactRow, advance
from faier.engine.progress import Limits
from faier.engine.words import Found, row_after
from faier.families import Family
from faier.number.budget import Budget

_MOST_BITS = 200_000


def first_breaking(comparison: Comparison, family: Family, budget: Budget, limits: Limits) -> Found | None:
    """The first counted word u v^n z above the budget; None where a limit comes first."""
    place = comparison.scenario.model.symbol_index
    prefix, loop, suffix = ([place[s] for s in word] for word in (family.prefix, family.loop, family.suffix))
    direction = next(
        k for k, d in enumerate(comparison.directions) if (d.pair, d.forward) == (family.pair, family.forward)
    )
    row = row_after(comparison, direction, prefix)
    letters = list(prefix)
    while not limits.reached() and row.denominator.bit_length() < _MOST_BITS:
        if letters or suffix:
            left, right = _reading(comparison, row, suffix, family.ended)
            if left and not budget.allows(Fraction(left), Fraction(right)) and (right or not comparison.both):
                return Found(direction, (*letters, *suffix), family.ended)
        for letter in loop:
            row = advance(comparison, row, letter)
        letters += loop
    return None


def _reading(comparison: Comparison, row: ExactRow, suffix: list[int], ended: bool) -> tuple[int, int]:
    for letter in suffix:
        row = advance(comparison, row, letter)
    return row.ended(comparison.automaton.done) if ended else row.prefix()
