"""Sets of states at every step of a stationary run, bounded by what is shown around the step. [T18]"""

from __future__ import annotations

from fractions import Fraction
from math import inf

from faier.engine.progress import Limits
from faier.model.backward import around
from faier.model.belief import Belief
from faier.number.exact import Extended
from faier.scenario.gate import Gate
from faier.scenario.scenario import Claim, Scenario
from faier.scenario.written import Written, compiled
from faier.trace import Window

from .asked import PATIENCE, finished
from .asked import left as time_left
from .question import Question

_SIZES = (1, 2, 3, 4, 5, 6)


def closest_window(question: Question, number: int, enough: Extended, limits: Limits) -> Window | None:
    """The window with the smallest ratio that was found; None where there is none.

    It is as short as can be where its ratio is at most `enough`. What it shows is known besides the word, so a word has
    no larger ratio; and where the run forgets, that matters less and less.
    """
    from faier import engine

    if not question.stationary or not question.steps(1):
        return None
    best: Window | None = None
    lowest: Extended = inf
    for size in _SIZES:
        if limits.reached():
            break
        seconds = time_left(limits)
        asked = _asked(question, size)
        found = finished(engine.epsilon(asked, seconds=PATIENCE if seconds is None else min(seconds, PATIENCE)))
        if not found.exact:
            break
        upper = found.ratio.upper
        assert isinstance(upper, Fraction | float)
        if upper < lowest:
            best, lowest = Window(number, size, size, found), upper
        if lowest <= enough:
            break
    return best


def _asked(question: Question, size: int) -> Scenario:
    """Given the state at the step, the symbols and the states at the ends."""
    gate, model = question.gate, question.model
    assert isinstance(gate.start, Belief)
    made, names = around(model, question.start, size, size)
    left, right = (
        tuple(names[size, i] for i in map(model.state_index.__getitem__, side) if i in question.start)
        for side in (gate.left, gate.right)
    )
    start = Belief(gate.start.name, {names[0, i]: weight for i, weight in question.start.items()})
    shown = Gate(start, size + 1, left, right, one_way=gate.one_way)
    return compiled(Written(made, (shown,), {}), Claim(horizon=2 * size + 1))
