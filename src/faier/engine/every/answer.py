"""Claims and tight ratios of secrets at every step. [T18]"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

from faier.engine.progress import Limits
from faier.explanation import Explanation
from faier.number.budget import Budget
from faier.number.exact import Extended
from faier.scenario.every import possible_at
from faier.scenario.scenario import Horizon, Scenario
from faier.trace import Apart, Asked, Part, Window
from faier.verdict import Bounds, Holds, Tight, Unknown, Verdict, Violated, Witness

from .asked import claim_of_others, tight_of_others, witness_of, word_of_sets
from .bounds import Single, enclose_all, enclose_sets, searches_of
from .question import Direction
from .search import Search

_TOLERANCES = (Fraction(1, 10**2), Fraction(1, 10**4), Fraction(1, 10**6), Fraction(1, 10**9), Fraction(1, 10**13))
_TOO_CLOSE = "the claim is too close to the tight ratio"


def enclose(scenario: Scenario, tolerance: Fraction, limits: Limits) -> Tight:
    """The tight ratio over all steps: exact where those of past and future are, else to a relative tolerance."""
    found = _together(scenario, tolerance, limits)
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
        trace=Apart(found.upper, found.parts, shows) if found.parts or shows is not None else None,
        explanation=_explain(scenario, is_open=found.lower != inf and found.upper == inf),
    )


def decide(scenario: Scenario, limits: Limits) -> Verdict:
    """Decide the claim: broken by a word and a step, or proved of every step."""
    try:
        found = _decide(scenario, limits)
    except KeyboardInterrupt:
        found = _unknown(scenario, limits, "interrupted", Bounds(Fraction(0), inf))
    is_open = isinstance(found, Unknown) and found.bounds.upper == inf
    return replace(found, explanation=_explain(scenario, is_open=is_open))


def _explain(scenario: Scenario, *, is_open: bool) -> Explanation:
    """How such questions are answered, and what would help where there is no upper bound."""
    tried = "what comes before a step and what comes from it on, apart; of sets of states, windows around it [T18]"
    helps = "a number as horizon, such as --horizon 20: answers there are exact"
    return Explanation((tried,), {}, (helps,) if is_open and scenario.claim.horizon == "any" else ())


def _decide(scenario: Scenario, limits: Limits) -> Verdict:
    budget = scenario.require_constant_budget()
    alone, undecided = claim_of_others(scenario, limits)
    if alone is not None and isinstance(alone.answer, Tight):
        return _violated(scenario, limits, alone)
    searches = searches_of(scenario, limits)
    for tolerance in _TOLERANCES:
        found = enclose_all([each for each in searches if not each.of_sets], tolerance, limits, budget)
        if found.shows is not None and (found.lower == inf or budget.compare(Fraction(found.lower)) > 0):
            word = _breaking(scenario, searches, found.shows, budget)
            if word is not None:
                seen, step, shows = word
                trace = Apart(inf, (), shows)
                return Violated(_at(scenario, step), "tree", limits.elapsed, trace, witness=seen)
        kept = found.upper != inf and budget.compare(Fraction(found.upper)) <= 0
        if kept or found.upper == inf or found.reason is not None or limits.reached():
            break
    worst = word_of_sets(scenario, inf, _TOLERANCES[1], limits)
    if worst is not None and _breaks(worst.answer.witness, budget):
        return _violated(scenario, limits, worst)
    of_sets = enclose_sets(scenario, searches, budget.below(128), _TOLERANCES[1], limits, budget)
    upper = max(found.upper, of_sets.upper)
    if kept and undecided is None and upper != inf and budget.compare(Fraction(upper)) <= 0:
        parts = (*found.parts, *of_sets.parts, *(() if alone is None else (alone,)))
        return Holds(scenario, "tree", limits.elapsed, Apart(upper, parts, None))
    lower = found.lower if worst is None else max(found.lower, worst.answer.ratio.lower)
    reason = limits.reached() or found.reason or undecided or (None if kept else _TOO_CLOSE) or of_sets.reason
    return _unknown(scenario, limits, reason or _TOO_CLOSE, Bounds(lower, upper if undecided is None else inf))


def _violated(scenario: Scenario, limits: Limits, shows: Asked) -> Violated:
    word = witness_of(scenario, shows)
    assert word is not None
    return Violated(_at(scenario, word[1]), "tree", limits.elapsed, Apart(inf, (), shows), witness=word[0])


def _unknown(scenario: Scenario, limits: Limits, reason: str, bounds: Bounds) -> Unknown:
    return Unknown(scenario, "tree", limits.elapsed, None, reason=reason, bounds=bounds)


@dataclass(frozen=True)
class _Together:
    """Bounds of all pairs together."""

    lower: Extended
    upper: Extended
    parts: tuple[Part | Asked | Window, ...]
    shows: Part | Asked | None
    reason: str | None


def _together(scenario: Scenario, tolerance: Fraction, limits: Limits) -> _Together:
    try:
        alone = tight_of_others(scenario, tolerance, limits)
        least = Fraction(0) if alone is None else alone.answer.ratio.lower
        if least == inf:
            return _Together(inf, inf, (), alone, None)
        worst = word_of_sets(scenario, inf, tolerance, limits)
        least = least if worst is None else max(least, worst.answer.ratio.lower)
        if least == inf:
            return _Together(inf, inf, (), worst, None)
        searches = searches_of(scenario, limits)
        found = enclose_all([each for each in searches if not each.of_sets], tolerance, limits, known=least)
        enough = max(least, found.lower) * (1 + tolerance)
        of_sets = enclose_sets(scenario, searches, enough, tolerance, limits)
        upper = max(found.upper, of_sets.upper, Fraction(0) if alone is None else alone.answer.ratio.upper)
    except KeyboardInterrupt:
        return _Together(Fraction(0), inf, (), None, "interrupted")
    lower: Extended = found.lower
    shows: Part | Asked | None = found.shows
    for asked in (alone, worst):
        if asked is not None and (shows is None or asked.answer.ratio.lower > lower):
            lower, shows = asked.answer.ratio.lower, asked
    parts = (*found.parts, *of_sets.parts, *(() if alone is None else (alone,)))
    reason = found.reason or (None if alone is None else alone.answer.reason) or limits.reached() or of_sets.reason
    return _Together(lower, upper, parts if upper != inf else (), shows, reason)


def _attained(part: Part | Asked) -> bool:
    if isinstance(part, Asked):
        return bool(part.answer.witness is not None and part.answer.ratio.lower == _ratio(part.answer.witness))
    return all(result is None or result.attained for result in (part.past, part.future))


def _breaking(
    scenario: Scenario, searches: list[Single], part: Part, budget: Budget
) -> tuple[Witness, int, Part] | None:
    """A word, with its step, that breaks the claim, and what shows it; None where none was found."""
    found = _witness(scenario, part)
    if found is not None and _breaks(found[0], budget):
        return *found, part
    # The lower bound may be a limit, or infinite by ever longer words: ask for one that is long enough.
    single = next(s for s in searches if (s.direction.pair, s.direction.forward) == (part.pair, part.forward))
    search, direction = single.search, single.direction
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


def _witness(scenario: Scenario, part: Part | Asked) -> tuple[Witness, int] | None:
    """The word that the witnesses of past and future make together, with the step; None where one has none."""
    if isinstance(part, Asked):
        return witness_of(scenario, part)
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
