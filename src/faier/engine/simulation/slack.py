"""Sums of rows that stay below a target: small linear programs in floats, a few of the rows at a time."""

from __future__ import annotations

import numpy as np

from faier.comparison import Floats, Ints

from .highs import Slack

_AT_FIRST = 60
_MORE = 40
_ROUNDS = 8
_ENOUGH = 1e-3
_NEGATIVE = -1e-12
_FAILED = -2.0
_MOST_HELP = -1e5


class Slacks:
    """One solver for many such programs."""

    def __init__(self) -> None:
        self._solver = Slack()

    def below(self, rows: Floats, target: Floats) -> tuple[float, Floats, Floats | None]:
        """t and s >= 0 with s rows + t <= target in every entry: t > 0 where that was found.

        Else also prices >= 0 of the entries, at which the target is negative and no row is: they show that there is no
        such t. Entries of the target lie between -1 and 1. A t of some size is enough, the largest is not looked for.
        """
        # A solver takes numbers as small as 1e-9 for 0. What helps may be cut off, but not what does harm.
        harm = rows.max(axis=1, initial=0.0)
        scale = np.where(harm > 0, harm, np.abs(rows).max(axis=1, initial=0.0))
        usable = np.flatnonzero(np.isfinite(scale) & (scale > 0))
        result = np.zeros(len(rows))
        if not len(usable):
            return float(target.min(initial=1.0)), result, np.eye(1, len(target), int(np.argmin(target)))[0]
        with np.errstate(over="ignore"):
            scaled = np.maximum(rows[usable] / scale[usable, None], _MOST_HELP)
        more = _promising(scaled, target)
        chosen, shown = more[:0], None
        for _ in range(_ROUNDS):
            chosen = np.concatenate([chosen, more])
            found = self._solver.largest(scaled[chosen], target, _ENOUGH)
            if found is None:
                return _FAILED, result, None
            slack, weights, prices = found
            if slack >= _ENOUGH:
                break
            # A row that is negative at these prices may help.
            worth = scaled @ prices
            worth[chosen] = 0.0
            more = np.argsort(worth, kind="stable")[:_MORE]
            more = more[worth[more] < _NEGATIVE]
            if not len(more):
                shown = prices
                break
        with np.errstate(over="ignore"):
            result[usable[chosen]] = weights / scale[usable[chosen]]
        return slack, result, shown


def _promising(scaled: Floats, target: Floats) -> Ints:
    """All rows where they are few, else those that are most like the target."""
    if len(scaled) <= _AT_FIRST:
        return np.arange(len(scaled))
    like = scaled @ target / np.linalg.norm(scaled, axis=1)
    return np.argsort(-like, kind="stable")[:_AT_FIRST]
