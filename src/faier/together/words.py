"""How likely a belief is to show a word, exactly: small enough to read at a glance."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction

from faier.errors import UsageError
from faier.model.belief import Belief
from faier.model.hmm import Word
from faier.model.names import label
from faier.scenario.scenario import Scenario


def counted(scenario: Scenario, one: Belief, two: Belief, words: Iterable[Hashable]) -> tuple[Word, ...]:
    """The words of an event that count, each once: what they say of both sides may be added up.

    At "any" a word stands for all runs that begin so, and one that begins with another adds nothing. Under "both" a
    word that only one side can produce is left out.
    """
    letters = list(dict.fromkeys(_letters(scenario, word) for word in words))
    if not isinstance(scenario.claim.horizon, int):
        shown = set(letters)
        letters = [w for w in letters if not any(w[:end] in shown for end in range(1, len(w)))]
    if scenario.stream is not None:
        _require_one_adversary(scenario, letters)
    found = [tuple(scenario.model.symbols[k] for k in word) for word in letters]
    if scenario.claim.possible == "both":
        found = [w for w in found if is_possible(scenario, one, w) and is_possible(scenario, two, w)]
        if not found:
            raise UsageError('under possible = "both" no word of the event counts: none is possible on both sides')
    return tuple(found)


def _require_one_adversary(scenario: Scenario, words: Iterable[tuple[int, ...]]) -> None:
    """An event of a stream is one that one way of asking can show: after the same letters the same inputs."""
    asked = {letter: pair for pair, group in enumerate(scenario.choices) for letter in group}
    chosen: dict[tuple[int, ...], int] = {}
    for word in words:
        for place, letter in enumerate(word):
            if chosen.setdefault(word[:place], asked[letter]) != asked[letter]:
                raise UsageError("the event has words that no one way of asking can show together: their inputs differ")


def probability(scenario: Scenario, belief: Belief, word: Hashable) -> Fraction:
    """The reading of the word that counts at the scenario's horizon; at "any", that the run begins so.

    A word shorter than the horizon is a complete run. A word is a tuple of symbols, or one symbol. Of a stream, the
    probability given the inputs that stand in the letters.
    """
    model = scenario.model
    if not model.is_constant or not belief.is_constant:
        raise UsageError("the model has unknown parameters; put numbers in their place (--set)")
    letters = _letters(scenario, word)
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
    total = ended if whole else ended + sum(row.values(), Fraction(0))
    return total * Fraction(len(scenario.choices)) ** len(letters)


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


def _letters(scenario: Scenario, word: Hashable) -> tuple[int, ...]:
    symbols = word if isinstance(word, tuple) and word not in scenario.model.symbols else (word,)
    return tuple(_symbol(scenario, s) for s in symbols)


def _symbol(scenario: Scenario, written: Hashable) -> int:
    for index, symbol in enumerate(scenario.model.symbols):
        if symbol == written or label(symbol) == label(written):
            return index
    raise UsageError(f"there is no symbol {written!r} in the model")
