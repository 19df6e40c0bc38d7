"""Bounds of delta for a stream: an adversary picks, answer by answer, the inputs that show most. [T10, T12]"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from .certificate import Horizon
from .differences import Signed, Weighted, primitive, signs, start, symbols
from .limits import Meter
from .model import Distribution, Model

_Children: TypeAlias = "dict[int, list[tuple[Signed, Fraction]]]"
"""By pair of inputs: the rows that may follow, and how much of each."""

_Bounds: TypeAlias = "dict[Signed, tuple[Fraction, Fraction]]"


def game(
    model: Model,
    matrices: Weighted,
    sides: tuple[Distribution, Distribution],
    ratio: Fraction,
    horizon: Horizon,
    depth: int,
    inputs: Sequence[int],
    meter: Meter,
) -> tuple[Fraction, Fraction]:
    """Two numbers between which delta of one direction lies; `inputs` numbers the pair of inputs of each letter.

    The model draws inputs uniformly, so that what is shown given one pair of them is as many times larger as there are
    pairs. A row's value does not change but for the factor when the row is multiplied by a factor.
    """
    times = len(set(inputs))
    first = start(sides, ratio)
    layers: list[dict[Signed, _Children]] = [{row: {} for row in first}]
    for length in range(depth):
        after: dict[Signed, _Children] = {}
        for row in layers[-1]:
            children: _Children = {}
            rest = _goes_on(row, model.done, length)
            gain, loss = signs(rest)
            if gain and loss:
                entries = dict(rest)
                for symbol in symbols(model, entries):
                    moved, over = matrices.after(entries, symbol, meter)
                    child, much = primitive(moved, Fraction(times, over))
                    if child:
                        children.setdefault(inputs[symbol], []).append((child, much))
                        after.setdefault(child, {})
            layers[-1][row] = children
        layers.append(after)
        if not after:
            break
    known: _Bounds = {}
    for length in range(len(layers) - 1, -1, -1):
        known = {
            row: _bounds(model, inputs, row, children, known, length, length == horizon)
            for row, children in layers[length].items()
        }
    return (
        sum((much * known[row][0] for row, much in first.items()), Fraction(0)),
        sum((much * known[row][1] for row, much in first.items()), Fraction(0)),
    )


def _bounds(
    model: Model,
    inputs: Sequence[int],
    row: Signed,
    children: _Children,
    known: _Bounds,
    length: int,
    is_last: bool,
) -> tuple[Fraction, Fraction]:
    """The bounds of one unit of a row, from those of the rows one letter longer."""
    if is_last:
        gain, loss = signs(row)
        shown = Fraction(max(0, gain - loss))
        return shown, shown
    stopped = Fraction(max(0, dict(row).get(model.done, 0))) if length else Fraction(0)
    rest = _goes_on(row, model.done, length)
    gain, loss = signs(rest)
    if not gain or not loss:
        return stopped + gain, stopped + gain
    low, high = Fraction(max(0, gain - loss)), _most(model, inputs, rest)
    if children:
        ways = [
            (sum((f * known[c][0] for c, f in way), Fraction(0)), sum((f * known[c][1] for c, f in way), Fraction(0)))
            for way in children.values()
        ]
        low, high = max(w[0] for w in ways), max(w[1] for w in ways)
    return stopped + low, stopped + high


def _most(model: Model, inputs: Sequence[int], row: Signed) -> Fraction:
    """An upper bound: the positive entries of the states that answer one pair of inputs, the pair with the largest sum.

    All pairs have the same share of a row, but not of its positive entries.
    """
    shares: dict[int, Fraction] = {}
    for i, x in row:
        if x > 0:
            for symbol, n in model.emit[i].entries:
                share = x * Fraction(n, model.emit[i].denominator)
                shares[inputs[symbol]] = shares.get(inputs[symbol], Fraction(0)) + share
    return len(set(inputs)) * max(shares.values())


def _goes_on(row: Signed, done: int, length: int) -> Signed:
    """The row without the runs that have stopped, which count apart."""
    return row if not length else tuple((i, x) for i, x in row if i != done)
