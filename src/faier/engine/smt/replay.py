"""The exact probability of one word, computed apart from any query: the judge of what solvers find."""

from __future__ import annotations

from fractions import Fraction

from faier.model.belief import Belief
from faier.model.hmm import HMM, Word

from .automaton import constants, start_row


def probability(model: HMM, belief: Belief, word: Word, *, ended: bool) -> Fraction:
    """Return the probability that a run begins with the word, or, if `ended`, that it is exactly the word."""
    row, ends = start_row(model, belief.weights), Fraction(1)
    for symbol in word:
        column = model.symbol_index[symbol]
        following: dict[int, Fraction] = {}
        ends = Fraction(0)
        for i, mass in row.items():
            emitted = mass * constants(model.emit.row(i)).get(column, Fraction(0))
            if emitted == 0:
                continue
            step = constants(model.step.row(i))
            if not step:
                ends += emitted
            for j, chance in step.items():
                following[j] = following.get(j, Fraction(0)) + emitted * chance
        row = following
    return ends if ended else ends + sum(row.values(), Fraction(0))
