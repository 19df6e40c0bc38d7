"""The tight ratio over all words and all values of the unknowns.

A good lower bound first: words from a few values, then the values at which these words are worst, their limits at
the ends of ranges among them. Then the search proves that nothing exceeds it, or finds what does.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from faier.engine.progress import Limits
from faier.errors import FaierError, NumberError
from faier.number.domain import Point
from faier.number.exact import Extended, Prob
from faier.number.sign import enclosure
from faier.number.validity import sample
from faier.scenario.scenario import Scenario
from faier.trace import Boxes, Trace
from faier.verdict import Bounds, Tight, ValuesLimit, Witness
from faier.workers import in_order

from .approach import Approach, Limit, attained, better, limits_near, ratio_at
from .ascent import promising
from .oracle import solvers
from .search import INTERRUPTED, Broken, Open, Search
from .symbolic import Row, Symbolic
from .values import at, float_values, probability
from .verify import best_at_samples, extended

_FEW_WORDS = 48
_SAMPLED_VALUES = 14
_EXACT_NODES = 4_000
_EXACT_SECONDS = 20.0
_MOST_ROUNDS = 60
_SHARE = Fraction(3, 4)
"""Of the time there is: the rest is for a wider bound, where the tight one cannot be proved."""
_WIDER = tuple(map(Fraction, ("101/100", "5/4", "2", "10", "100")))
_SECONDS_FOR_WIDER = 3.0


@dataclass(frozen=True)
class _Word:
    direction: int
    letters: tuple[int, ...]
    ended: bool


@dataclass(frozen=True)
class _Best:
    """The largest ratio so far: of a word at a point, or in the limit of an approach."""

    ratio: Prob | float
    word: _Word
    point: Point
    approach: Approach | None


@dataclass(frozen=True)
class _Look:
    """What is seen of a word at a point: its ratio where the point is allowed, and the limits near it."""

    point: Point
    ratio: Prob | float | None
    limits: tuple[Limit, ...]


class _Pursuit:
    """Keeps the best, and what is known of words."""

    def __init__(self, scenario: Scenario, limits: Limits):
        self.scenario, self.whole, self.limits = scenario, limits, limits
        if limits.seconds is not None:
            self.limits = copy.copy(limits)
            self.limits.seconds = limits.elapsed + float(_SHARE) * max(0.0, limits.seconds - limits.elapsed)
        self.symbolic = Symbolic(scenario)
        self.best: _Best | None = None
        self._polynomials: dict[_Word, tuple[Any, Any]] = {}
        self._climbed: set[_Word] = set()

    def polynomials(self, word: _Word) -> tuple[Any, Any]:
        """left and right of a word, over one positive denominator."""
        if word not in self._polynomials:
            row = self.symbolic.start(self.symbolic.directions[word.direction])
            for letter in word.letters:
                row = self.symbolic.after(row, letter)
            self._polynomials[word] = self.symbolic.ended(row) if word.ended else self.symbolic.prefix(row)
        return self._polynomials[word]

    def consider(self, word: _Word, look: _Look) -> None:
        """Take what was seen at a point, if it is better than all before."""
        domain = self.symbolic.domain
        if look.ratio is not None and (self.best is None or better(look.ratio, self.best.ratio)):
            self.best = _Best(look.ratio, word, look.point, None)
        for found in look.limits:
            if self.best is not None and not better(found.ratio, self.best.ratio):
                continue
            if not isinstance(found.ratio, float) and attained(
                domain, *self.polynomials(word), look.point, found.ratio
            ):
                self.best = _Best(found.ratio, word, look.point, None)
            else:
                self.best = _Best(found.ratio, word, look.point, found.approach)

    def look(self, word: _Word, point: Point) -> _Look:
        """The ratio of a word at a point, where it is allowed, and the limits near it."""
        domain, both = self.symbolic.domain, self.symbolic.both
        left, right = self.polynomials(word)
        ratio = ratio_at(domain, left, right, point) if domain.holds(point) else None
        if both and ratio in (inf, 0):
            # Not possible on both sides.
            ratio = None
        return _Look(point, ratio, tuple(limits_near(domain, left, right, point, both=both)))

    def climb(self, word: _Word, starts: tuple[Point, ...] = ()) -> None:
        """Look for the values at which a word is worst, and take what is seen there."""
        for look in self._looks(word, starts):
            self.consider(word, look)

    def climb_all(self) -> None:
        """The same of all words worth a look: all that count, where these are few, else the worst at sampled values.

        Words know nothing of one another, and neither do values: several processes may look at them.
        """
        symbolic = self.symbolic
        length = symbolic.length
        if length is not None and symbolic.letters**length * len(symbolic.directions) <= _FEW_WORDS:
            words = list(self._all_words(length))
            with closing(in_order(lambda word: list(self._looks(word)), words)) as seen:
                for word, looks in zip(words, seen, strict=True):
                    for look in looks:
                        self.consider(word, look)
            return
        for word in self._sampled():
            self.climb(word)

    def _looks(self, word: _Word, starts: tuple[Point, ...] = ()) -> Iterator[_Look]:
        """What is seen where a word may be worst; nothing of one whose polynomials are too large."""
        try:
            left, right = self.polynomials(word)
        except NumberError:
            return
        if left == 0 or (self.symbolic.both and right == 0):
            return
        domain = self.symbolic.domain
        # Where right is 0 identically the ratio is infinite wherever left is positive.
        for point in sample(domain) if right == 0 else promising(domain, left, right, starts):
            yield self.look(word, point)
            if self.limits.reached() is not None:
                return

    def _sampled(self) -> Iterator[_Word]:
        """The words that are worst at sampled values, each once."""
        seen: set[_Word] = set()
        points = sample(self.symbolic.domain)
        chosen = points[:: max(1, len(points) // _SAMPLED_VALUES)]
        with closing(in_order(self._worst_at, chosen)) as worst:
            for word in worst:
                if word is not None and word not in seen:
                    seen.add(word)
                    yield word
                if self.limits.reached() is not None:
                    return

    def _all_words(self, length: int) -> Iterator[_Word]:
        symbolic = self.symbolic
        for k, direction in enumerate(symbolic.directions):
            level: list[tuple[tuple[int, ...], Row]] = [((), symbolic.start(direction))]
            for size in range(1, length + 1):
                level = [
                    ((*letters, s), after)
                    for letters, row in level
                    for s in range(symbolic.letters)
                    if (after := self._after(row, s)) and symbolic.prefix(after)[0] != 0
                ]
                for letters, row in level:
                    ended = size < length
                    left, right = symbolic.ended(row) if ended else symbolic.prefix(row)
                    if left == 0 or (symbolic.both and right == 0):
                        continue
                    word = _Word(k, letters, ended)
                    self._polynomials[word] = left, right
                    yield word

    def _after(self, row: Row, letter: int) -> Row | None:
        """None where its polynomials are too large: then these words are not looked at."""
        try:
            return self.symbolic.after(row, letter)
        except NumberError:
            return None

    def _worst_at(self, point: Point) -> _Word | None:
        from faier.engine import epsilon as constant_epsilon

        symbolic = self.symbolic
        claim = replace(self.scenario.claim, budget=None)
        try:
            fixed = at(replace(self.scenario, claim=claim), symbolic.domain.named(point))
            if fixed.uses_unknowns:
                return None
            tight = constant_epsilon(fixed, tolerance=Fraction(1, 10**4), seconds=1.0)
        except FaierError:
            return None
        if tight.reason == INTERRUPTED:
            raise KeyboardInterrupt
        if tight.witness is None:
            return None
        index = symbolic.model.symbol_index
        letters = tuple(index[s] for s in tight.witness.word)
        for k, direction in enumerate(symbolic.directions):
            if (direction.pair, direction.forward) == (tight.witness.pair, tight.witness.forward):
                return _Word(k, letters, tight.witness.ended)
        return None

    def settle(self) -> None:
        """Where the largest ratio is a limit, look for values at which some word reaches it after all."""
        best, domain = self.best, self.symbolic.domain
        if best is None or best.approach is None or isinstance(best.ratio, float):
            return
        top, bottom = domain.lift(best.ratio)
        points = sample(domain)
        array = np.array(points, dtype=np.float64).reshape(len(points), len(domain.free))
        tail = [float(domain.hull[-1][0])] if domain.root else []
        for word, (left, right) in self._polynomials.items():
            values = np.abs(float_values(right * top - left * bottom, array, tail))
            for k in np.flatnonzero(values < 1e-12).tolist():
                if attained(domain, left, right, points[k], best.ratio):
                    self.best = _Best(best.ratio, word, points[k], None)
                    return

    def learn(self, broken: Broken) -> None:
        """The word of a failed proof, and its worst values."""
        letters, ended = extended(self.symbolic, broken)
        word = _Word(broken.direction, letters, ended)
        try:
            self.consider(word, self.look(word, broken.point))
        except NumberError:
            return
        if word not in self._climbed or self.best is None or self.best.word != word:
            self._climbed.add(word)
        self.climb(word, (broken.point,))


def epsilon(scenario: Scenario, tolerance: Fraction, limits: Limits) -> Tight:
    """The supremum of left / right over counted words and values: exact, or enclosed to a relative tolerance."""
    scenario = replace(scenario, claim=replace(scenario.claim, budget=None))
    pursuit = _Pursuit(scenario, limits)
    try:
        return _chase(pursuit, tolerance)
    except KeyboardInterrupt:
        return _result(pursuit, Bounds(_lower(pursuit), inf), None, INTERRUPTED)


def _chase(pursuit: _Pursuit, tolerance: Fraction) -> Tight:
    limits = pursuit.limits
    pursuit.climb_all()
    slack = Fraction(0)
    for _ in range(_MOST_ROUNDS):
        best = pursuit.best
        if best is not None and best.ratio == inf:
            return _result(pursuit, Bounds(inf, inf), None, None)
        lower: Prob = Fraction(0) if best is None else best.ratio  # type: ignore[assignment]
        if slack and isinstance(lower, Fraction):
            target: Prob = _rounded_up(lower * (1 + slack * Fraction(3, 4)), lower * (1 + slack))
        elif slack:
            target = _rounded_up(enclosure(lower)[1] * (1 + slack * Fraction(3, 4)), enclosure(lower)[0] * (1 + slack))
        else:
            target = lower
        answer = _prove(pursuit, target, with_solvers=bool(slack))
        if isinstance(answer, Open) and answer.touches and not slack:
            # Exactly there, and nothing but solvers can tell.
            answer = _prove(pursuit, target, with_solvers=True)
        match answer:
            case Boxes():
                pursuit.settle()
                return _result(pursuit, Bounds(lower, target), answer, None)
            case Open(reason=reason, upper=upper):
                if limits.reached() is not None or slack or reason == INTERRUPTED:
                    return _enclosed(pursuit, lower, upper, reason)
                slack = tolerance
            case Broken():
                pursuit.learn(answer)
                now = pursuit.best
                if now is None or now is best:
                    # What was found is no word that counts there, or one whose polynomials are too large.
                    return _enclosed(pursuit, lower, inf, "no values were found that show a larger ratio")
                if best is not None and _gained_little(now.ratio, lower, tolerance):
                    slack = tolerance
    return _enclosed(pursuit, _lower(pursuit), inf, "the largest ratio kept growing")


def _enclosed(pursuit: _Pursuit, lower: Prob, upper: Extended, reason: str) -> Tight:
    """The result of a search that was stopped: with a wider bound, where one can be proved in the time that is left."""
    whole = pursuit.whole
    if pursuit.limits.reached() is not None:
        reason = whole.reached() or f"the time limit of {whole.limit:g} s was reached"
    if reason == INTERRUPTED or not isinstance(lower, Fraction):
        return _result(pursuit, Bounds(lower, upper), None, reason)
    trace: Boxes | None = None
    for factor in _WIDER:
        wider = _rounded_up(lower * factor, lower * factor * (1 + _WIDER[0]) / 2)
        left = inf if whole.seconds is None else whole.seconds - whole.elapsed
        if lower == 0 or wider >= upper or left <= 0:
            break
        brief = Limits(min(_SECONDS_FOR_WIDER, left))
        match Search(pursuit.symbolic, wider, brief, most_nodes=_EXACT_NODES).run():
            case Boxes() as trace:
                upper = wider
            case Open(reason=stopped, upper=bound):
                upper = min(upper, bound)
                if stopped == INTERRUPTED:
                    break
    if pursuit.best is None:
        # No polynomials of any word were at hand; single values give a bound all the same.
        return _result(pursuit, Bounds(best_at_samples(pursuit.scenario), upper), None, reason)
    return _result(pursuit, Bounds(lower, upper), trace if trace is not None and upper == trace.ratio else None, reason)


def _prove(pursuit: _Pursuit, ratio: Prob, *, with_solvers: bool) -> Boxes | Broken | Open:
    limits = pursuit.limits
    symbolic = pursuit.symbolic
    if with_solvers:
        return Search(symbolic, ratio, limits, oracle=solvers(symbolic.domain, limits)).run()
    left = inf if limits.seconds is None else limits.seconds - limits.elapsed
    bounded = Limits(max(0.0, min(_EXACT_SECONDS, left / 2)))
    return Search(symbolic, ratio, bounded, oracle=None, most_nodes=_EXACT_NODES).run()


def _gained_little(new: Prob | float, old: Prob, tolerance: Fraction) -> bool:
    if isinstance(new, float):
        return False
    return enclosure(new)[1] <= enclosure(old)[0] * (1 + tolerance / 8)


def _rounded_up(low: Fraction, high: Fraction) -> Fraction:
    """A fraction of few digits between two."""
    from faier.number.exact import simplest_between

    return simplest_between(low, high)


def _lower(pursuit: _Pursuit) -> Any:
    return Fraction(0) if pursuit.best is None else pursuit.best.ratio


def _result(pursuit: _Pursuit, bounds: Bounds, trace: Trace | None, reason: str | None) -> Tight:
    best, limits = pursuit.best, pursuit.limits
    witness, limit = (None, None) if best is None else _shown(pursuit, best)
    return Tight(
        pursuit.scenario,
        bounds,
        attained=best is not None and best.approach is None and bounds.lower == bounds.upper,
        witness=witness,
        complete=reason is None,
        reason=reason,
        engine="boxes",
        seconds=limits.elapsed,
        trace=trace,
        limit=limit,
    )


def _shown(pursuit: _Pursuit, best: _Best) -> tuple[Witness | None, ValuesLimit | None]:
    """The witness that attains the ratio; or one that comes near it, with what is approached."""
    domain = pursuit.symbolic.domain
    if best.approach is None:
        return _witness(pursuit, best.word, best.point), None
    names = list(domain.ranges)
    direction = pursuit.symbolic.directions[best.word.direction]
    limit = ValuesLimit(
        direction.pair,
        direction.forward,
        direction.left.name,
        direction.right.name,
        tuple(pursuit.symbolic.model.symbols[s] for s in best.word.letters),
        best.word.ended,
        tuple((names[i], value, how) for i, value, how in best.approach),
        _originals(pursuit, best),
        best.ratio,
    )
    return _near(pursuit, best), limit


def _originals(pursuit: _Pursuit, best: _Best) -> dict[str, Fraction]:
    """The values of the parameters that are approached."""
    domain = pursuit.symbolic.domain
    point = tuple(value for _, value, _ in sorted(best.approach or ()))
    try:
        return domain.named(point)
    except FaierError:
        return {}


def _near(pursuit: _Pursuit, best: _Best) -> Witness | None:
    """Values near the limit that are allowed: the closer the better, but of few digits."""
    domain = pursuit.symbolic.domain
    for step in (Fraction(1, 1000), Fraction(1, 10**6)):
        point = list(best.point)
        scale = step
        for i, value, how in best.approach or ():
            lo, hi = domain.hull[i]
            if how != "at":
                point[i] = value + (hi - lo) * scale * (1 if how == "above" else -1)
                # What is approached later tends to its end more slowly.
                scale = min(scale * 10, Fraction(1, 10))
        if domain.holds(tuple(point)) and (found := _witness(pursuit, best.word, tuple(point))) is not None:
            return found
    return None


def _witness(pursuit: _Pursuit, word: _Word, point: Point) -> Witness | None:
    symbolic, scenario = pursuit.symbolic, pursuit.scenario
    values = symbolic.domain.named(point)
    direction = symbolic.directions[word.direction]
    letters = tuple(symbolic.model.symbols[s] for s in word.letters)
    try:
        left, right = (
            probability(scenario, belief, letters, word.ended, values) for belief in (direction.left, direction.right)
        )
    except (FaierError, ZeroDivisionError):
        return None
    return Witness(
        direction.pair,
        direction.forward,
        direction.left.name,
        direction.right.name,
        letters,
        word.ended,
        left,
        right,
        values,
    )



