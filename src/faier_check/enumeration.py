"""The rule `enumerate`: look at every counted word."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias, TypeVar

from .certificate import Claim
from .errors import CertificateError
from .limits import Meter
from .model import Distribution, Model
from .number import brief

_T = TypeVar("_T")

Suffix: TypeAlias = "tuple[int, Suffix] | None"
"""A word as its first symbol and the rest, so that growing it from the back shares the rest."""


def enumerate(model: Model, claim: Claim, ratio: Fraction, meter: Meter) -> None:
    """left <= ratio * right for every counted word in every direction. Finite horizons only."""
    if claim.horizon is None:
        raise CertificateError('there is no end of words at the horizon "any"', rule="enumerate")
    comparison = _Comparison(model, claim.both, ratio, meter)
    columns = _Columns(model, meter)
    goes_on = [1] * len(model.states)
    has_ended = [1 if row is None else 0 for row in model.step]
    for name, start, counted, last in (
        ("prefix", goes_on, (claim.horizon,), claim.horizon),
        ("ended", has_ended, range(1, claim.horizon), claim.horizon - 1),
    ):
        waiting: list[tuple[list[int], int, Suffix]] = [(start, 0, None)] if last and any(start) else []
        while waiting:
            column, length, suffix = waiting.pop()
            for symbol in range(len(model.symbols)):
                emitted = columns.emit(symbol, column)
                # A word with no probability anywhere keeps every ratio, and so do all that end with it.
                if not any(emitted):
                    continue
                word = (symbol, suffix)
                if length + 1 in counted:
                    comparison.check(emitted, name, word)
                if length + 1 < last:
                    before = columns.step(emitted)
                    if any(before):
                        waiting.append((before, length + 1, word))


class _Columns:
    """Columns L[w] 1 and L[w] e_done over the states, each up to a positive factor of its own."""

    def __init__(self, model: Model, meter: Meter):
        self._meter = meter
        emit_scale = math.lcm(*(row.denominator for row in model.emit))
        self._emit: list[list[tuple[int, int]]] = [[] for _ in model.symbols]
        for i, row in _numbered(model.emit):
            for symbol, n in row.entries:
                self._emit[symbol].append((i, n * (emit_scale // row.denominator)))
        steps = [(i, row) for i, row in _numbered(model.step) if row is not None]
        step_scale = math.lcm(*(row.denominator for _, row in steps))
        self._step = [(i, row.entries, step_scale // row.denominator) for i, row in steps]
        self._stored = sum(len(row.entries) for _, row in steps)
        self._states = len(model.states)

    def emit(self, symbol: int, column: list[int]) -> list[int]:
        self._meter.spend(self._states)
        result = [0] * self._states
        for i, n in self._emit[symbol]:
            result[i] = n * column[i]
        return result

    def step(self, column: list[int]) -> list[int]:
        self._meter.spend(self._stored * (1 + max(column).bit_length() // 256))
        result = [0] * self._states
        for i, entries, scale in self._step:
            result[i] = scale * sum([n * column[j] for j, n in entries])
        # Left and right are read off one column, so a common factor of it changes no comparison.
        common = math.gcd(*result)
        return [x // common for x in result] if common > 1 else result


class _Comparison:
    """Compares all directions on one column."""

    def __init__(self, model: Model, both: bool, ratio: Fraction, meter: Meter):
        self._model, self._both, self._ratio, self._meter = model, both, ratio, meter
        self._beliefs: dict[Distribution, int] = {}
        # Left n over d and right m over e keep the ratio p/q exactly when n * (q * e) <= m * (p * d).
        self._directions: dict[tuple[int, int, int, int], tuple[int, bool]] = {}
        for direction in model.directions:
            left, right = model.sides(direction)
            key = (
                self._beliefs.setdefault(left, len(self._beliefs)),
                self._beliefs.setdefault(right, len(self._beliefs)),
                ratio.denominator * right.denominator,
                ratio.numerator * left.denominator,
            )
            self._directions.setdefault(key, direction)
        self._cost = len(self._directions) + sum(len(b.entries) for b in self._beliefs)

    def check(self, column: list[int], reading: str, word: Suffix) -> None:
        self._meter.spend(self._cost * (1 + max(column).bit_length() // 1024))
        values = [
            column[b.entries[0][0]] if b.denominator == 1 else sum([n * column[i] for i, n in b.entries])
            for b in self._beliefs
        ]
        for (left, right, a, b), direction in self._directions.items():
            if values[left] * a > values[right] * b and not (self._both and values[right] == 0):
                left_name, right_name = self._model.names(direction)
                raise CertificateError(
                    f"{left_name[:60]!r} exceeds {brief(self._ratio)} * {right_name[:60]!r} on the {reading} "
                    f"reading of {_text(self._model, word)}",
                    rule="enumerate",
                )


def _numbered(rows: tuple[_T, ...]) -> zip[tuple[int, _T]]:
    return zip(range(len(rows)), rows, strict=True)


def _text(model: Model, word: Suffix) -> str:
    names: list[str] = []
    while word is not None and len(names) < 20:
        names.append(repr(model.symbols[word[0]][:60]))
        word = word[1]
    return "[" + ", ".join(names) + (", ...]" if word is not None else "]")
