"""Deciding a claim for all values of the unknowns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import islice, product
from math import inf
from typing import Any

from faier.engine.progress import Limits
from faier.errors import FaierError, NumberError
from faier.number.budget import Budget
from faier.number.domain import Domain, Point
from faier.number.exact import Extended, Prob
from faier.number.rational_function import RationalFunction
from faier.number.sign import compare, enclosure, sign
from faier.scenario.budgets import check_ratio
from faier.scenario.scenario import Scenario
from faier.trace import Boxes
from faier.verdict import Bounds, Holds, Unknown, Verdict, Violated, Witness

from .approach import better
from .ascent import promising
from .oracle import solvers
from .search import INTERRUPTED, Broken, Open, Search
from .symbolic import Symbolic, is_power_of, threshold
from .values import at, probability, simplest, value_at

_FIRST_BITS = 128
_MOST_BITS = 4096
_MOST_WORDS = 128
_MOST_LETTERS = 100
_MOST_SIDES = 8
_SECONDS_FOR_WITNESS = 30.0
_SECONDS_AT_SAMPLES = 1.0


def verify(scenario: Scenario, limits: Limits) -> Verdict:
    """Prove the claim for all values, or find values and a word that break it.

    A proof that rests on a solver's word for some step says so in its trace.
    """
    if isinstance(scenario.claim.budget, RationalFunction):
        check_ratio(scenario.claim.budget, scenario.model.unknowns)
    bits = _FIRST_BITS
    try:
        while True:
            ratio = threshold(scenario, bits)
            symbolic = Symbolic(scenario, ratio)
            search = Search(symbolic, ratio, limits, oracle=solvers(symbolic.domain, limits))
            result = search.run()
            match result:
                case Boxes():
                    return Holds(scenario, "boxes", limits.elapsed, result)
                case Open(reason=reason, upper=upper):
                    return _unknown(scenario, limits, reason, upper)
                case Broken():
                    witness = found_witness(search, result)
                    if witness is not None:
                        return Violated(scenario, "boxes", limits.elapsed, None, witness=witness)
            # What was found lies between the rational bound and the irrational ratio above it. [T7]
            bits *= 2
            if bits > _MOST_BITS or isinstance(scenario.claim.budget, RationalFunction):
                return _unknown(scenario, limits, "the claim meets its ratio more closely than could be told", inf)
    except KeyboardInterrupt:
        return _unknown(scenario, limits, INTERRUPTED, inf)


def _unknown(scenario: Scenario, limits: Limits, reason: str, upper: Extended) -> Unknown:
    return Unknown(
        scenario, "boxes", limits.elapsed, None, reason=reason, bounds=Bounds(best_at_samples(scenario), upper)
    )


def best_at_samples(scenario: Scenario) -> Extended:
    """The largest ratio at a few values: a lower bound of what is possible."""
    from faier.number.validity import sample

    best: Extended = Fraction(0)
    brief = Limits(_SECONDS_AT_SAMPLES)
    for point in sample(Domain(scenario.model.unknowns))[:6]:
        if brief.reached() is not None:
            break
        try:
            tight = _tight_at(scenario, dict(_named(scenario, point)), _SECONDS_AT_SAMPLES / 4)
        except FaierError:
            continue
        if tight is not None and tight > best:
            best = tight
    return best


def _named(scenario: Scenario, point: Point) -> dict[str, Fraction]:
    unknowns = scenario.model.unknowns
    return unknowns.originals(dict(zip(unknowns.variables, point, strict=True)))


def _tight_at(scenario: Scenario, values: dict[str, Fraction], seconds: float) -> Extended | None:
    from faier.engine import epsilon

    fixed = at(replace(scenario, claim=replace(scenario.claim, budget=None)), values)
    if fixed.uses_unknowns:
        return None
    found = epsilon(fixed, tolerance=Fraction(1, 1000), seconds=seconds)
    if found.reason == INTERRUPTED:
        raise KeyboardInterrupt
    lower = found.ratio.lower
    return None if isinstance(lower, RationalFunction) else lower


def found_witness(search: Search, broken: Broken) -> Witness | None:
    """Simple values that break the claim, with the shortest word that does there, and among these the worst.

    None where nothing breaks the claim itself, only a rational just below it.
    """
    symbolic = search.symbolic
    scenario, domain = symbolic.scenario, symbolic.domain
    broken = _counted(search, broken)
    readings = _readings(search, broken)
    polynomials = [gap for _, gap in readings]
    goals = _worst_values(search, broken)
    for point in (simplest(domain, polynomials, broken.point, goals), broken.point):
        for moved in _around(domain, point, aside=symbolic.both):
            if not domain.holds(moved):
                continue
            values = domain.named(moved)
            found = (replace(one, point=moved) for one, gap in readings if domain.sign_at(gap, moved) < 0)
            witness = _at_values(scenario, values, symbolic, found)
            if witness is not None:
                return witness
    return None


def _counted(search: Search, broken: Broken) -> Broken:
    """What was found, with a word that counts: a prefix may break the ratio at other values than its worst word."""
    prefix = search._prefixes[broken.direction, broken.letters]
    try:
        letters, ended = extended(search.symbolic, broken)
        if len(letters) > _MOST_LETTERS:
            # Its polynomials would take longer than they are worth.
            return broken
        for letter in letters[len(broken.letters) :]:
            prefix = search._after(prefix, letter)
    except NumberError:
        return broken
    return replace(broken, letters=letters, ended=ended)


def _worst_values(search: Search, broken: Broken) -> list[Point]:
    """Where the ratio of the word that was found is largest, as far as floats tell."""
    symbolic = search.symbolic
    row = search._prefixes[broken.direction, broken.letters].row
    left, right = symbolic.ended(row) if broken.ended else symbolic.prefix(row)
    if left == 0 or right == 0:
        return []
    return list(islice(promising(symbolic.domain, left, right, [broken.point]), 1))


def _around(domain: Domain, point: Point, *, aside: bool) -> Iterator[Point]:
    """The point, and some near it: at the point itself a word may be impossible on one side.

    Towards the middle of the ranges; and `aside`, in directions that no equation is made for.
    """
    yield point
    hull = domain.hull[: len(point)]
    for k in (10, 20, 40):
        yield tuple(x + ((lo + hi) / 2 - x) * Fraction(1, 2**k) for x, (lo, hi) in zip(point, hull, strict=True))
    if aside:
        for k, signs in product((6, 10, 20, 40), islice(product((1, -1), repeat=len(point)), _MOST_SIDES)):
            yield tuple(
                x + s * (hi - lo) * Fraction(i + 2, (i + 3) * 2**k)
                for i, (x, s, (lo, hi)) in enumerate(zip(point, signs, hull, strict=True))
            )


def _readings(search: Search, broken: Broken) -> list[tuple[Broken, Any]]:
    """Counted words with their differences: the one found first, and others where these are few."""
    symbolic = search.symbolic
    known = search._prefixes
    first = known[broken.direction, broken.letters]
    readings = [(broken, first.ended_gap if broken.ended else first.prefix_gap)]
    if symbolic.both:
        return readings
    for prefix in known.values():
        if len(readings) >= _MOST_WORDS:
            break
        counted = symbolic.length is None or len(prefix.letters) == symbolic.length
        if counted and prefix.letters and prefix is not first:
            other = Broken(broken.point, prefix.direction, prefix.letters, False)
            readings.append((other, prefix.prefix_gap))
    return readings


def _at_values(
    scenario: Scenario, values: dict[str, Fraction], symbolic: Symbolic, found: Iterable[Broken]
) -> Witness | None:
    """The witness at these values; `found` are words that break a bound just below the ratio there."""
    try:
        fixed = at(scenario, values)
    except (NumberError, ZeroDivisionError, FaierError):
        return None
    if not fixed.uses_unknowns:
        from faier.engine import verify as decide

        verdict = decide(fixed, seconds=_SECONDS_FOR_WITNESS)
        if isinstance(verdict, Violated) and isinstance(verdict.witness, Witness):
            return replace(verdict.witness, parameters=values)
        if isinstance(verdict, Unknown) and verdict.reason == INTERRUPTED:
            raise KeyboardInterrupt
        return None
    witnesses = [w for one in found if (w := _with_exponentials(scenario, values, symbolic, one)) is not None]
    shortest = min((len(w.word) for w in witnesses), default=0)
    return reduce(_worse, (w for w in witnesses if len(w.word) == shortest), None)


def _worse(one: Witness | None, other: Witness) -> Witness:
    """The one with the larger ratio; of equal ones the first."""
    return one if one is not None and not better(other.ratio, one.ratio) else other


def _with_exponentials(
    scenario: Scenario, values: dict[str, Fraction], symbolic: Symbolic, broken: Broken
) -> Witness | None:
    """The word that was found; its probabilities are functions of a power of e."""
    direction = symbolic.directions[broken.direction]
    letters, ended = extended(symbolic, broken)
    word = tuple(symbolic.model.symbols[s] for s in letters)
    left, right = (
        probability(scenario, belief, word, ended, values) for belief in (direction.left, direction.right)
    )
    if sign(left) <= 0 or (symbolic.both and sign(right) == 0):
        return None
    if sign(right) and not exceeds(scenario, left / right, values):
        return None
    return Witness(
        direction.pair, direction.forward, direction.left.name, direction.right.name, word, ended, left, right, values
    )


def extended(symbolic: Symbolic, broken: Broken) -> tuple[tuple[int, ...], bool]:
    """A counted word that starts with the one found and is at least as bad at the same values. [T5]"""
    letters, ended = broken.letters, broken.ended
    row = _numbers(symbolic, broken)
    weights: dict[tuple[int, int], list[tuple[int, Prob]]] = {}
    while not ended and (len(letters) < (symbolic.length or 1)):
        best: tuple[Prob, int, dict[int, tuple[Prob, Prob]]] | None = None
        for letter in range(-1 if letters else 0, symbolic.letters):
            after = _moved(symbolic, broken.point, row, letter, weights) if letter >= 0 else row
            held = after.values() if letter >= 0 else [row.get(symbolic.done, (Fraction(0), Fraction(0)))]
            one, two = (sum((pair[side] for pair in held), Fraction(0)) for side in (0, 1))
            if sign(one) <= 0:
                continue
            if sign(two) == 0:
                best = (Fraction(0), letter, after)
                break
            if best is None or compare(one / two, best[0]) > 0:
                best = (one / two, letter, after)
        assert best is not None
        if best[1] < 0:
            ended = True
        else:
            letters, row = (*letters, best[1]), best[2]
    return letters, ended


def _numbers(symbolic: Symbolic, broken: Broken) -> dict[int, tuple[Prob, Prob]]:
    """The two rows of the word that was found, at its values: polynomials of long words would be long themselves."""
    prefix = symbolic.start(symbolic.directions[broken.direction])
    row = {i: (_number(symbolic, left, broken.point), _number(symbolic, right, broken.point))
           for i, (left, right) in prefix.items()}
    weights: dict[tuple[int, int], list[tuple[int, Prob]]] = {}
    for letter in broken.letters:
        row = _moved(symbolic, broken.point, row, letter, weights)
    return row


def _moved(
    symbolic: Symbolic,
    point: Point,
    row: dict[int, tuple[Prob, Prob]],
    letter: int,
    weights: dict[tuple[int, int], list[tuple[int, Prob]]],
) -> dict[int, tuple[Prob, Prob]]:
    """Rows of numbers one letter further."""
    after: dict[int, tuple[Prob, Prob]] = {}
    for i, (left, right) in row.items():
        if i == symbolic.done:
            continue
        if (moves := weights.get((i, letter))) is None:
            moves = [(j, _number(symbolic, w, point)) for j, w in symbolic.moves(i, letter)]
            weights[i, letter] = moves
        for j, weight in moves:
            a, b = after.get(j, (Fraction(0), Fraction(0)))
            after[j] = a + left * weight, b + right * weight
    return after


def _number(symbolic: Symbolic, polynomial: Any, point: Point) -> Prob:
    from .approach import value_at_point

    return value_at_point(symbolic.domain, polynomial, point)


def exceeds(scenario: Scenario, ratio: Prob, values: dict[str, Fraction]) -> bool:
    """Whether a ratio is above the claimed one at these values, exactly."""
    budget = scenario.claim.budget
    if isinstance(budget, RationalFunction):
        return compare(ratio, value_at(budget, values)) > 0
    assert isinstance(budget, Budget)
    if isinstance(ratio, Fraction):
        return budget.compare(ratio) > 0
    exponent = budget.power * budget.root
    if is_power_of(exponent, ratio.root):
        return compare(ratio**budget.root, RationalFunction.exponential(exponent) * budget.base) > 0
    # They are not equal, so that bounds tell them apart.
    bits = _FIRST_BITS
    while True:
        below, above = enclosure(ratio, bits)
        if below > budget.above(bits):
            return True
        if above < budget.below(bits):
            return False
        bits *= 2
