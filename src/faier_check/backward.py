"""Runs read backwards from a step whose state is known: the models that `apart` certificates speak about. [T18]"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .errors import CertificateError, ModelFileError
from .family import Family, FamilyPair
from .gate import Gate, entries
from .limits import Meter
from .model import Distribution
from .rows import distribution

_Row = dict[int, Fraction]
_MOST_SUPPORTS = 10_000


@dataclass(frozen=True)
class Direction:
    """A gate, whether it is meant as written, and the numbers of the states on the left and on the right."""

    gate: int
    forward: bool
    left: int
    right: int


class Chain:
    """The Markov chain under a model, from the belief of one gate at every step."""

    def __init__(self, family: Family, gate: Gate, meter: Meter):
        self.family, self.gate, self.meter = family, gate, meter
        self.step = [() if row is None else tuple(_fractions(row)) for row in family.step]
        self.start: _Row = dict(_fractions(family.beliefs[gate.start]))
        self.stationary = self._after(self.start) == self.start
        self._supports = [frozenset(self.start)]

    def is_possible(self, step: int) -> bool:
        """Whether both sides are possible at this step."""
        while len(self._supports) < step:
            self._supports.append(self._onward(self._supports[-1]))
        return self._both(self._supports[step - 1])

    def never_after(self, step: int) -> bool:
        """Whether at no later step both sides are possible: supports, which repeat, show it."""
        support = frozenset(self.start)
        for _ in range(step):
            support = self._onward(support)
        seen: set[frozenset[int]] = set()
        while support not in seen:
            if self._both(support):
                return False
            if len(seen) >= _MOST_SUPPORTS:
                raise CertificateError("supports do not repeat soon enough", rule="after")
            seen.add(support)
            support = self._onward(support)
        return True

    def future(self, direction: Direction) -> Family:
        """The model itself, from one state against the other."""
        names = [self.family.states[i] for i in (direction.left, direction.right)]
        beliefs = [Distribution(((i, 1),), 1) for i in (direction.left, direction.right)]
        return self._asked(self.family.symbols, self.family.states, self.family.emit, self.family.step, names, beliefs)

    def require_stationary(self, measure: Mapping[int, Fraction]) -> None:
        """Raise unless it is a stationary distribution, positive on every state that is reached."""
        row = dict(measure)
        if not set(self._reached()) <= row.keys() or any(i >= len(self.step) for i in row):
            raise CertificateError("a measure is positive on every state that is reached", rule="measure")
        if sum(row.values()) != 1 or self._after(row) != row:
            raise CertificateError("a measure is a stationary distribution", rule="measure")

    def from_measure(self, direction: Direction, measure: Mapping[int, Fraction], at: int) -> Fraction:
        """What the ratios of `past_of_any_step` are to be multiplied by, at this step."""
        row = self.start
        for _ in range(at - 1):
            row = self._after(row)
        i, j = direction.left, direction.right
        return measure[i] / measure[j] * row[j] / row[i]

    def from_measure_after(self, direction: Direction, measure: Mapping[int, Fraction], steps: int) -> Fraction:
        """The same, at most, for every step after so many."""
        factor = self._most(direction, steps, self._reached())
        return measure[direction.left] / measure[direction.right] * factor

    def factor_of_sets(self, measure: Mapping[int, Fraction], at: int) -> Fraction:
        """What ratios of windows that are read from the measure are to be multiplied by at this step, at most."""
        row = self.start
        for _ in range(at - 1):
            row = self._after(row)
        (left, left_here), (right, right_here) = (
            [sum((weights.get(i, Fraction(0)) for i in side), Fraction(0)) for weights in (measure, row)]
            for side in (self.gate.left, self.gate.right)
        )
        if 0 in (left, right, left_here, right_here):
            raise CertificateError(f"nothing is asked at step {at}", rule="window")
        factor = left / right * right_here / left_here
        return factor if self.gate.one_way else max(factor, 1 / factor)

    def factor_of_sets_after(self, measure: Mapping[int, Fraction], steps: int) -> Fraction:
        """The same for every step after so many: it is largest from some state that is reached so many before."""
        left, right = (
            sum((measure.get(i, Fraction(0)) for i in side), Fraction(0))
            for side in (self.gate.left, self.gate.right)
        )
        if 0 in (left, right):
            raise CertificateError("a side is never reached", rule="window")
        to_left, to_right = (self._columns(side, steps) for side in (self.gate.left, self.gate.right))
        worst = Fraction(0)
        for k in self._reached():
            one, other = to_left.get(k, Fraction(0)), to_right.get(k, Fraction(0))
            ways = (other * left, one * right), (one * right, other * left)
            for top, bottom in ways[:1] if self.gate.one_way else ways:
                if top and not bottom:
                    raise CertificateError("one side is reached from where the other one is not", rule="window")
                worst = max(worst, top / bottom) if top else worst
        return worst

    def past_of_any_step(self, direction: Direction, measure: Mapping[int, Fraction] | None = None) -> Family:
        """Of a stationary start, or measure: the words of n symbols are those before step n + 1, backwards."""
        start = self.start if measure is None else dict(measure)
        kept = sorted(start)
        places = {i: n for n, i in enumerate(kept)}
        before = self._before(start)
        return self._backwards(
            self.family.symbols,
            [self.family.states[i] for i in kept],
            [self.family.emit[i] for i in kept],
            [{places[k]: p for k, p in before[i].items()} for i in kept],
            [{places[k]: p for k, p in before[i].items()} for i in (direction.left, direction.right)],
            direction,
        )

    def past(self, direction: Direction, at: int) -> Family:
        """Of one step: states are pairs of a step and a state, and the runs end with that of step 1."""
        return self._layers(direction, self.start, at, reveal=False)

    def window(self, direction: Direction, steps: int) -> tuple[Family, Fraction]:
        """The last symbols before any later step, and what their ratio is to be multiplied by at most."""
        reached = self._reached()
        even = {i: Fraction(1, len(reached)) for i in reached}
        here = even
        for _ in range(steps):
            here = self._after(here)
        if direction.left not in here or direction.right not in here:
            raise CertificateError("a side is not reached in so many steps", rule="after")
        factor = self._most(direction, steps, reached) * here[direction.left] / here[direction.right]
        return self._layers(direction, even, steps + 1, reveal=True), factor

    def _layers(self, direction: Direction, start: _Row, at: int, *, reveal: bool) -> Family:
        family, rows = self.family, [start]
        for _ in range(at - 1):
            rows.append(self._after(rows[-1]))
        places: dict[tuple[int, int], int] = {}
        for d in range(1, at):
            for i in sorted(rows[d - 1]):
                places[d, i] = len(places)
        names = [f"{d}:{family.states[i]}" for d, i in places]
        emit = [family.emit[i] for _, i in places]
        step: list[_Row | None] = []
        for d in range(1, at):
            before = {} if d == 1 else self._before(rows[d - 2])
            for i in sorted(rows[d - 1]):
                step.append(None if d == 1 else {places[d - 1, k]: p for k, p in before[i].items()})
        symbols = list(family.symbols)
        if reveal:
            for n, i in enumerate(sorted(start)):
                step[n] = {len(names): Fraction(1)}
                step.append(None)
                names.append(f"0:{family.states[i]}")
                emit.append(Distribution(((len(symbols), 1),), 1))
                symbols.append(f"began in {family.states[i]}")
        if len(set(symbols)) < len(symbols) or len(set(names)) < len(names):
            raise CertificateError("the file uses names that are needed here", rule="apart")
        last = self._before(rows[at - 2])
        sides = [{places[at - 1, k]: p for k, p in last[i].items()} for i in (direction.left, direction.right)]
        return self._backwards(tuple(symbols), names, emit, step, sides, direction)

    def _backwards(
        self,
        symbols: tuple[str, ...],
        names: Sequence[str],
        emit: Sequence[object],
        step: Iterable[_Row | None],
        sides: Sequence[_Row],
        direction: Direction,
    ) -> Family:
        told = [f"before {self.family.states[i]}" for i in (direction.left, direction.right)]
        rows = [None if row is None else self._row(row) for row in step]
        return self._asked(symbols, names, emit, rows, told, [self._row(side) for side in sides])

    def _asked(
        self,
        symbols: tuple[str, ...],
        names: Sequence[str],
        emit: Sequence[object],
        step: Sequence[object],
        told: Sequence[str],
        beliefs: Sequence[Distribution],
    ) -> Family:
        """One belief against another, one way."""
        return Family(
            self.family.unknowns,
            symbols,
            tuple(names),
            tuple(row for row in emit if isinstance(row, Distribution)),
            tuple(row if isinstance(row, Distribution) else None for row in step),
            tuple(beliefs),
            (FamilyPair(told[0], told[1], True, 0, 1),),
        )

    def _row(self, row: _Row) -> Distribution:
        self.meter.spend(10 * len(row))
        try:
            return distribution(row.items(), "apart")
        except ModelFileError as error:
            raise CertificateError(error.message, rule="apart") from None

    def _after(self, row: _Row) -> _Row:
        """One step later, without what has ended."""
        found: _Row = {}
        for i, weight in row.items():
            self.meter.spend((10 + _size(weight)) * len(self.step[i]) + 1)
            for j, p in self.step[i]:
                found[j] = found.get(j, Fraction(0)) + weight * p
        return found

    def _before(self, row: _Row) -> dict[int, _Row]:
        """For each state, where a run was one step earlier, if it was distributed like this and is there now."""
        found: dict[int, _Row] = {}
        for k, weight in sorted(row.items()):
            self.meter.spend((20 + 2 * _size(weight)) * len(self.step[k]) + 1)
            for i, p in self.step[k]:
                found.setdefault(i, {})[k] = weight * p
        totals = {i: sum(before.values(), Fraction(0)) for i, before in found.items()}
        return {i: {k: p / totals[i] for k, p in before.items()} for i, before in found.items()}

    def _most(self, direction: Direction, steps: int, reached: Iterable[int]) -> Fraction:
        """The largest P(right) / P(left), so many steps after a state that is reached."""
        top, bottom = (self._columns((i,), steps) for i in (direction.right, direction.left))
        worst = Fraction(0)
        for k in reached:
            if k in top:
                if k not in bottom:
                    raise CertificateError("the right side is reached from where the left one is not", rule="after")
                worst = max(worst, top[k] / bottom[k])
        return worst

    def _columns(self, states: Iterable[int], steps: int) -> _Row:
        """The probability of being in these states so many steps later, from each state."""
        column = dict.fromkeys(states, Fraction(1))
        for _ in range(steps):
            earlier: _Row = {}
            for i, row in enumerate(self.step):
                self.meter.spend(sum(10 + _size(column[j]) for j, _ in row if j in column) + 1)
                total = sum((p * column[j] for j, p in row if j in column), Fraction(0))
                if total:
                    earlier[i] = total
            column = earlier
        return column

    def _reached(self) -> list[int]:
        found: set[int] = set()
        waiting = list(self.start)
        while waiting:
            if (i := waiting.pop()) not in found:
                found.add(i)
                waiting += [j for j, _ in self.step[i]]
        return sorted(found)

    def _onward(self, support: frozenset[int]) -> frozenset[int]:
        self.meter.spend(1 + sum(len(self.step[i]) for i in support))
        return frozenset(j for i in support for j, _ in self.step[i])

    def _both(self, support: frozenset[int]) -> bool:
        return not support.isdisjoint(self.gate.left) and not support.isdisjoint(self.gate.right)


def _size(value: Fraction) -> int:
    """What arithmetic with a long fraction costs more than with a short one: the square of its words."""
    return (value.denominator.bit_length() // 64) ** 2 // 10


def _fractions(row: object) -> list[tuple[int, Fraction]]:
    assert isinstance(row, Distribution)
    return [(i, value) for i, value in entries(row) if isinstance(value, Fraction)]
