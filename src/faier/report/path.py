"""The two probabilities of a witness, symbol by symbol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf, lcm

from faier.model.belief import Belief
from faier.model.hmm import HMM, State, Symbol, Word
from faier.model.table import Table
from faier.number.exact import Extended
from faier.scenario.scenario import Scenario
from faier.verdict import Witness

_MOST_WORK = 3_000_000


@dataclass(frozen=True)
class Point:
    """The exact probabilities, on each side, of the word up to and with `symbol`.

    A complete run has one more point, without a symbol: that the run ends there.
    """

    symbol: Symbol | None
    ends: bool
    left: Fraction
    right: Fraction

    @property
    def ratio(self) -> Extended | None:
        """left / right: `math.inf` over nothing, None for nothing over nothing."""
        if self.right == 0:
            return inf if self.left else None
        return self.left / self.right


def along(scenario: Scenario, witness: Witness) -> tuple[Point, ...] | None:
    """The path to a witness, or None where the model is too large for it or has unknowns."""
    model, pair = scenario.model, scenario.pairs[witness.pair]
    left, right = (pair.left, pair.right) if witness.forward else (pair.right, pair.left)
    if not isinstance(model, HMM) or not (model.is_constant and left.is_constant and right.is_constant):
        return None
    if _cost(model, len(witness.word)) > _MOST_WORK:
        return None
    lefts = _probabilities(model, left, witness.word)
    rights = _probabilities(model, right, witness.word)
    points = [
        Point(symbol, False, a, b) for symbol, a, b in zip(witness.word, lefts[:-1], rights[:-1], strict=True)
    ]
    if witness.ended:
        points.append(Point(None, True, lefts[-1], rights[-1]))
    return tuple(points)


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
