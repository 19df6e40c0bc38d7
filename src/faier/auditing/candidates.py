"""Which events may tell two samples apart: values, bounds, sets, products over positions, prefixes, distances."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from .event import Counts, Event, Output, among, at_least, at_most, begins, fixed, is_number, near

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_MOST_POSITIONS = 12
_MOST_VALUES = 16
_MOST_BOUNDS = 400
_MOST_CELLS = 8_000_000


@dataclass(frozen=True)
class Family:
    """Events of one kind with their counts on both sides; `event(k)` makes number k."""

    kind: str
    left: Ints
    right: Ints
    event: Callable[[int], Event]

    def __len__(self) -> int:
        return len(self.left)


class Table:
    """All outputs seen on either side, with how often among `samples` on each."""

    def __init__(self, left: Counts, right: Counts, samples: int):
        self.outputs: list[Any] = list(dict.fromkeys((*left, *right)))
        self.left = np.array([left.get(o, 0) for o in self.outputs], dtype=np.int64)
        self.right = np.array([right.get(o, 0) for o in self.outputs], dtype=np.int64)
        self.samples = samples


def families(table: Table, kinds: Sequence[str] | None = None) -> Iterator[Family]:
    """The families of events that fit the outputs; `kinds` picks some of them."""
    for kind, build in KINDS.items():
        if kinds is None or kind in kinds:
            yield from build(table)


def _values(table: Table) -> Iterator[Family]:
    """Each output by itself."""
    yield Family("value", table.left, table.right, lambda k: among((table.outputs[k],)))


def _sets(table: Table) -> Iterator[Family]:
    """The outputs with the largest quotients of frequencies, one more each time: the histogram attack.

    By the lemma of Neyman and Pearson the best event of each size is among these when the frequencies are exact.
    """
    if len(table.outputs) < 3:
        return
    half = np.array(0.5)
    order = np.argsort(-(table.left + half) / (table.right + half), kind="stable")
    # Outputs seen a few times only have quotients that mean nothing; the event is a prefix of what remains.
    order = order[(table.left + table.right)[order] >= min(8, 1 + table.samples // 1_000)]
    if len(order) < 2:
        return
    yield Family(
        "set",
        np.cumsum(table.left[order]),
        np.cumsum(table.right[order]),
        lambda k: among(tuple(table.outputs[i] for i in order[: k + 1])),
    )


def _bounds(table: Table) -> Iterator[Family]:
    """Numbers at most, and at least, each of the numbers seen."""
    if all(is_number(o) for o in table.outputs):
        yield from _bounds_of(table.outputs, table.left, table.right, None)
        return
    for position in range(min(_MOST_POSITIONS, _least_length(table))):
        column = [o[position] for o in table.outputs]
        if all(is_number(v) for v in column):
            yield from _bounds_of(column, table.left, table.right, position)


def _bounds_of(numbers: Sequence[Any], left: Ints, right: Ints, position: int | None) -> Iterator[Family]:
    values = sorted(set(numbers))
    if len(values) < 3:
        return
    place = {v: k for k, v in enumerate(values)}
    index = np.array([place[v] for v in numbers])
    one, two = _summed(index, left, len(values)), _summed(index, right, len(values))
    chosen = np.unique(np.linspace(0, len(values) - 1, min(len(values), _MOST_BOUNDS)).astype(np.int64))
    yield Family("at most", one[chosen], two[chosen], lambda k: at_most(values[chosen[k]], position))
    # What is at least a value is everything but what is at most the one before it.
    above_one, above_two = (np.append(one[-1], one[-1] - one[:-1]), np.append(two[-1], two[-1] - two[:-1]))
    yield Family(
        "at least", above_one[chosen], above_two[chosen], lambda k: at_least(values[chosen[k]], position)
    )


def _products(table: Table) -> Iterator[Family]:
    """One value at a position, and two values at two positions."""
    length = min(_MOST_POSITIONS, _least_length(table))
    if length < 2:
        return
    columns: list[dict[Any, npt.NDArray[np.bool_]]] = []
    for position in range(length):
        column = [o[position] for o in table.outputs]
        values = list(dict.fromkeys(column))
        masks = {v: np.array([x == v for x in column]) for v in values} if len(values) <= _MOST_VALUES else {}
        columns.append(masks)
    singles: list[tuple[dict[int, Any], npt.NDArray[np.bool_]]] = [
        ({i: v}, mask) for i, masks in enumerate(columns) for v, mask in masks.items()
    ]
    pairs = []
    if len(singles) <= 64 and length > 2 and len(singles) ** 2 * len(table.outputs) <= _MOST_CELLS:
        pairs = [
            ({**a, **b}, mask_a & mask_b)
            for (a, mask_a), (b, mask_b) in combinations(singles, 2)
            if a.keys() != b.keys()
        ]
    events = singles + pairs
    shown = np.array([mask for _, mask in events], dtype=np.int64).reshape(len(events), len(table.outputs))
    yield Family("position", shown @ table.left, shown @ table.right, lambda k: fixed(events[k][0]))


def _prefixes(table: Table) -> Iterator[Family]:
    """Words that begin in the same way."""
    if not all(isinstance(o, tuple) for o in table.outputs) or max(map(len, table.outputs), default=0) < 2:
        return
    counts: dict[tuple[Output, ...], list[int]] = {}
    for output, left, right in zip(table.outputs, table.left.tolist(), table.right.tolist(), strict=True):
        for end in range(1, len(output)):
            both = counts.setdefault(output[:end], [0, 0])
            both[0] += left
            both[1] += right
    prefixes = list(counts)
    numbers = np.array(list(counts.values()), dtype=np.int64).reshape(-1, 2)
    yield Family("prefix", numbers[:, 0], numbers[:, 1], lambda k: begins(prefixes[k]))


def _distances(table: Table) -> Iterator[Family]:
    """Words that differ from the commonest word of either side in few positions."""
    length = _least_length(table)
    if length < 2 or any(len(o) != length for o in table.outputs):
        return
    for weights in (table.left, table.right):
        centre = table.outputs[int(np.argmax(weights))]
        far = np.array([sum(a != b for a, b in zip(o, centre, strict=True)) for o in table.outputs])
        yield Family(
            "distance",
            _summed(far, table.left, length + 1),
            _summed(far, table.right, length + 1),
            partial(near, centre),
        )


def _summed(index: Ints, weights: Ints, size: int) -> Ints:
    """How many samples have at most each index."""
    return np.cumsum(np.bincount(index, weights=weights, minlength=size)).astype(np.int64)


def _least_length(table: Table) -> int:
    """The positions that every output has; 0 where outputs are no tuples."""
    if not table.outputs or not all(isinstance(o, tuple) for o in table.outputs):
        return 0
    return min(map(len, table.outputs))


KINDS: dict[str, Callable[[Table], Iterator[Family]]] = {
    "value": _values,
    "set": _sets,
    "bound": _bounds,
    "position": _products,
    "prefix": _prefixes,
    "distance": _distances,
}


def expected_bound(left: Ints, right: Ints, n: int, judge: int) -> Floats:
    """The logarithm of the ratio that an event can be expected to prove, with `judge` fresh samples on each side.

    The doubt about its counts here (n on each side) and the width of the confidence bound there are taken off.
    """
    with np.errstate(divide="ignore"):
        estimate = np.log(left / n) - np.log((right + 0.5) / n)
        search = 1 / left - 1 / n + 1 / (right + 0.5)
        later = search * (n / judge)
    found = estimate - 2.0 * np.sqrt(search) - 1.7 * np.sqrt(later)
    return np.where(left >= 3, found, -math.inf)


def significance(left: Ints, right: Ints, n: int, ratio: float) -> Floats:
    """How many standard deviations an event lies above `ratio`."""
    p, q = left / n, right / n
    spread = np.sqrt((p * (1 - p) + ratio**2 * q * (1 - q)) / n + 1 / n**2)
    return np.asarray((p - ratio * q) / spread, dtype=np.float64)
