"""A model learned from samples, where there is none to read: always an estimate, never a proof."""

from __future__ import annotations

import math
from typing import Any

from faier.auditing.event import Counts
from faier.auditing.p_value import interval
from faier.auditing.sampler import Sampler, counts
from faier.auditing.search import seed_of
from faier.combined import Learned

from .learned_hmm import learn_hmm

_MOST_OUTPUTS = 100_000


def learn(sampler: Sampler, pair: tuple[Any, Any], samples: int, seed: int, confidence: float) -> Learned:
    """Enclose the epsilon of one pair from fresh samples.

    Outputs that are words are learned as a hidden Markov model where hmmlearn is there (an estimate without bounds);
    anything else as a table with exact confidence intervals, which hold together with the given confidence.
    """
    left, right = (counts(sampler, data, samples, seed_of(seed, 5, k)) for k, data in enumerate(pair))
    if _are_words(left) and _are_words(right) and (found := learn_hmm(left, right, seed)) is not None:
        return found
    return learn_table(left, right, samples, confidence)


def learn_table(left: Counts, right: Counts, samples: int, confidence: float) -> Learned:
    """The largest quotient of probabilities, both ways round, over the outputs that were seen.

    Guarantee: with probability `confidence` the true one of these outputs lies between low and high.
    """
    outputs = list(dict.fromkeys((*left, *right)))
    # Each of the 2 m probabilities may be missed with probability (1 - confidence) / (2 m).
    each = 1 - (1 - confidence) / (2 * len(outputs))
    low = high = 0.0
    for output in outputs:
        p = interval(left.get(output, 0), samples, each)
        q = interval(right.get(output, 0), samples, each)
        low = max(low, _log(p[0], q[1]), _log(q[0], p[1]))
        high = max(high, _log(p[1], q[0]), _log(q[1], p[0]))
    return Learned("table", low, high, confidence, len(outputs), 2 * samples)


def _log(above: float, below: float) -> float:
    if above == 0:
        return -math.inf
    return math.inf if below == 0 else math.log(above / below)


def _are_words(found: Counts) -> bool:
    """Whether the outputs are words of one length over few symbols."""
    outputs = list(found)
    if len(outputs) > _MOST_OUTPUTS or not all(isinstance(o, tuple) and len(o) > 1 for o in outputs):
        return False
    lengths = {len(o) for o in outputs if isinstance(o, tuple)}
    symbols = {s for o in outputs if isinstance(o, tuple) for s in o}
    return len(lengths) == 1 and len(symbols) <= 64
