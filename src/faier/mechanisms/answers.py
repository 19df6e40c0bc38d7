"""Runs of a stream at random: one by one with exact draws, or many at once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from faier.errors import MechanismError, UsageError

from .current import answered_by
from .distribution import Distribution
from .sampling import Dice, floats

if TYPE_CHECKING:
    import numpy.typing as npt

    from .answering import Step, StreamMechanism

_STOPPED = -1


def run(mechanism: StreamMechanism, inputs: Sequence[Any], seed: int | None) -> tuple[Hashable, ...]:
    """One run of the function itself."""
    dice = Dice(seed)
    memory: Any = dice.choose(mechanism.start)
    word: tuple[Hashable, ...] = ()
    for asked in _listed(inputs):
        with answered_by(dice):
            step = mechanism._checked(memory, asked)
        if dice.trouble is not None:
            raise MechanismError(f"{mechanism.name}: {dice.trouble}") from dice.trouble
        word = (*word, step.symbol)
        if step.stops:
            break
        memory = step.memory
    return word


def sample(mechanism: StreamMechanism, inputs: Sequence[Any], n: int, seed: int) -> npt.NDArray[np.object_]:
    """`n` runs, as an array of tuples; runs with equal memories are drawn together."""
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise UsageError(f"a number of samples is at least 0, got {n!r}")
    dice = np.random.default_rng(seed)
    memories: list[Hashable] = list(mechanism.start)
    numbers = {memory: i for i, memory in enumerate(memories)}
    symbols: list[Hashable] = []
    known: dict[Hashable, int] = {}
    at = _drawn(mechanism.start, n, dice)
    asked_for = _listed(inputs)
    words: list[tuple[Hashable, ...]] = [()]
    word = np.zeros(n, dtype=np.int64)
    for asked in asked_for:
        after = np.full(n, _STOPPED, dtype=np.int64)
        spoken = np.full(n, _STOPPED, dtype=np.int64)
        for i in np.unique(at[at != _STOPPED]).tolist():
            here = np.flatnonzero(at == i)
            row = mechanism.step(memories[i], asked)
            steps: list[Any] = list(row)
            said = np.array([_number(s.symbol, known, symbols) for s in steps], dtype=np.int64)
            then = np.array([_after(s, numbers, memories) for s in steps], dtype=np.int64)
            chosen = _drawn(row, len(here), dice)
            spoken[here], after[here] = said[chosen], then[chosen]
        at = after
        # A word is numbered by the word before it and its last symbol, which is none where the run had stopped.
        pairs, longer = np.unique(word * (len(symbols) + 1) + spoken + 1, return_inverse=True)
        before, last = np.divmod(pairs, len(symbols) + 1)
        ends = zip(before.tolist(), last.tolist(), strict=True)
        words = [words[b] if s == 0 else (*words[b], symbols[s - 1]) for b, s in ends]
        word = longer.reshape(-1)
    found = np.empty(len(words), dtype=object)
    for k, each in enumerate(words):
        found[k] = each
    picked: npt.NDArray[np.object_] = found[word]
    return picked


def _drawn(among: Distribution, n: int, dice: np.random.Generator) -> npt.NDArray[np.int64]:
    """Places of values in the distribution; probabilities are those given up to the rounding of a float."""
    weights = floats(among)
    return np.asarray(dice.choice(len(weights), size=n, p=weights / weights.sum()), dtype=np.int64)


def _after(step: Step, numbers: dict[Hashable, int], memories: list[Hashable]) -> int:
    return _STOPPED if step.stops else _number(step.memory, numbers, memories)


def _number(value: Hashable, numbers: dict[Hashable, int], values: list[Hashable]) -> int:
    if value not in numbers:
        numbers[value] = len(values)
        values.append(value)
    return numbers[value]


def _listed(inputs: Sequence[Any]) -> list[Any]:
    if isinstance(inputs, str) or not isinstance(inputs, Sequence):
        raise UsageError(f"inputs are a list, one for each answer, got {inputs!r}")
    return list(inputs)
