"""A scenario about classes of states that behave alike. [T14]"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.lump import Classes, alike, lumped, summed

from .scenario import Scenario


def lump(scenario: Scenario) -> tuple[Scenario, Classes]:
    """The scenario with its model lumped as far as it can be, and the class of each state.

    Guarantee: every belief gives every word the same two readings as before.
    """
    classes = alike(scenario.model)
    if max(classes) + 1 == len(classes):
        return scenario, classes
    small = lumped(scenario.model, classes)
    made: dict[int, Belief] = {}

    def pushed(belief: Belief) -> Belief:
        if id(belief) not in made:
            made[id(belief)] = _pushed(belief, scenario.model, small, classes)
        return made[id(belief)]

    pairs = tuple(replace(p, left=pushed(p.left), right=pushed(p.right)) for p in scenario.pairs)
    beliefs = {name: pushed(belief) for name, belief in scenario.beliefs.items()}
    return replace(scenario, model=small, pairs=pairs, beliefs=beliefs), classes


def _pushed(belief: Belief, model: HMM, small: HMM, classes: Sequence[int]) -> Belief:
    row = summed({model.state_index[state]: value for state, value in belief.weights.items()}, classes)
    return Belief(belief.name, {small.states[number]: value for number, value in row.items()})
