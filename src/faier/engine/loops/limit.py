"""A supremum that is approached and never reached: what the ratio of u v^n z tends to, exactly. [T11]"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from faier.comparison import Bools, Comparison
from faier.engine.exact import ExactRow
from faier.engine.progress import Limits
from faier.engine.words import Found, row_after
from faier.families import Matrix, WordsLimit

from .letters import Letters, closure
from .linear import Dense, kernel, less_identity, product, solve, transposed
from .perron import as_float, dense_of, floats_of, radius, rational_guesses

_MOST_STATES = 80
_LONGEST_LOOP = 8
_LEAST_REPEATS = 4
_MOST_SQUARINGS = 40
_NEAR = 1e-9
_LONGEST_WORD = 4000


def repetitions(word: Sequence[int]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]]:
    """The ways to read a word as u v^n z with a short v and n at least 4: the longest stretch of each length of v."""
    size = len(word)
    for length in range(1, min(_LONGEST_LOOP, size // _LEAST_REPEATS) + 1):
        same = [word[k] == word[k + length] for k in range(size - length)]
        start = best = best_start = 0
        for k in range(len(same) + 1):
            if k == len(same) or not same[k]:
                if k - start > best:
                    best, best_start = k - start, start
                start = k + 1
        if best >= (_LEAST_REPEATS - 1) * length:
            repeats = (best + length) // length
            after = best_start + repeats * length
            yield (
                tuple(word[:best_start]),
                tuple(word[best_start : best_start + length]),
                tuple(word[after:]),
            )


def loops_of(word: Sequence[int]) -> list[tuple[int, ...]]:
    """The loops that a word repeats, from their least rotation on; the shortest first."""
    found = []
    for _, loop, _ in repetitions(word):
        least = min(loop[k:] + loop[:k] for k in range(len(loop)))
        if least not in found:
            found.append(least)
    return found


def limit_of(comparison: Comparison, found: Found, limits: Limits) -> WordsLimit | None:
    """The largest limit of a family that the word belongs to, where it lies above the word's own ratio."""
    letters = Letters(comparison)
    if letters.too_large or not 0 < len(found.letters) <= _LONGEST_WORD:
        return None
    row = row_after(comparison, found.direction, found.letters)
    one, two = row.ended(comparison.automaton.done) if found.ended else row.prefix()
    if not one or not two:
        return None
    best: WordsLimit | None = None
    for prefix, loop, suffix in repetitions(found.letters):
        limits.effort.families += 1
        limit = family_limit(comparison, letters, found.direction, prefix, loop, suffix, found.ended)
        if limit is not None and limit.ratio > Fraction(one, two) and (best is None or limit.ratio > best.ratio):
            best = limit
    return best


def family_limit(
    comparison: Comparison,
    letters: Letters,
    direction: int,
    prefix: Sequence[int],
    loop: Sequence[int],
    suffix: Sequence[int],
    ended: bool,
) -> WordsLimit | None:
    """What the ratio of u v^n z tends to, where both sides have one rational factor and no rotation beside it."""
    row = row_after(comparison, direction, prefix)
    reaches = letters.reaches(loop)
    left_states, right_states = (_closed(side, letters.size, reaches) for side in (row.left, row.right))
    if max(len(left_states), len(right_states)) > _MOST_STATES or not left_states or not right_states:
        return None
    exact = letters.exact_rows({*left_states, *right_states}, loop)
    near = radius(floats_of(exact, left_states))
    if not near > 0 or abs(radius(floats_of(exact, right_states)) / near - 1) > _NEAR:
        return None
    column = letters.exact_column(suffix, ended)
    for factor in rational_guesses(near, exact, left_states):
        if factor <= 0 or abs(float(factor) / near - 1) > _NEAR:
            continue
        sides = []
        for states in (left_states, right_states):
            found = _projection(dense_of(exact, states), factor)
            if found is None:
                break
            sides.append((states, *found))
        if len(sides) < 2:
            continue
        values = [
            _value(row, weights, states, projection, column)
            for weights, (states, projection, _) in zip((row.left, row.right), sides, strict=True)
        ]
        if min(values) <= 0:
            return None
        return _limit(
            comparison, direction, (prefix, loop, suffix), ended, values[0] / values[1], factor,
            _sparse(*sides[0][:2]), _sparse(*sides[1][:2]), max(sides[0][2], sides[1][2]),
        )  # fmt: skip
    return None


def _closed(side: dict[int, int], size: int, reaches: Bools) -> list[int]:
    support = np.zeros(size, dtype=bool)
    support[[i for i, x in side.items() if x]] = True
    found: list[int] = np.flatnonzero(closure(support, reaches)).tolist()
    return found


def _projection(matrix: Dense, factor: Fraction) -> tuple[Dense, int] | None:
    """P with P^2 = P and matrix P = P matrix = factor P, and how often to square matrix / factor - P to get near 0."""
    turned = transposed(matrix)
    right, left = kernel(less_identity(matrix, factor)), kernel(less_identity(turned, factor))
    if not right or len(right) != len(left):
        return None
    columns = transposed(right)
    gram = product(left, columns)
    inverse_rows = [solve(gram, [row[k] for row in left]) for k in range(len(matrix))]
    if any(row is None for row in inverse_rows):
        return None
    middle = transposed([row for row in inverse_rows if row is not None])
    projection = product(columns, middle)
    rest = np.array(
        [[as_float(x / factor - p) for x, p in zip(a, b, strict=True)] for a, b in zip(matrix, projection, strict=True)]
    )
    for squarings in range(_MOST_SQUARINGS):
        norm = float(np.abs(rest).sum(axis=1).max())
        if not norm < 1e100:
            return None
        if norm < 0.5:
            return projection, squarings
        rest = rest @ rest
    return None


def _value(
    row: ExactRow, weights: dict[int, int], states: Sequence[int], projection: Dense, column: dict[int, Fraction]
) -> Fraction:
    """row P column."""
    total = Fraction(0)
    for i, entries in zip(states, projection, strict=True):
        if weight := weights.get(i, 0):
            total += weight * sum(
                (p * column.get(j, Fraction(0)) for j, p in zip(states, entries, strict=True) if p), Fraction(0)
            )
    return total


def _sparse(states: Sequence[int], projection: Dense) -> Matrix:
    return {
        (i, j): p
        for i, row in zip(states, projection, strict=True)
        for j, p in zip(states, row, strict=True)
        if p
    }


def _limit(
    comparison: Comparison,
    direction: int,
    words: tuple[Sequence[int], Sequence[int], Sequence[int]],
    ended: bool,
    ratio: Fraction,
    factor: Fraction,
    left: Matrix,
    right: Matrix,
    squarings: int,
) -> WordsLimit:
    d = comparison.directions[direction]
    pair = comparison.scenario.pairs[d.pair]
    one, two = (pair.left, pair.right) if d.forward else (pair.right, pair.left)
    symbols = comparison.scenario.model.symbols
    prefix, loop, suffix = (tuple(symbols[s] for s in word) for word in words)
    return WordsLimit(
        d.pair, d.forward, one.name, two.name, prefix, loop, suffix, ended, ratio, factor, left, right, squarings
    )
