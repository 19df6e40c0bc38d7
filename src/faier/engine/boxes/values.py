"""A scenario at given values of its unknowns, and values that are simple to write down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import gcd
from typing import Any

import numpy as np

from faier.errors import NumberError
from faier.model.belief import Belief
from faier.model.hmm import HMM, Word
from faier.model.table import Table
from faier.number.bernstein import Floats
from faier.number.budget import Budget
from faier.number.domain import Domain, Point
from faier.number.exact import Prob
from faier.number.rational_function import RationalFunction
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
        if isinstance(found, Fraction) and found > 0:
            budget = Budget.of_ratio(found)
        else:
            raise NumberError("the ratio is no positive number at these values")
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


def float_values(polynomial: Any, points: Floats, tail: Sequence[float] = ()) -> Floats:
    """The polynomial at many points at once, in floats; `tail` are the values of the variables that follow."""
    total = np.zeros(len(points))
    largest = max((abs(int(c)) for c in polynomial.coeffs()), default=1)
    for powers, c in polynomial.to_dict().items():
        term = np.full(len(points), int(c) / largest)
        for i, e in enumerate(map(int, powers)):
            if e:
                term *= points[:, i] ** e if i < points.shape[1] else tail[i - points.shape[1]] ** e
        total += term
    return total


def simplest(domain: Domain, polynomials: Sequence[Any], start: Point) -> Point:
    """Values of small denominators at which some polynomial is negative, as the first is at `start`."""

    def breaks(point: Point) -> bool:
        return domain.holds(point) and any(domain.sign_at(p, point) < 0 for p in polynomials)

    tail = [float(domain.hull[-1][0])] if domain.root else []
    found = _smallest_grid(domain, polynomials, breaks, tail)
    return found if found is not None else _one_by_one(domain, breaks, start)


def _smallest_grid(
    domain: Domain, polynomials: Sequence[Any], breaks: Callable[[Point], bool], tail: Sequence[float]
) -> Point | None:
    intervals = [domain.hull[i] for i in domain.free]
    if not intervals:
        return () if breaks(()) else None
    for denominator in range(1, _LARGEST_DENOMINATOR + 1):
        fresh = [_with_denominator(lo, hi, denominator) for lo, hi in intervals]
        if len(intervals) == 1:
            columns = fresh
        else:
            columns = [_up_to(lo, hi, denominator) for lo, hi in intervals]
        size = 1
        for column in columns:
            size *= len(column)
        if size > _MOST_POINTS:
            return None
        if not size:
            continue
        points = list(product(*columns))
        array = np.array(points, dtype=np.float64).reshape(len(points), len(intervals))
        lowest = np.min([float_values(p, array, tail) for p in polynomials], axis=0)
        for k in np.argsort(lowest, kind="stable")[:50].tolist():
            if lowest[k] > 1e-9:
                break
            if breaks(points[k]):
                return points[k]
    return None


def _with_denominator(low: Fraction, high: Fraction, denominator: int) -> list[Fraction]:
    first = -(-low.numerator * denominator // low.denominator)
    last = high.numerator * denominator // high.denominator
    if last - first > _MOST_POINTS:
        return []
    return [Fraction(k, denominator) for k in range(first, last + 1) if gcd(k, denominator) == 1]


def _up_to(low: Fraction, high: Fraction, denominator: int) -> list[Fraction]:
    found = [x for d in range(1, denominator + 1) for x in _with_denominator(low, high, d)]
    return sorted(found)


def _one_by_one(domain: Domain, breaks: Callable[[Point], bool], start: Point) -> Point:
    """One value after the other is made as simple as the others allow."""
    point = list(start)
    for _ in range(2):
        for i in range(len(point)):
            low, high = domain.hull[i]
            for denominator in range(1, min(point[i].denominator, 200)):
                options = _with_denominator(low, high, denominator)
                if len(options) > 400:
                    break
                options.sort(key=lambda x: abs(x - point[i]))
                better = next((x for x in options if breaks((*point[:i], x, *point[i + 1 :]))), None)
                if better is not None:
                    point[i] = better
                    break
    return tuple(_rounded(domain, breaks, tuple(point)))


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
