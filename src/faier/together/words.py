"""How likely a belief is to show a word, exactly: small enough to read at a glance."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from faier.errors import UsageError
from faier.model.belief import Belief
from faier.model.names import label
from faier.scenario.scenario import Scenario


def probability(scenario: Scenario, belief: Belief, word: Hashable) -> Fraction:
    """The reading of the word that counts at the scenario's horizon; at "any", that the run begins so.

    A word shorter than the horizon is a complete run. A word is a tuple of symbols, or one symbol.
    """
    model = scenario.model
    if not model.is_constant or not belief.is_constant:
        raise UsageError("the model has unknown parameters; put numbers in their place (--set)")
    symbols = word if isinstance(word, tuple) and word not in model.symbols else (word,)
    letters = [_symbol(scenario, s) for s in symbols]
    horizon = scenario.claim.horizon
    if isinstance(horizon, int) and len(letters) > horizon:
        raise UsageError(f"the event has a word of {len(letters)} symbols, and the horizon is {horizon}")
    row = {model.state_index[s]: w for s, w in belief.weights.items() if isinstance(w, Fraction)}
    ended = Fraction(0)
    for letter in letters:
        after: dict[int, Fraction] = {}
        ended = Fraction(0)
        for state, weight in row.items():
            emitted = model.emit.row(state).get(letter)
            if not isinstance(emitted, Fraction):
                continue
            shown = weight * emitted
            onward = model.step.row(state)
            if not onward:
                ended += shown
            for target, step in onward.items():
                assert isinstance(step, Fraction)
                after[target] = after.get(target, Fraction(0)) + shown * step
        row = after
    whole = isinstance(horizon, int) and len(letters) < horizon
    return ended if whole else ended + sum(row.values(), Fraction(0))


def is_possible(scenario: Scenario, belief: Belief, word: tuple[Hashable, ...]) -> bool:
    """Whether the reading of the word that counts at the scenario's horizon is positive: on supports alone, exactly."""
    model, horizon = scenario.model, scenario.claim.horizon
    states = {model.state_index[s] for s in belief.weights}
    ended = False
    for symbol in word:
        letter = _symbol(scenario, symbol)
        shown = [s for s in states if letter in model.emit.row(s)]
        onward = [model.step.row(s) for s in shown]
        ended = any(not row for row in onward)
        states = {target for row in onward for target in row}
    whole = isinstance(horizon, int) and len(word) < horizon
    return ended if whole else ended or bool(states)


def _symbol(scenario: Scenario, written: Hashable) -> int:
    for index, symbol in enumerate(scenario.model.symbols):
        if symbol == written or label(symbol) == label(written):
            return index
    raise UsageError(f"there is no symbol {written!r} in the model")
