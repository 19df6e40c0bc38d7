"""One of each result, on the contagious-disease model."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

import pytest

from faier.model.hmm import HMM
from faier.scenario.scenario import Scenario
from faier.trace import Enumeration, Step, Tree
from faier.verdict import Bounds, Holds, LeftOut, Tight, Unknown, Violated, Witness

EMIT = {
    "0": {"~0": "2/3", "~1": "1/6", "~2": "1/6"},
    "1": {"~0": "1/3", "~1": "1/3", "~2": "1/3"},
    "2": {"~0": "1/6", "~1": "1/6", "~2": "2/3"},
}


def scenario(**claim: Any) -> Scenario:
    model = HMM(emit=EMIT, step={"0": {"0": 1}, "2": {"2": "1/2", "1": "1/2"}})
    asked = {"ratio": 2, "horizon": 1} | claim
    beliefs = {"sick": {"2": 1}, "well": {"0": 1}}
    return Scenario.of(model, [("sick", "well")], beliefs=beliefs, **asked)


@pytest.fixture
def make_scenario() -> Callable[..., Scenario]:
    return scenario


@pytest.fixture
def witness() -> Witness:
    return Witness(0, True, "sick", "well", ("~2",), False, F(2, 3), F(1, 6))


@pytest.fixture
def violated(witness: Witness) -> Violated:
    return Violated(scenario(), "tree", 0.002, None, witness=witness)


@pytest.fixture
def holds() -> Holds:
    return Holds(scenario(ratio=4), "tree", 0.5, Tree(F(4), [Step("dominate", root=(0, True))]))


@pytest.fixture
def nothing_counts() -> Holds:
    left_out = (LeftOut("sick", "well", F(1), F(1, 3)),)
    return Holds(scenario(possible="both"), "tree", 0.5, Enumeration(F(2)), left_out=left_out)


@pytest.fixture
def unknown() -> Unknown:
    return Unknown(scenario(), "tree", 1.0, None, reason="interrupted", bounds=Bounds(F(4, 3), math.inf))


@pytest.fixture
def exact(witness: Witness) -> Tight:
    return Tight(scenario(), Bounds(F(4), F(4)), True, witness, True, None, "tree", 0.05, None)


@pytest.fixture
def enclosed(witness: Witness) -> Tight:
    bounds = Bounds(F(4), F(4) + F(1, 10**9))
    return Tight(scenario(horizon="any"), bounds, False, witness, True, None, "tree", 0.05, None)


@pytest.fixture
def stopped(witness: Witness) -> Tight:
    return Tight(scenario(), Bounds(F(4), math.inf), False, witness, False, "interrupted", "tree", 0.05, None)


@pytest.fixture
def infinite() -> Tight:
    witness = Witness(0, True, "sick", "well", ("x",), False, F(2, 3), F(0))
    bounds = Bounds(math.inf, math.inf)
    return Tight(scenario(), bounds, True, witness, True, None, "tree", 0.05, None)
