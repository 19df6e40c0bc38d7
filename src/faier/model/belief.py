"""Distributions over initial states: what an attacker may know before the run starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from faier.number.exact import Number, Prob

from .findings import Findings
from .hmm import HMM, State
from .names import label


@dataclass(frozen=True)
class Belief:
    """A named distribution over a model's states; valid once made. Zeros are left out."""

    name: str
    weights: Mapping[State, Prob]

    @classmethod
    def of(cls, name: str, weights: Mapping[State, Number], model: HMM) -> Belief:
        """Read a belief exactly; all that is wrong with it is raised at once."""
        findings = Findings()
        weighed = findings.distribution(
            weights, model.state_index, model.unknowns, "beliefs", name, kind="state", what="belief"
        )
        findings.settle()
        return cls(name, {model.states[i]: value for i, value in weighed.items()})

    @classmethod
    def at(cls, state: State) -> Belief:
        """The belief that the run starts in this state, named like it."""
        return cls(label(state), {state: Fraction(1)})

    @property
    def is_constant(self) -> bool:
        return all(isinstance(v, Fraction) for v in self.weights.values())
