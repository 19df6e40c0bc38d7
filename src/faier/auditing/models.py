"""What has an exact model as a sampler: mechanisms by their tables, hidden Markov models by their steps."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from faier.errors import UsageError
from faier.mechanisms.distribution import Distribution
from faier.mechanisms.mechanism import Mechanism
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.scenario.scenario import Scenario

from .event import Counts

_ENDED = -1
_DENSE = 4_000_000


class TableSampler:
    """A mechanism by its exact table: samples are drawn, and counts are drawn at once."""

    def __init__(self, mechanism: Mechanism):
        self.mechanism, self.name = mechanism, mechanism.name

    def sample(self, data: Any, n: int, seed: int) -> npt.NDArray[Any]:
        return self.mechanism.sample(data, n, seed)

    def counts(self, data: Any, n: int, seed: int) -> Counts:
        """How often each output occurs: one draw from the multinomial distribution, in no time."""
        outputs, weights = _weights(self.mechanism.distribution(data))
        drawn = np.random.default_rng(seed).multinomial(n, weights)
        return {o: int(k) for o, k in zip(outputs, drawn, strict=True) if k}


class WordSampler:
    """A hidden Markov model by its steps: outputs are words of the horizon's length, shorter where runs end."""

    def __init__(self, model: HMM, horizon: int, name: str = "the model"):
        if not model.is_constant:
            raise UsageError(
                "a model with unknown parameters cannot be sampled; put numbers in their place (--set)"
            )
        if len(model.states) * max(len(model.states), len(model.symbols)) > _DENSE:
            raise UsageError(f"{name} has too many states to be sampled: {len(model.states):,}")
        self.model, self.horizon, self.name = model, horizon, name
        size = len(model.states)
        self._emit = np.cumsum(_dense(model.emit, size, len(model.symbols)), axis=1)
        step = _dense(model.step, size, size)
        self._ends = np.asarray(model.step.empty_rows)
        self._step = np.cumsum(step, axis=1)

    def letters(self, start: Belief, n: int, seed: int) -> npt.NDArray[np.int64]:
        """n words as numbers of symbols, one row each; -1 after the end of a run."""
        generator = np.random.default_rng(seed)
        states, weights = _weights(Distribution(dict(start.weights)))
        index = np.array([self.model.state_index[s] for s in states])
        state = index[generator.choice(len(index), size=n, p=weights)]
        words = np.full((n, self.horizon), _ENDED, dtype=np.int64)
        running = np.arange(n)
        for time in range(self.horizon):
            words[running, time] = _pick(self._emit, state, generator)
            going = ~self._ends[state]
            running, state = running[going], state[going]
            if not len(running):
                break
            if time + 1 < self.horizon:
                state = _pick(self._step, state, generator)
        return words

    def sample(self, data: Belief, n: int, seed: int) -> npt.NDArray[Any]:
        """n words, tuples of symbols."""
        words, which = self._words(self.letters(data, n, seed))
        found: npt.NDArray[Any] = words[which]
        return found

    def counts(self, data: Belief, n: int, seed: int) -> Counts:
        words, which = self._words(self.letters(data, n, seed))
        return dict(zip(words.tolist(), np.bincount(which, minlength=len(words)).tolist(), strict=True))

    def _words(self, letters: npt.NDArray[np.int64]) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """The different words, and for each sample which of them it is: a million words are mostly the same few."""
        base = len(self.model.symbols) + 1
        if base**self.horizon < 2**62:
            # A word as one number is sorted much faster than a row of numbers.
            key = np.zeros(len(letters), dtype=np.int64)
            for column in letters.T:
                key = key * base + (column + 1)
            _, first, which = np.unique(key, return_index=True, return_inverse=True)
        else:
            _, first, which = np.unique(letters, axis=0, return_index=True, return_inverse=True)
        words = np.empty(len(first), dtype=object)
        for k, row in enumerate(letters[first].tolist()):
            words[k] = tuple(self.model.symbols[i] for i in row if i != _ENDED)
        return words, np.asarray(which).reshape(-1)


def word_sampler(scenario: Scenario) -> WordSampler:
    """The sampler of a scenario's model at its horizon."""
    horizon = scenario.require_horizon()
    if horizon == "any":
        raise UsageError(
            'sampling needs a finite horizon: give --horizon N ("faier epsilon" takes every length)'
        )
    if horizon > 10_000:
        raise UsageError(f"sampling words of {horizon:,} symbols is too much; give a shorter horizon")
    return WordSampler(scenario.model, horizon)


def _pick(
    cumulated: npt.NDArray[np.float64], state: npt.NDArray[np.int64], generator: np.random.Generator
) -> Any:
    """A column for each row `state`, with the probabilities whose sums are given."""
    chance = generator.random(len(state))
    chosen = np.empty(len(state), dtype=np.int64)
    for s in np.unique(state):
        here = state == s
        row = cumulated[s]
        # The last column that has any probability takes what rounding leaves over.
        last = int(np.argmax(row >= row[-1]))
        chosen[here] = np.minimum(np.searchsorted(row, chance[here], side="right"), last)
    return chosen


def _dense(table: Any, rows: int, columns: int) -> npt.NDArray[np.float64]:
    dense = np.zeros((rows, columns))
    dense[table.row_of, table.indices] = table.floats
    return dense


def _weights(distribution: Distribution) -> tuple[list[Hashable], npt.NDArray[np.float64]]:
    if not distribution.is_constant:
        names = ", ".join(sorted(distribution.parameters)) or "powers of e"
        raise UsageError(f"the probabilities depend on {names}; give them values (--set) before sampling")
    weights = np.array([float(w) if isinstance(w, Fraction) else 0.0 for w in distribution.values()])
    return list(distribution), weights / weights.sum()
