"""Floats with exponents of their own, for one-shot mechanisms whose probabilities are too small for floats. [T6]"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from faier.comparison import Automaton, Bools, Comparison, Floats, Ints
from faier.engine.outcome import Stopped
from faier.engine.progress import Limits

_SMALL = 2.0**-1000
_LEAST = -900
_LOST = -1100
_ABSENT = -(1 << 60)


def one_letter_values(comparison: Comparison, limits: Limits) -> tuple[Floats, Bools]:
    """Beliefs x letters: the probability of each letter, and for which letters floats can hold it.

    The values of a letter are scaled together, by a power of two. Where the second result holds, every one is right
    up to the error of T6, and 0 only where the true one is: what underflows in a sum of n terms is below n * 2^-1000
    of it.
    """
    automaton = comparison.automaton
    table = automaton.model.emit
    order = np.argsort(table.indices, kind="stable")
    letters, starts = np.unique(table.indices[order], return_index=True)
    counts = np.diff(np.append(starts, len(order)))
    rows = table.row_of[order]
    mantissa, power = (column[order] for column in _emissions(automaton))
    values = np.zeros((len(comparison.beliefs), automaton.letters))
    powers = np.full(values.shape, _ABSENT)
    for b in range(len(comparison.beliefs)):
        if reason := limits.reached():
            raise Stopped(reason)
        weight, height = np.zeros(automaton.size), np.zeros(automaton.size, dtype=np.int64)
        states, weights = zip(*comparison.weights(b), strict=True)
        weight[list(states)], height[list(states)] = _split(weights)
        terms = weight[rows] * mantissa
        heights = np.where(terms > 0, height[rows] + power, _ABSENT)
        top = np.maximum.reduceat(heights, starts)
        scaled = np.ldexp(terms, np.clip(heights - np.repeat(top, counts), _LOST, 0))
        values[b, letters], powers[b, letters] = np.add.reduceat(scaled, starts), top
    below = powers - powers.max(axis=0)
    usable = ((below > _LEAST) | (values == 0)).all(axis=0)
    return np.ldexp(values, np.clip(below, _LOST, 0)), usable


def _emissions(automaton: Automaton) -> tuple[Floats, Ints]:
    """Each entry of the model's table of symbols as a mantissa near 1 and a power of two."""
    table = automaton.model.emit
    mantissa, power = np.frexp(table.floats)
    power = power.astype(np.int64)
    small = np.flatnonzero(table.floats < _SMALL)
    mantissa[small], power[small] = _split(table.entry(k) for k in small.tolist())
    return mantissa, power


def _split(values: Iterable[Fraction]) -> tuple[Floats, Ints]:
    """Positive fractions as mantissas between 1/2 and 2, each correctly rounded, and powers of two."""
    mantissas, powers = [], []
    for value in values:
        top, bottom = value.numerator, value.denominator
        power = top.bit_length() - bottom.bit_length()
        # A quotient of integers is rounded correctly.
        mantissas.append((top << -power) / bottom if power < 0 else top / (bottom << power))
        powers.append(power)
    return np.array(mantissas, dtype=np.float64), np.array(powers, dtype=np.int64)
