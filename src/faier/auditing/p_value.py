"""Is an event more than `ratio` times as likely on the left? An exact test from the counts of two samples.

Of the tests for the ratio of two binomial probabilities this is the unconditional one: the p-value is the largest
probability, over all values of the unknown probability on the right, of counts at least as extreme as those
observed. Following R. Berger and D. Boos (P values maximized over a confidence set for the nuisance parameter, 1994)
the values are those of a confidence interval, and what the interval may miss is added. Nothing is assumed about the
size of samples, and every approximation errs on the side of not rejecting.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from types import ModuleType

import numpy as np
import numpy.typing as npt

from faier.errors import UsageError

Floats = npt.NDArray[np.float64]

_MISSED = 1e-5
_CELLS = 128
_SPREAD = 6.5
_BLOCKS = 160


def p_value(
    left: int, right: int, n_left: int, n_right: int, ratio: float, *, missed: float = _MISSED
) -> float:
    """Guarantee: where P(left) <= ratio * P(right), this is at most a with probability at most a.

    `left` of `n_left` samples on the left were in the event, and `right` of `n_right` on the right. `missed` is how
    often the interval may miss the probability on the right; no p-value is smaller.
    """
    if ratio <= 0:
        return 0.0 if left > 0 else 1.0
    return _largest(left, right, n_left, n_right, (ratio, ratio), missed)


def _largest(
    left: int, right: int, n_left: int, n_right: int, ratios: tuple[float, float], missed: float
) -> float:
    """Guarantee: at least the p-value of every ratio between the two."""
    if left / n_left - ratios[1] * right / n_right <= 0:
        return 1.0
    low, high = interval(right, n_right, 1 - missed)
    ends = np.linspace(low, high, _CELLS + 1)
    # The tail grows with the left probability and falls with the right one, so over a cell of right probabilities it is
    # at most that of the cell's largest left and least right.
    worst = _tails((left, right), (n_left, n_right), ratios, ratios[1] * ends[1:], ends[:-1]).max()
    return min(1.0, float(worst) + missed)


def lower_bound(left: int, right: int, n_left: int, n_right: int, confidence: float) -> float:
    """Guarantee: at most P(left) / P(right), but for a probability of 1 - `confidence`."""
    if left == 0:
        return 0.0
    level = 1 - confidence
    missed = level / 50

    def rejected(logarithm: float) -> bool:
        return p_value(left, right, n_left, n_right, math.exp(logarithm), missed=missed) <= level

    def all_rejected(above: float, logarithm: float) -> bool:
        ratios = math.exp(above), math.exp(logarithm)
        return _largest(left, right, n_left, n_right, ratios, missed) <= level

    # Bisection over the logarithm, from where the normal approximation expects it.
    width = math.sqrt(1 / left + 1 / (right + 0.5))
    estimate = math.log((left / n_left) / ((right + 0.5) / (n_right + 0.5)))
    deviations = float(_special().ndtri(confidence))
    low, high = estimate - (deviations + 0.3) * width, estimate - (deviations - 0.2) * width
    while not rejected(low):
        low, high = low - width, low
        if low < -60:
            return 0.0
    while rejected(high):
        low, high = high, high + width
    while high - low > 0.02 * width:
        middle = (low + high) / 2
        if rejected(middle):
            low = middle
        else:
            high = middle
    return math.exp(_without_gaps(low, width, all_rejected))


def _without_gaps(top: float, width: float, all_rejected: Callable[[float, float], bool]) -> float:
    """A logarithm of at most `top` below which every ratio is rejected: p-values need not grow with the ratio.

    Downwards, stretch by stretch; where none is short enough to be shown, the search begins again below.
    """
    reached, length = top, width / 64
    while not all_rejected(-math.inf, reached):
        if reached < -60:
            return -math.inf
        if length < width / 4096:
            top = reached = reached - width / 50
            length = width / 64
        elif all_rejected(reached - length, reached):
            reached, length = reached - length, 2 * length
        else:
            length /= 4
    return top


def interval(count: int, n: int, confidence: float) -> tuple[float, float]:
    """The interval of C. Clopper and E. Pearson (1934): it misses the probability at most 1 - `confidence` often."""
    special, rest = _special(), (1 - confidence) / 2
    low = 0.0 if count == 0 else float(special.betaincinv(count, n - count + 1, rest))
    high = 1.0 if count == n else float(special.betaincinv(count + 1, n - count, 1 - rest))
    return low, high


def _tails(
    seen: tuple[int, int], n: tuple[int, int], ratios: tuple[float, float], left: Floats, right: Floats
) -> Floats:
    """Guarantee: at least P(K/n_left - ratio * M/n_right >= what was seen) of every ratio between the two, for each
    pair of probabilities.

    M is taken in blocks, each as its least value, which makes the tail larger; what lies beyond them counts in full.
    """
    n_left, n_right = n
    special = _special()
    left, right = np.minimum(left, 1.0)[:, None], right[:, None]
    centre, spread = n_right * right, np.sqrt(n_right * right * (1 - right))
    first = np.maximum(0, np.floor(centre - _SPREAD * spread - 20))
    last = np.minimum(n_right, np.ceil(centre + _SPREAD * spread + 20))
    blocks = int(min(_BLOCKS, (last - first).max() + 1))
    edges = np.floor(first + (last + 1 - first) * (np.arange(blocks + 1) / blocks))
    # P(M < edge) at every edge; what lies below the first edge and beyond the last is left over.
    below = np.where(edges <= 0, 0.0, special.bdtr(np.clip(edges - 1, 0, n_right), n_right, right))
    weights = np.maximum(np.diff(below, axis=1), 0.0)
    # What M lies above the number seen counts the less, and what it lies below it the more, the larger the ratio is.
    more = edges[:, :-1] - seen[1]
    least = seen[0] + n_left * np.where(more < 0, ratios[1], ratios[0]) * more / n_right
    # The observed counts themselves are as extreme as observed, whatever the last digit says.
    least = np.ceil(least - 1e-9 * (1 + np.abs(least)))
    reached = special.bdtrc(np.clip(least - 1, 0, n_left), n_left, left)
    reached = np.where(least <= 0, 1.0, np.where(least > n_left, 0.0, reached))
    return np.asarray((weights * reached).sum(axis=1) + np.maximum(0.0, 1.0 - weights.sum(axis=1)))


@lru_cache(maxsize=1)
def _special() -> ModuleType:
    try:
        from scipy import special
    except ImportError as error:
        raise UsageError("auditing needs scipy: pip install 'faier[audit]'") from error
    return special
