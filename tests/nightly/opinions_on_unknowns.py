"""What boxes and both solvers say of one question with unknown parameters, and whether that can be true."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from random_unknowns import Expected, Planted, allowed, fixed

import reference
from faier.certificate import certify
from faier.engine import verify
from faier.engine.boxes.values import at
from faier.model.toml_write import dumps
from faier.scenario.scenario import Scenario
from faier.trace import Boxes
from faier.verdict import Holds, Unknown, Verdict, Violated
from faier_check import check

Said: TypeAlias = Literal["holds", "violated", "unknown"]


@dataclass(frozen=True)
class Opinion:
    """`rests_on` names the solvers whose word is a step of the proof."""

    said: Said
    seconds: float
    rests_on: tuple[str, ...] = ()
    reason: str = ""

    @property
    def alone(self) -> bool:
        """Decided, and by nobody else's word."""
        return self.said != "unknown" and not self.rests_on


def opinion(question: Planted, engine: str, seconds: float) -> Opinion:
    """The verdict of an engine, after what can be checked of it was checked: an AssertionError where that fails."""
    verdict = verify(question.scenario, engine=engine, seconds=seconds)
    match verdict:
        case Holds(trace=trace):
            assert question.expected != "violated", f"{engine} says that a broken claim holds"
            holds_on_grid(question.scenario)
            if engine == "boxes":
                _certified(question.scenario, verdict)
            rests_on = trace.rests_on if isinstance(trace, Boxes) else ()
            return Opinion("holds", verdict.seconds, rests_on)
        case Violated():
            assert question.expected != "holds", f"{engine} says that a true claim is broken"
            breaks(question.scenario, verdict)
            if engine == "boxes":
                _certified(question.scenario, verdict)
            return Opinion("violated", verdict.seconds)
        case Unknown(reason=reason):
            return Opinion("unknown", verdict.seconds, (), reason)


def agree(question: Planted, found: dict[str, Opinion]) -> None:
    """Nobody contradicts anybody."""
    said: set[Expected | Said] = {one.said for one in found.values()} - {"unknown"}
    assert len(said) <= 1, {engine: one.said for engine, one in found.items()}


def holds_on_grid(scenario: Scenario) -> None:
    for values, there in fixed(scenario):
        for _, _, word, _, left, right in reference.counted(there, there.claim.horizon):
            assert reference.allows(there.claim.budget, reference._ratio(left, right)), (values, word)


def breaks(scenario: Scenario, verdict: Violated) -> None:
    """The witness, recomputed from the definition: allowed values, both probabilities, and a ratio above the claim."""
    found = verdict.witness
    values = {name: Fraction(value) for name, value in found.parameters.items()}
    assert list(values) == list(scenario.model.unknowns.ranges)
    assert allowed(scenario, values), values
    there = at(scenario, values)
    pair = there.pairs[found.pair]
    sides = (pair.left, pair.right) if found.forward else (pair.right, pair.left)
    left, right = (reference.probability(there.model, b.weights, found.word, found.ended) for b in sides)
    assert (found.left_probability, found.right_probability) == (left, right)
    assert not reference.allows(there.claim.budget, reference._ratio(left, right))
    assert scenario.claim.possible == "either" or (left and right)
    length = scenario.claim.horizon
    assert isinstance(length, int)
    assert len(found.word) < length if found.ended else len(found.word) == length


def _certified(scenario: Scenario, verdict: Verdict) -> None:
    """The certificate is accepted, and names each step that rests on a solver."""
    proved = check(json.dumps(certify(verdict)).encode(), dumps(scenario).encode())
    trace = verdict.trace if isinstance(verdict, Holds) else None
    solvers = trace.rests_on if isinstance(trace, Boxes) else ()
    assert {step.rpartition(" ")[2] for step in proved.rests_on} == set(solvers)
