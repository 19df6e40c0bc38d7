"""Testing a claim by sampling: search on one sample, judge on a fresh one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

from faier.errors import SamplerError, UsageError
from faier.evidence import Evidence

from .attack import Classifier
from .event import Counts
from .p_value import lower_bound, p_value
from .sampler import Sampler, as_sampler, counts
from .search import Candidate, Keep, Search, kept_counts, seed_of

Listener = Callable[[int, int, float], None]


def audit(
    sampler: Sampler | Callable[..., Any],
    pairs: Sequence[tuple[Any, Any]],
    *,
    epsilon: float | None = None,
    samples: int = 200_000,
    seed: int = 0,
    confidence: float = 0.95,
    kinds: Sequence[str] | None = None,
    classifier: Classifier | None = "logistic",
    finalists: int = 1,
    keep: Keep | None = None,
    first: Sequence[int] = (),
    one_way: Collection[int] = (),
    listen: Listener | None = None,
) -> Evidence:
    """Look for an event that one of two data sets shows more than e**epsilon times as often as the other.

    Of the pairs numbered in `one_way` only the left data set may be the one that shows it more often.

    Guarantee: a mechanism that keeps epsilon is rejected with probability at most 1 - `confidence`, and so
    often at most `lower_bound` lies above the tight epsilon of these pairs. Half of what is drawn goes into the
    search for the pair and the event; `samples` fresh ones on each side judge them.
    """
    begun = time.perf_counter()
    asked = as_sampler(sampler)
    _check(pairs, epsilon, samples, confidence, seed, finalists)
    search = Search(asked, pairs, seed, samples, kinds, classifier, listen, keep, first, one_way)
    ratio = None if epsilon is None else math.exp(epsilon)
    failed: SamplerError | None = None
    try:
        search.run(2 * samples, ratio)
    except SamplerError as error:
        failed = error
    bounds = search.found.get("bound", [])[:finalists] or [search.fallback()]
    claims = (search.found.get("claim", []) if ratio is not None else bounds)[:finalists] or [
        search.fallback()
    ]
    bound, claim = bounds[0], claims[0]
    least, estimate, chance, drawn = 0.0, None, None, 0
    if failed is None:
        try:
            fresh = _Fresh(asked, samples, seed, keep)
            # With several finalists each gets its share of the error that is allowed. [Bonferroni]
            each = 1 - (1 - confidence) / len(bounds)
            for candidate in bounds:
                left, right = fresh.counts(candidate)
                reached = _epsilon_below(lower_bound(left, right, samples, samples, each))
                if candidate is bounds[0] or reached > least:
                    bound, least = candidate, reached
                    estimate = math.log(left / right) if left and right else None
            for candidate in claims if ratio is not None else ():
                alone = p_value(*fresh.counts(candidate), samples, samples, ratio or 1.0)
                if chance is None or alone * len(claims) < chance:
                    claim, chance = candidate, min(1.0, alone * len(claims))
            drawn = fresh.drawn
        except SamplerError as error:
            failed = error
    found = Evidence(
        rejected=chance is not None and chance <= 1 - confidence,
        epsilon=epsilon,
        p_value=chance,
        lower_bound=least,
        estimate=estimate,
        confidence=confidence,
        left=claim.left,
        right=claim.right,
        event=claim.event.outputs,
        event_text=claim.event.text,
        bound_left=bound.left,
        bound_right=bound.right,
        bound_event=bound.event.outputs,
        bound_event_text=bound.event.text,
        samples=samples,
        drawn=search.drawn + drawn,
        pairs=len(pairs),
        events=search.tried,
        seed=seed,
        seconds=time.perf_counter() - begun,
        complete=failed is None,
        reason=None if failed is None else str(failed),
    )
    if failed is not None:
        failed.partial = found
        raise failed
    return found


class _Fresh:
    """Samples drawn after the search, once for each data set."""

    def __init__(self, sampler: Sampler, samples: int, seed: int, keep: Keep | None):
        self._sampler, self._samples, self._seed, self._keep = sampler, samples, seed, keep
        self._seen: list[tuple[Any, Any]] = []

    @property
    def drawn(self) -> int:
        return self._samples * len(self._seen)

    def counts(self, candidate: Candidate) -> tuple[int, int]:
        left, right = candidate.left, candidate.right
        one, two = kept_counts(self._keep, left, right, self._of(left), self._of(right))
        return candidate.event.count(one), candidate.event.count(two)

    def _of(self, data: Any) -> Counts:
        found = next((seen for known, seen in self._seen if known == data), None)
        if found is None:
            found = counts(self._sampler, data, self._samples, seed_of(self._seed, 2, len(self._seen)))
            self._seen.append((data, found))
        return found


def curve(
    sampler: Sampler | Callable[..., Any],
    pairs: Sequence[tuple[Any, Any]],
    epsilons: Sequence[float],
    *,
    samples: int = 200_000,
    seed: int = 0,
    kinds: Sequence[str] | None = None,
    keep: Keep | None = None,
    one_way: Collection[int] = (),
) -> list[tuple[float, float]]:
    """epsilon -> p-value, for a sweep. For each the event is chosen on one sample and judged on one fresh sample.

    Each p-value is valid for its own epsilon; the curve as a whole is for looking at.
    """
    asked = as_sampler(sampler)
    search = Search(asked, pairs, seed, samples, kinds, keep=keep, one_way=one_way)
    points: list[tuple[float, float]] = []
    fresh = _Fresh(asked, samples, seed, keep)
    for epsilon in epsilons:
        _check(pairs, epsilon, samples, 0.95, seed)
        search.run(2 * samples, math.exp(epsilon))
        candidate = (search.found.get("claim") or [search.fallback()])[0]
        points.append((epsilon, p_value(*fresh.counts(candidate), samples, samples, math.exp(epsilon))))
    return points


def _epsilon_below(ratio: float) -> float:
    """The logarithm, rounded down; an epsilon is never below 0."""
    return max(0.0, math.nextafter(math.log(ratio), -math.inf)) if ratio > 0 else 0.0


def _check(
    pairs: Sequence[tuple[Any, Any]],
    epsilon: float | None,
    samples: int,
    confidence: float,
    seed: int,
    finalists: int = 1,
) -> None:
    if not pairs:
        raise UsageError("there is no pair of data sets to compare")
    if epsilon is not None and not (0 <= epsilon < 60):
        raise UsageError(f"an epsilon to test is between 0 and 60, got {epsilon}")
    if isinstance(samples, bool) or not isinstance(samples, int) or not 100 <= samples <= 10**9:
        raise UsageError(f"a number of samples is between 100 and 10^9, got {samples!r}")
    if not 0.5 <= confidence <= 0.9999:
        raise UsageError(f"a confidence is between 0.5 and 0.9999, got {confidence}")
    if isinstance(finalists, bool) or not isinstance(finalists, int) or not 1 <= finalists <= 1000:
        raise UsageError(f"a number of finalists is between 1 and 1000, got {finalists!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise UsageError(f"a seed is a whole number, at least 0, got {seed!r}")
