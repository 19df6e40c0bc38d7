"""Questions about approximate privacy, answered: profiles, and verdicts on claims with a delta."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf

from faier.approximate import Point, Profile
from faier.comparison import Comparison
from faier.engine.lumping import Smaller, smaller
from faier.engine.progress import Limits, Stopped
from faier.errors import NotYetError, UsageError
from faier.number.budget import Budget
from faier.number.mass import Mass
from faier.number.rational_function import RationalFunction
from faier.scenario.scenario import Scenario
from faier.verdict import Between, Bounds, Holds, Unknown, Verdict, Violated

from .claim import decide
from .curve import corners, grid
from .event import event
from .point import made, point
from .reach import Reach, reach


def profile(
    scenario: Scenario,
    limits: Limits,
    *,
    ratio: Budget | RationalFunction | None = None,
    delta: Fraction | None = None,
    tolerance: Fraction,
) -> Profile:
    """One point of the curve at a ratio, or where delta is the one given, or the whole curve."""
    asked = asked_of(scenario)
    comparison = Comparison(asked.scenario)
    found = _profile(scenario, comparison, limits, ratio, delta, tolerance)
    return replace(found, classes=asked.classes)


def _profile(
    scenario: Scenario,
    comparison: Comparison,
    limits: Limits,
    ratio: Budget | RationalFunction | None,
    delta: Fraction | None,
    tolerance: Fraction,
) -> Profile:
    if ratio is not None:
        if isinstance(ratio, RationalFunction):
            raise NotYetError(f"a profile at a ratio such as {ratio} is not built yet; give a number, or a power of e")
        one, found = point(comparison, ratio, limits, tolerance=tolerance)
        return _finished(scenario, [one], found.reason, limits, depth=found.depth)
    if delta is not None:
        return _at_delta(scenario, comparison, delta, limits, tolerance)
    if (points := corners(comparison, limits)) is not None:
        return _finished(scenario, points, None, limits, linear=True)
    points, reason = grid(comparison, limits, tolerance)
    return _finished(scenario, points, reason, limits)


def verify(scenario: Scenario, limits: Limits) -> Verdict:
    """Decide a claim with a delta: of every pair and direction, no event exceeds the ratio by more than delta."""
    asked = asked_of(scenario)
    comparison = Comparison(asked.scenario)
    budget, delta = scenario.require_constant_budget(), scenario.claim.delta
    decision = decide(comparison, budget, delta, limits)
    if decision.proof is not None:
        return Holds(scenario, "profile", limits.elapsed, decision.proof, classes=asked.classes)
    if decision.broken is not None:
        try:
            found = event(comparison, decision.broken, budget, delta, limits)
            return Violated(scenario, "profile", limits.elapsed, None, witness=found)
        except (Stopped, KeyboardInterrupt) as stop:
            decision = replace(decision, reason=f"{str(stop) or 'interrupted'} while the event was written down")
    reason = decision.reason or "undecided"
    return Unknown(scenario, "profile", limits.elapsed, None, reason=reason, bounds=decision.bounds)


def comparison_of(scenario: Scenario) -> Comparison:
    """The normal form of a question about probability beyond a ratio; refuses what cannot be asked."""
    return Comparison(asked_of(scenario).scenario)


def asked_of(scenario: Scenario) -> Smaller:
    """The question without what it claims, over classes of states where states behave alike. [T14]"""
    scenario.require_horizon()
    scenario.require_all_outputs("approximate privacy")
    if scenario.claim.possible == "both":
        raise UsageError(
            'approximate privacy counts every word, and possible = "both" leaves some out: the two do not go together'
        )
    plain = replace(scenario, claim=replace(scenario.claim, delta=Fraction(0), budget=None))
    if plain.uses_unknowns:
        raise NotYetError(
            "approximate privacy of models with unknown parameters or exp(...) is not built yet; put numbers in their "
            "place with --set"
        )
    return Smaller(plain, None) if plain.stream is not None else smaller(plain)


def _at_delta(
    scenario: Scenario, comparison: Comparison, delta: Fraction, limits: Limits, tolerance: Fraction
) -> Profile:
    if not 0 <= delta <= 1:
        raise UsageError(f"delta lies between 0 and 1, got {delta}")
    found = reach(comparison, delta, limits, tolerance=tolerance)
    depth = None if found.above is None else found.above.depth
    one = _finished(scenario, _ends(comparison, found), found.reason, limits, depth=depth)
    return replace(one, delta=delta, reach=Bounds(found.lower, found.upper))


def _ends(comparison: Comparison, found: Reach) -> list[Point]:
    """The point at the ratio that keeps delta; where none does, what is left of delta at all of them."""
    if found.above is not None and isinstance(found.upper, Fraction):
        ratio = Budget.of_ratio(found.upper) if found.upper else found.upper
        above = found.above
        mass = None
        if above.lower == above.upper and isinstance(ratio, Budget):
            mass = Mass(above.left, above.right, ratio)
        return [made(comparison, ratio, Between(above.lower, above.upper), mass, above.direction)]
    if found.lower == inf and found.below is not None:
        below = found.below
        return [made(comparison, inf, Between(below.left, below.upper), None, below.direction)]
    return []


def _finished(
    scenario: Scenario,
    points: list[Point],
    reason: str | None,
    limits: Limits,
    *,
    linear: bool = False,
    depth: int | None = None,
) -> Profile:
    return Profile(scenario, points, linear, reason is None, reason, limits.elapsed, depth=depth)
