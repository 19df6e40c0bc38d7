"""The rows of a scenario as plain exact dictionaries of polynomials, runs that end included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from faier.model.belief import Belief
from faier.number.exact import Prob
from faier.scenario.scenario import Scenario

from .region import Cut
from .unknowns import Unknowns

Row: TypeAlias = Mapping[int, Prob]
Flows: TypeAlias = Mapping[int, Sequence[tuple[str, Prob]]]
"""state -> the terms that flow into it, each with its probability."""


@dataclass(frozen=True)
class Automaton:
    """The model with two additions that let one query of N symbols count shorter complete runs as well.

    A run that has ended stays in the state `done`, which emits nothing but the symbol `pad`; no other state
    emits it. So a complete run of k < N symbols is the word followed by N - k pads, and the mass at the end
    of N symbols is the prefix reading of words without a pad, and the ended reading of the others.

    Where weights are quotients of polynomials, the denominators are cleared: all emissions and all steps are
    multiplied by one polynomial each, which comes to the same factor on both sides of every comparison, and
    every belief by a factor of its own. The factors are positive where the `cuts` hold; a belief's own must
    be positive as well for its pair to be compared.
    """

    emit: Sequence[Row]
    step: Sequence[Row]
    done: int
    pad: int
    lefts: Sequence[Row]
    rights: Sequence[Row]
    left_factors: Sequence[Prob]
    right_factors: Sequence[Prob]
    cuts: Sequence[Cut]

    @classmethod
    def of(cls, scenario: Scenario, unknowns: Unknowns) -> Automaton:
        model = scenario.model
        states = range(len(model.states))
        done, pad = len(states), len(model.symbols)
        emit = [_plain(model.emit.row(i), unknowns) for i in states]
        step = [_plain(model.step.row(i), unknowns) for i in states]
        emitted, stepped = (unknowns.factor(v for row in rows for v in row.values()) for rows in (emit, step))
        end: Row = {done: stepped}
        lefts, left_factors = _starts(scenario, unknowns, [pair.left for pair in scenario.pairs])
        rights, right_factors = _starts(scenario, unknowns, [pair.right for pair in scenario.pairs])
        return cls(
            emit=[_times(row, emitted) for row in emit] + [{pad: emitted}],
            step=[_times(row, stepped) or end for row in step] + [end],
            done=done,
            pad=pad,
            lefts=lefts,
            rights=rights,
            left_factors=left_factors,
            right_factors=right_factors,
            cuts=unknowns.positive((emitted, stepped)),
        )

    def into(self, sources: Mapping[int, str]) -> dict[int, list[tuple[str, Prob]]]:
        """For each state that the sources can move to: the terms that flow into it, with probabilities."""
        flows: dict[int, list[tuple[str, Prob]]] = {}
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


def _starts(
    scenario: Scenario, unknowns: Unknowns, beliefs: Sequence[Belief]
) -> tuple[list[Row], list[Prob]]:
    """The beliefs as rows of polynomials, and what each was multiplied by."""
    index = scenario.model.state_index
    rows = [_plain({index[s]: v for s, v in belief.weights.items()}, unknowns) for belief in beliefs]
    factors = [unknowns.factor(row.values()) for row in rows]
    return [_times(row, factor) for row, factor in zip(rows, factors, strict=True)], factors


def _plain(row: Row, unknowns: Unknowns) -> dict[int, Prob]:
    """The row without zeros and named constants, in the order of its columns."""
    plain = ((i, unknowns.plain(value)) for i, value in sorted(row.items()))
    return {i: value for i, value in plain if value != 0}


def _times(row: Row, factor: Prob) -> Row:
    return row if factor == 1 else {i: value * factor for i, value in row.items()}
