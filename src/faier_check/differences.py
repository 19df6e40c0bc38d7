"""Rows of differences, left - ratio * right, layer by layer: what bounds delta. [T10]"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from .certificate import Horizon
from .limits import Meter
from .model import Distribution, Model

Signed: TypeAlias = tuple[tuple[int, int], ...]
"""Entries that are not 0, ascending by state, without a common factor."""

Layer: TypeAlias = dict[Signed, Fraction]
"""How much of each row there is: prefixes whose rows are proportional are one entry."""


@dataclass(frozen=True)
class Weighted:
    """Rows of a matrix with a denominator for each."""

    emit: tuple[dict[int, tuple[int, int]], ...]
    step: tuple[Distribution, ...]

    @classmethod
    def of(cls, model: Model) -> Weighted:
        """By symbol, the states that may show it, with the probability; by state, the next ones (`done` for none)."""
        emit: tuple[dict[int, tuple[int, int]], ...] = tuple({} for _ in model.symbols)
        for i, row in enumerate(model.emit):
            for symbol, n in row.entries:
                emit[symbol][i] = n, row.denominator
        ends = Distribution(((model.done, 1),), 1)
        return cls(emit, tuple(ends if row is None else row for row in model.step))

    def after(self, row: dict[int, int], symbol: int, meter: Meter) -> tuple[dict[int, int], int]:
        """The row one symbol later, over the denominator returned."""
        shown = self.emit[symbol]
        states = [i for i in row if i in shown]
        over = math.lcm(*(shown[i][1] * self.step[i].denominator for i in states))
        moved: dict[int, int] = {}
        for i in states:
            n, denominator = shown[i]
            next_ = self.step[i]
            x = row[i] * n * (over // (denominator * next_.denominator))
            meter.spend(1 + len(next_.entries) * (1 + x.bit_length() // 256))
            for j, m in next_.entries:
                moved[j] = moved.get(j, 0) + x * m
        return moved, over


def bounds(
    model: Model,
    matrices: Weighted,
    sides: tuple[Distribution, Distribution],
    ratio: Fraction,
    horizon: Horizon,
    depth: int,
    meter: Meter,
) -> tuple[Fraction, Fraction]:
    """Two numbers between which delta of one direction at the ratio lies, from prefixes of up to `depth` symbols."""
    lower = upper = Fraction(0)
    layer = start(sides, ratio)
    for length in range(depth + 1):
        is_last = length == horizon
        rest: Layer = {}
        for row, much in layer.items():
            if length and not is_last:
                over = dict(row).get(model.done, 0)
                lower, upper = lower + much * max(0, over), upper + much * max(0, over)
                row = tuple((i, x) for i, x in row if i != model.done)
            gain, loss = signs(row)
            if is_last:
                lower, upper = lower + much * max(0, gain - loss), upper + much * max(0, gain - loss)
            elif not gain or not loss:
                lower, upper = lower + much * gain, upper + much * gain
            else:
                rest[row] = rest.get(row, Fraction(0)) + much
        layer = rest
        if length == depth or not layer:
            break
        layer = _next(model, matrices, layer, meter)
    for row, much in layer.items():
        gain, loss = signs(row)
        lower, upper = lower + much * max(0, gain - loss), upper + much * gain
    return lower, upper


def start(sides: tuple[Distribution, Distribution], ratio: Fraction) -> Layer:
    """The empty prefix."""
    left, right = ({i: Fraction(n, d.denominator) for i, n in d.entries} for d in sides)
    entries = {i: left.get(i, Fraction(0)) - ratio * right.get(i, Fraction(0)) for i in left.keys() | right.keys()}
    common = math.lcm(*(x.denominator for x in entries.values()))
    return dict([primitive({i: int(x * common) for i, x in entries.items()}, Fraction(1, common))])


def _next(model: Model, matrices: Weighted, layer: Layer, meter: Meter) -> Layer:
    found: Layer = {}
    for row, much in layer.items():
        entries = dict(row)
        for symbol in symbols(model, entries):
            moved, over = matrices.after(entries, symbol, meter)
            key, times = primitive(moved, much / over)
            if key:
                found[key] = found.get(key, Fraction(0)) + times
    return found


def symbols(model: Model, row: dict[int, int]) -> list[int]:
    """The symbols that some state of a row may emit."""
    return sorted({symbol for i in row if i != model.done for symbol, _ in model.emit[i].entries})


def primitive(entries: dict[int, int], much: Fraction) -> tuple[Signed, Fraction]:
    """A row without its common factor, which goes into how much of it there is."""
    common = math.gcd(*entries.values())
    if not common:
        return (), Fraction(0)
    return tuple((i, x // common) for i, x in sorted(entries.items()) if x), much * common


def signs(row: Signed) -> tuple[int, int]:
    """The sum of the positive entries, and of the negative ones without their sign."""
    gain = sum(x for _, x in row if x > 0)
    return gain, gain - sum(x for _, x in row)
