"""Claims and tight ratios of secrets at every step. [T18]"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf

from faier.engine.progress import Limits
from faier.model.hmm import HMM
from faier.number.budget import Budget
from faier.number.exact import Extended
from faier.scenario.every import possible_at
from faier.scenario.gate import Gate
from faier.scenario.scenario import Horizon, Scenario
from faier.trace import Apart, Part
from faier.verdict import Bounds, Holds, Tight, Unknown, Verdict, Violated, Witness

from .question import Direction, Question
from .search import Enclosed, Search

_TOLERANCES = (Fraction(1, 10**2), Fraction(1, 10**4), Fraction(1, 10**6), Fraction(1, 10**9), Fraction(1, 10**13))


def enclose(scenario: Scenario, tolerance: Fraction, limits: Limits) -> Tight:
    """The tight ratio over all steps: exact where those of past and future are, else to a relative tolerance."""
    searches = _searches(scenario, limits)
    found = _all(searches, tolerance, limits)
    shows = found.shows
    word = None if shows is None else _witness(scenario, shows)
    exact = found.lower == found.upper
    near = exact or (found.upper != inf and Fraction(found.upper) <= Fraction(found.lower) * (1 + tolerance))
    attained = exact and shows is not None and _attained(shows) and word is not None
    return Tight(
        scenario if word is None else _at(scenario, word[1]),
        Bounds(found.lower, found.upper),
        attained=attained,
        witness=None if word is None else word[0],
        complete=near,
        reason=None if near else found.reason or "past and future are enclosed no closer",
        engine="tree",
        seconds=limits.elapsed,
        trace=Apart(found.upper, found.parts, shows) if found.parts or found.lower == inf else None,
    )


def decide(scenario: Scenario, limits: Limits) -> Verdict:
    """Decide the claim: broken by a word and a step, or proved of every step."""
    budget = scenario.require_constant_budget()
    searches = _searches(scenario, limits)
    for tolerance in _TOLERANCES:
        found = _all(searches, tolerance, limits, budget)
        if found.shows is not None and (found.lower == inf or budget.compare(Fraction(found.lower)) > 0):
            word = _breaking(scenario, searches, found.shows, budget)
            if word is not None:
                seen, step, shows = word
                trace = Apart(inf, (), shows)
                return Violated(_at(scenario, step), "tree", limits.elapsed, trace, witness=seen)
        if found.upper != inf and budget.compare(Fraction(found.upper)) <= 0:
            trace = Apart(found.upper, found.parts, found.shows)
            return Holds(scenario, "tree", limits.elapsed, trace)
        if found.upper == inf or found.reason is not None or limits.reached():
            break
    reason = limits.reached() or found.reason or "the claim is too close to the tight ratio"
    return Unknown(scenario, "tree", limits.elapsed, None, reason=reason, bounds=Bounds(found.lower, found.upper))


def _searches(scenario: Scenario, limits: Limits) -> list[tuple[Search, Direction]]:
    written = scenario.written
    assert written is not None
    assert isinstance(written.model, HMM)
    found = []
    for number, gate in enumerate(written.pairs):
        assert isinstance(gate, Gate)
        search = Search(Question(written.model, gate, scenario.require_horizon()), limits)
        left, right = (written.model.state_index[side[0]] for side in (gate.left, gate.right))
        found.append((search, Direction(number, True, left, right)))
        if not gate.one_way:
            found.append((search, Direction(number, False, right, left)))
    return found


def _all(
    searches: list[tuple[Search, Direction]], tolerance: Fraction, limits: Limits, budget: Budget | None = None
) -> Enclosed:
    """All directions together; of a claim, no further than one that breaks it."""
    try:
        return _each(searches, tolerance, limits, budget)
    except KeyboardInterrupt:
        return Enclosed(Fraction(0), inf, (), None, "interrupted")


def _each(
    searches: list[tuple[Search, Direction]], tolerance: Fraction, limits: Limits, budget: Budget | None
) -> Enclosed:
    lower: Extended = Fraction(0)
    upper: Extended = Fraction(0)
    parts: list[Part] = []
    shows: Part | None = None
    reason: str | None = None
    # What the worst direction reaches is what the others need not exceed, so it comes first.
    glances = {id(direction): search.glance(direction, tolerance) for search, direction in searches}
    for search, direction in sorted(searches, key=lambda each: glances[id(each[1])], reverse=True):
        known = lower if budget is None else max(lower, budget.below(128) / (1 + tolerance))
        found = search.enclose(direction, tolerance, known)
        if found.lower > lower or shows is None:
            lower, shows = found.lower, found.shows or shows
        upper = max(upper, found.upper)
        parts += found.parts
        reason = reason or found.reason
        if lower == inf or (budget is not None and budget.compare(Fraction(lower)) > 0):
            return Enclosed(lower, inf, (), shows, reason)
        if stop := limits.reached():
            return Enclosed(lower, inf, (), shows, stop)
    return Enclosed(lower, upper, tuple(parts) if upper != inf else (), shows, reason)


def _attained(part: Part) -> bool:
    return all(result is None or result.attained for result in (part.past, part.future))


def _breaking(
    scenario: Scenario, searches: list[tuple[Search, Direction]], part: Part, budget: Budget
) -> tuple[Witness, int, Part] | None:
    """A word, with its step, that breaks the claim, and what shows it; None where none was found."""
    found = _witness(scenario, part)
    if found is not None and _breaks(found[0], budget):
        return *found, part
    # The lower bound may be a limit, or infinite by ever longer words: ask for one that is long enough.
    search = next(s for s, d in searches if (d.pair, d.forward) == (part.pair, part.forward))
    direction = next(d for _, d in searches if (d.pair, d.forward) == (part.pair, part.forward))
    for longer in ("future", "past"):
        if (other := _longer(search, direction, part, longer, budget)) is not None:
            found = _witness(scenario, other)
            if found is not None and _breaks(found[0], budget):
                return *found, other
    return None


def _longer(search: Search, direction: Direction, part: Part, which: str, budget: Budget) -> Part | None:
    """The part with a word in its past or future that together with one of the other breaks the claim."""
    if part.past is None:
        return None if which == "past" else _with_word(search, direction, part, which, budget.above(128))
    other = "past" if which == "future" else "future"
    kept: Part | None = part
    if getattr(part, other).witness is None:
        kept = _with_word(search, direction, part, other, Fraction(1))
    ratio = None if kept is None else _ratio(getattr(kept, other).witness)
    if kept is None or not isinstance(ratio, Fraction) or ratio == 0:
        return None
    return _with_word(search, direction, kept, which, budget.above(128) / ratio)


def _with_word(search: Search, direction: Direction, part: Part, which: str, ratio: Fraction) -> Part | None:
    """The part with a word of its past or future that exceeds this ratio; None where none was found."""
    from faier import engine

    question = search.question
    if which == "future":
        left: Horizon = "any" if question.horizon == "any" else question.horizon - part.step + 1
        asked = question.future(direction, left, ratio)
    else:
        asked = question.past(direction, part.step, ratio)
    verdict = engine.verify(asked, seconds=search.seconds())
    if not isinstance(verdict, Violated) or not isinstance(verdict.witness, Witness):
        return None
    tight = Tight(
        asked, Bounds(_ratio(verdict.witness), inf), attained=False, witness=verdict.witness, complete=False,
        reason="a word is enough", engine="tree", seconds=verdict.seconds, trace=None,
    )  # fmt: skip
    return replace(part, past=tight) if which == "past" else replace(part, future=tight)


def _ratio(witness: Witness) -> Extended:
    ratio = witness.ratio
    assert isinstance(ratio, Fraction | float)
    return ratio


def _breaks(witness: Witness, budget: Budget) -> bool:
    ratio = _ratio(witness)
    return ratio == inf or budget.compare(Fraction(ratio)) > 0


def _witness(scenario: Scenario, part: Part) -> tuple[Witness, int] | None:
    """The word that the witnesses of past and future make together, with the step; None where one has none."""
    if part.future.witness is None or (part.past is not None and part.past.witness is None):
        return None
    future = part.future.witness
    before = () if part.past is None else part.past.witness.word[::-1]
    step = len(before) + 1
    pair = sum(possible_at(scenario, step)[: part.pair])
    asked = _at(scenario, step).pairs[pair]
    names = (asked.left.name, asked.right.name) if part.forward else (asked.right.name, asked.left.name)
    left, right = future.left_probability, future.right_probability
    if part.past is not None:
        left, right = left * part.past.witness.left_probability, right * part.past.witness.right_probability
    word = (*before, *future.word)
    return Witness(pair, part.forward, *names, word, future.ended, left, right), step


def _at(scenario: Scenario, step: int) -> Scenario:
    """The scenario with the gates at this step, where a result has a word with this step."""
    from faier.scenario.written import compiled_at

    return compiled_at(scenario, step)

