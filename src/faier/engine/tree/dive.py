"""A quick look ahead: a narrow beam that follows the worst prefixes, for a good word to start from."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import numpy as np

from faier.comparison import Comparison, Floats
from faier.engine.progress import Limits, Stopped
from faier.engine.words import Found, counts, extend, is_far, row_after
from faier.engine.words import ratio as exact_ratio
from faier.number.exact import Extended

from .batch import NO, Batch, bounds, compare, quotients, rounded
from .follow import follow
from .search import Search

_DEEPEST = 400
_AT_LEAST = 16
_REPLAY = 50_000_000
_PATIENCE = 12
_FAR = 2.0**300
_TINY = 1e-10


def dive(
    comparison: Comparison,
    limits: Limits,
    *,
    slack: float = 1e-11,
    width: int = 32,
    patient: bool = True,
    enough: Fraction | None = None,
) -> tuple[Found | None, Extended]:
    """Return the worst counted word met, with its exact ratio; no promise that it is the worst of all.

    A shorter word is preferred that is within a relative `slack` of the worst. Without patience, words are not
    followed to a far horizon once they stop getting worse. Where words of every length count, they are not followed
    further than to a ratio that is above `enough`.
    """
    search = Search(comparison, limits)
    beam = search.roots()
    length = comparison.length
    best: list[tuple[float, int, bool]] = []
    top, since = 0.0, 0
    for depth in range(1, (length or _deepest(comparison)) + 1):
        level: list[Batch] = []
        for batch in search.expand(beam):
            level.append(batch)
            _, prefix, ended = search.measure(batch)
            if length is None or depth == length or not comparison.both:
                best += _top(batch, prefix, False, comparison.both)
            if ended is not None and (length is None or depth < length):
                best += _top(batch, ended, True, comparison.both)
        if not level or limits.reached():
            break
        beam = _narrow(Batch.join(level), width)
        best = _shortlist(search, best, slack)
        if (now := max((b[0] for b in best), default=0.0)) > top:
            since = 0 if now > top * (1 + slack) else since + 1
            top = now
        else:
            since += 1
        if top > _FAR and length is not None and not comparison.both:
            prefix = quotients(beam, beam.left.sum(axis=1), beam.right.sum(axis=1))
            if followed := follow(comparison, search, _top(beam, prefix, False, False), limits):
                return followed
        if top > _FAR or (length is None and enough is not None and _above(top, enough)):
            break
        if since >= _PATIENCE and (length is None or (not patient and depth >= _DEEPEST)):
            break
    limits.effort.followed = depth
    near_only = not patient or limits.reached() is not None
    return _exact_best(comparison, search, best, slack, near_only=near_only)


def _deepest(comparison: Comparison) -> int:
    """How far to go where words of every length count: the exact numbers of a word grow with every letter."""
    automaton = comparison.automaton
    a_letter = automaton.model.step.stored * automaton.exact.common.bit_length() // 64
    return min(_DEEPEST, max(_AT_LEAST, isqrt(_REPLAY // max(1, a_letter))))


def _above(top: float, enough: Fraction) -> bool:
    """Whether the ratio is well above, so that its exact value is too."""
    return bool(compare(np.array([top]), enough, np.array([1e-6]))[0] == NO)


def _shortlist(
    search: Search, found: list[tuple[float, int, bool]], slack: float
) -> list[tuple[float, int, bool]]:
    """The readings within `slack` of the largest, the shortest words first and among those the worst."""
    top = max((value for value, _, _ in found), default=0.0)
    near = [f for f in found if f[0] >= top * (1 - slack)]
    return sorted(near, key=lambda f: (search.nodes.depth[f[1]], -_digits(f[0]), f[1]))[:16]


def _top(batch: Batch, value: Floats, ended: bool, both: bool) -> list[tuple[float, int, bool]]:
    usable = np.isfinite(value) if both else ~np.isnan(value)
    which = np.flatnonzero(usable & (value > 0))
    if not len(which):
        return []
    order = which[np.argsort(-value[which], kind="stable")[:16]]
    return [(float(value[k]), int(batch.ids[k]), ended) for k in order]


def _narrow(batch: Batch, width: int) -> Batch:
    """The worst prefixes, without those whose rows look the same as one already taken."""
    prefix = quotients(batch, batch.left.sum(axis=1), batch.right.sum(axis=1))
    key = np.nan_to_num(prefix, nan=0.0, posinf=1e308)
    bound = np.nan_to_num(bounds(batch), nan=0.0, posinf=1e308)
    chosen: list[int] = []
    seen: set[bytes] = set()
    weights = np.arange(1, batch.left.shape[1] + 1) / batch.left.shape[1]
    mean = (batch.left @ weights) / np.maximum(batch.left.sum(axis=1), 1e-300)
    looks = rounded(np.stack([key, bound, mean], axis=1))
    # Among equals the first: their last bits say nothing.
    for k in np.lexsort((batch.ids, -looks[:, 1], -looks[:, 0])).tolist():
        look = looks[k].tobytes()
        if look in seen:
            continue
        seen.add(look)
        chosen.append(k)
        if len(chosen) == width:
            break
    return batch.pick(np.array(chosen, dtype=np.int64))


def _digits(value: float) -> float:
    return float(f"{value:.10g}")


def _exact_best(
    comparison: Comparison,
    search: Search,
    candidates: list[tuple[float, int, bool]],
    slack: float,
    *,
    near_only: bool,
) -> tuple[Found | None, Extended]:
    result: Found | None = None
    worst: Extended = Fraction(0)
    shortest = min((search.nodes.depth[node] for _, node, _ in candidates), default=0)
    near = [c for c in candidates if slack <= _TINY or search.nodes.depth[c[1]] == shortest]
    near.sort(key=lambda c: (int(search.nodes.depth[c[1]]), -_digits(c[0]), int(search.nodes.direction[c[1]]), c[1]))
    several = slack <= _TINY and (comparison.length or 0) <= _DEEPEST
    for _, node, ended in near[: 8 if several else 1]:
        if result is not None and search.limits.reached():
            break
        found = Found(int(search.nodes.direction[node]), search.nodes.letters(node), ended)
        if not counts(comparison, found):
            if comparison.both or (near_only and is_far(comparison, found)):
                continue
            try:
                found = extend(comparison, found, search.limits)
            except Stopped:
                continue
        row = row_after(comparison, found.direction, found.letters)
        left, right = row.ended(comparison.automaton.done) if found.ended else row.prefix()
        if comparison.both and (left == 0 or right == 0):
            continue
        if (value := exact_ratio(left, right)) > worst:
            result, worst = found, value
    return result, worst
