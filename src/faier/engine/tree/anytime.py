"""Worst first through the tree: encloses the tight ratio over words of every length."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import numpy as np

from faier.comparison import Comparison, Floats, Ints
from faier.engine.loops.limit import family_limit, limit_of, loops_of
from faier.engine.loops.pump import Pumps
from faier.engine.loops.stretch import stretched
from faier.engine.outcome import Outcome, Stopped, highest
from faier.engine.progress import Limits
from faier.engine.words import Found, value_of
from faier.families import Divergence, WordsLimit
from faier.number.exact import Extended, simplest_between

from .attempts import Attempts, Proved
from .batch import YES, Batch, bounds, compare, quotients
from .combine import Combination
from .dive import dive
from .fixed import Exceeded
from .lookahead import Lookahead, Promise
from .nodes import DOMINATE, EXPAND, SIMULATE
from .pace import Pace
from .proof import proof
from .search import Event, Search
from .simulator import Simulator
from .subsume import Subsumption

_AT_ONCE = 128
_EXTRA = 256
_RISES = 4
_ROUNDS = 48
_SLOW_LIMITS = 40
_FAR = 10**90
_ATTEMPTS = 60
_MUCH = 1000
_FEW = 64
_LONGEST_BITS = 4000
_SHORT_BITS = 48


class Anytime:
    """Open prefixes of any length, the worst expanded first."""

    def __init__(
        self, comparison: Comparison, tolerance: Fraction, limits: Limits, *, row_by_row: bool = False
    ):
        self.row_by_row = row_by_row
        self.search = Search(comparison, limits)
        self.search.widen()
        self.search.longest_bits = _LONGEST_BITS
        self.limits = limits
        self.tolerance = tolerance
        self.subsumption = Subsumption(self.search)
        self.found: Found | None = None
        self.lower: Extended = Fraction(0)
        self.open: Batch | None = None
        # Prefixes that are being replaced by their children; they speak for those should the search stop there.
        self.pending: Batch | None = None
        self.expanded = 0
        self.rises = 0
        self.pumps = Pumps(comparison, limits)
        limits.effort.too_large_for_loops = self.pumps.letters.too_large
        self.simulator = Simulator(self.search)
        self.lookahead = Lookahead(self.search)
        self.combination = Combination(self.search)
        self.pace = Pace(tolerance)
        self.attempts = Attempts(comparison, limits, self.search.simulations)
        limits.effort.nodes = self.search.nodes
        self.diverges: Divergence | None = None
        self.limit: WordsLimit | None = None
        self.unbounded = False
        self.looked_at = Fraction(0)
        self.slow_limits = _SLOW_LIMITS

    def run(self) -> Outcome:
        tolerance = self.tolerance
        try:
            self.pending = roots = self.search.roots()
            self.unbounded = self._may_grow()
            if self.unbounded and (diverges := self.pumps.find() or self.pumps.find_mixed()) is not None:
                return Outcome(inf, inf, None, None, diverges=diverges)
            self.found, self.lower = dive(
                self.search.comparison, self.limits, slack=min(float(tolerance), 1.0) / 8
            )
            if self._look_at_loops():
                return Outcome(inf, inf, None, None, diverges=self.diverges)
            self.pace.start(bounded=not self.unbounded)
            self._admit(roots)
            self.pending = None
            extra = rounds = 0
            enough: tuple[Found | None, Extended, WordsLimit | None] | None = None
            while self.open is not None and len(self.open) and self.lower != inf:
                lower = self.lower
                assert isinstance(lower, Fraction)
                if lower > self.looked_at * _MUCH and self._look_at_loops():
                    return Outcome(inf, inf, None, None, diverges=self.diverges)
                if lower > _FAR:
                    raise Stopped(
                        "the ratio keeps growing with the length (above 10^90); there may be no finite epsilon"
                    )
                self.pace.note(self.expanded, float(self.search.bounds(self.open).max()), lower)
                self._simulate()
                if self.open is None or not len(self.open):
                    break
                bound = self.search.bounds(self.open)
                margin = self.search.margin_of_bounds(self.open.depth)
                # Half the tolerance is kept for rounding the bound up to a short fraction.
                hot = np.flatnonzero(compare(bound, lower * (1 + tolerance / 2), 2 * margin) != YES)
                if len(hot) and enough is None and not self.pace.good and not self.row_by_row and self.attempts.due(
                    self.expanded, bounded=bool(np.isfinite(bound).all())
                ):
                    if (outcome := self._attempt()) is not None:
                        return outcome
                    continue
                if not len(hot):
                    # Good enough; a little more work may still close every prefix at the exact value.
                    if enough is None:
                        if self.looked_at != lower and not self.limit:
                            self._look_at_loops()
                            self._reassess()
                            continue
                        enough, self.rises = (self.found, self.lower, self.limit), 0
                    tired = extra > max(_EXTRA, self.expanded // 4) or self.rises > _RISES or rounds > _ROUNDS
                    if tired or not self.search.affordable(int(self.open.depth.max()) + 1):
                        break
                    hot = np.arange(len(self.open))
                    extra += min(len(hot), _AT_ONCE)
                    rounds += 1
                self._expand(hot[self._worst(hot, bound)])
        except (Stopped, KeyboardInterrupt) as stop:
            held = [batch for batch in (self.open, self.pending) if batch is not None]
            upper = max(map(self.search.bound_above, held), default=inf)
            why = str(stop) or "interrupted"
            best = self.attempts.best
            if best is not None and self.lower <= best.ratio < upper:
                return Outcome(self.lower, best.ratio, self.found, best.trace, why, limit=self.limit)
            return Outcome(self.lower, max(self.lower, upper), self.found, None, why, limit=self.limit)
        if self.lower == inf:
            return Outcome(inf, inf, self.found, None)
        if enough is not None and self.open is not None and len(self.open):
            # The extra work only found ever longer words that are hardly worse; the shorter one tells as much.
            self.found, self.lower, self.limit = enough
        assert isinstance(self.lower, Fraction)
        upper = self._finish(self.lower * (1 + tolerance))
        reason = None
        if upper > self.lower * (1 + tolerance):
            reason = "so narrow a tolerance is beyond the precision of the search"
        return Outcome(self.lower, upper, self.found, proof(self.search, upper), reason, limit=self.limit)

    def _may_grow(self) -> bool:
        """Whether ratios may grow without end: not if, after one letter at the latest, every left row lies below a
        multiple of the right one's."""
        ahead = Search(self.search.comparison, self.limits)
        roots = ahead.roots()
        children = ahead.expand(roots.pick(~np.isfinite(bounds(roots))))
        return any(not np.isfinite(bounds(child)).all() for child in children)

    def _look_at_loops(self) -> bool:
        """See whether the worst word repeats a loop that goes on for ever: T8 ends the search, T11 raises the bound."""
        if self.found is None or not isinstance(self.lower, Fraction):
            return False
        self.looked_at = self.lower
        if self.unbounded:
            self.diverges = self.pumps.find(loops_of(self.found.letters))
            if self.diverges is not None:
                return True
        if longer := stretched(self.search.comparison, self.pumps.letters, self.found, float(self.tolerance) / 8):
            value = value_of(self.search.comparison, longer)
            if isinstance(value, Fraction) and value > self.lower:
                self.found, self.lower, self.limit = longer, value, None
        limit = limit_of(self.search.comparison, self.found, self.limits)
        if limit is not None and limit.ratio > self.lower:
            self.limit, self.lower = limit, limit.ratio
        return False

    def _worst(self, which: Ints, bound: Floats) -> Ints:
        """The positions in `which` to expand next: the largest bounds, and where those are equal the worst prefixes."""
        assert self.open is not None
        prefix = quotients(self.open, self.open.left.sum(axis=1), self.open.right.sum(axis=1))[which]
        with np.errstate(divide="ignore", invalid="ignore"):
            height = np.round(np.nan_to_num(np.log(bound[which]), nan=1e6, posinf=1e6), 7)
        order = np.lexsort((self.open.ids[which], -np.nan_to_num(prefix, nan=0.0, posinf=1e308), -height))
        return order[:_AT_ONCE]

    def _expand(self, which: Ints) -> None:
        assert self.open is not None
        parents = self.open.pick(np.sort(which))
        rest = np.ones(len(self.open), dtype=bool)
        rest[which] = False
        kept = self.open.pick(rest)
        self.search.nodes.rule[parents.ids] = EXPAND
        self.expanded += len(parents)
        self.pending = parents
        self.combination.remember(parents)
        children = list(self.search.expand(parents))
        if reason := self.limits.reached(
            self.search.nodes.count, kept.nbytes + sum(batch.nbytes for batch in children)
        ):
            raise Stopped(reason)
        self.open = kept if len(kept) else None
        before = self.lower
        for batch in children:
            self._admit(batch)
        self.pending = None
        if self.lower != before:
            self._reassess()
        self.limits.tell(
            self.search.nodes.count,
            len(self.open) if self.open else 0,
            int(parents.depth.max()) + 1,
            self.lower,
            None,
        )

    def _simulate(self) -> None:
        """Look for a simulation from time to time, where dominance alone does not get on."""
        assert isinstance(self.lower, Fraction)
        if self.open is None or self.pace.good or self.row_by_row:
            return
        if self.simulator.find(self.open, self.lower, self.expanded):
            self._reassess()

    def _attempt(self) -> Outcome | None:
        """Try to prove one ratio near the lower bound [T17]; better words that turn up raise it."""
        for _ in range(_ATTEMPTS):
            lower = self.lower
            if not isinstance(lower, Fraction) or lower > _FAR:
                break
            answer = self.attempts.nearly(lower, self.tolerance)
            if isinstance(answer, Proved):
                exact = self.attempts.exactly(lower, answer)
                if isinstance(exact, Exceeded) and exact.value <= answer.ratio:
                    self.found, lower, self.limit = exact.found, Fraction(exact.value), None
                answer = exact if isinstance(exact, Proved) else answer
                return Outcome(lower, answer.ratio, self.found, answer.trace, limit=self.limit)
            if answer is None:
                answer = self.attempts.between(lower, self.search.bound_above(self.open))
                self.attempts.later()
            if not isinstance(answer, Exceeded):
                break
            if answer.value > self.lower:
                self.found, self.lower, self.limit = answer.found, answer.value, None
            if self.lower == inf:
                return Outcome(inf, inf, self.found, None)
            if self._look_at_loops():
                return Outcome(inf, inf, None, None, diverges=self.diverges)
            if self.search.bound_above(self.open) <= Fraction(self.lower) * (1 + self.tolerance / 2):
                break
        else:
            self.attempts.later()
        self._reassess()
        return None

    def _reassess(self) -> None:
        """Close what the risen lower bound closes by now."""
        if self.open is not None and isinstance(self.lower, Fraction):
            self.open, _ = self.search.assess(self.open, self.lower)

    def _admit(self, batch: Batch) -> None:
        """Close what can be closed among new nodes, and put the rest with the open ones."""
        lower = self.lower
        if lower == inf:
            return
        assert isinstance(lower, Fraction)
        rest, events = self.search.assess(batch, lower)
        while events:
            self._take(events)
            if self.lower == inf:
                return
            assert isinstance(self.lower, Fraction)
            if self.lower == lower:
                break
            lower = self.lower
            rest, events = self.search.assess(batch, lower)
        rest = self.subsumption.close(rest)
        if not self.pace.good:
            rest = self.combination.close(rest, self.expanded)
        if not self.pace.good and self._look_ahead(rest) and isinstance(self.lower, Fraction):
            rest, _ = self.search.assess(rest, self.lower)
        if len(rest):
            self.open = rest if self.open is None else Batch.join([self.open, rest])

    def _look_ahead(self, batch: Batch) -> bool:
        """Raise the lower bound to the ratio of a word that starts with one of these and then repeats a loop."""
        slack = min(float(self.tolerance), 1e-3) / 4
        raised = False
        while isinstance(self.lower, Fraction):
            if self.lower > _FAR or (promise := self.lookahead.word(batch, float(self.lower), slack)) is None:
                break
            value = value_of(self.search.comparison, promise.word)
            if isinstance(value, Fraction) and value > self.lower:
                self.found, self.lower, self.limit = promise.word, value, None
            elif (limit := self._limit_of(promise)) is not None:
                self.lower, self.limit = limit.ratio, limit
            else:
                break
            raised = True
        return raised

    def _limit_of(self, promise: Promise) -> WordsLimit | None:
        """What the family of words tends to, where that is above the lower bound: T11 for loops that gain slowly."""
        if self.slow_limits == 0 or self.found is None:
            return None
        self.slow_limits -= 1
        self.limits.effort.families += 1
        comparison, letters = self.search.comparison, self.pumps.letters
        if letters.too_large:
            return None
        direction = promise.word.direction
        found = family_limit(comparison, letters, direction, promise.prefix, promise.loop, (), False)
        return found if found is not None and found.ratio > self.lower else None

    def _take(self, events: list[Event]) -> None:
        counted = [e for e in events if e.counted]
        if not counted:
            return
        event, value = self.search.best_event(counted)
        if value > self.lower:
            nodes = self.search.nodes
            self.lower, self.limit = value, None
            self.rises += 1
            self.found = Found(int(nodes.direction[event.node]), nodes.letters(event.node), event.ended)

    def _finish(self, allowed: Fraction) -> Fraction:
        """Close what is still open at one ratio of at most `allowed`, a short fraction, and return it."""
        assert isinstance(self.lower, Fraction)
        if self.open is None or not len(self.open):
            return self.lower
        nodes = self.search.nodes
        ids = self.open.ids
        nodes.rule[ids] = np.where(nodes.simulated[ids] < nodes.bound[ids], SIMULATE, DOMINATE)
        top = self._shallowest(allowed)
        margin = self.search.margin_of_bounds(nodes.depth[top])
        rounded = highest(np.fmin(nodes.bound[top], nodes.simulated[top]), 4 * margin)
        assert isinstance(rounded, Fraction)
        if len(top) <= _FEW and all(self.search.affordable(int(nodes.depth[k])) for k in top):
            exact = max((self.search.exact_bound(k) for k in top.tolist()), default=self.lower)
            if isinstance(exact, Fraction) and exact.denominator.bit_length() <= _SHORT_BITS:
                return max(exact, self.lower)
        return simplest_between(max(rounded, self.lower), max(allowed, rounded, self.lower))

    def _shallowest(self, allowed: Fraction) -> Ints:
        """The nodes that `allowed` dominates for sure and none of whose ancestors it does."""
        nodes = self.search.nodes
        count = nodes.count
        margin = self.search.margin_of_bounds(nodes.depth[:count])
        done = compare(np.fmin(nodes.bound[:count], nodes.simulated[:count]), allowed, 4 * margin) == YES
        if self.open is not None:
            done[self.open.ids] = True      # whatever the margin says: the result has to cover them
        covered = np.zeros(count, dtype=bool)
        found = []
        for k in range(count):
            up = int(nodes.parent[k])
            covered[k] = up >= 0 and (covered[up] or done[up])
            if done[k] and not covered[k]:
                found.append(k)
        return np.array(found, dtype=np.int64)


def tight_at_any(
    comparison: Comparison, tolerance: Fraction, limits: Limits, *, row_by_row: bool = False
) -> Outcome:
    """Enclose the tight ratio over words of every length; exact where every prefix closes at a word's own ratio.

    Where it is to go `row_by_row`, no simulation is sought and nothing is proved by weighing: T1, T3 and T4 are left.
    """
    return Anytime(comparison, tolerance, limits, row_by_row=row_by_row).run()
