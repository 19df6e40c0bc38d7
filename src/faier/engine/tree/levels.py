"""Level by level through the tree: decides a claim, and finds the tight ratio at a finite horizon."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import numpy as np

from faier.comparison import Comparison
from faier.engine.outcome import Outcome, Stopped
from faier.engine.progress import Limits
from faier.engine.words import Found, counts, extend, is_far, value_of
from faier.number.budget import Budget
from faier.number.exact import Extended

from .attempts import Attempts, Proved
from .batch import Batch, quotients
from .combine import Combination
from .dive import dive
from .fixed import Exceeded
from .lookahead import Lookahead
from .nodes import EXPAND
from .pace import Width
from .proof import proof
from .search import Event, Search
from .simulator import Simulator
from .subsume import Subsumption

_WIDTH_ONCE_VIOLATED = 1024
_MANY_OPEN = 256
# A witness is promised to be the worst of its length, so nearly all that tie are compared exactly.
_MOST_TIES = 50_000
_NEAR_THE_END = 8
_LONG = 30
_FAR = 10**90
_SLACK = 1e-9
_NOW_AND_THEN = 16


class Levels:
    """One level-by-level search at a threshold that may rise.

    `open` holds the open prefixes of the current length; everything shorter is closed at the threshold, and what
    `best` says is the worst reading met so far (a counted word, or a prefix that T5 extends to one).
    """

    def __init__(self, comparison: Comparison, limits: Limits, ratio: Fraction):
        self.search = Search(comparison, limits)
        self.comparison = comparison
        self.limits = limits
        self.ratio = ratio
        self.subsumption = Subsumption(self.search)
        self.simulator = Simulator(self.search)
        self.lookahead = Lookahead(self.search)
        self.combination = Combination(self.search)
        self.attempts = Attempts(comparison, limits, self.search.simulations)
        self.width = Width()
        limits.effort.nodes = self.search.nodes
        self.best: Found | None = None
        self.best_value: Extended = Fraction(0)
        self.open: Batch | None = None
        self.depth = 0
        self.expanded = 0
        self.truncated = False

    def start(self) -> list[Event]:
        self.open, events = self.search.assess(self.search.roots(), self.ratio)
        return events

    def advance(self, *, rising: bool) -> list[Event]:
        """Go one letter deeper; return the events of the new level. A rising threshold follows the worst reading."""
        assert self.open is not None
        parents = self.open
        if self.comparison.length is not None:
            self.width.note(len(parents))
        if not self.width.good or self.depth % _NOW_AND_THEN == 0:
            parents = self._closed_by_others(rising=rising)
        self.search.nodes.rule[parents.ids] = EXPAND
        self.expanded += len(parents)
        events: list[Event] = []
        level: list[Batch] = []
        held = parents.nbytes
        for batch in self.search.expand(parents):
            rest, found = self.search.assess(batch, self.ratio)
            while rising and found:
                self.take(found)
                if self.best_value == inf:
                    return found
                rest, found = self.search.assess(batch, self.ratio)
            events += found
            if len(rest):
                level.append(rest)
                held += rest.nbytes
            if reason := self.limits.reached(self.search.nodes.count, held):
                raise Stopped(reason)
            self.limits.tell(
                self.search.nodes.count, sum(map(len, level)), self.depth + 1, self.best_value, None
            )
        self.open = Batch.join(level) if level else None
        self.depth += 1
        return events

    def _closed_by_others(self, *, rising: bool) -> Batch:
        """What simulations and other prefixes leave open."""
        self._simulate(rising=rising)
        assert self.open is not None
        parents = self.subsumption.close(self.open)
        if not self.subsumption.one_length:
            parents = self.combination.close(parents, self.expanded)
            self.combination.remember(parents)
        return parents

    def _simulate(self, *, rising: bool) -> None:
        """Look for a simulation from time to time, where words are long and dominance alone does not get on.

        One at a larger ratio closes more, so that a rising threshold follows the word that it promises at once.
        """
        length = self.comparison.length
        again = False
        while self.open is not None and (length is None or length - self.depth >= _NEAR_THE_END):
            if self.simulator.find(self.open, self.ratio, self.expanded, again=again):
                self.open, _ = self.search.assess(self.open, self.ratio)
            again = rising and self._follow_promise()
            if not again:
                return

    def _follow_promise(self) -> bool:
        """Whether the word that a simulation led to raises the threshold."""
        word, self.simulator.promise = self.simulator.promise, None
        value = Fraction(0) if word is None else value_of(self.comparison, word)
        if isinstance(value, Fraction) and value > self.best_value:
            self.best, self.best_value = word, value
            self.ratio = max(self.ratio, value)
            self.reassess()
            return True
        return False

    def word_far_ahead(self) -> Found | None:
        """A word that a simulation led to; or at `any`, where prefixes are many or long, one that repeats a loop.

        Either seems to break the claim.
        """
        if (promise := self.simulator.promise) is not None:
            self.simulator.promise = None
            return promise
        if self.comparison.length is not None or self.open is None:
            return None
        if len(self.open) < _MANY_OPEN and self.depth < _LONG:
            return None
        ratio = float(self.ratio) if self.ratio < _FAR else 0.0
        ahead = self.lookahead.word(self.open, ratio, _SLACK) if ratio else None
        return None if ahead is None else ahead.word

    def attempt(self) -> Proved | Exceeded | None:
        """At `any`, from time to time: close all prefixes at the ratio by their differences [T17], or find a word."""
        if self.comparison.length is not None or self.open is None:
            return None
        bounded = bool(np.isfinite(self.search.bounds(self.open)).all())
        if not self.attempts.due(self.expanded, bounded=bounded):
            return None
        self.attempts.later()
        return self.attempts.at(self.ratio)

    def take(self, events: list[Event]) -> None:
        """Raise the best reading, and with it the threshold, to the worst of these events."""
        event, value = self.search.best_event(events)
        if value > self.best_value:
            nodes = self.search.nodes
            self.best = Found(int(nodes.direction[event.node]), nodes.letters(event.node), event.ended)
            self.best_value = value
            if isinstance(value, Fraction):
                self.ratio = max(self.ratio, value)

    def reassess(self) -> None:
        """Close what the risen threshold closes by now."""
        if self.open is not None:
            self.open, _ = self.search.assess(self.open, self.ratio)

    def truncate(self, width: int) -> None:
        """Keep only the worst prefixes; sound only once a violation is known."""
        if self.open is not None and len(self.open) > width:
            prefix = quotients(self.open, self.open.left.sum(axis=1), self.open.right.sum(axis=1))
            order = np.argsort(-np.nan_to_num(prefix, nan=np.inf, posinf=np.inf), kind="stable")[:width]
            self.open = self.open.pick(np.sort(order))
            self.truncated = True


def tight_at(comparison: Comparison, limits: Limits) -> Outcome:
    """The tight ratio at a finite horizon, exactly unless a limit stops the search."""
    try:
        found, value = dive(comparison, limits)
    except KeyboardInterrupt:
        return Outcome(Fraction(0), inf, None, None, "interrupted")
    if value == inf:
        return Outcome(inf, inf, found, None)
    assert isinstance(value, Fraction)
    levels = Levels(comparison, limits, value)
    levels.best, levels.best_value = found, value
    last = levels.open
    try:
        if events := levels.start():
            levels.take(events)
            levels.reassess()
        while levels.open is not None and len(levels.open):
            last = levels.open
            before = levels.ratio
            levels.advance(rising=True)
            if levels.best_value == inf:
                return Outcome(inf, inf, _counted(comparison, levels.best, limits), None)
            if levels.ratio != before:
                levels.reassess()
        best = _counted(comparison, levels.best, limits)
    except (Stopped, KeyboardInterrupt) as stop:
        reason = str(stop) or "interrupted"
        upper = max(levels.ratio, levels.search.bound_above(last))
        if _is_far(comparison, levels.best):
            return Outcome(levels.best_value, upper, None, None, reason)
        best = _counted(comparison, levels.best)
        return Outcome(_value(comparison, best), upper, best, None, reason)
    return Outcome(levels.ratio, levels.ratio, best, proof(levels.search, levels.ratio))


def decide(comparison: Comparison, budget: Budget, limits: Limits) -> Outcome:
    """Decide a claim: `lower` exceeds the budget where it is violated, `upper` does not where it holds.

    The witness is a shortest violating word and among those the worst; where prefixes that break the claim are
    too many to follow all, the worst of those followed.
    """
    bits = 128
    try:
        found, value = dive(comparison, limits, patient=False, enough=budget.below(bits))
    except KeyboardInterrupt:
        return Outcome(Fraction(0), inf, None, None, "interrupted")
    while True:
        ratio = budget.below(bits)
        # T7: a word between a rational bound below e**r and e**r itself breaks nothing; come closer.
        if isinstance(value, Fraction) and value > ratio and budget.compare(value) <= 0:
            bits *= 2
            continue
        outcome = _decide(comparison, budget, ratio, limits, found, value)
        if outcome is not None:
            return outcome
        bits *= 2


def _decide(
    comparison: Comparison,
    budget: Budget,
    ratio: Fraction,
    limits: Limits,
    found: Found | None,
    value: Extended,
) -> Outcome | None:
    levels = Levels(comparison, limits, ratio)
    known = value > ratio
    if known:
        levels.best, levels.best_value = found, value
    # Without ended runs all counted words have the horizon's length. Where there are many prefixes, only those that
    # may lead to a worse word than the known one are then followed; where there are few, also those that tie with it.
    may_rise = comparison.length is not None and not comparison.automaton.can_end and not comparison.both
    rising = False
    last: Batch | None = None
    stopped: str | None = None
    try:
        events = levels.start()
        while True:
            if counted := [e for e in events if e.counted]:
                event, worst = levels.search.best_event(counted, _MOST_TIES)
                if isinstance(worst, Fraction) and budget.compare(worst) <= 0:
                    return None
                nodes = levels.search.nodes
                word = Found(int(nodes.direction[event.node]), nodes.letters(event.node), event.ended)
                if levels.best_value > worst and rising:
                    break
                return Outcome(worst, inf, word, None)
            if events:
                event, worst = levels.search.best_event(events)
                if isinstance(worst, Fraction) and budget.compare(worst) <= 0:
                    return None
                levels.take(events) if rising else _remember(levels, events)
                known = True
                if rising:
                    levels.reassess()
            if levels.open is None or not len(levels.open):
                break
            last = levels.open
            if not known and (ahead := levels.word_far_ahead()) is not None:
                worst = value_of(comparison, ahead)
                # A word was promised by floats: under `both` one that the right side cannot say does not count.
                if not comparison.both if worst == inf else budget.compare(Fraction(worst)) > 0:
                    known, found, value = True, ahead, worst
                    levels.best, levels.best_value = found, value
            if not known and (answer := levels.attempt()) is not None:
                if isinstance(answer, Proved):
                    return Outcome(value, ratio, found, answer.trace)
                if answer.value == inf or budget.compare(Fraction(answer.value)) > 0:
                    known, found, value = True, answer.found, answer.value
                    levels.best, levels.best_value = found, value
            if known and may_rise and not rising and len(levels.open) > _MANY_OPEN:
                rising = True
                if isinstance(levels.best_value, Fraction):
                    levels.ratio = max(levels.ratio, levels.best_value)
                    levels.reassess()
                    if levels.open is None or not len(levels.open):
                        break
            if known:
                levels.truncate(_WIDTH_ONCE_VIOLATED)
            levels.subsumption.one_length = known and not rising and comparison.length is not None
            events = levels.advance(rising=False)
    except (Stopped, KeyboardInterrupt) as stop:
        if not known:
            upper = max(ratio, levels.search.bound_above(last))
            return Outcome(value, upper, found, None, str(stop) or "interrupted")
        stopped = str(stop) or "interrupted"
    if not known:
        return Outcome(value, ratio, found, proof(levels.search, ratio))
    usable = found if found is not None and value > ratio and counts(comparison, found) else None
    best = None
    if not (stopped and _is_far(comparison, levels.best)):
        try:
            best = _counted(comparison, levels.best, limits)
        except (Stopped, KeyboardInterrupt) as stop:
            stopped = str(stop) or "interrupted"
    words = {word: _value(comparison, word) for word in dict.fromkeys((best, usable)) if word is not None}
    if not words:
        return Outcome(levels.best_value, inf, None, None, stopped)
    best = min(words, key=lambda word: (len(word.letters), -words[word]))
    return Outcome(words[best], inf, best, None)


def _remember(levels: Levels, events: list[Event]) -> None:
    ratio = levels.ratio
    levels.take(events)
    levels.ratio = ratio


def _is_far(comparison: Comparison, found: Found | None) -> bool:
    """Whether this prefix, whose ratio some counted word has by T5, is too far from the horizon to name that word."""
    return found is not None and not counts(comparison, found) and is_far(comparison, found)


def _counted(comparison: Comparison, found: Found | None, limits: Limits | None = None) -> Found | None:
    """The word itself, or for a prefix a counted word; one that is far is looked for within the limits."""
    if found is None or counts(comparison, found):
        return found
    return extend(comparison, found, limits if is_far(comparison, found) else None)


def _value(comparison: Comparison, found: Found | None) -> Extended:
    return Fraction(0) if found is None else value_of(comparison, found)
