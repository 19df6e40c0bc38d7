"""The Markov chains that `markov_release` and `markov_count` are about."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from faier.errors import MechanismError
from faier.mechanisms.distribution import Distribution, Weight, distribution
from faier.noise import k_ary_response, uniform
from faier.noise.reading import whole


@dataclass(frozen=True)
class Chain:
    """A state at time 1, and how it moves."""

    states: tuple[Hashable, ...]
    start: Distribution
    step: Mapping[Hashable, Distribution]

    def possible(self, at: int) -> list[Hashable]:
        """The states that it can be in at this time, in their order."""
        found = set(self.start)
        for _ in range(1, at):
            found = {after for state in found for after in self.step[state]}
        return [state for state in self.states if state in found]


def chain(states: int, stay: Weight, start: Any, step: Any) -> Chain:
    """States 0, 1, ... that stay or go to any other alike, from a uniform start; or `start` and `step` as given."""
    rows: dict[Hashable, Distribution]
    among: tuple[Hashable, ...]
    if step is None:
        among = tuple(range(whole(states, "states", 2)))
        rows = {x: k_ary_response(x, among, stay) for x in among}
    else:
        if not isinstance(step, Mapping) or not step:
            raise MechanismError('step is state -> next state -> probability, such as {"a": {"a": 1}}')
        rows = {x: distribution(row) for x, row in step.items()}
        among = tuple(rows)
    begin = uniform(among) if start is None else distribution(start)
    for reached in (begin, *rows.values()):
        if missing := [x for x in reached if x not in rows]:
            raise MechanismError(f"the chain has no row for {missing[0]!r}")
    return Chain(among, begin, rows)
