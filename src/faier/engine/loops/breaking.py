"""The first word of a family that breaks a claim."""

from __future__ import annotations

import math
from fractions import Fraction

from faier.comparison import Comparison
from faier.engine.exact import ExactRow, advance
from faier.engine.progress import Limits
from faier.engine.words import Found, row_after
from faier.families import Divergence
from faier.number.budget import Budget

_MOST_BITS = 200_000
_FORESEEN_FROM = 64


def first_breaking(comparison: Comparison, family: Divergence, budget: Budget, limits: Limits) -> Found | None:
    """The first counted word u v^n z above the budget; None where a limit comes first, or is seen to come first."""
    place = comparison.scenario.model.symbol_index
    prefix, loop, suffix = ([place[s] for s in word] for word in (family.prefix, family.loop, family.suffix))
    direction = next(
        k for k, d in enumerate(comparison.directions) if (d.pair, d.forward) == (family.pair, family.forward)
    )
    row = row_after(comparison, direction, prefix)
    letters = list(prefix)
    loops, last = 0, -math.inf
    while not limits.reached() and row.denominator.bit_length() < _MOST_BITS:
        if letters or suffix:
            left, right = _reading(comparison, row, suffix, family.ended)
            if left and not budget.allows(Fraction(left), Fraction(right)) and (right or not comparison.both):
                return Found(direction, (*letters, *suffix), family.ended)
            if loops >= _FORESEEN_FROM and loops & (loops - 1) == 0:
                before, last = last, _log(Fraction(left, right or 1)) if left else -math.inf
                if _out_of_reach(family, budget, row.denominator.bit_length() / loops, loops, (before, last)):
                    return None
        for letter in loop:
            row = advance(comparison, row, letter)
        letters += loop
        loops += 1
    return None


def _out_of_reach(
    family: Divergence, budget: Budget, bits: float, loops: int, logs: tuple[float, float]
) -> bool:
    """Whether so many bits with every loop will be too many before the budget is exceeded.

    The logarithm of the ratio is taken to gain with every loop as much as it did since half as many, or as much as the
    proof says, if that is more. It is a guess, which may only cost the word.
    """
    before, now = logs
    if not math.isfinite(before):
        return False
    gain = max((now - before) / (loops / 2), _log(family.growth))
    missing = _log(budget.below()) - now
    return gain <= 0 or (loops + missing / gain) * bits > _MOST_BITS


def _log(value: Fraction) -> float:
    return math.log(value.numerator) - math.log(value.denominator)


def _reading(comparison: Comparison, row: ExactRow, suffix: list[int], ended: bool) -> tuple[int, int]:
    for letter in suffix:
        row = advance(comparison, row, letter)
    return row.ended(comparison.automaton.done) if ended else row.prefix()
