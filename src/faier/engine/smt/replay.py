"""The exact probability of one word, computed apart from any query: the judge of what solvers find."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from faier.model.belief import Belief
from faier.model.hmm import HMM, Word

from .unknowns import evaluated_row

_NO_VALUES: Mapping[str, Fraction] = {}


def probability(
    model: HMM, belief: Belief, word: Word, *, ended: bool, values: Mapping[str, Fraction] = _NO_VALUES
) -> Fraction:
    """Return the probability that a run begins with the word, or, if `ended`, that it is exactly the word.

    `values` are those of all parameters. A belief that has no value there (its secret is impossible) raises
    `NumberError`.
    """
    weights = {model.state_index[state]: weight for state, weight in belief.weights.items()}
    row, ends = evaluated_row(weights, values, f"beliefs.{belief.name}"), Fraction(1)
    for symbol in word:
        column = model.symbol_index[symbol]
        following: dict[int, Fraction] = {}
        ends = Fraction(0)
        for i, mass in row.items():
            chances = evaluated_row(model.emit.row(i), values, f"model.emit.{model.states[i]}")
            emitted = mass * chances.get(column, Fraction(0))
            if emitted == 0:
                continue
            step = evaluated_row(model.step.row(i), values, f"model.step.{model.states[i]}")
            if not step:
                ends += emitted
            for j, chance in step.items():
                following[j] = following.get(j, Fraction(0)) + emitted * chance
        row = following
    return ends if ended else ends + sum(row.values(), Fraction(0))
