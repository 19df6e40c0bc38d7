"""The worst direction at a ratio: floats say which may be, exact rows which is. [T10, T6]"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from faier.comparison import Comparison, Floats, Ints
from faier.engine.columns import Columns, TooSmall
from faier.engine.progress import Limits, Stopped

from .excess import Excess, excess

_FEW_DIRECTIONS = 8
_LARGEST_RATIO = 2**40
_BLOCK_ENTRIES = 4_000_000


def worst(
    comparison: Comparison,
    ratio: Fraction,
    limits: Limits,
    *,
    threshold: Fraction | None = None,
    tolerance: Fraction = Fraction(0),
) -> Excess:
    """The direction of the largest delta at a ratio, the first among equals; `upper` bounds delta of all directions.

    With a threshold only the side of it on which the largest delta lies is asked for: one direction that exceeds it
    ends the search, and then `upper` speaks of the directions looked at so far.
    """
    found: Excess | None = None
    stopped = False
    for direction in candidates(comparison, ratio, limits):
        one = excess(
            comparison, direction, ratio, limits,
            threshold=threshold, tolerance=tolerance, longest=0 if stopped else None,
        )  # fmt: skip
        found = one if found is None else _worse(found, one)
        if threshold is not None and found.lower > threshold:
            return found
        # Where a limit was reached the others are bounded by their first rows alone.
        stopped = found.reason is not None
    assert found is not None
    return found


def distinct(comparison: Comparison) -> list[int]:
    """The directions, but of those between the same two beliefs only the first."""
    seen: dict[tuple[int, int], int] = {}
    for number, d in enumerate(comparison.directions):
        seen.setdefault((d.left, d.right), number)
    return list(seen.values())


def at_most(comparison: Comparison, ratio: Fraction) -> Fraction:
    """A quick upper bound of delta of all directions, from their first rows alone."""
    limits = Limits()
    return max(excess(comparison, d, ratio, limits, longest=0).upper for d in distinct(comparison))


def candidates(comparison: Comparison, ratio: Fraction, limits: Limits) -> list[int]:
    """Directions among which is one of the largest delta, the most promising first."""
    directions = distinct(comparison)
    if len(comparison.scenario.choices) > 1:
        return directions
    if len(directions) <= _FEW_DIRECTIONS or ratio > _LARGEST_RATIO or not _may_list(comparison):
        return directions
    try:
        columns = Columns(comparison, limits)
        near, error = _estimates(columns, float(ratio))
    except (TooSmall, Stopped):
        return directions
    kept = np.flatnonzero(near >= near.max() - 2 * error)
    kept = kept[np.argsort(-near[kept], kind="stable")]
    return [int(columns.asked[k]) for k in kept]


def _may_list(comparison: Comparison) -> bool:
    from faier.engine import words_are_few

    return words_are_few(comparison)


def _estimates(columns: Columns, ratio: float) -> tuple[Floats, float]:
    """Delta of every direction asked, in floats, and how far each may be from the truth.

    A value is within a relative `columns.error` of the true one, so left - ratio * right is off by at most that share
    of left + ratio * right, and so is its positive part. All lefts add up to 1, and all rights. Rounding the ratio,
    the product, the difference and the sums adds a few units in the last place for each word.
    """
    near = np.zeros(len(columns.left))
    words, relative = 0, 0.0
    for batch in columns.walk():
        words += batch.values.shape[1]
        relative = max(relative, columns.error(batch))
        _add(near, batch.values, columns.left, columns.right, ratio)
    error = (1 + ratio) * (2 * relative + 2.0**-51 * (words + 8))
    return near, error


def _add(near: Floats, values: Floats, left: Ints, right: Ints, ratio: float) -> None:
    block = max(1, _BLOCK_ENTRIES // max(1, values.shape[1]))
    for start in range(0, len(left), block):
        which = slice(start, start + block)
        near[which] += np.maximum(values[left[which]] - ratio * values[right[which]], 0.0).sum(axis=1)


def _worse(one: Excess, other: Excess) -> Excess:
    """Whichever shows more, with the larger of the upper bounds."""
    order = other.lower - one.lower or Fraction(one.direction - other.direction)
    return replace(
        other if order > 0 else one,
        upper=max(one.upper, other.upper),
        depth=max(one.depth, other.depth),
        reason=one.reason or other.reason,
    )
