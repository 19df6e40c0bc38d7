"""The probabilities of a model as simulations are made of them: exact, and by rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction

from faier.comparison import Comparison


@dataclass(frozen=True)
class Tables:
    """emit[state][letter] and step[state][state], with the step to `done` of states that end the run; exact."""

    emit: Sequence[Mapping[int, Fraction]]
    step: Sequence[Mapping[int, Fraction]]
    done: int

    @staticmethod
    def of(comparison: Comparison) -> Tables:
        model, done = comparison.scenario.model, comparison.automaton.done
        emit: list[dict[int, Fraction]] = []
        step: list[dict[int, Fraction]] = []
        for i in range(comparison.automaton.size):
            own, row = model.emit.integer_row(i)
            emit.append({s: Fraction(n, own) for s, n in row})
            own, row = model.step.integer_row(i)
            step.append({j: Fraction(n, own) for j, n in row} if row else {done: Fraction(1)})
        return Tables(emit, step, done)

    def reached(self, states: Set[int]) -> set[int]:
        """Everything that a run may come to from these states."""
        found, waiting = set(states), list(states)
        while waiting:
            i = waiting.pop()
            if i != self.done:
                for j in self.step[i]:
                    if j not in found:
                        found.add(j)
                        waiting.append(j)
        return found
