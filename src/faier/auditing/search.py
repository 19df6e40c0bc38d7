"""Looks for the pair and the event that tell most, on samples that will not judge them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .attack import Classifier, learned
from .candidates import Table, expected_bound, families, significance
from .event import Counts, Event, Output, among
from .sampler import Sampler, counts

_ROUNDS_LEAST = 500
_SHARE = 0.5
_FIRST = 1_000_000
_MANY_PAIRS = 40
_FEW_OUTPUTS = 400

Keep = Callable[[Any, Any, Output], bool]
"""Whether an output counts for a pair: of some claims only those that both sides can produce."""


@dataclass(frozen=True)
class Candidate:
    """An event for an ordered pair of data sets, with what the search expects of it."""

    left: Any
    right: Any
    event: Event
    score: float
    place: int


@dataclass
class Search:
    """Pairs both ways round, halved round by round as samples grow; `tried` and `drawn` count what was looked at.

    `classifier` says which classifier proposes events, if any; `found` has for each goal the best candidate of each
    pair, the best first. Of very many pairs those numbered in `first` are never left out unseen.
    Of those numbered in `one_way` only what the left shows more often than the right is looked for.
    """

    sampler: Sampler
    pairs: Sequence[tuple[Any, Any]]
    seed: int
    judge: int
    kinds: Sequence[str] | None = None
    classifier: Classifier | None = None
    listen: Callable[[int, int, float], None] | None = None
    keep: Keep | None = None
    first: Sequence[int] = ()
    one_way: Collection[int] = ()
    tried: int = 0
    drawn: int = 0
    found: dict[str, list[Candidate]] = field(default_factory=dict)

    def run(self, budget: int, ratio: float | None) -> None:
        """Fill `found`: "bound", the events that promise the largest lower bounds, and with a `ratio` "claim",
        those that contradict it most clearly. `budget` samples are drawn in all, as near as rounds allow.
        """
        alive = (
            self._promising(budget // 4) if len(self.pairs) > _MANY_PAIRS else list(range(len(self.pairs)))
        )
        rounds = max(1, math.ceil(math.log2(max(2, len(alive)))))
        for number in range(rounds):
            data = list(dict.fromkeys(x for k in alive for x in self.pairs[k]))
            n = max(_ROUNDS_LEAST, budget // (rounds * len(data)))
            last = number == rounds - 1
            seen = {x: self._draw(x, n, number) for x in data}
            scored = []
            fresh: dict[str, list[Candidate]] = {}
            for k in alive:
                best = self._best(k, seen, n, ratio, self.classifier if last else None)
                for goal, candidate in best.items():
                    fresh.setdefault(goal, []).append(candidate)
                scored.append(
                    (max((c.score for g, c in best.items() if g == "bound"), default=-math.inf), -k, best)
                )
            # Later rounds see more samples, so what they find replaces what earlier ones found.
            self.found = {goal: sorted(all_, key=lambda c: -c.score) for goal, all_ in fresh.items()}
            if self.listen is not None:
                self.listen(number + 1, rounds, max((s for s, *_ in scored), default=0.0))
            if last:
                break
            keep = max(1, math.ceil(len(alive) * _SHARE))
            ranked = sorted(scored, key=lambda s: s[:2], reverse=True)
            kept = {-place for _, place, _ in ranked[:keep]}
            if ratio is not None:
                clear = sorted(scored, key=lambda s: (_claim(s[2]), s[1]), reverse=True)
                kept |= {-place for _, place, _ in clear[: max(1, keep // 2)]}
            alive = [k for k in alive if k in kept]

    def _promising(self, budget: int) -> list[int]:
        """Of very many pairs those whose single outputs differ most, all compared at once."""
        data = list(dict.fromkeys(x for pair in self.pairs for x in pair))
        n = max(_ROUNDS_LEAST, budget // len(data))
        seen = [self._draw(x, n, _FIRST) for x in data]
        outputs = list(dict.fromkeys(o for counts in seen for o in counts))
        if len(outputs) > _FEW_OUTPUTS:
            common: dict[Output, int] = {}
            for found in seen:
                for output, k in found.items():
                    common[output] = common.get(output, 0) + k
            outputs = sorted(outputs, key=lambda o: -common[o])[:_FEW_OUTPUTS]
        table = np.array([[found.get(o, 0) for o in outputs] for found in seen], dtype=np.int64)
        place = {x: k for k, x in enumerate(data)}
        left = np.array([place[a] for a, _ in self.pairs])
        right = np.array([place[b] for _, b in self.pairs])
        best = np.empty(len(self.pairs))
        turned = np.array([k not in self.one_way for k in range(len(self.pairs))])
        for start in range(0, len(self.pairs), 4096):
            span = slice(start, start + 4096)
            one, two = table[left[span]], table[right[span]]
            forward, backward = (
                expected_bound(a, b, n, self.judge).max(axis=1) for a, b in ((one, two), (two, one))
            )
            best[span] = np.maximum(forward, np.where(turned[span], backward, -np.inf))
        self.tried += 2 * len(self.pairs) * len(outputs)
        chosen = set(np.argsort(-best, kind="stable")[:_MANY_PAIRS].tolist())
        return sorted(chosen | set(self.first))

    def _draw(self, data: Hashable, n: int, number: int) -> Counts:
        self.drawn += n
        place = self._places[data]
        return counts(self.sampler, data, n, seed_of(self.seed, 1, number, place))

    @cached_property
    def _places(self) -> dict[Hashable, int]:
        """A number for each data set, for its own stream of random numbers."""
        return {x: k for k, x in enumerate(dict.fromkeys(x for pair in self.pairs for x in pair))}

    def _best(
        self, k: int, seen: dict[Any, Counts], n: int, ratio: float | None, classifier: Classifier | None
    ) -> dict[str, Candidate]:
        best: dict[str, Candidate] = {}
        for forward in (True,) if k in self.one_way else (True, False):
            left, right = self.pairs[k] if forward else self.pairs[k][::-1]
            table = Table(*kept_counts(self.keep, left, right, seen[left], seen[right]), n)
            sources = list(families(table, self.kinds))
            if classifier is not None:
                own = learned(table, seed_of(self.seed, 3, k, int(forward)), classifier)
                sources += [] if own is None else [own]
            for family in sources:
                if not len(family):
                    continue
                self.tried += len(family)
                goals = {"bound": expected_bound(family.left, family.right, n, self.judge)}
                if ratio is not None:
                    goals["claim"] = significance(family.left, family.right, n, ratio)
                for goal, scores in goals.items():
                    top = int(np.argmax(scores))
                    score = float(scores[top])
                    if goal not in best or score > best[goal].score:
                        best[goal] = Candidate(left, right, family.event(top), score, k)
        return best

    def fallback(self) -> Candidate:
        """Some event, where nothing promises anything: whatever the first pair gives."""
        left, right = self.pairs[0]
        return Candidate(left, right, among(()), -math.inf, 0)


def kept_counts(keep: Keep | None, left: Any, right: Any, one: Counts, two: Counts) -> tuple[Counts, Counts]:
    """The counts of the outputs that count for a pair."""
    if keep is None:
        return one, two
    kept = {o: keep(left, right, o) for o in dict.fromkeys((*one, *two))}
    return {o: k for o, k in one.items() if kept[o]}, {o: k for o, k in two.items() if kept[o]}


def _claim(best: dict[str, Candidate]) -> float:
    return best["claim"].score if "claim" in best else -math.inf


def seed_of(seed: int, *parts: int) -> int:
    """A seed for one purpose: samples of different purposes are independent."""
    return int(np.random.SeedSequence([seed, *parts]).generate_state(1, np.uint64)[0] >> np.uint64(1))
