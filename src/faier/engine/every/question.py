"""The questions that a secret at every step falls into: what comes before the step, and what from it on. [T18]"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import inf

from faier.model.backward import Backward, after, from_any_step, from_step, is_stationary, stationary, window
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.names import label
from faier.number.exact import Extended
from faier.scenario.every import possible_steps
from faier.scenario.gate import Gate
from faier.scenario.scenario import Claim, Horizon, Pair, Scenario

_MOST_SUPPORTS = 10_000
_MOST_STATES = 200


@dataclass(frozen=True)
class Direction:
    """One side of a gate against the other, by the numbers of their states; `pair` is the gate's number."""

    pair: int
    forward: bool
    left: int
    right: int


class Question:
    """One gate at every step, whose sides are single states, of a model without unknowns."""

    def __init__(self, model: HMM, gate: Gate, horizon: Horizon):
        assert isinstance(gate.start, Belief)
        self.model, self.gate, self.horizon = model, gate, horizon
        self.start = {model.state_index[s]: w for s, w in gate.start.weights.items() if isinstance(w, Fraction)}
        self._distributions = [self.start]
        self._measured: Backward | None = None

    @cached_property
    def stationary(self) -> bool:
        return is_stationary(self.model, self.start)

    def steps(self, last: int) -> list[int]:
        """The steps up to this one at which both sides are possible."""
        return [n + 1 for n, both in enumerate(islice(possible_steps(self.model, self.gate), last)) if both]

    def never_after(self, step: int) -> bool:
        """Whether at no later step both sides are possible, as far as supports repeat soon enough."""
        seen: set[frozenset[int]] = set()
        both_possible = possible_steps(self.model, self.gate)
        for n, support in enumerate(self._supports(), 1):
            both = next(both_possible)
            if n > step and both:
                return False
            if n > step and support in seen:
                return True
            if n > step:
                seen.add(support)
            if n > step + _MOST_SUPPORTS:
                return False
        raise AssertionError("supports do not end")

    def future(self, direction: Direction, horizon: Horizon, ratio: Fraction | None = None) -> Scenario:
        """From the step on, one state against the other."""
        states = self.model.states
        sides = [Belief.at(states[i]) for i in (direction.left, direction.right)]
        return _asked(self.model, sides, horizon, ratio)

    def past(self, direction: Direction, step: int, ratio: Fraction | None = None) -> Scenario:
        """Before the step, backwards; step 0 stands for every step, of a stationary start."""
        back = self._from_any_step if self.stationary else from_step(self.model, self.start, step)
        return self._backwards(back, direction, step - 1 if step else "any", ratio)

    @cached_property
    def measure(self) -> dict[int, Fraction] | None:
        """A stationary distribution of the states that are reached, where the start is none and there is one."""
        reached = sorted(self._reached)
        return None if self.stationary or len(reached) > _MOST_STATES else stationary(self.model, reached)

    def measured(self, direction: Direction) -> Scenario:
        """The past read from the measure, of any number of symbols."""
        assert self.measure is not None
        if self._measured is None:
            self._measured = from_any_step(self.model, self.measure)
        return self._backwards(self._measured, direction, "any", None)

    def factor(self, direction: Direction, step: int) -> Fraction:
        """What the ratios of the past that is read from the measure are to be multiplied by at this step."""
        assert self.measure is not None
        here, (i, j) = self.distribution(step), (direction.left, direction.right)
        return self.measure[i] / self.measure[j] * here[j] / here[i]

    def factor_after(self, direction: Direction, steps: int) -> Extended:
        """The same, at most, for every step after so many."""
        assert self.measure is not None
        most = self._most(direction, steps)
        return inf if most == inf else self.measure[direction.left] / self.measure[direction.right] * Fraction(most)

    def factor_of_sets(self, step: int) -> Fraction:
        """What ratios of windows that are read from the measure are to be multiplied by at this step, at most."""
        assert self.measure is not None
        here, rows = self.distribution(step), []
        for side in (self.gate.left, self.gate.right):
            places = [self.model.state_index[s] for s in side]
            rows.append([sum((row.get(i, Fraction(0)) for i in places), Fraction(0)) for row in (self.measure, here)])
        (left, left_here), (right, right_here) = rows
        factor = left / right * right_here / left_here
        return factor if self.gate.one_way else max(factor, 1 / factor)

    def factor_of_sets_after(self, steps: int) -> Extended:
        """The same for every step after so many."""
        assert self.measure is not None
        columns, shares = [], []
        for side in (self.gate.left, self.gate.right):
            places = [self.model.state_index[s] for s in side]
            column = dict.fromkeys(places, Fraction(1))
            for _ in range(steps):
                column = self._earlier(column)
            columns.append([column.get(k, Fraction(0)) for k in self._reached])
            shares.append(sum((self.measure.get(i, Fraction(0)) for i in places), Fraction(0)))
        share, worst = shares[0] / shares[1], Fraction(0)
        for left, right in zip(*columns, strict=True):
            if (right and not left) or (left and not right and not self.gate.one_way):
                return inf
            if right:
                worst = max(worst, share * right / left, 0 if self.gate.one_way else left / right / share)
        return worst

    def distribution(self, step: int) -> dict[int, Fraction]:
        """Where the runs are at a step."""
        while len(self._distributions) < step:
            self._distributions.append(after(self.model, self._distributions[-1]))
        return self._distributions[step - 1]

    def window(
        self, direction: Direction, steps: int, ratio: Fraction | None = None
    ) -> tuple[Scenario, Extended] | None:
        """What the last symbols before any later step say, and by which factor at most that is to be multiplied.

        None where a side cannot be reached in so many steps.
        """
        reached = sorted(self._reached)
        even = {i: Fraction(1, len(reached)) for i in reached}
        here = even
        for _ in range(steps):
            here = after(self.model, here)
        left, right = here.get(direction.left), here.get(direction.right)
        if left is None or right is None:
            return None
        factor = self._most(direction, steps)
        if factor == inf:
            return None
        back = window(self.model, even, steps)
        return self._backwards(back, direction, steps + 1, ratio), factor * left / right

    def _most(self, direction: Direction, steps: int) -> Extended:
        """The largest P(right) / P(left), so many steps after a state that is reached."""
        columns: list[dict[int, Fraction]] = [{direction.right: Fraction(1)}, {direction.left: Fraction(1)}]
        for _ in range(steps):
            columns = [self._earlier(column) for column in columns]
        top, bottom = columns
        worst: Extended = Fraction(0)
        for k in self._reached:
            if k in top:
                worst = max(worst, top[k] / bottom[k] if k in bottom else inf)
        return worst

    def _earlier(self, column: dict[int, Fraction]) -> dict[int, Fraction]:
        found: dict[int, Fraction] = {}
        for i in range(len(self.model.states)):
            total = Fraction(0)
            for j, p in self.model.step.row(i).items():
                if j in column:
                    assert isinstance(p, Fraction)
                    total += p * column[j]
            if total:
                found[i] = total
        return found

    @cached_property
    def _from_any_step(self) -> Backward:
        return from_any_step(self.model, self.start)

    @cached_property
    def _reached(self) -> frozenset[int]:
        found: set[int] = set()
        waiting = list(self.start)
        while waiting:
            if (i := waiting.pop()) not in found:
                found.add(i)
                waiting += self.model.step.row(i)
        return frozenset(found)

    def _supports(self) -> Iterator[frozenset[int]]:
        here = frozenset(self.start)
        while True:
            yield here
            here = frozenset(j for i in here for j in self.model.step.row(i))

    def _backwards(self, back: Backward, direction: Direction, horizon: Horizon, ratio: Fraction | None) -> Scenario:
        states = self.model.states
        sides = [Belief(f"before {label(states[i])}", back.start[i]) for i in (direction.left, direction.right)]
        return _asked(back.model, sides, horizon, ratio)


def _asked(model: HMM, sides: list[Belief], horizon: Horizon, ratio: Fraction | None) -> Scenario:
    scenario = Scenario(model, (Pair(sides[0], sides[1], one_way=True),), Claim(horizon=horizon))
    return scenario if ratio is None else scenario.claiming(ratio=ratio)
