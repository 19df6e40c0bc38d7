"""A scenario at given values of its unknowns, and values that are simple to write down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product, takewhile
from math import gcd
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from faier.errors import NumberError
from faier.model.belief import Belief
from faier.model.hmm import HMM, Word
from faier.model.table import Table
from faier.number.bernstein import Floats
from faier.number.budget import Budget
from faier.number.domain import Domain, Point
from faier.number.exact import Prob
from faier.number.rational_function import RationalFunction
from faier.number.sign import sign
from faier.scenario.scenario import Pair, Scenario

_MOST_POINTS = 20_000
_LARGEST_DENOMINATOR = 1000


def value_at(value: Prob, values: Mapping[str, Fraction]) -> Prob:
    """The number at these values of the parameters; a function of e**(1/q) where powers of e occur."""
    if isinstance(value, Fraction):
        return value
    return value.substitute({name: values[name] for name in value.parameters})


def at(scenario: Scenario, values: Mapping[str, Fraction]) -> Scenario:
    """The scenario with numbers for its unknowns; a `NumberError` where a probability is not defined there."""
    model = scenario.model
    emit, step = (
        Table.from_rows(
            table.columns, [{j: value_at(v, values) for j, v in table.row(i).items()} for i in range(table.rows)]
        )
        for table in (model.emit, model.step)
    )
    fixed = HMM.__new__(HMM)
    fixed._fill(model.states, model.symbols, emit, step, {}, type(model.unknowns)())
    beliefs: dict[int, Belief] = {}

    def belief_at(belief: Belief) -> Belief:
        if id(belief) not in beliefs:
            weights = {s: value_at(v, values) for s, v in belief.weights.items()}
            beliefs[id(belief)] = Belief(belief.name, weights)
        return beliefs[id(belief)]

    pairs = tuple(Pair(belief_at(p.left), belief_at(p.right), p.one_way) for p in scenario.pairs)
    budget = scenario.claim.budget
    if isinstance(budget, RationalFunction):
        found = value_at(budget, values)
        if sign(found) <= 0:
            raise NumberError("the ratio is no positive number at these values")
        budget = Budget.of_ratio(found) if isinstance(found, Fraction) else found
    return Scenario(fixed, pairs, replace(scenario.claim, budget=budget), {}, scenario.title)


def probability(scenario: Scenario, belief: Belief, word: Word, ended: bool, values: Mapping[str, Fraction]) -> Prob:
    """The exact probability of a word at given values: that runs begin with it, or are exactly it."""
    model = scenario.model
    row: dict[int, Prob] = {model.state_index[s]: value_at(v, values) for s, v in belief.weights.items()}
    done: Prob = Fraction(0)
    for symbol in word:
        letter = model.symbol_index[symbol]
        after: dict[int, Prob] = {}
        done = Fraction(0)
        for i, p in row.items():
            weight = model.emit.row(i).get(letter)
            if weight is None or p == 0:
                continue
            mass = p * value_at(weight, values)
            moves = model.step.row(i)
            if not moves:
                done = done + mass
            for j, q in moves.items():
                after[j] = after.get(j, Fraction(0)) + mass * value_at(q, values)
        row = after
    total = done
    if not ended:
        for p in row.values():
            total = total + p
    return total


_Compiled: TypeAlias = tuple[Floats, npt.NDArray[np.int64], float]
_COMPILED: dict[int, tuple[Any, _Compiled]] = {}
_MOST_COMPILED = 1024


def _compiled(polynomial: Any) -> _Compiled:
    """Coefficients over the largest one, exponents, and the largest coefficient; kept for polynomials in use."""
    known = _COMPILED.get(id(polynomial))
    if known is not None and known[0] is polynomial:
        return known[1]
    if len(_COMPILED) >= _MOST_COMPILED:
        _COMPILED.clear()
    compiled = _compile(polynomial)
    _COMPILED[id(polynomial)] = polynomial, compiled
    return compiled


def _compile(polynomial: Any) -> _Compiled:
    terms = polynomial.to_dict()
    largest = max((abs(int(c)) for c in terms.values()), default=1)
    weights = np.array([int(c) / largest for c in terms.values()], dtype=np.float64)
    powers = np.array([[int(e) for e in p] for p in terms], dtype=np.int64)
    return weights, powers, float(largest) if largest.bit_length() < 1000 else np.inf


def float_values(polynomial: Any, points: Floats, tail: Sequence[float] = ()) -> Floats:
    """The polynomial at many points at once, over its largest coefficient, in floats.

    `tail` are the values of the variables that follow.
    """
    weights, powers, _ = _compiled(polynomial)
    if not len(weights):
        return np.zeros(len(points))
    if tail:
        points = np.concatenate([points, np.tile(np.array(tail), (len(points), 1))], axis=1)
    total = np.zeros(len(points))
    for first in range(0, len(points), 512):
        part = points[first : first + 512]
        terms = np.broadcast_to(weights, (len(part), len(weights))).copy()
        for i in range(powers.shape[1]):
            if highest := int(powers[:, i].max()):
                table = np.power(part[:, i : i + 1], np.arange(highest + 1))
                terms *= table[:, powers[:, i]]
        total[first : first + 512] = terms.sum(axis=1)
    return total


def largest_coefficient(polynomial: Any) -> float:
    """As a float; what `float_values` divides by."""
    return _compiled(polynomial)[2]


def ratio_of_largest(one: Any, two: Any) -> float:
    """The largest coefficient of one polynomial over that of another, however large both are."""
    a, b = (max((abs(int(c)) for c in p.coeffs()), default=1) for p in (one, two))
    return float(Fraction(a, b)) if abs(a.bit_length() - b.bit_length()) < 900 else (np.inf if a > b else 0.0)


def simplest(domain: Domain, polynomials: Sequence[Any], start: Point, goals: Sequence[Point] = ()) -> Point:
    """Values of small denominators at which some polynomial is negative, as the first is at `start`.

    `goals` are points of the hull near which it is most so.
    """

    def breaks(point: Point) -> bool:
        return domain.holds(point) and any(domain.sign_at(p, point) < 0 for p in polynomials)

    tail = [float(domain.hull[-1][0])] if domain.root else []
    found = _smallest_grid(domain, polynomials, breaks, tail)
    return found if found is not None else _one_by_one(domain, polynomials, breaks, (start, *goals), tail)


def _smallest_grid(
    domain: Domain, polynomials: Sequence[Any], breaks: Callable[[Point], bool], tail: Sequence[float]
) -> Point | None:
    intervals = [domain.hull[i] for i in domain.free]
    if not intervals:
        return () if breaks(()) else None
    if len(intervals) == 1:
        return _smallest_value(intervals[0], polynomials, breaks, tail)
    polynomials = polynomials[:8]
    for denominator in range(1, _LARGEST_DENOMINATOR + 1):
        columns = [_up_to(lo, hi, denominator) for lo, hi in intervals]
        size = 1
        for column in columns:
            size *= len(column)
        if size > _MOST_POINTS:
            return None
        if not size:
            continue
        points: list[Point] = list(product(*columns))
        array = np.array(points, dtype=np.float64).reshape(len(points), len(intervals))
        lowest = np.min([float_values(p, array, tail) for p in polynomials], axis=0)
        for k in np.argsort(lowest, kind="stable")[:8].tolist():
            if lowest[k] > 1e-15:
                break
            chosen: Point = points[k]
            if breaks(chosen):
                return chosen
    return None


def _smallest_value(
    interval: tuple[Fraction, Fraction],
    polynomials: Sequence[Any],
    breaks: Callable[[Point], bool],
    tail: Sequence[float],
) -> Point | None:
    """The same of a single variable, where numerators are counted without making fractions of them."""
    counted = ((d, *_numerators(*interval, d)) for d in range(1, _LARGEST_DENOMINATOR + 1))
    few = takewhile(lambda entry: entry[2] - entry[1] < _MOST_POINTS, counted)
    for batch in _batches(few):
        array = np.concatenate([np.arange(first, last + 1) / d for d, first, last in batch]).reshape(-1, 1)
        lowest = np.min([float_values(p, array, tail) for p in polynomials], axis=0)
        start = 0
        for d, first, last in batch:
            part = lowest[start : start + last - first + 1]
            start += len(part)
            for k in np.argsort(part, kind="stable")[:8].tolist():
                if part[k] > 1e-15:
                    break
                if breaks((chosen := Fraction(first + k, d),)):
                    return (chosen,)
    return None


def _batches(entries: Iterable[tuple[int, int, int]]) -> Iterator[list[tuple[int, int, int]]]:
    """Denominators with their numerators, more and more at once: the first few will mostly do."""
    batch: list[tuple[int, int, int]] = []
    size, most = 0, 64
    for entry in entries:
        batch.append(entry)
        size += entry[2] - entry[1] + 1
        if size >= most:
            yield batch
            batch, size, most = [], 0, min(2 * most, _MOST_POINTS)
    if size:
        yield batch


def _numerators(low: Fraction, high: Fraction, denominator: int) -> tuple[int, int]:
    """The first and the last whose fractions lie between two."""
    return -(-low.numerator * denominator // low.denominator), high.numerator * denominator // high.denominator


def _with_denominator(low: Fraction, high: Fraction, denominator: int) -> list[Fraction]:
    first, last = _numerators(low, high, denominator)
    if last - first > _MOST_POINTS:
        return []
    return [Fraction(k, denominator) for k in range(first, last + 1) if gcd(k, denominator) == 1]


def _up_to(low: Fraction, high: Fraction, denominator: int) -> list[Fraction]:
    found = [x for d in range(1, denominator + 1) for x in _with_denominator(low, high, d)]
    return sorted(found)


def _one_by_one(
    domain: Domain,
    polynomials: Sequence[Any],
    breaks: Callable[[Point], bool],
    goals: Sequence[Point],
    tail: Sequence[float],
) -> Point:
    """One value after the other is made as simple as the others allow, from several starts."""
    start = goals[0]
    starts = [start, _towards_the_middle(domain, breaks, start)]
    starts += [point for goal in goals if (point := _short_near(domain, breaks, goal)) is not None]
    ends = [_polished(domain, polynomials, breaks, point, tail) for point in dict.fromkeys(starts)]
    return min(ends, key=lambda point: sum(x.denominator for x in point))


def _polished(
    domain: Domain,
    polynomials: Sequence[Any],
    breaks: Callable[[Point], bool],
    start: Point,
    tail: Sequence[float],
) -> Point:
    point = list(start)
    few = polynomials[:8]
    for _ in range(2):
        for i in range(len(point)):
            low, high = domain.hull[i]
            options: list[Fraction] = []
            for denominator in range(1, min(point[i].denominator, 200)):
                options += _with_denominator(low, high, denominator)
                if len(options) > _MOST_POINTS:
                    break
            if not options:
                continue
            array = np.tile(np.array([float(x) for x in point]), (len(options), 1))
            array[:, i] = [float(x) for x in options]
            lowest = np.min([float_values(p, array, tail) for p in few], axis=0)
            # By denominators; a float that is all but 0 tells nothing, so only few of these are tried.
            negative = np.flatnonzero(lowest < -1e-15)[:40].tolist()
            better = next((options[k] for k in negative if breaks((*point[:i], options[k], *point[i + 1 :]))), None)
            if better is not None:
                point[i] = better
    return _rounded(domain, breaks, tuple(point))


def _short_near(domain: Domain, breaks: Callable[[Point], bool], goal: Point) -> Point | None:
    """The values with the least common bound on their denominators, each as near to a goal as that allows."""
    ranges = list(domain.ranges.values())
    denominator = 2
    while denominator <= _LARGEST_DENOMINATOR:
        point = []
        for x, range_ in zip(goal, ranges, strict=False):
            value = x.limit_denominator(denominator)
            if value not in range_:
                # Next to an end that is left out, or beyond one.
                step = Fraction(1, denominator)
                value = range_.lower + step if value <= range_.lower else range_.upper - step
            point.append(value)
        if breaks(tuple(point)):
            return tuple(point)
        denominator += 1 + denominator // 16
    return None


def _towards_the_middle(domain: Domain, breaks: Callable[[Point], bool], start: Point) -> Point:
    """As far from the ends of the ranges as halvings of the way to their middle tell: there, values are simple."""
    for k in range(1, 12):
        share = Fraction(1, 2**k)
        moved = tuple(x + ((lo + hi) / 2 - x) * share for x, (lo, hi) in zip(start, domain.hull, strict=False))
        if breaks(moved):
            return moved
    return start


def _rounded(domain: Domain, breaks: Callable[[Point], bool], point: Point) -> Point:
    """Long values are cut to as few binary digits as will do."""
    values = list(point)
    for i, value in enumerate(values):
        for bits in range(4, max(5, value.denominator.bit_length())):
            shorter = Fraction(round(value * 2**bits), 2**bits)
            if breaks((*values[:i], shorter, *values[i + 1 :])):
                values[i] = shorter
                break
    return tuple(values)
