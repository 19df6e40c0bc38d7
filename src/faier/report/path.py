"""The two probabilities of a witness, symbol by symbol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, lcm

from faier.errors import NumberError
from faier.model.belief import Belief
from faier.model.hmm import HMM, State, Symbol, Word
from faier.model.table import Table
from faier.number.exact import Extended, Prob
from faier.scenario.scenario import Scenario
from faier.verdict import Witness

from .values import number_at

_MOST_WORK = 3_000_000
_MOST_VALUED_WORK = 30_000
_MOST_EXPONENTIAL_WORK = 1_000


@dataclass(frozen=True)
class Point:
    """The exact probabilities, on each side, of the word up to and with `symbol`.

    A complete run has one more point, without a symbol: that the run ends there.
    """

    symbol: Symbol | None
    ends: bool
    left: Prob
    right: Prob

    @property
    def ratio(self) -> Extended | Prob | None:
        """left / right: `math.inf` over nothing, None for nothing over nothing."""
        if self.right == 0:
            return inf if self.left != 0 else None
        return self.left / self.right


def along(scenario: Scenario, witness: Witness) -> tuple[Point, ...] | None:
    """The path to a witness, at its values; None where the model is too large for it, or a value is not known."""
    model, pair = scenario.model, scenario.pairs[witness.pair]
    left, right = (pair.left, pair.right) if witness.forward else (pair.right, pair.left)
    if not isinstance(model, HMM):
        return None
    lefts: Sequence[Prob]
    rights: Sequence[Prob]
    if model.is_constant and left.is_constant and right.is_constant:
        if _cost(model, len(witness.word)) > _MOST_WORK:
            return None
        lefts = _probabilities(model, left, witness.word)
        rights = _probabilities(model, right, witness.word)
    else:
        try:
            valued = _Valued(scenario, witness)
            lefts, rights = valued.probabilities(left), valued.probabilities(right)
        except (NumberError, _TooMuch):
            return None
    # Of a stream: given the inputs.
    inputs = [len(scenario.choices) ** k for k in range(1, len(witness.word) + 1)]
    points = [
        Point(symbol, False, a * k, b * k)
        for symbol, a, b, k in zip(witness.word, lefts[:-1], rights[:-1], inputs, strict=True)
    ]
    if witness.ended:
        points.append(Point(None, True, lefts[-1] * inputs[-1], rights[-1] * inputs[-1]))
    return tuple(points)


class _TooMuch(Exception):
    """A path is only shown, so it must not take long."""


class _Valued:
    """A model with parameters at the values of a witness; its probabilities may be functions of a power of e."""

    def __init__(self, scenario: Scenario, witness: Witness):
        self.scenario, self.model, self.witness = scenario, scenario.model, witness
        self.work = 0

    def probabilities(self, belief: Belief) -> list[Prob]:
        """The probability of every non-empty prefix of the word, and at last that the run is exactly the word."""
        row = {self.model.state_index[s]: self._value(v) for s, v in belief.weights.items()}
        found: list[Prob] = []
        for symbol in self.witness.word:
            if found:
                row = self._moved(row)
            letter = self.model.symbol_index[symbol]
            seen: dict[int, Prob] = {}
            for i, weight in row.items():
                entry = self.model.emit.row(i).get(letter)
                if entry is not None:
                    seen[i] = weight * self._value(entry)
            row = {i: weight for i, weight in seen.items() if weight != 0}
            found.append(sum(row.values(), Fraction(0)))
        ends = self.model.step.empty_rows
        return [*found, sum((weight for i, weight in row.items() if ends[i]), Fraction(0))]

    def _moved(self, row: dict[int, Prob]) -> dict[int, Prob]:
        moved: dict[int, Prob] = {}
        for i, weight in row.items():
            for j, entry in self.model.step.row(i).items():
                moved[j] = moved.get(j, Fraction(0)) + weight * self._value(entry)
        return moved

    def _value(self, entry: Prob) -> Prob:
        number = number_at(entry, self.scenario, self.witness.parameters)
        if number is None:
            raise NumberError(f"no value for {entry}")
        self.work += 1
        if self.work > (_MOST_VALUED_WORK if isinstance(number, Fraction) else _MOST_EXPONENTIAL_WORK):
            raise _TooMuch
        return number


def _cost(model: HMM, steps: int) -> int:
    """About how many machine operations the exact rows take."""
    bits = model.emit.denominator.bit_length() + model.step.denominator.bit_length()
    return (model.emit.stored + model.step.stored) * steps * (1 + steps * bits // 4000)


def _probabilities(model: HMM, belief: Belief, word: Word) -> list[Fraction]:
    """The probability of every non-empty prefix of the word, and at last that the run is exactly the word."""
    row, scale = _start(belief.weights, model)
    emit, step = _Rows(model.emit), _Rows(model.step)
    found: list[Fraction] = []
    for symbol in word:
        if found:
            moved: dict[int, int] = {}
            for state, weight in row.items():
                for target, number in step[state].items():
                    moved[target] = moved.get(target, 0) + weight * number
            row, scale = moved, scale * step.scale
        column = model.symbol_index[symbol]
        row = {state: weight * emit[state][column] for state, weight in row.items() if column in emit[state]}
        scale *= emit.scale
        found.append(Fraction(sum(row.values()), scale))
    ends = model.step.empty_rows
    return [*found, Fraction(sum(weight for state, weight in row.items() if ends[state]), scale)]


class _Rows(dict[int, dict[int, int]]):
    """The rows of a constant table as integers over one denominator, made when they are first needed."""

    def __init__(self, table: Table):
        super().__init__()
        self.table, self.scale = table, table.denominator

    def __missing__(self, i: int) -> dict[int, int]:
        row = {j: _over(v, self.scale) for j, v in self.table.row(i).items() if isinstance(v, Fraction)}
        self[i] = row
        return row


def _start(weights: Mapping[State, object], model: HMM) -> tuple[dict[int, int], int]:
    fractions = {model.state_index[s]: w for s, w in weights.items() if isinstance(w, Fraction)}
    scale = lcm(*(w.denominator for w in fractions.values()))
    return {i: _over(w, scale) for i, w in fractions.items()}, scale


def _over(value: Fraction, scale: int) -> int:
    return value.numerator * (scale // value.denominator)
