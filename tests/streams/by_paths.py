"""Secrets inside a run by their definition: all paths of states and symbols, listed. Shares nothing with faier."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any


def paths(model: Any, start: dict[Any, Fraction], steps: int) -> Iterator[tuple[tuple[Any, ...], Fraction]]:
    """Every path of `steps` states, or shorter where its run ends, with its probability."""
    step = model.step_rows()
    found = [((s,), p) for s, p in start.items() if p]
    for _ in range(steps - 1):
        longer = []
        for path, p in found:
            if path[-1] in step:
                longer += [((*path, t), p * q) for t, q in step[path[-1]].items()]
            else:
                yield path, p
        found = longer
    yield from found


def ratios(
    model: Any, start: dict[Any, Fraction], at: int, left: set[Any], right: set[Any], horizon: int, both: bool
) -> list[Fraction | float]:
    """left / right of every counted word, given that the state at step `at` is among left, or right."""
    emit = model.emit_rows()
    sides = []
    for among in (left, right):
        weights: dict[tuple[tuple[Any, ...], bool], Fraction] = {}
        for path, p in paths(model, start, max(at, horizon + 1)):
            if len(path) < at or path[at - 1] not in among:
                continue
            ended = len(path) < horizon
            shown = path[:horizon]
            for word in product(*(emit[s] for s in shown)):
                chance = p
                for state, symbol in zip(shown, word, strict=True):
                    chance *= emit[state][symbol]
                if chance:
                    weights[word, ended] = weights.get((word, ended), Fraction(0)) + chance
        total = sum(weights.values(), Fraction(0))
        if total == 0:
            return []
        sides.append({word: p / total for word, p in weights.items()})
    words = sides[0].keys() & sides[1].keys() if both else sides[0].keys() | sides[1].keys()
    return [sides[0].get(w, Fraction(0)) / sides[1][w] if w in sides[1] else inf for w in words]
