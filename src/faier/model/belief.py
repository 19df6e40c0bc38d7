"""Distributions over initial states: what an attacker may know before the run starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from faier.errors import ModelError, NumberError, Problem
from faier.number.exact import Number, Prob, prob

from .hmm import HMM, State


@dataclass(frozen=True)
class Belief:
    """A named distribution over a model's states; valid once made. Zeros are left out."""

    name: str
    weights: Mapping[State, Prob]

    @classmethod
    def of(cls, name: str, weights: Mapping[State, Number], model: HMM) -> Belief:
        """Read a belief exactly; all that is wrong with it is raised at once."""
        problems: list[Problem] = []
        place = f"beliefs.{name}"
        if not weights:
            problems.append(Problem(place, "the belief is empty"))
        found: dict[State, Prob] = {}
        for state, value in weights.items():
            if state not in model.state_index:
                problems.append(Problem(f"{place}.{state}", f"unknown state {state!r}"))
                continue
            try:
                number = prob(value)
            except NumberError as error:
                problems.append(Problem(f"{place}.{state}", str(error)))
                continue
            if isinstance(number, Fraction) and number < 0:
                problems.append(
                    Problem(f"{place}.{state}", f"a probability cannot be negative, got {number}")
                )
            if number != 0:
                found[state] = number
        if not problems and (total := sum(found.values(), Fraction(0))) != 1:
            problems.append(Problem(place, f"the belief sums to {total}, not 1"))
        if problems:
            raise ModelError(problems)
        return cls(name, found)

    @classmethod
    def at(cls, state: State) -> Belief:
        """The belief that the run starts in this state, named like it."""
        return cls(str(state), {state: Fraction(1)})

    @property
    def is_constant(self) -> bool:
        return all(isinstance(v, Fraction) for v in self.weights.values())
