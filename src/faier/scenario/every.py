"""`at = "every"`: a secret inside a run at every step, as gates at one step each. [T13]"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from faier.errors import ModelError, UsageError
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.names import label

from .gate import Gate

if TYPE_CHECKING:
    from .scenario import Horizon, Pair, Scenario
    from .written import Written

_FURTHEST = 10_000
_MOST_STEPS_NAMED = 8


def asks_every_step(written: Written | None) -> bool:
    """Whether a pair asks about every step at once."""
    return written is not None and any(_is_every(pair) for pair in written.pairs)


def spelled_out(written: Written, horizon: Horizon | None) -> tuple[tuple[int, Pair | Gate], ...]:
    """The pairs with a step each, from 1 to the horizon, and the number of the pair that each comes from.

    Where the horizon is no number, the first step at which both sides are possible stands for all: what is compiled is
    a model, and what is asked is decided elsewhere.
    """
    if isinstance(horizon, int) and horizon > _FURTHEST:
        raise UsageError(f'at = "every" takes a horizon of at most {_FURTHEST:,}, or "any"; got {horizon:,}')
    found: list[tuple[int, Pair | Gate]] = []
    for number, pair in enumerate(written.pairs):
        if not isinstance(pair, Gate) or pair.at != "every":
            found.append((number, pair))
        elif isinstance(horizon, int):
            found += [(number, replace(pair, at=step)) for step in range(1, horizon + 1)]
        elif steps := _steps(written, pair, horizon):
            found.append((number, replace(pair, at=steps[0])))
    if not found:
        raise nothing_possible(written)
    return tuple(found)


def steps_left_out(scenario: Scenario) -> tuple[str, ...]:
    """Steps of `at = "every"` that nothing is said about, as a side is impossible there: a text for each such pair."""
    written, horizon = scenario.written, scenario.claim.horizon
    if written is None or not isinstance(horizon, int):
        return ()
    texts = []
    for pair in written.pairs:
        if isinstance(pair, Gate) and pair.at == "every":
            asked = set(_steps(written, pair, horizon))
            if missing := [step for step in range(1, horizon + 1) if step not in asked]:
                texts.append(f"{_sides(pair)}: one of them is impossible at {_listed(missing)}")
    return tuple(texts)


def nothing_possible(written: Written) -> ModelError:
    """What is wrong where every pair has an impossible side at every step."""
    number, gate = next((k, pair) for k, pair in enumerate(written.pairs) if _is_every(pair))
    assert isinstance(gate, Gate)
    message = f"{_sides(gate)}: at every step one of them is impossible, and so nothing is compared"
    return ModelError(message, f"compare[{number}]")


def possible_steps(model: HMM, gate: Gate) -> Iterator[bool]:
    """For the steps 1, 2, ... whether the state may be among left and may be among right, from the supports alone."""
    assert isinstance(gate.start, Belief)
    index = model.state_index
    sides = [frozenset(index[s] for s in side) for side in (gate.left, gate.right)]
    here = frozenset(index[s] for s in gate.start.weights)
    while True:
        yield all(here & side for side in sides)
        here = frozenset(j for i in here for j in model.step.row(i))


def possible_at(scenario: Scenario, step: int) -> list[bool]:
    """For each pair as written whether both its sides are possible at this step, or at its own if it has one."""
    written = scenario.written
    assert written is not None
    assert isinstance(written.model, HMM)
    found = []
    for pair in written.pairs:
        at = step if not isinstance(pair, Gate) or pair.at == "every" else pair.at
        found.append(not isinstance(pair, Gate) or next(islice(possible_steps(written.model, pair), at - 1, None)))
    return found


def _is_every(pair: Pair | Gate) -> bool:
    return isinstance(pair, Gate) and pair.at == "every"


def _steps(written: Written, gate: Gate, horizon: Horizon | None) -> list[int]:
    """The steps up to the horizon at which both sides are possible; where that is no number, the first."""
    assert isinstance(written.model, HMM)
    last = horizon if isinstance(horizon, int) else _FURTHEST
    found: list[int] = []
    for step, possible in zip(range(1, last + 1), possible_steps(written.model, gate), strict=False):
        if possible:
            found.append(step)
            if not isinstance(horizon, int):
                break
    return found


def _sides(gate: Gate) -> str:
    assert isinstance(gate.start, Belief)
    left, right = (" or ".join(map(label, side)) for side in (gate.left, gate.right))
    return f"from {label(gate.start.name)}, {left} against {right}"


def _listed(steps: list[int]) -> str:
    if len(steps) == 1:
        return f"step {steps[0]}"
    if len(steps) > _MOST_STEPS_NAMED:
        return f"{len(steps):,} steps, the first of them {steps[0]}"
    return f"steps {', '.join(map(str, steps[:-1]))} and {steps[-1]}"
