"""Secrets inside a run: a model with copies of its states, for runs that are known to pass a gate. [T13]"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from faier.errors import ModelError
from faier.number.exact import Prob
from faier.number.rational_function import RationalFunction

from .hmm import HMM, State
from .names import label
from .table import Table

Column: TypeAlias = dict[int, Prob]


@dataclass(frozen=True)
class Gated:
    """`model` has the states of the one that was asked about, and copies; `passing` tells where a run starts.

    Guarantee: from the row of `start(...)` every word has, in either reading, the probability that it has in the
    original model given that the state at the gate's step is among the gate's.
    """

    model: HMM
    original: HMM
    columns: Mapping[frozenset[int], Sequence[Column]]
    """For each gate the probability of passing it, so many steps later, from each state where that is not 0."""
    copies: Mapping[tuple[frozenset[int], int, int], int]
    """The number of the copy of a state, so many steps before a gate."""

    def start(self, weights: Mapping[State, Prob], at: int, gate: frozenset[int]) -> dict[State, Prob] | None:
        """The start row of runs that pass; None where none does."""
        index, column = self.original.state_index, self.columns[gate][at - 1]
        passing = {index[s]: w * column[index[s]] for s, w in weights.items() if index[s] in column}
        total: Prob = sum(passing.values(), Fraction(0))
        if total == 0:
            return None
        places = {i: i if at == 1 else self.copies[gate, at - 1, i] for i in passing}
        return {self.model.states[places[i]]: w / total for i, w in passing.items()}

    def denominators(self) -> list[RationalFunction]:
        """What the copies' rows are divided by, where that depends on parameters."""
        values = (v for columns in self.columns.values() for column in columns for v in column.values())
        return list(dict.fromkeys(v for v in values if not isinstance(v, Fraction)))


def gated(model: HMM, gates: Mapping[frozenset[int], int]) -> Gated:
    """Add what the gates need: for each set of states the largest number of the step that it is asked about.

    A copy of a state i, d steps before the gate, goes on as runs do that pass: to j with the probability
    step[i][j] h(j) / h(i), h being the probability of passing from there. At the gate the copies end, and runs go on in
    the states of the model itself.
    """
    columns = {gate: _columns(model, gate, at - 1) for gate, at in gates.items()}
    copies: dict[tuple[frozenset[int], int, int], int] = {}
    names: list[State] = list(model.states)
    for k, (gate, found) in enumerate(columns.items()):
        for d in range(1, len(found)):
            for i in sorted(found[d]):
                copies[gate, d, i] = len(names)
                names.append(f"{k}:{d}:{label(model.states[i])}")
    if len(set(map(label, names))) < len(names):
        raise ModelError("states are named like copies of one another, such as 0:1:a; rename them", "model.emit")
    emit = [model.emit.row(i) for i in range(len(model.states))]
    step = [model.step.row(i) for i in range(len(model.states))]
    for gate, d, i in copies:
        after, own = columns[gate][d - 1], columns[gate][d][i]
        emit.append(model.emit.row(i))
        step.append(
            {
                j if d == 1 else copies[gate, d - 1, j]: p * after[j] / own
                for j, p in model.step.row(i).items()
                if j in after
            }
        )
    compiled = HMM.__new__(HMM)
    compiled._fill(
        tuple(names),
        model.symbols,
        Table.from_rows(len(model.symbols), emit),
        Table.from_rows(len(names), step),
        model.parameters,
        model.unknowns,
        model.constraints,
    )
    return Gated(compiled, model, columns, copies)


def _columns(model: HMM, gate: frozenset[int], steps: int) -> list[Column]:
    """The probability to be in the gate after 0, 1, ... steps, from each state where that is not 0 identically."""
    found: list[Column] = [dict.fromkeys(gate, Fraction(1))]
    for _ in range(steps):
        after = found[-1]
        column: Column = {}
        for i in range(len(model.states)):
            total: Prob = sum((p * after[j] for j, p in model.step.row(i).items() if j in after), Fraction(0))
            if total != 0:
                column[i] = total
        found.append(column)
    return found
