"""The path to a witness agrees with the model, symbol by symbol."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F
from itertools import product

import pytest

from faier.model.hmm import HMM
from faier.report import path
from faier.report.path import along
from faier.scenario.scenario import Scenario
from faier.verdict import Witness


def by_definition(model: HMM, start: dict[object, F], word: tuple[object, ...], ended: bool) -> F:
    """Sum over all paths of states."""
    emit, step = model.emit_rows(), model.step_rows()
    total = F(0)
    for states in product(model.states, repeat=len(word)):
        weight = start.get(states[0], F(0))
        for i, (state, symbol) in enumerate(zip(states, word, strict=True)):
            weight *= F(emit[state].get(symbol, 0))  # type: ignore[arg-type]
            if i + 1 < len(word):
                weight *= F(step.get(state, {}).get(states[i + 1], 0))  # type: ignore[arg-type]
        if ended and states[-1] in step:
            continue
        total += weight
    return total


def test_path_is_the_definition(make_scenario: Callable[..., Scenario]) -> None:
    scenario = make_scenario()
    for forward, ended in product((True, False), repeat=2):
        word = ("~2", "~0", "~1")
        sides = ("sick", "well") if forward else ("well", "sick")
        points = along(scenario, Witness(0, forward, *sides, word, ended, F(1), F(1)))
        assert points is not None
        assert len(points) == 3 + ended
        starts = {"sick": {"2": F(1)}, "well": {"0": F(1)}}
        for length, point in enumerate(points[:3], start=1):
            assert point.left == by_definition(scenario.model, starts[sides[0]], word[:length], False)
            assert point.right == by_definition(scenario.model, starts[sides[1]], word[:length], False)
        if ended:
            assert points[3].ends
            assert points[3].left == by_definition(scenario.model, starts[sides[0]], word, True)
            assert points[3].right == by_definition(scenario.model, starts[sides[1]], word, True)


def test_impossible_sides() -> None:
    model = HMM(emit={"a": {"x": 1}, "b": {"y": 1}})
    scenario = Scenario.of(model, [("a", "b")], ratio=2, horizon=1)
    points = along(scenario, Witness(0, True, "a", "b", ("x", "y"), False, F(1), F(0)))
    assert points is not None
    assert [p.ratio for p in points] == [math.inf, None]


def test_a_path_that_costs_too_much_is_left_out(
    make_scenario: Callable[..., Scenario], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path, "_MOST_WORK", 10)
    witness = Witness(0, True, "sick", "well", ("~2",) * 9, False, F(1), F(1))
    assert along(make_scenario(), witness) is None
    assert along(make_scenario(), replace(witness, word=("~2",))) is None
