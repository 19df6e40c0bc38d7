"""Pairs that are asked about as always, beside others: ordinary ones, and sets of states up to a step. [T18]"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import inf
from typing import TypeVar

from faier.engine.progress import Limits
from faier.errors import ModelError
from faier.model.hmm import HMM
from faier.number.exact import Extended
from faier.scenario.every import possible_at, possible_steps
from faier.scenario.gate import Gate
from faier.scenario.scenario import Horizon, Scenario
from faier.scenario.written import Written, compiled
from faier.trace import Asked
from faier.verdict import Bounds, Holds, Tight, Unknown, Violated, Witness

_HORIZONS = (2, 4, 6, 8, 10)
PATIENCE = 5.0
_INTERRUPTED = "interrupted"
_Result = TypeVar("_Result", Tight, Unknown)


def is_every(pair: object) -> bool:
    """Whether a pair asks about every step."""
    return isinstance(pair, Gate) and pair.at == "every"


def is_of_sets(pair: object) -> bool:
    """Whether a pair asks about every step, and one of its sides is several states."""
    return isinstance(pair, Gate) and pair.at == "every" and not len(pair.left) == 1 == len(pair.right)


def others(scenario: Scenario) -> tuple[int, ...]:
    """The numbers of the pairs that are not at every step, but for those that no run passes."""
    possible = possible_at(scenario, 1)
    return tuple(n for n, pair in enumerate(_written(scenario).pairs) if not is_every(pair) and possible[n])


def sets(scenario: Scenario) -> tuple[int, ...]:
    """The numbers of the pairs that compare sets of states at every step."""
    return tuple(n for n, pair in enumerate(_written(scenario).pairs) if is_of_sets(pair))


def tight_of_others(scenario: Scenario, tolerance: Fraction, limits: Limits) -> Asked | None:
    """The tight ratio of the pairs that are not at every step; None where there are none."""
    from faier import engine

    if not (numbers := others(scenario)):
        return None
    asked = _question(scenario, numbers, scenario.require_horizon())
    return Asked(numbers, finished(engine.epsilon(asked, tolerance=tolerance, seconds=left(limits))))


def claim_of_others(scenario: Scenario, limits: Limits) -> tuple[Asked | None, str | None]:
    """The proof that the pairs that are not at every step keep the claim, or a word that breaks it.

    Where neither was found, the reason.
    """
    from faier import engine

    if not (numbers := others(scenario)):
        return None, None
    budget = scenario.require_constant_budget()
    # A question in a certificate is about a rational ratio, which may be a little smaller than the claimed one.
    asked = _question(scenario, numbers, scenario.require_horizon()).claiming(ratio=budget.below(128))
    found = engine.verify(asked, seconds=left(limits))
    if isinstance(found, Violated) and isinstance(found.witness, Witness):
        if (ratio := _ratio(found.witness)) == inf or budget.compare(Fraction(ratio)) > 0:
            return Asked(numbers, _word(asked, found.witness)), None
        return None, "the claim is too close to the tight ratio"
    if isinstance(found, Holds):
        return Asked(numbers, found), None
    assert isinstance(found, Unknown)
    return None, finished(found).reason


def word_of_sets(scenario: Scenario, upper: Extended, tolerance: Fraction, limits: Limits) -> Asked | None:
    """The worst word of the sets of states that was found in horizons and steps up to ten: a lower bound.

    At "any" such a word counts as well. Longer horizons are tried until the ratio hardly grows.
    """
    from faier import engine

    best: Asked | None = None
    ratio: Extended = Fraction(0)
    numbers = sets(scenario)
    assert not numbers or scenario.claim.horizon == "any"
    for horizon in _HORIZONS if numbers else ():
        if limits.reached():
            break
        try:
            asked = _question(scenario, numbers, horizon)
        except ModelError:
            # No run passes so early.
            continue
        seconds = left(limits)
        found = finished(engine.epsilon(asked, seconds=PATIENCE if seconds is None else min(seconds, PATIENCE)))
        before = ratio
        if found.witness is not None and (worse := _ratio(found.witness)) > ratio:
            best, ratio = Asked(numbers, _word(asked, found.witness)), worse
        if ratio == inf or found.reason is not None or Fraction(ratio) * (1 + tolerance) >= upper:
            break
        if before > 0 and Fraction(ratio) <= Fraction(before) * (1 + tolerance / 8):
            break
    return best


def at_step(scenario: Scenario, number: int, step: int, tolerance: Fraction, limits: Limits) -> Asked:
    """A pair that is at every step, at this one alone, and at the claim's horizon."""
    from faier import engine

    asked = _question(scenario, (number,), scenario.require_horizon(), step)
    seconds = left(limits)
    seconds = PATIENCE if seconds is None else min(seconds, PATIENCE)
    return Asked((number,), finished(engine.epsilon(asked, tolerance=tolerance, seconds=seconds)), step)


def witness_of(scenario: Scenario, asked: Asked) -> tuple[Witness, int] | None:
    """The word of an answer, as one of the scenario at a step; None where there is no word."""
    if (found := asked.answer.witness) is None:
        return None
    number, step = list(_places(scenario, asked))[found.pair]
    return replace(found, pair=sum(possible_at(scenario, step)[:number])), step


def left(limits: Limits) -> float | None:
    """What is left of the time."""
    return None if limits.seconds is None else max(0.01, limits.seconds - limits.elapsed)


def finished(result: _Result) -> _Result:
    """The result, or KeyboardInterrupt where the search was interrupted."""
    if result.reason == _INTERRUPTED:
        raise KeyboardInterrupt
    return result


def _places(scenario: Scenario, asked: Asked) -> Iterator[tuple[int, int]]:
    """For each pair of the compiled question the number of the written one, and the step if that is at every one."""
    model, horizon = _written(scenario).model, asked.answer.scenario.require_horizon()
    assert isinstance(model, HMM)
    for number in asked.pairs:
        pair = _written(scenario).pairs[number]
        if asked.step is not None:
            yield number, asked.step
        elif isinstance(pair, Gate) and pair.at == "every":
            assert isinstance(horizon, int)
            both_possible = islice(possible_steps(model, pair), horizon)
            yield from ((number, step) for step, both in enumerate(both_possible, 1) if both)
        else:
            yield number, 1


def _question(
    scenario: Scenario, numbers: tuple[int, ...], horizon: Horizon, step: int | None = None
) -> Scenario:
    """The same question about some of the pairs alone, with those at every step at one of them if there is one."""
    written = _written(scenario)
    pairs = [written.pairs[n] for n in numbers]
    if step is not None:
        pairs = [replace(p, at=step) if isinstance(p, Gate) and p.at == "every" else p for p in pairs]
    some = replace(written, pairs=tuple(pairs))
    return compiled(some, replace(scenario.claim, horizon=horizon), scenario.title)


def _word(asked: Scenario, found: Witness) -> Tight:
    """What a word alone shows."""
    return Tight(
        asked, Bounds(_ratio(found), inf), attained=False, witness=found, complete=False,
        reason="a word is enough", engine="tree", seconds=0.0, trace=None,
    )  # fmt: skip


def _ratio(witness: Witness) -> Extended:
    ratio = witness.ratio
    assert isinstance(ratio, Fraction | float)
    return ratio


def _written(scenario: Scenario) -> Written:
    assert scenario.written is not None
    return scenario.written
