"""Words that break a claim at every point of a box, while the other variables stand still. [T9]"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, islice, product
from math import lcm
from typing import Any

import numpy as np

from faier.engine.progress import Limits
from faier.errors import FaierError, NumberError
from faier.number.bernstein import Box, Floats, Interval, coefficients
from faier.number.domain import Domain, Point
from faier.number.exact import simplest_between
from faier.number.rational_function import RationalFunction
from faier.number.signs import sign_on_hull
from faier.scenario.scenario import Scenario
from faier.verdict import Witness

from .ascent import _climb
from .search import Broken, Prefix, Result, Search
from .symbolic import Symbolic, ceiling, threshold
from .values import float_values, probability, ratio_of_largest
from .verify import exceeds, extended

_MOST_KNOWN = 40
_MOST_NODES = 2_000
_NEARLY = 1e-12
_MOST_COMPLETIONS = 2_000
_SHARES = tuple(map(Fraction, ("1/2", "1/4", "3/4", "1/16", "15/16", "1/256", "0", "1")))


@dataclass(frozen=True)
class Breach:
    """A counted word in one direction, and values of the variables that are not looked at."""

    direction: int
    letters: tuple[int, ...]
    ended: bool
    others: tuple[tuple[int, Fraction], ...]

    @property
    def word(self) -> tuple[int, tuple[int, ...], bool]:
        """What does not depend on values."""
        return self.direction, self.letters, self.ended


class Breaches:
    """What is known to break a claim, over some variables `axes` of a scenario, which come first among all.

    The values of the others are chosen so that as much as possible breaks.
    """

    def __init__(self, scenario: Scenario, axes: Sequence[str]):
        self.scenario = scenario
        above = ceiling(scenario)
        self.symbolic = Symbolic(scenario, above)
        self.domain = self.symbolic.domain
        self.axes = [self.domain.names.index(name) for name in axes]
        self.others = [i for i in self.domain.free if i not in self.axes]
        self.ratio = threshold(scenario)
        self.known: list[Breach] = []
        self._above = self._positive(above)
        self._prefixes: dict[tuple[int, tuple[int, ...]], Prefix] = {}
        self._words: dict[tuple[int, tuple[int, ...], bool], tuple[Any, Any]] = {}
        self._gaps: dict[Breach, tuple[Any, Any, list[tuple[Any, str]]]] = {}

    def box(self, intervals: Sequence[Interval]) -> Box:
        """The box with these sides along the axes, and everything in the others."""
        full = list(self.domain.hull)
        for i, side in zip(self.axes, intervals, strict=True):
            full[i] = side
        return tuple(full)

    def search(self, intervals: Sequence[Interval], limits: Limits, most_nodes: int = _MOST_NODES) -> Result:
        """Prove the claim for all values in a box, or find some that break it, or neither within the limits."""
        narrowed, domain = copy.copy(self.symbolic), copy.copy(self.domain)
        domain.hull = self.box(intervals)
        narrowed.domain = domain
        search = Search(narrowed, self.ratio, limits, most_nodes=most_nodes)
        # The rows of a prefix do not depend on the box.
        search._prefixes = self._prefixes
        return search.run()

    def everywhere(self, intervals: Sequence[Interval]) -> Breach | None:
        """A word and values that break the claim at every point of the box that the variables may have."""
        points = self._floats([*product(*intervals), [(lo + hi) / 2 for lo, hi in intervals]])
        for breach in reversed(self.known):
            gap, right, cuts = self._polynomials(breach)
            if self._at_floats(gap, points).max() <= _NEARLY and self._holds_on(gap, right, cuts, self.box(intervals)):
                return breach
        return None

    def learn(self, broken: Broken) -> tuple[Fraction, ...]:
        """Keep what a failed proof found, and values at which its word is worse; the point of the axes."""
        letters, ended = extended(self.symbolic, broken)
        breach = Breach(broken.direction, letters, ended, tuple((i, broken.point[i]) for i in self.others))
        at = tuple(broken.point[i] for i in self.axes)
        if self._is_known(breach):
            self._keep(breach)
            self._worsen(breach, at)
        return at

    def known_to_break(self, at: Sequence[Fraction]) -> Breach | None:
        """What breaks the claim at a point of the axes, of all that is known."""
        return next(self.breaking(at), None)

    def breaking(self, at: Sequence[Fraction]) -> Iterator[Breach]:
        """All that is known to break the claim at a point of the axes, the latest first."""
        points = self._floats([at])
        for breach in reversed(self.known):
            if self._at_floats(self._polynomials(breach)[0], points)[0] <= _NEARLY and self.breaks(breach, at):
                yield breach

    def improve(self, at: Sequence[Fraction]) -> None:
        """Look for values that are worse at a point of the axes where something known breaks the claim."""
        breach = self.known_to_break(at)
        if breach is not None:
            self._worsen(breach, at)

    def _worsen(self, breach: Breach, at: Sequence[Fraction]) -> None:
        if not self.others:
            return
        for others in self._worst(breach, at):
            found = replace(breach, others=others)
            if self.breaks(found, at):
                self._keep(found)
                return

    def breaks(self, breach: Breach, at: Sequence[Fraction]) -> bool:
        """Whether the claim is broken at a point of the axes; exactly."""
        gap, right, _ = self._polynomials(breach)
        point = self._point(at)
        whole = self.whole(breach, at)
        if not self.domain.holds(whole) or self.domain.sign_at(gap, point) >= 0:
            return False
        return not self.symbolic.both or self.domain.sign_at(right, point) > 0

    def whole(self, breach: Breach, at: Sequence[Fraction]) -> Point:
        """The values of all variables."""
        point = list(self._point(at))
        for i, value in breach.others:
            point[i] = value
        return tuple(point)

    def witness(self, breach: Breach, at: Sequence[Fraction]) -> Witness | None:
        """Both exact probabilities of the word at a point of the axes; None where it does not break the claim."""
        if not self.breaks(breach, at):
            return None
        direction = self.symbolic.directions[breach.direction]
        word = tuple(self.symbolic.model.symbols[s] for s in breach.letters)
        try:
            values = self.domain.named(self.whole(breach, at))
            left, right = (
                probability(self.scenario, belief, word, breach.ended, values)
                for belief in (direction.left, direction.right)
            )
            if right != 0 and not exceeds(self.scenario, left / right, values):
                return None
        except (FaierError, ZeroDivisionError):
            return None
        one, two = direction.left.name, direction.right.name
        return Witness(direction.pair, direction.forward, one, two, word, breach.ended, left, right, values)

    def inside(self, breach: Breach, sides: Sequence[Interval]) -> Witness | None:
        """A witness at a simple point inside a box in which the breach breaks the claim wherever it is allowed."""
        at = self.point_inside(breach, sides)
        return None if at is None else self.witness(breach, at)

    def point_inside(self, breach: Breach, sides: Sequence[Interval]) -> tuple[Fraction, ...] | None:
        """A point of the box that is allowed and at which the breach breaks the claim, the simplest of a few."""
        simple = tuple(simplest_in(lo + (hi - lo) / 4, hi - (hi - lo) / 4) for lo, hi in sides)
        tried = product(*((lo + (hi - lo) * share for share in _SHARES) for lo, hi in sides))
        return next((at for at in chain([simple], tried) if self.breaks(breach, at)), None)

    def of_witness(self, witness: Witness, at: Sequence[Fraction]) -> Breach | None:
        """What a witness found elsewhere shows, and the same word at worse values; None where it says nothing here."""
        index = self.symbolic.model.symbol_index
        letters = tuple(index[s] for s in witness.word)
        for k, direction in enumerate(self.symbolic.directions):
            if (direction.pair, direction.forward) == (witness.pair, witness.forward):
                variables = self.completed(witness.parameters, at)
                if variables is None:
                    return None
                breach = Breach(k, letters, witness.ended, tuple((i, variables[i]) for i in self.others))
                if not self._is_known(breach) or not self.breaks(breach, at):
                    return None
                self._keep(breach)
                self._worsen(breach, at)
                return breach
        return None

    def ends(self, breach: Breach, near: Fraction, far: Fraction) -> Fraction | None:
        """Along a single axis: about where the word stops breaking the claim between two points; None if nowhere."""
        gap, _, _ = self._polynomials(breach)
        if self.domain.sign_at(gap, self._point([far])) < 0:
            return None
        for _ in range(60):
            middle = (near + far) / 2
            if self.domain.sign_at(gap, self._point([middle])) < 0:
                near = middle
            else:
                far = middle
        return (near + far) / 2

    def _keep(self, breach: Breach) -> None:
        ranges = list(self.domain.ranges.values())
        if any(value not in ranges[i] for i, value in breach.others):
            return
        if breach in self.known:
            self.known.remove(breach)
        self.known.append(breach)
        if len(self.known) > _MOST_KNOWN:
            del self.known[0]

    def _point(self, at: Sequence[Fraction]) -> Point:
        """The axes at these values; polynomials of a breach do not depend on the others."""
        point = [self.domain.hull[i][0] for i in self.domain.free]
        for i, value in zip(self.axes, at, strict=True):
            point[i] = value
        return tuple(point)

    def _floats(self, points: Sequence[Sequence[Fraction]]) -> Floats:
        return np.array([[float(x) for x in self._point(at)] for at in points])

    def _at_floats(self, polynomial: Any, points: Floats) -> Floats:
        return float_values(polynomial, points, [float(self.domain.hull[-1][0])] if self.domain.root else [])

    def _positive(self, ratio: Any) -> tuple[Any, Any]:
        top, bottom = self.domain.lift(ratio)
        factor = sign_on_hull(self.domain, bottom) or bottom
        return top * factor, bottom * factor

    def _is_known(self, breach: Breach) -> bool:
        """Whether the polynomials of its word can be had: those of long words may grow beyond all use."""
        try:
            self._sides(breach.word)
        except NumberError:
            return False
        return True

    def _sides(self, word: tuple[int, tuple[int, ...], bool]) -> tuple[Any, Any]:
        """left * bottom and right * top of a word: their ratio is that to the claimed ratio."""
        if word not in self._words:
            direction, letters, ended = word
            row = self.symbolic.start(self.symbolic.directions[direction])
            for letter in letters:
                row = self.symbolic.after(row, letter)
            left, right = self.symbolic.ended(row) if ended else self.symbolic.prefix(row)
            top, bottom = self._above
            self._words[word] = left * bottom, right * top
        return self._words[word]

    def _polynomials(self, breach: Breach) -> tuple[Any, Any, list[tuple[Any, str]]]:
        """The difference of the sides, the right one and the cuts, in the axes alone; each up to a positive factor."""
        if breach not in self._gaps:
            left, right = self._sides(breach.word)
            values = dict(breach.others)
            cuts: list[tuple[Any, str]] = [
                (_fixed(cut.polynomial, values), cut.relation)
                for cut in self.domain.cuts
                if any(cut.polynomial.degrees()[i] for i in self.others)
            ]
            self._gaps[breach] = _fixed(right - left, values), _fixed(right, values), cuts
        return self._gaps[breach]

    def _holds_on(self, gap: Any, right: Any, cuts: Sequence[tuple[Any, str]], box: Box) -> bool:
        try:
            return self._is_shown_on(gap, right, cuts, box)
        except NumberError:
            # Too many coefficients.
            return False

    def _is_shown_on(self, gap: Any, right: Any, cuts: Sequence[tuple[Any, str]], box: Box) -> bool:
        if not is_positive(self.domain, -gap, box):
            return False
        if self.symbolic.both and not is_positive(self.domain, right, box):
            return False
        for cut, relation in cuts:
            if relation == "==" and cut != 0:
                return False
            if relation == ">" and not is_positive(self.domain, cut, box):
                return False
            if relation == ">=" and not bool((coefficients([cut], box) >= 0).all()):
                return False
        return True

    def _worst(
        self, breach: Breach, at: Sequence[Fraction]
    ) -> Iterator[tuple[tuple[int, Fraction], ...]]:
        """Values of the others at which floats find the ratio largest, the simplest ones last."""
        left, right = self._sides(breach.word)
        free = len(self.domain.ranges)
        low = np.array([float(lo) for lo, _ in self.domain.hull[:free]])
        high = np.array([float(hi) for _, hi in self.domain.hull[:free]])
        first = np.array([float(x) for x in self.whole(breach, at)])
        for i, value in zip(self.axes, at, strict=True):
            low[i] = high[i] = first[i] = float(value)
        tail = [float(self.domain.hull[-1][0])] if self.domain.root else []
        scale = ratio_of_largest(left, right)

        def ratio(points: Floats) -> Floats:
            top = float_values(left, points, tail) * scale
            bottom = float_values(right, points, tail)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                return np.nan_to_num(np.where(bottom > 0, top / bottom, np.nan), nan=-1.0, posinf=1e300)

        best = _climb(ratio, first, low, high).tolist()
        for digits in (20, 10, 30):
            yield tuple((i, self._near(i, best[i], digits)) for i in self.others)

    def _near(self, i: int, value: float, digits: int) -> Fraction:
        """A simple fraction near a float; at an end that does not belong to the range, inside it."""
        lower, upper = self.domain.hull[i]
        range_ = list(self.domain.ranges.values())[i]
        step = (upper - lower) / 2**digits
        exact = Fraction(value)
        if exact - lower <= step:
            return lower if lower in range_ else lower + step
        if upper - exact <= step:
            return upper if upper in range_ else upper - step
        return simplest_in(exact - step / 2, exact + step / 2)

    def completed(self, parameters: Mapping[str, Fraction], at: Sequence[Fraction]) -> Point | None:
        """The variables where the parameters have these values; others get values that are allowed."""
        names = list(self.domain.ranges)
        open_ = [n for i, n in enumerate(names) if i not in self.axes and n not in parameters]
        for shares in islice(product(_SHARES, repeat=len(open_)), _MOST_COMPLETIONS):
            chosen: dict[str, Fraction] = {}
            for name, share in zip(open_, shares, strict=True):
                range_ = self.domain.ranges[name]
                chosen[name] = range_.lower + (range_.upper - range_.lower) * share
            variables = self._variables({**parameters, **chosen}, at)
            if self.domain.holds(variables):
                return variables
        return None

    def _variables(self, parameters: Mapping[str, Fraction], at: Sequence[Fraction]) -> Point:
        """The values of the variables where the parameters have these."""
        names = list(self.domain.ranges)
        known = {names[i]: value for i, value in zip(self.axes, at, strict=True)}
        for name in names:
            if name in known:
                continue
            formula = self.domain.unknowns.solved.get(name)
            value = parameters[name]
            if isinstance(formula, RationalFunction):
                # A share of what the ones before have left: linear in the variable of the same name.
                none, all_ = (formula.evaluate({**known, name: Fraction(x)}) for x in (0, 1))
                value = (value - none) / (all_ - none) if none != all_ else Fraction(1, 2)
            known[name] = value
        return tuple(known[name] for name in names)


def is_positive(domain: Domain, polynomial: Any, box: Box) -> bool:
    """Guarantee: True only where the polynomial is > 0 at every value in the box that the ranges allow.

    With coefficients >= 0, not all 0, a polynomial is positive inside a box, and inside a face in the same way.
    """
    if polynomial == 0:
        return False
    tensor = coefficients([polynomial], box)[0]
    if not (tensor >= 0).all():
        return False
    ranges = list(domain.ranges.values())
    choices: list[list[int | slice]] = []
    for i, (lo, hi) in enumerate(box):
        sides: list[int | slice] = [slice(None)]
        if i in domain.free and tensor.shape[i] > 1:
            sides += [side for side, end in ((0, lo), (-1, hi)) if end in ranges[i]]
        choices.append(sides)
    return all(bool(np.any(tensor[face] > 0)) for face in product(*choices))


def simplest_in(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of least denominator between two, of any sign."""
    if low <= 0 <= high:
        return Fraction(0)
    return simplest_between(low, high) if low > 0 else -simplest_between(-high, -low)


def _fixed(polynomial: Any, values: dict[int, Fraction]) -> Any:
    """The polynomial at values of some variables, times a positive integer."""
    terms: dict[tuple[int, ...], Fraction] = {}
    for powers, c in polynomial.to_dict().items():
        term, kept = Fraction(int(c)), [int(e) for e in powers]
        for i, value in values.items():
            if kept[i]:
                term *= value ** kept[i]
                kept[i] = 0
        key = tuple(kept)
        terms[key] = terms.get(key, Fraction(0)) + term
    common = lcm(*(t.denominator for t in terms.values())) if terms else 1
    return polynomial.context().from_dict({k: int(t * common) for k, t in terms.items() if t})

