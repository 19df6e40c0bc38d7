"""The rows of a scenario as plain exact dictionaries, runs that end included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from faier.model.hmm import HMM
from faier.scenario.scenario import Scenario

Row: TypeAlias = Mapping[int, Fraction]
Flows: TypeAlias = Mapping[int, Sequence[tuple[str, Fraction]]]
"""state -> the terms that flow into it, each with its probability."""


@dataclass(frozen=True)
class Automaton:
    """The model with two additions that let one query of N symbols count shorter complete runs as well.

    A run that has ended stays in the state `done`, which emits nothing but the symbol `pad`; no other state
    emits it. So a complete run of k < N symbols is the word followed by N - k pads, and the mass at the end
    of N symbols is the prefix reading of words without a pad, and the ended reading of the others.
    """

    emit: Sequence[Row]
    step: Sequence[Row]
    done: int
    pad: int
    lefts: Sequence[Row]
    rights: Sequence[Row]

    @classmethod
    def of(cls, scenario: Scenario) -> Automaton:
        model = scenario.model
        states = range(len(model.states))
        done, pad = len(states), len(model.symbols)
        end: Row = {done: Fraction(1)}
        return cls(
            emit=[constants(model.emit.row(i)) for i in states] + [{pad: Fraction(1)}],
            step=[constants(model.step.row(i)) or end for i in states] + [end],
            done=done,
            pad=pad,
            lefts=[start_row(model, pair.left.weights) for pair in scenario.pairs],
            rights=[start_row(model, pair.right.weights) for pair in scenario.pairs],
        )

    def into(self, sources: Mapping[int, str]) -> dict[int, list[tuple[str, Fraction]]]:
        """For each state that the sources can move to: the terms that flow into it, with probabilities."""
        flows: dict[int, list[tuple[str, Fraction]]] = {}
        for i, term in sources.items():
            for j, probability in self.step[i].items():
                flows.setdefault(j, []).append((term, probability))
        return dict(sorted(flows.items()))

    def can_pad(self, horizon: int) -> bool:
        """True where some compared run can be complete after fewer than `horizon` symbols."""
        reached = {i for row in (*self.lefts, *self.rights) for i in row}
        for _ in range(horizon - 1):
            following = {j for i in reached for j in self.step[i]}
            if self.done in following:
                return True
            if following <= reached:
                return False
            reached |= following
        return False


def constants(row: Mapping[int, object]) -> dict[int, Fraction]:
    """The row without zeros, in the order of its columns."""
    return {i: value for i, value in sorted(row.items()) if isinstance(value, Fraction) and value != 0}


def start_row(model: HMM, weights: Mapping[object, object]) -> dict[int, Fraction]:
    return constants({model.state_index[state]: weight for state, weight in weights.items()})
