"""Matrices that steps of a proof refer to, as the rules `simulate` and `cosimulate` use them. They prove or raise.

A matrix K is given by its rows: state -> state -> entry, by the numbers of states, `done` last; the rest is 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NoReturn, TypeAlias

from .errors import CertificateError
from .limits import Meter
from .model import Model
from .row import Rounding, Row
from .strict_json import array, integer, rational

Matrix: TypeAlias = Mapping[int, Mapping[int, Fraction]]

_GUARD = 8


def read_matrices(value: object) -> tuple[Matrix, ...]:
    """The matrices of a proof; their meaning is not checked here."""
    return tuple(_read(number, matrix) for number, matrix in enumerate(array(value, "proof.matrices")))


def _read(number: int, value: object) -> Matrix:
    place = f"matrix {number}"
    matrix: dict[int, dict[int, Fraction]] = {}
    for item in array(value, place):
        entry = array(item, f"an entry of {place}")
        if len(entry) != 3:
            raise CertificateError(f"an entry of {place} is two numbers of states and a value")
        i, j = integer(entry[0], f"a row of {place}", 0), integer(entry[1], f"a column of {place}", 0)
        row = matrix.setdefault(i, {})
        if j in row:
            raise CertificateError(f"{place} has the entry [{i}, {j}] twice")
        row[j] = rational(entry[2], f"a value of {place}", positive=True)
    return matrix


class Simulations:
    """The matrices of a proof as simulations of either kind, each checked when it is first used."""

    def __init__(self, model: Model, matrices: tuple[Matrix, ...], precision: int, meter: Meter):
        self._model, self._matrices, self._meter = model, matrices, meter
        self._bits = precision + _GUARD
        self._rounded: dict[tuple[int, Rounding], dict[int, dict[int, int]]] = {}
        self._checked: set[tuple[int, str]] = set()

    def simulation(self, number: int) -> Matrix:
        """The matrix of that number, which is a simulation. [T2]"""
        return self._known(number, "simulate", simulation)

    def cosimulation(self, number: int) -> Matrix:
        """The matrix of that number, which is a simulation of prefixes. [T2]"""
        return self._known(number, "cosimulate", cosimulation)

    def times(self, row: Row, number: int, rounding: Rounding) -> Row:
        """row K; equal to it, or entry by entry at least or at most as large, where the row is."""
        matrix = self._matrices[number]
        self._meter.spend(sum(len(matrix[i]) for i in row.entries if i in matrix))
        if rounding is Rounding.EXACT:
            return _times(row, matrix)
        rounded = self._rounded_to(number, rounding)
        entries: dict[int, int] = {}
        for i, x in row.entries.items():
            for j, value in rounded.get(i, {}).items():
                entries[j] = entries.get(j, 0) + x * value
        return Row(entries, row.denominator, row.exponent - self._bits)

    def _known(self, number: int, rule: str, check: Callable[[Model, Matrix, Meter], None]) -> Matrix:
        if number >= len(self._matrices):
            raise CertificateError(f"there is no matrix {number}", rule=rule)
        if (number, rule) not in self._checked:
            check(self._model, self._matrices[number], self._meter)
            self._checked.add((number, rule))
        return self._matrices[number]

    def _rounded_to(self, number: int, rounding: Rounding) -> dict[int, dict[int, int]]:
        """The entries as integers over 2**bits, rounded up or down."""
        key = number, rounding
        if key not in self._rounded:
            sign = -1 if rounding is Rounding.ABOVE else 1
            self._rounded[key] = {
                i: {j: sign * ((sign * x.numerator << self._bits) // x.denominator) for j, x in row.items()}
                for i, row in self._matrices[number].items()
            }
        return self._rounded[key]


def simulation(model: Model, matrix: Matrix, meter: Meter) -> None:
    """L[s] K <= K L[s] for every symbol s, 1 <= K 1 and e <= K e, on a set of states that no symbol leaves. [T2]"""
    done = model.done
    for i, row in matrix.items():
        if i > done or max(row) > done:
            raise CertificateError(f"a matrix has an entry in row {i} beyond the states", rule="simulate")
        if sum(row.values()) < 1 or (i == done and row.get(done, Fraction(0)) < 1):
            _reject(f"the row of {model.entry_name(i)} sums to less than 1", model, i)
    carried = {i: _carried(model, matrix, i, meter) for i in matrix if i != done}
    for i in carried:
        for symbol, n in model.emit[i].entries:
            weight = Fraction(n, model.emit[i].denominator)
            moved = _moved(model, matrix[i], symbol, meter)
            for k, value in carried[i].items():
                if weight * value > moved.get(k, Fraction(0)):
                    name = model.symbols[symbol][:60]
                    _reject(f"L K exceeds K L for the symbol {name!r} in the entry {model.entry_name(k)}", model, i)


def cosimulation(model: Model, matrix: Matrix, meter: Meter) -> None:
    """K L[s] <= L[s] K for every symbol s, K 1 <= 1 and K e <= e. [T2]"""
    done = model.done
    for i, row in matrix.items():
        if i > done or max(row) > done:
            raise CertificateError(f"a matrix has an entry in row {i} beyond the states", rule="cosimulate")
        if sum(row.values()) > 1:
            _refuse(f"the row of {model.entry_name(i)} sums to more than 1", model, i)
        if i != done and done in row:
            _refuse("it has an entry at done", model, i)
    for i, row in matrix.items():
        carried = {} if i == done else _carried(model, matrix, i, meter, complete=False)
        own = {} if i == done else {s: Fraction(n, model.emit[i].denominator) for s, n in model.emit[i].entries}
        for symbol in sorted({s for j in row if j != done for s, _ in model.emit[j].entries}):
            weight = own.get(symbol, Fraction(0))
            for k, value in _moved(model, row, symbol, meter).items():
                if value > weight * carried.get(k, Fraction(0)):
                    name = model.symbols[symbol][:60]
                    _refuse(f"K L exceeds L K for the symbol {name!r} in the entry {model.entry_name(k)}", model, i)


def _carried(model: Model, matrix: Matrix, i: int, meter: Meter, *, complete: bool = True) -> dict[int, Fraction]:
    """The row of i of step K; where `complete`, every state that i leads to has a row."""
    step = model.step[i]
    targets = [(model.done, Fraction(1))]
    if step is not None:
        targets = [(j, Fraction(n, step.denominator)) for j, n in step.entries]
    total: dict[int, Fraction] = {}
    for j, p in targets:
        if j not in matrix:
            if not complete:
                continue
            _reject(f"it leads to {model.entry_name(j)}, for which the matrix has no row", model, i)
        meter.spend(len(matrix[j]))
        for k, value in matrix[j].items():
            total[k] = total.get(k, Fraction(0)) + p * value
    return total


def _moved(model: Model, row: Mapping[int, Fraction], symbol: int, meter: Meter) -> dict[int, Fraction]:
    """row L[symbol]."""
    total: dict[int, Fraction] = {}
    for j, value in row.items():
        if j == model.done:
            continue
        own = next((n for s, n in model.emit[j].entries if s == symbol), 0)
        if not own:
            continue
        value *= Fraction(own, model.emit[j].denominator)
        step = model.step[j]
        if step is None:
            total[model.done] = total.get(model.done, Fraction(0)) + value
            continue
        meter.spend(len(step.entries))
        for k, n in step.entries:
            total[k] = total.get(k, Fraction(0)) + value * Fraction(n, step.denominator)
    return total


def _times(row: Row, matrix: Matrix) -> Row:
    """row K, exactly."""
    total: dict[int, Fraction] = {}
    for i, x in row.entries.items():
        for j, value in matrix.get(i, {}).items():
            total[j] = total.get(j, Fraction(0)) + x * value
    common = 1
    for value in total.values():
        common *= value.denominator // math.gcd(common, value.denominator)
    entries = {j: value.numerator * (common // value.denominator) for j, value in total.items()}
    return Row(entries, row.denominator * common, row.exponent)


def _reject(reason: str, model: Model, i: int) -> NoReturn:
    raise CertificateError(f"the matrix is no simulation at {model.entry_name(i)}: {reason}", rule="simulate")


def _refuse(reason: str, model: Model, i: int) -> NoReturn:
    where = model.entry_name(i)
    raise CertificateError(f"the matrix is no simulation of prefixes at {where}: {reason}", rule="cosimulate")
