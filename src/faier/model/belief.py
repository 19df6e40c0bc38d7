"""Distributions over initial states: what an attacker may know before the run starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from faier.errors import ModelError, NumberError
from faier.number.digits import exact_text, short_text
from faier.number.exact import Number, Prob, prob
from faier.number.unknowns import Unknowns

from .findings import Findings
from .hmm import HMM, State
from .names import label


@dataclass(frozen=True)
class Belief:
    """A named distribution over a model's states; valid once made. Zeros are left out.

    One with parameters may sum to 1 by a model's constraints alone; that is known where it meets its model.
    """

    name: str
    weights: Mapping[State, Prob]

    def __post_init__(self) -> None:
        place = f"beliefs.{self.name}"
        if not all(isinstance(value, Fraction) for value in self.weights.values()):
            object.__setattr__(self, "weights", {s: _exact(v, f"{place}.{s}") for s, v in self.weights.items()})
        for state, value in self.weights.items():
            if isinstance(value, Fraction) and value < 0:
                raise ModelError(f"a probability cannot be negative, got {exact_text(value)}", f"{place}.{state}")
        if any(value == 0 for value in self.weights.values()):
            object.__setattr__(self, "weights", {s: v for s, v in self.weights.items() if v != 0})
        total = sum(self.weights.values(), Fraction(0))
        # Where parameters are left in the sum, the model's constraints may still make it 1: a scenario looks.
        if isinstance(total, Fraction) and total != 1:
            raise ModelError(f"the belief sums to {short_text(total)}, not 1", place)

    @classmethod
    def of(cls, name: str, weights: Mapping[State, Number], model: HMM) -> Belief:
        """Read a belief exactly; all that is wrong with it is raised at once."""
        return cls.over(name, weights, model.state_index, model.unknowns)

    @classmethod
    def over(
        cls,
        name: str,
        weights: Mapping[State, Number],
        index: Mapping[State, int],
        unknowns: Unknowns,
        kind: str = "state",
    ) -> Belief:
        """`of`, over any names that are numbered."""
        findings = Findings()
        weighed = findings.distribution(weights, index, unknowns, "beliefs", name, kind=kind, what="belief")
        findings.settle()
        names = list(index)
        return cls(name, {names[i]: value for i, value in weighed.items()})

    @classmethod
    def at(cls, state: State) -> Belief:
        """The belief that the run starts in this state, named like it."""
        return cls(label(state), {state: Fraction(1)})

    @property
    def is_constant(self) -> bool:
        return all(isinstance(v, Fraction) for v in self.weights.values())


def _exact(value: Number, place: str) -> Prob:
    """A weight given by hand, exact like one that is read."""
    try:
        return prob(value)
    except NumberError as error:
        raise ModelError(str(error), place) from None
