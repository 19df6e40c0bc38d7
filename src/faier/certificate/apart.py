"""Certificates of secrets at every step: certificates about past and future, and what they make together. [T18]"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.names import label
from faier.number.digits import exact_text
from faier.number.exact import Prob
from faier.scenario.gate import Gate
from faier.scenario.scenario import Scenario
from faier.trace import Apart, Asked, Part, Window
from faier.verdict import Bounds, Holds, Tight, Violated

Certify = Callable[[Any], dict[str, Any]]


def apart(result: Holds | Violated | Tight, stated: dict[str, Any], certify: Certify, version: int) -> dict[str, Any]:
    """The certificate; what several parts refer to stands in it once."""
    trace = result.trace
    assert isinstance(trace, Apart)
    kinds = {Holds: "holds", Violated: "violated", Tight: "epsilon"}
    questions: list[dict[str, Any]] = []
    places: dict[int, int] = {}

    def place(answer: Holds | Tight | None) -> int | None:
        if answer is None:
            return None
        if id(answer) not in places:
            places[id(answer)] = len(questions)
            questions.append(certify(answer))
        return places[id(answer)]

    measures: list[list[list[Any]]] = []
    listed = list(trace.parts)
    shows = next((n for n, part in enumerate(listed) if part is trace.shows), None)
    if trace.shows is not None and shows is None:
        shows = len(listed)
        listed.append(_lower_alone(trace.shows))
    return {
        "faier_certificate": version,
        "kind": kinds[type(result)],
        "model": digest_at_every_step(result.scenario),
        "claim": stated,
        "questions": questions,
        "parts": [_part(part, place, measures) for part in listed],
        "shows": None if isinstance(result, Holds) else shows,
        **({"measures": measures} if measures else {}),
    }


def digest_at_every_step(scenario: Scenario) -> str:
    """The digest of a model with its secrets at every step, of no horizon."""
    written = scenario.written
    assert written is not None
    model = written.model
    assert isinstance(model, HMM)

    def belief(found: Any) -> list[Any]:
        assert isinstance(found, Belief)
        weights = sorted((model.state_index[s], value) for s, value in found.weights.items())
        return [found.name, [[label(model.states[i]), _text(value)] for i, value in weights]]

    gates, others = [], []
    for number, pair in enumerate(written.pairs):
        if not isinstance(pair, Gate):
            others.append([number, *belief(pair.left), *belief(pair.right), pair.one_way])
            continue
        sides = ([label(s) for s in side] for side in (pair.left, pair.right))
        gate = [*belief(pair.start), *sides, pair.one_way]
        if pair.at == "every":
            gates.append(gate)
        else:
            others.append([number, *gate, pair.at])
    content = {
        "symbols": [label(s) for s in model.symbols],
        "emit": [[label(s), [[label(x), _text(p)] for x, p in row.items()]] for s, row in model.emit_rows().items()],
        "step": [[label(s), [[label(x), _text(p)] for x, p in row.items()]] for s, row in model.step_rows().items()],
        "every": gates,
        **({"others": others} if others else {}),
    }
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def _lower_alone(part: Part | Asked) -> Part | Asked:
    """A part that shows a lower bound and nothing else: searches that were stopped have a word, and no proof."""

    def word(answer: Any) -> Any:
        stopped = isinstance(answer, Tight) and answer.trace is None
        return replace(answer, ratio=Bounds(answer.ratio.lower, inf)) if stopped else answer

    if isinstance(part, Asked):
        return replace(part, answer=word(part.answer))
    return replace(part, past=word(part.past), future=word(part.future))


def _part(
    part: Part | Asked | Window, place: Callable[[Any], int | None], measures: list[list[list[Any]]]
) -> dict[str, Any]:
    if isinstance(part, Window):
        sizes = [part.before, part.after]
        record: dict[str, Any] = {"pair": part.pair, "window": sizes, "question": place(part.answer)}
        if part.measure is not None:
            record |= {"step": part.step} if part.step > 0 else {"after": -part.step}
            record["measure"] = _measure(part.measure, measures)
        return record
    if isinstance(part, Asked):
        horizon = part.answer.scenario.claim.horizon
        at = {} if part.step is None else {"step": part.step}
        return {"pairs": list(part.pairs), "horizon": horizon, "question": place(part.answer), **at}
    steps: dict[str, Any] = {"step": part.step or "every"} if part.step >= 0 else {"after": -part.step}
    if part.measure is not None:
        steps["measure"] = _measure(part.measure, measures)
    if part.states is not None:
        steps["states"] = list(part.states)
    return {
        "pair": part.pair, "forward": part.forward, **steps, "past": place(part.past), "future": place(part.future),
    }  # fmt: skip


def _measure(measure: Mapping[int, Fraction], measures: list[list[list[Any]]]) -> int:
    """Its number; it stands in the certificate once."""
    row = [[i, exact_text(value)] for i, value in sorted(measure.items())]
    if row not in measures:
        measures.append(row)
    return measures.index(row)


def _text(value: Prob) -> str:
    assert isinstance(value, Fraction)
    return exact_text(value)
