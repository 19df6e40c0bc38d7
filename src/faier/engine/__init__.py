"""Engines decide scenarios. `verify` and `epsilon` choose one and turn its outcome into a verdict.

`calibrate` and `region` ask for which values of parameters a claim holds, `profile_of` how much lies beyond a ratio.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Literal, TypeAlias

from faier.comparison import Comparison
from faier.errors import NumberError, UsageError
from faier.families import Divergence
from faier.number.budget import Budget
from faier.number.rational_function import RationalFunction
from faier.scenario.every import asks_every_step
from faier.scenario.narrowing import range_of
from faier.scenario.scenario import Scenario
from faier.verdict import Bounds, Holds, Tight, Unknown, Verdict, Violated, Witness

from .as_asked import as_asked
from .effort import explain
from .left_out import left_out
from .lumping import Smaller, smaller
from .outcome import Outcome
from .progress import Limits, Listener
from .words import first_among_equals, witness

if TYPE_CHECKING:
    from faier.approximate import Profile
    from faier.calibration import Calibration, Goal
    from faier.measures import Concentrated, Leakage, Renyi, TradeOff
    from faier.partition import Region

Engine: TypeAlias = Literal["auto", "tree", "boxes", "z3", "cvc5"]

_MANY_WORDS = 4096
_CHEAP_WORK = 2_000_000
_LARGE_MODEL = 20_000
_LONG = 100
_MOST_VALUES = 10_000_000
_LARGEST_ORDER = 10_000


@as_asked
def verify(
    scenario: Scenario,
    *,
    engine: str = "auto",
    seconds: float | None = None,
    progress: Listener | None = None,
) -> Verdict:
    """Decide the claim of a scenario, for all values of its unknowns: exact, or `Unknown` with the bounds reached."""
    _require_claim(scenario)
    if scenario.claim.delta:
        return _verify_delta(scenario, engine, Limits(seconds, progress))
    if engine in ("z3", "cvc5"):
        from .smt.verify import verify as verify_with_solver

        limits = Limits(seconds)
        try:
            return verify_with_solver(scenario, solver=engine, seconds=seconds)
        except KeyboardInterrupt:
            return Unknown(
                scenario, engine, limits.elapsed, None, reason="interrupted", bounds=Bounds(Fraction(0), inf)
            )
    if engine not in ("auto", "tree", "boxes"):
        raise UsageError(f"unknown engine {engine!r}; there are auto, tree, boxes, z3 and cvc5")
    if engine == "tree" and scenario.uses_unknowns:
        raise UsageError("the tree engine needs numbers, and this scenario has parameters or exp; take auto or boxes")
    limits = Limits(seconds, progress)
    if _is_apart(scenario, engine):
        from .every import decide

        return decide(scenario, limits)
    if engine == "boxes" or scenario.uses_unknowns:
        from .boxes.verify import verify as verify_on_boxes

        return verify_on_boxes(scenario, limits)
    budget = scenario.require_constant_budget()
    asked = smaller(scenario)
    comparison = Comparison(asked.scenario)
    by_words = engine == "auto" and words_are_few(comparison)
    outcome = _decide(comparison, budget, limits, by_words=by_words)
    name, said = "tree", explain(limits.effort, outcome, comparison)
    if outcome.trace is not None:
        trace, left = outcome.trace, left_out(comparison)
        return Holds(scenario, name, limits.elapsed, trace, left, asked.classes, explanation=said)
    if outcome.found is not None and (outcome.lower == inf or budget.compare(Fraction(outcome.lower)) > 0):
        found = witness(comparison, first_among_equals(comparison, outcome.found))
        return Violated(scenario, name, limits.elapsed, None, witness=found, explanation=said)
    return Unknown(
        scenario,
        name,
        limits.elapsed,
        None,
        reason=outcome.reason or "undecided",
        bounds=Bounds(outcome.lower, outcome.upper),
        explanation=said,
    )


@as_asked
def epsilon(
    scenario: Scenario,
    *,
    tolerance: Fraction = Fraction(1, 10**9),
    seconds: float | None = None,
    progress: Listener | None = None,
    row_by_row: bool = False,
) -> Tight:
    """The tight ratio: exact at a finite horizon, exact or enclosed to a relative `tolerance` at `any`.

    A proof that goes `row_by_row` is about states, however alike they behave, and at `any` uses T1, T3 and T4 alone.
    """
    if tolerance <= 0:
        raise UsageError(f"a tolerance is positive, got {tolerance}")
    limits = Limits(seconds, progress)
    scenario.require_no_delta("the tight epsilon", "faier profile --delta finds the epsilon at a delta")
    scenario.require_built()
    if _is_apart(scenario, "auto"):
        from .every import enclose

        return enclose(scenario, tolerance, limits)
    if scenario.uses_unknowns:
        from .boxes.tight import epsilon as epsilon_on_boxes

        return epsilon_on_boxes(scenario, tolerance, limits)
    asked = Smaller(scenario, None) if row_by_row else smaller(scenario)
    comparison = Comparison(asked.scenario)
    outcome = _tight(comparison, tolerance, limits, row_by_row=row_by_row)
    found = None
    if outcome.found is not None:
        found = witness(comparison, first_among_equals(comparison, outcome.found))
    elif outcome.diverges is not None:
        found = _first_breaking(comparison, outcome.diverges, limits)
    family = outcome.limit or outcome.diverges
    return Tight(
        scenario,
        Bounds(outcome.lower, outcome.upper),
        attained=found is not None and outcome.lower == outcome.upper and family is None,
        witness=found,
        complete=outcome.reason is None,
        reason=outcome.reason,
        engine="tree",
        seconds=limits.elapsed,
        trace=outcome.trace,
        left_out=left_out(comparison),
        diverges=outcome.diverges,
        limit=outcome.limit,
        classes=asked.classes,
        explanation=explain(limits.effort, outcome, comparison, tolerance),
    )


def _first_breaking(comparison: Comparison, family: Divergence, limits: Limits) -> Witness | None:
    """The first word of the family that breaks the scenario's own claim, where it makes one."""
    from .loops.breaking import first_breaking

    budget = comparison.scenario.claim.budget
    if not isinstance(budget, Budget):
        return None
    found = first_breaking(comparison, family, budget, limits)
    return None if found is None else witness(comparison, found)


@as_asked
def calibrate(
    scenario: Scenario,
    parameter: str,
    goal: Goal,
    *,
    tolerance: Fraction = Fraction(1, 10**9),
    seconds: float | None = None,
    progress: Listener | None = None,
) -> Calibration:
    """The extreme value of a parameter that keeps the claim for all values of the others."""
    if tolerance <= 0:
        raise UsageError(f"a tolerance is positive, got {tolerance}")
    scenario.require_no_delta("a calibration", "set the parameter to values with --set and verify these")
    _require_claim(scenario)
    range_of(scenario, parameter)
    from .boxes.calibrate import calibrate as search

    return search(scenario, parameter, goal, tolerance, Limits(seconds, progress))


@as_asked
def region(
    scenario: Scenario,
    over: Sequence[str],
    *,
    effort: int | None = None,
    seconds: float | None = None,
    progress: Listener | None = None,
) -> Region:
    """For which values of one or two parameters the claim holds; `effort` is how many boxes may be looked at."""
    scenario.require_no_delta("a region", "set the parameters to values with --set and verify these")
    _require_claim(scenario)
    if not 1 <= len(over) <= 2:
        raise UsageError(f"a region is over one or two parameters, got {len(over)}")
    for name in over:
        range_of(scenario, name)
    if len(set(over)) < len(over):
        raise UsageError(f"a region is over two different parameters, got {over[0]} twice")
    if effort is not None and effort < 1:
        raise UsageError(f"an effort is a number of boxes, at least 1, got {effort}")
    from .boxes.region import region as survey

    try:
        return survey(scenario, over, effort, Limits(seconds, progress))
    except NumberError as error:
        raise UsageError(f"no region over {', '.join(over)}: {error}") from error


def profile_of(
    scenario: Scenario,
    *,
    ratio: Budget | RationalFunction | None = None,
    delta: Fraction | None = None,
    tolerance: Fraction = Fraction(1, 10**6),
    seconds: float | None = None,
    progress: Listener | None = None,
) -> Profile:
    """How much probability lies beyond a ratio; at which ratio it is `delta`; or the whole curve."""
    if tolerance <= 0:
        raise UsageError(f"a tolerance is positive, got {tolerance}")
    if ratio is not None and delta is not None:
        raise UsageError("give a ratio (or an epsilon) or a delta, not both")
    scenario.require_all_outputs("a profile")
    from .profile.answer import profile as answer

    return answer(scenario, Limits(seconds, progress), ratio=ratio, delta=delta, tolerance=tolerance)


def renyi_of(scenario: Scenario, order: Fraction, *, tolerance: Fraction, seconds: float | None = None) -> Renyi:
    """The largest Renyi divergence of an order greater than 0, of all pairs and directions."""
    if order <= 0:
        raise UsageError(f"an order is greater than 0, got {order}")
    if order > _LARGEST_ORDER:
        # Probabilities are raised to it, exactly, and no limit of time stops a power.
        raise UsageError(f"an order is at most {_LARGEST_ORDER:,}; that of order infinity is epsilon, got {order}")
    from .profile.divergence import renyi

    return renyi(scenario, order, Limits(seconds), tolerance)


def concentrated(scenario: Scenario, *, tolerance: Fraction, seconds: float | None = None) -> Concentrated:
    """The smallest rho with rho-zCDP, of all pairs and directions."""
    from .profile.divergence import concentrated as enclose

    return enclose(scenario, Limits(seconds), tolerance)


def tradeoff_of(scenario: Scenario, *, seconds: float | None = None) -> TradeOff:
    """The trade-off function of the worst direction, exactly."""
    from .profile.tradeoff import tradeoff

    return tradeoff(scenario, Limits(seconds))


def leakage_of(
    scenario: Scenario, prior: Mapping[str, Fraction] | None = None, *, seconds: float | None = None
) -> Leakage:
    """What one observation of the scenario's horizon says about which of the compared beliefs is true."""
    from .profile.leakage import leakage

    return leakage(scenario, prior, Limits(seconds))


def _verify_delta(scenario: Scenario, engine: str, limits: Limits) -> Verdict:
    if engine != "auto":
        raise UsageError(f"a claim with a delta is not for the engine {engine}; leave it to auto")
    from .profile.answer import verify as decide

    return decide(scenario, limits)


def _require_claim(scenario: Scenario) -> None:
    scenario.require_budget()
    scenario.require_horizon()
    scenario.require_built()


def _is_apart(scenario: Scenario, engine: str) -> bool:
    """Whether past and future of a secret at every step are asked about apart. [T18]"""
    if not asks_every_step(scenario.written):
        return False
    from .every import are_single, require_apart, why_not

    require_apart(scenario)
    if scenario.claim.horizon == "any":
        return True
    if engine != "auto" or why_not(scenario) is not None or not are_single(scenario):
        return False
    return not words_are_few(Comparison(scenario))


def _decide(comparison: Comparison, budget: Budget, limits: Limits, *, by_words: bool) -> Outcome:
    from . import columns

    if by_words:
        with suppress(columns.TooSmall):
            return columns.decide(comparison, budget, limits)
    from .tree import levels

    return levels.decide(comparison, budget, limits)


def _tight(comparison: Comparison, tolerance: Fraction, limits: Limits, *, row_by_row: bool = False) -> Outcome:
    if comparison.length is None:
        from .tree import anytime

        return anytime.tight_at_any(comparison, tolerance, limits, row_by_row=row_by_row)
    if words_are_few(comparison):
        from . import columns

        with suppress(columns.TooSmall):
            return columns.tight_at(comparison, limits)
    from .tree import levels

    return levels.tight_at(comparison, limits)


def words_are_few(comparison: Comparison) -> bool:
    """Whether to list words from the back, all beliefs at once, rather than prefixes pair by pair."""
    if comparison.length is None or comparison.length > _LONG:
        return False
    automaton = comparison.automaton
    if comparison.length == 1 and len(comparison.beliefs) * automaton.letters <= _MOST_VALUES:
        return True
    total, level = 0, 1
    for _ in range(comparison.length):
        level *= automaton.letters
        total += level
        if total > _MANY_WORDS * 16:
            return False
    work = total * (automaton.model.step.stored + automaton.size)
    if work <= _CHEAP_WORK:
        return True
    directions = len(comparison.directions)
    if automaton.size >= _LARGE_MODEL:
        # What the tree would touch instead: for each prefix, the states that a start can have reached by then.
        reached = len(comparison.start_states) * automaton.most_successors ** (comparison.length - 1)
        return total <= _MANY_WORDS and automaton.size <= 2 * directions * min(automaton.size, reached)
    return total <= 4 * directions and work <= 1000 * _CHEAP_WORK
