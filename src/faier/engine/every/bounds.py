"""Upper bounds of all secrets at every step of a file: of single states, and of sets of them. [T18]"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import inf

from faier.engine.progress import Limits
from faier.model.hmm import HMM
from faier.number.budget import Budget
from faier.number.exact import Extended
from faier.scenario.gate import Gate
from faier.scenario.scenario import Scenario
from faier.trace import Asked, Part, Window

from .around import at_all_steps, closest_window
from .asked import is_of_sets, sets
from .question import Direction, Question
from .search import Enclosed, Search

_AS_SETS = "sets of states are bounded by their single states or by windows, which is not always close"


@dataclass(frozen=True)
class Single:
    """A question about two single states, which may be of sets."""

    search: Search
    direction: Direction
    of_sets: bool


def searches_of(scenario: Scenario, limits: Limits) -> list[Single]:
    """Of every pair at every step each two states of its sides, in all its directions."""
    written = scenario.written
    assert written is not None
    assert isinstance(written.model, HMM)
    found = []
    for number, gate in enumerate(written.pairs):
        if not isinstance(gate, Gate) or gate.at != "every":
            continue
        for left, right in product(gate.left, gate.right):
            if left == right and is_of_sets(gate):
                # Of a state against itself the ratio is 1, and no tight ratio is less.
                continue
            single = replace(gate, left=(left,), right=(right,))
            search = Search(Question(written.model, single, scenario.require_horizon()), limits)
            states = written.model.state_index[left], written.model.state_index[right]
            apart = is_of_sets(gate)
            found.append(Single(search, Direction(number, True, *states), apart))
            if not gate.one_way:
                found.append(Single(search, Direction(number, False, *states[::-1]), apart))
    return found


@dataclass(frozen=True)
class Sets:
    """An upper bound of all sets of states, with its proof."""

    upper: Extended
    parts: tuple[Part | Window | Asked, ...]
    reason: str | None


def enclose_sets(
    scenario: Scenario,
    searches: list[Single],
    enough: Extended,
    tolerance: Fraction,
    limits: Limits,
    budget: Budget | None = None,
) -> Sets:
    """By what is shown around a step, of a stationary start, else by single states; the smaller one."""
    upper: Extended = Fraction(1)
    parts: list[Part | Window | Asked] = []
    for number in sets(scenario):
        singles = [each for each in searches if each.direction.pair == number]
        question = Question(singles[0].search.question.model, _gate(scenario, number), "any")
        bound: Extended = inf
        proof: tuple[Part | Window | Asked, ...] = ()
        if (window := closest_window(question, number, enough, tolerance, limits)) is not None:
            bound, proof = at_all_steps(scenario, question, window, enough, tolerance, limits)
        if bound > enough:
            found = enclose_all(singles, tolerance, limits, budget, enough / (1 + tolerance))
            if found.upper <= bound:
                bound, proof = found.upper, found.parts
        upper = max(upper, bound)
        parts += proof
    return Sets(upper, tuple(parts), None if upper <= enough else _AS_SETS)


def _gate(scenario: Scenario, number: int) -> Gate:
    assert scenario.written is not None
    gate = scenario.written.pairs[number]
    assert isinstance(gate, Gate)
    return gate


def enclose_all(
    searches: list[Single],
    tolerance: Fraction,
    limits: Limits,
    budget: Budget | None = None,
    known: Extended = Fraction(0),
) -> Enclosed:
    """All directions together; of a claim, no further than one that breaks it.

    What is known as a lower bound from elsewhere, the upper bounds need not be below.
    """
    lower: Extended = Fraction(0)
    upper: Extended = Fraction(1)
    parts: list[Part] = []
    shows: Part | None = None
    reason: str | None = None
    if budget is not None:
        known = max(known, budget.below(128) / (1 + tolerance))
    # What the worst direction reaches is what the others need not exceed, so it comes first.
    glances = {id(each): each.search.glance(each.direction, tolerance) for each in searches}
    for each in sorted(searches, key=lambda each: glances[id(each)], reverse=True):
        if each.of_sets and upper == inf:
            continue
        found = each.search.enclose(each.direction, tolerance, known)
        known = known if found.lower == inf else max(known, found.lower)
        upper = max(upper, found.upper)
        reason = reason or found.reason
        if each.of_sets:
            # What these states tell apart, the sets that they are of need not.
            parts += (replace(part, states=(each.direction.left, each.direction.right)) for part in found.parts)
            if upper == inf or (budget is not None and budget.compare(Fraction(upper)) > 0):
                reason = reason or _AS_SETS
        else:
            parts += found.parts
            if found.lower > lower or shows is None:
                lower, shows = found.lower, found.shows or shows
        if lower == inf or (budget is not None and budget.compare(Fraction(lower)) > 0):
            return Enclosed(lower, inf, (), shows, reason)
        if stop := limits.reached():
            return Enclosed(lower, inf, (), shows, stop)
    return Enclosed(lower, upper, tuple(parts) if upper != inf else (), shows, reason)
