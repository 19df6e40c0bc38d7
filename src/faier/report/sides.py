"""Who is told apart, as JSON: names of beliefs, and states that are Python values as these values."""

from __future__ import annotations

from faier.families import Family
from faier.model.belief import Belief
from faier.model.names import label
from faier.scenario.scenario import Scenario
from faier.verdict import Event, ValuesLimit, Witness

from .symbols import symbol_record


def sides_record(what: Witness | Event | ValuesLimit | Family, scenario: Scenario) -> tuple[object, object]:
    """Both sides of a direction: the name of a belief; of a state that is a Python value, that value as JSON."""
    pair = scenario.pairs[what.pair]
    beliefs = (pair.left, pair.right) if what.forward else (pair.right, pair.left)
    left, right = (_side(name, belief) for name, belief in zip((what.left, what.right), beliefs, strict=True))
    return left, right


def values_by_name(scenario: Scenario) -> dict[str, object]:
    """For sides that are known by their names: which are states that are Python values, and which values."""
    found = {belief.name: _side(belief.name, belief) for belief in scenario.compared_beliefs()}
    return {name: value for name, value in found.items() if value != name}


def _side(name: str, belief: Belief) -> object:
    if name != belief.name or len(belief.weights) != 1:
        return name
    ((state, weight),) = belief.weights.items()
    return symbol_record(state) if weight == 1 and label(state) == name else name
