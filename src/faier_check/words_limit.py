"""The rule `limit` for words: what the ratio of prefix loop^n suffix tends to as n grows. It proves or raises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NoReturn

from .certificate import Claim
from .errors import CertificateError
from .families import WordsLimit
from .limits import Meter
from .loops import column_of, powers_of, support_after, symbols_of
from .model import Distribution, Model
from .row import Rounding, Row
from .support import Supports
from .transition import Transition

_BITS = 512
Matrix = list[list[Fraction]]


def words_limit(model: Model, claim: Claim, stated: WordsLimit, meter: Meter) -> Fraction:
    """Return the number that the ratio tends to; both sides tend to positive numbers. [T11]"""
    words = stated.words
    prefix, loop, suffix = symbols_of(model, claim, words, "limit")
    transition = Transition(model, 64, meter)
    column = column_of(model, suffix, words.ended, meter)
    values = []
    for name, belief, entries in zip(
        ("left", "right"), model.sides(words.direction), (stated.left, stated.right), strict=True
    ):
        row = transition.start(belief, Rounding.EXACT)
        for symbol in prefix:
            row = transition.after(row, symbol, Rounding.EXACT)
        states = _states(model, belief, prefix, loop, meter)
        projection = _projection(model, transition, states, loop, entries, stated, meter, name)
        value = Fraction(0)
        for i, projected in zip(states, projection, strict=True):
            if i in row.entries:
                at = sum((p * column.get(j, Fraction(0)) for j, p in zip(states, projected, strict=True)), Fraction(0))
                value += row.entries[i] * at
        value /= row.denominator
        if value <= 0:
            _reject(f"{name} tends to nothing that is positive")
        values.append(value)
    return values[0] / values[1]


def _states(
    model: Model, belief: Distribution, prefix: Sequence[int], loop: Sequence[int], meter: Meter
) -> list[int]:
    """The states that one side is in after the prefix and any number of loops."""
    supports = Supports(model, meter)
    start = support_after(supports, supports.start(belief), prefix)
    return sorted(frozenset().union(*powers_of(supports, start, loop, meter)))


def _projection(
    model: Model,
    transition: Transition,
    states: list[int],
    loop: Sequence[int],
    entries: Mapping[tuple[int, int], Fraction],
    stated: WordsLimit,
    meter: Meter,
    name: str,
) -> Matrix:
    """The stated matrix P, after checking that the powers of loop / factor tend to it on these states."""
    place = {i: k for k, i in enumerate(states)}
    size = len(states)
    meter.spend(3 * size**3)
    projection = [[Fraction(0)] * size for _ in states]
    for (i, j), value in entries.items():
        if i not in place or j not in place:
            _reject(f"the projection of {name} has entries in states that {name} does not reach")
        projection[place[i]][place[j]] = value
    matrix: Matrix = []
    for i in states:
        row = Row({i: 1}, 1, 0)
        for symbol in loop:
            row = transition.after(row, symbol, Rounding.EXACT)
        matrix.append([Fraction(row.entries.get(j, 0), row.denominator) for j in states])
    multiple = [[stated.factor * x for x in row] for row in projection]
    if _product(projection, projection) != projection:
        _reject(f"the projection of {name} is not its own square")
    if _product(matrix, projection) != multiple or _product(projection, matrix) != multiple:
        _reject(f"the loop does not multiply the projection of {name} by the factor")
    rest = [
        [x / stated.factor - p for x, p in zip(a, b, strict=True)] for a, b in zip(matrix, projection, strict=True)
    ]
    if not states:
        _reject(f"{name} tends to nothing that is positive")
    if not _vanishes(rest, stated.squarings, meter):
        _reject(f"the powers of the loop are not shown to tend to the projection of {name}")
    return projection


def _vanishes(matrix: Matrix, squarings: int, meter: Meter) -> bool:
    """Whether the matrix, squared so often, has row sums (of absolute values) below 1; by integers over 2^512.

    `error` bounds the row sums of what was rounded off so far, in the same units.
    """
    size, unit = len(matrix), 1 << _BITS
    rows = [[(x.numerator << _BITS) // x.denominator for x in row] for row in matrix]
    error = size
    for _ in range(squarings):
        meter.spend(16 * size**3)
        norm = max(sum(map(abs, row)) for row in rows)
        columns = list(zip(*rows, strict=True))
        rows = [
            [sum(x * y for x, y in zip(row, column, strict=True)) >> _BITS for column in columns] for row in rows
        ]
        error = size + 1 + (2 * norm * error + error * error) // unit
    return max(sum(map(abs, row)) for row in rows) + error < unit


def _product(one: Matrix, two: Matrix) -> Matrix:
    """The product of two matrices, which are mostly 0."""
    columns = len(two)
    found = []
    for row in one:
        total = [Fraction(0)] * columns
        for x, other in zip(row, two, strict=True):
            if x:
                total = [t + x * y if y else t for t, y in zip(total, other, strict=True)]
        found.append(total)
    return found


def _reject(reason: str) -> NoReturn:
    raise CertificateError(reason, rule="limit")
