"""The normal form of a scenario with unknowns: rows of polynomials, one automaton, pairs of start rows.

Denominators are cleared: the two rows of a prefix stand over one and the same function, which is positive at every
value of the parameters that counts. So comparisons of rows need numerators alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from faier.errors import NumberError
from faier.model.belief import Belief
from faier.model.table import Table
from faier.number.budget import Budget
from faier.number.domain import Domain
from faier.number.exact import Prob
from faier.number.rational_function import MOST_DEGREE, RationalFunction
from faier.number.signs import made_positive
from faier.scenario.scenario import Scenario

Row: TypeAlias = dict[int, tuple[Any, Any]]
"""state (or done) -> the polynomials of left and right; where both are 0 it is left out."""

_MOST_TERMS = 40_000


@dataclass(frozen=True)
class Direction:
    """One side of a pair against the other: pair `pair` as written where `forward`, else exchanged."""

    pair: int
    forward: bool
    left: Belief
    right: Belief


class Symbolic:
    """A scenario as polynomials on a domain."""

    def __init__(self, scenario: Scenario, ratio: Prob | None = None):
        self.scenario = scenario
        self.model = scenario.model
        self.domain = Domain(self.model.unknowns, _values(scenario, ratio))
        self.size = len(self.model.states)
        self.done = self.size
        self.letters = len(self.model.symbols)
        self.length = None if scenario.require_horizon() == "any" else int(scenario.require_horizon())
        self.both = scenario.claim.possible == "both"
        self.directions = tuple(_directions(scenario))
        self._moves: dict[tuple[int, int], list[tuple[int, Any]]] = {}
        # By direction, what its start rows were multiplied by: only rows over one function can be compared.
        self.factors: dict[tuple[int, bool], str] = {}
        self._emit = [self._cleared(self.model.emit.row(i)) for i in range(self.size)]
        self._step = [self._cleared(self.model.step.row(i)) for i in range(self.size)]
        self._common = self._least_common([d for _, d in (*self._emit, *self._step)])

    def start(self, direction: Direction) -> Row:
        """The two start rows, over one denominator."""
        index = self.model.state_index
        sides = [
            self._cleared({index[s]: v for s, v in belief.weights.items()})
            for belief in (direction.left, direction.right)
        ]
        (left, left_own), (right, right_own) = sides
        common = made_positive(self.domain, self._lcm([left_own, right_own]))
        left_factor, right_factor = common / left_own, common / right_own
        self.factors[direction.pair, direction.forward] = str(left_factor * right_factor)
        zero = self.domain.context.constant(0)
        return {
            i: (left.get(i, zero) * left_factor, right.get(i, zero) * right_factor)
            for i in sorted({*left, *right})
        }

    def after(self, row: Row, letter: int) -> Row:
        """The rows one letter further, times the common denominator of one step.

        Polynomials that grow beyond all use are a `NumberError`: a limit of the search.
        """
        zero = self.domain.context.constant(0)
        sums: dict[int, tuple[Any, Any]] = {}
        for i, (left, right) in row.items():
            if i == self.done:
                continue
            for j, weight in self.moves(i, letter):
                a, b = sums.get(j, (zero, zero))
                sums[j] = a + left * weight, b + right * weight
        found = {j: sums[j] for j in sorted(sums) if sums[j][0] != 0 or sums[j][1] != 0}
        if sum(len(a) + len(b) for a, b in found.values()) > _MOST_TERMS:
            raise NumberError(f"the polynomials of a word grow to more than {_MOST_TERMS:,} terms")
        return found

    def scale(self) -> Any:
        """The polynomial by which one letter multiplies both rows."""
        return self._common

    def prefix(self, row: Row) -> tuple[Any, Any]:
        zero = self.domain.context.constant(0)
        left, right = zero, zero
        for a, b in row.values():
            left, right = left + a, right + b
        return left, right

    def ended(self, row: Row) -> tuple[Any, Any]:
        zero = self.domain.context.constant(0)
        return row.get(self.done, (zero, zero))

    def moves(self, state: int, letter: int) -> list[tuple[int, Any]]:
        """Where a state goes with a letter, with the weights that `after` uses."""
        key = state, letter
        if (found := self._moves.get(key)) is None:
            (emit, emit_own), (step, step_own) = self._emit[state], self._step[state]
            weight = emit.get(letter)
            found = []
            if weight is not None:
                factor = weight * (self._common / (emit_own * step_own))
                found = [(j, factor * w) for j, w in step.items()] or [(self.done, factor)]
            self._moves[key] = found
        return found

    def _cleared(self, row: dict[int, Prob]) -> tuple[dict[int, Any], Any]:
        """A row's numerators over its common denominator, which may have any sign."""
        lifted = {i: self.domain.lift(v) for i, v in row.items()}
        common = self._lcm([bottom for _, bottom in lifted.values()])
        return {i: top * (common / bottom) for i, (top, bottom) in lifted.items() if top != 0}, common

    def _lcm(self, polynomials: Sequence[Any]) -> Any:
        common = self.domain.one
        for polynomial in polynomials:
            if polynomial != common:
                common = common / common.gcd(polynomial) * polynomial
        return common

    def _least_common(self, own: Sequence[Any]) -> Any:
        # An emission and a step are always multiplied, so that one of each is needed.
        emit = self._lcm(own[: self.size])
        step = self._lcm(own[self.size :])
        return made_positive(self.domain, emit * step)


def threshold(scenario: Scenario, bits: int = 128) -> Prob:
    """A function c' <= c that a proof may use; equal to c where c is rational in parameters and powers of e."""
    budget = scenario.claim.budget
    assert budget is not None
    if isinstance(budget, RationalFunction):
        return budget
    return _of_budget(scenario, budget, budget.below(bits))


def ceiling(scenario: Scenario, bits: int = 128) -> Prob:
    """A function c' >= c: what exceeds it breaks the claim."""
    budget = scenario.claim.budget
    assert budget is not None
    if isinstance(budget, RationalFunction):
        return budget
    return _of_budget(scenario, budget, budget.above(bits))


def _of_budget(scenario: Scenario, budget: Budget, otherwise: Fraction) -> Prob:
    if budget.exact is not None:
        return budget.exact
    if budget.root == 1 and is_power_of(budget.power, _root(scenario)):
        return RationalFunction.exponential(budget.power) * budget.base
    return otherwise


def is_power_of(exponent: Fraction, root: int) -> bool:
    """Whether e**exponent is a power of e**(1/root) that can be written; no function of that equals any other."""
    return bool(root) and root % exponent.denominator == 0 and abs(exponent * root) <= MOST_DEGREE


def _root(scenario: Scenario) -> int:
    roots = [v.root for v in _values(scenario, None) if isinstance(v, RationalFunction) and v.root]
    return math.lcm(*roots) if roots else 0


def _values(scenario: Scenario, ratio: Prob | None) -> Iterator[Prob]:
    yield from _entries(scenario.model.emit)
    yield from _entries(scenario.model.step)
    for belief in {id(b): b for p in scenario.pairs for b in (p.left, p.right)}.values():
        yield from belief.weights.values()
    if ratio is not None:
        yield ratio


def _entries(table: Table) -> Iterator[Prob]:
    for i in range(table.rows):
        yield from table.row(i).values()


def _directions(scenario: Scenario) -> Iterator[Direction]:
    for k, pair in enumerate(scenario.pairs):
        yield Direction(k, True, pair.left, pair.right)
        if not pair.one_way:
            yield Direction(k, False, pair.right, pair.left)
