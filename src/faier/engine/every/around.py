"""Sets of states at every step of a stationary run, bounded by what is shown around the step. [T18]"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf

from faier.engine.progress import Limits
from faier.model.backward import around
from faier.model.belief import Belief
from faier.number.exact import Extended
from faier.scenario.gate import Gate
from faier.scenario.scenario import Claim, Scenario
from faier.scenario.written import Written, compiled
from faier.trace import Asked, Window

from .asked import PATIENCE, at_step, finished
from .asked import left as time_left
from .question import Question

_SIZES = (1, 2, 3, 4, 5, 6)
_MOST_STEPS = 500
_MOST_ALONE = 40


def closest_window(
    question: Question, number: int, enough: Extended, tolerance: Fraction, limits: Limits
) -> Window | None:
    """The window with the smallest ratio that was found; None where there is none.

    It is as short as can be where its ratio is at most `enough`. What it shows is known besides the word, so a word has
    no larger ratio; and where the run forgets, that matters less and less.
    """
    from faier import engine

    start = question.start if question.stationary else question.measure
    if start is None or not all(any(question.model.state_index[s] in start for s in side) for side in _sides(question)):
        return None
    wanted = enough if question.stationary else enough / (1 + tolerance / 8)
    best: Window | None = None
    lowest: Extended = inf
    for size in _SIZES:
        if limits.reached():
            break
        seconds = time_left(limits)
        asked = _asked(question, start, size)
        found = finished(engine.epsilon(asked, seconds=PATIENCE if seconds is None else min(seconds, PATIENCE)))
        if not found.exact:
            break
        upper = found.ratio.upper
        assert isinstance(upper, Fraction | float)
        if upper < lowest:
            best, lowest = Window(number, size, size, found), upper
        if lowest <= wanted:
            break
    return best


def at_all_steps(
    scenario: Scenario, question: Question, window: Window, enough: Extended, tolerance: Fraction, limits: Limits
) -> tuple[Extended, tuple[Window | Asked, ...]]:
    """An upper bound of all steps, with what proves it: of a start that is not stationary, step by step at first.

    A window that is read from the stationary distribution bounds late steps times a factor that tends to 1.
    """
    found = window.answer.ratio.upper
    if question.stationary:
        return found, (window,)
    goal = enough if found * (1 + tolerance / 8) <= enough else found * (1 + tolerance / 4)
    last = window.before
    while (factor := question.factor_of_sets_after(last)) == inf or found * Fraction(factor) > goal:
        last += 1 + last // 4
        if last > _MOST_STEPS or limits.reached():
            return inf, ()
    parts: list[Window | Asked] = [replace(window, step=-last, measure=question.measure)]
    upper, alone = goal, 0
    for step in question.steps(last):
        if step > window.before and found * question.factor_of_sets(step) <= goal:
            parts.append(replace(window, step=step, measure=question.measure))
            continue
        alone += 1
        if alone > _MOST_ALONE or limits.reached():
            return inf, ()
        asked = at_step(scenario, window.pair, step, tolerance / 4, limits)
        if asked.answer.ratio.upper == inf or asked.answer.trace is None:
            return inf, ()
        upper = max(upper, asked.answer.ratio.upper)
        parts.append(asked)
    return upper, tuple(parts)


def _sides(question: Question) -> tuple[tuple[Hashable, ...], ...]:
    return question.gate.left, question.gate.right


def _asked(question: Question, begin: Mapping[int, Fraction], size: int) -> Scenario:
    """Given the state at the step, the symbols and the states at the ends."""
    gate, model = question.gate, question.model
    assert isinstance(gate.start, Belief)
    made, names = around(model, dict(begin), size, size)
    left, right = (
        tuple(names[size, i] for i in map(model.state_index.__getitem__, side) if i in begin)
        for side in _sides(question)
    )
    start = Belief(gate.start.name, {names[0, i]: weight for i, weight in begin.items()})
    shown = Gate(start, size + 1, left, right, one_way=gate.one_way)
    return compiled(Written(made, (shown,), {}), Claim(horizon=2 * size + 1))
