"""Hidden Markov models learned from the words of both sides, and the epsilon between them: an estimate."""

from __future__ import annotations

import logging
import math
from fractions import Fraction
from typing import Any

import numpy as np

from faier import engine
from faier.auditing.event import Counts
from faier.combined import Learned
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.number.rational_function import RationalFunction
from faier.scenario.scenario import Claim, Pair, Scenario

_MOST_STATES = 3
_TURNS = 25
_MOST_WORDS = 600
_GRAIN = 10**6
_SECONDS = 20.0


def learn_hmm(left: Counts, right: Counts, seed: int) -> Learned | None:
    """Fit a model to the words of each side, and compare the two; None without hmmlearn.

    The number of hidden states of each, 1 to 3, is the one of the least Bayesian information criterion.
    """
    try:
        from hmmlearn import hmm  # noqa: F401
    except ImportError:
        return None
    symbols = list(dict.fromkeys(s for word in (*left, *right) if isinstance(word, tuple) for s in word))
    length = len(next(word for word in left if isinstance(word, tuple)))
    fitted = [_fit(side, symbols, length, seed) for side in (left, right)]
    tight = engine.epsilon(_scenario(fitted, symbols, length), seconds=_SECONDS)
    assert not isinstance(tight.ratio.lower, RationalFunction)
    assert not isinstance(tight.ratio.upper, RationalFunction)
    low, high = (max(0.0, math.log(x)) if x > 0 else 0.0 for x in (tight.ratio.lower, tight.ratio.upper))
    samples = sum(left.values()) + sum(right.values())
    return Learned("hmm", low, high, None, len({*left, *right}), samples)


def _fit(side: Counts, symbols: list[Any], length: int, seed: int) -> Any:
    """The best model of one side's words."""
    from hmmlearn.hmm import CategoricalHMM

    place = {s: k for k, s in enumerate(symbols)}
    words = [
        ([place[s] for s in word], n) for word, n in side.items() if isinstance(word, tuple)
    ]
    # A few thousand words say what a small model can know; they are the commonest, as often as they came.
    words = sorted(words, key=lambda item: -item[1])[:_MOST_WORDS]
    share = min(1.0, _MOST_WORDS / sum(n for _, n in words))
    repeated = [word for word, n in words for _ in range(max(1, round(n * share)))]
    rows, lengths = np.array(repeated).reshape(-1, 1), [length] * len(repeated)
    best, score = None, math.inf
    # That a fit has not converged is no news: it is an estimate.
    logging.getLogger("hmmlearn").setLevel(logging.ERROR)
    for states in range(1, _MOST_STATES + 1):
        model = CategoricalHMM(states, n_features=len(symbols), n_iter=_TURNS, random_state=seed % 2**32)
        model.fit(rows, lengths)
        if (found := float(model.bic(rows, lengths))) < score:
            best, score = model, found
    return best


def _scenario(fitted: list[Any], symbols: list[Any], length: int) -> Scenario:
    """Both models as one with states of their own, probabilities rounded to millionths, as a question."""
    emit: dict[Any, Any] = {}
    step: dict[Any, Any] = {}
    starts: list[tuple[str, dict[Any, Fraction]]] = []
    for name, model in zip(("learned left", "learned right"), fitted, strict=True):
        states = [f"{name} {k + 1}" for k in range(model.n_components)]
        for state, shown, moves in zip(states, model.emissionprob_, model.transmat_, strict=True):
            emit[state] = dict(zip(symbols, _rounded(shown), strict=True))
            step[state] = dict(zip(states, _rounded(moves), strict=True))
        starts.append((name, dict(zip(states, _rounded(model.startprob_), strict=True))))
    hmm = HMM(emit=emit, step=step)
    one, two = (Belief.of(name, weights, hmm) for name, weights in starts)
    return Scenario(hmm, (Pair(one, two),), Claim(horizon=length))


def _rounded(row: Any) -> list[Fraction]:
    """Multiples of a millionth that sum to 1, none of them 0: what was not seen yet is unlikely, not impossible."""
    parts = [max(1, round(float(x) * _GRAIN)) for x in row]
    parts[int(np.argmax(parts))] += _GRAIN - sum(parts)
    return [Fraction(p, _GRAIN) for p in parts]
