"""Writing certificates from the traces that engines leave."""

from __future__ import annotations

import json
import os
import tempfile
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

from faier.approximate import Profile
from faier.errors import UsageError
from faier.families import WordsLimit
from faier.model.names import label
from faier.number.digits import exact_text
from faier.number.exact import Extended, Prob
from faier.scenario.scenario import Claim, Scenario
from faier.trace import Apart, Boxes, Enumeration, Layers, Simulation, Step, Trace
from faier.verdict import Event, Holds, Tight, Unknown, Verdict, Violated, Witness

from .apart import apart
from .boxes import boxes, limit, prob_text, values
from .digest import digest
from .families import divergence, words_limit
from .layers import budget_record, event, layers, profile_certificate

VERSION = 1
_FURTHEST = 10**18 - 1


def certify(result: Verdict | Tight | Profile) -> dict[str, Any]:
    """The certificate of a result, ready for JSON. [docs/certificates.md]

    An undecided verdict has none, and neither has one that only a solver vouches for.
    """
    claim = result.scenario.claim
    if isinstance(claim.horizon, int) and claim.horizon > _FURTHEST:
        raise UsageError('the horizon of a certificate has at most 18 digits; "any" covers words of every length')
    if isinstance(result, Profile):
        return profile_certificate(result, VERSION)
    if not isinstance(result, Unknown) and isinstance(result.trace, Apart):
        return apart(result, _stated(result), certify, VERSION)
    proof: dict[str, Any] | None
    witness: dict[str, Any] | None
    extra: dict[str, Any] = {}
    match result:
        case Holds(trace=trace):
            if trace is None:
                raise UsageError(
                    f"the engine {result.engine} leaves no proof; use --engine tree for a certificate"
                )
            kind, stated, proof, witness = "holds", _budget(claim), _proof(trace), None
        case Violated(witness=found):
            kind, stated, proof = "violated", _budget(claim), None
            witness = event(found) if isinstance(found, Event) else _witness(found, result.scenario)
        case Tight():
            if result.trace is None and result.ratio.upper != inf:
                raise UsageError("the search was stopped, so there is no proof of the upper bound to certify")
            kind = "epsilon"
            stated = {"lower": _extended(result.ratio.lower), "upper": _extended(result.ratio.upper)}
            proof = None if result.trace is None else _proof(result.trace)
            witness = None
            if result.witness is not None:
                witness = _witness(result.witness, result.scenario)
            if result.diverges is not None:
                extra, witness = {"diverges": divergence(result.diverges)}, None
            elif isinstance(result.limit, WordsLimit):
                extra, witness = {"limit": words_limit(result.limit)}, None
            elif result.limit is not None:
                extra, witness = {"limit": limit(result.limit)}, None
        case Unknown():
            raise UsageError("the claim was not decided, so there is nothing to certify")
    if isinstance(result, Holds | Tight) and result.classes is not None:
        extra["classes"] = list(result.classes)
    stated |= {"horizon": claim.horizon, "possible": claim.possible, "delta": exact_text(claim.delta)}
    return {
        "faier_certificate": VERSION,
        "kind": kind,
        "model": digest(result.scenario),
        "claim": stated,
        "proof": proof,
        "witness": witness,
        **extra,
    }


def _stated(result: Holds | Violated | Tight) -> dict[str, Any]:
    """The claim of a certificate."""
    claim = result.scenario.claim
    if isinstance(result, Tight):
        stated = {"lower": _extended(result.ratio.lower), "upper": _extended(result.ratio.upper)}
    else:
        stated = _budget(claim)
    return stated | {"horizon": claim.horizon, "possible": claim.possible, "delta": exact_text(claim.delta)}


def dump(certificate: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a certificate: one line a step, all or nothing."""
    target = Path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.name, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_text(certificate))
        os.chmod(name, 0o644)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _text(certificate: dict[str, Any]) -> str:
    if "parts" in certificate:
        return json.dumps(certificate, ensure_ascii=False) + "\n"
    proof = certificate["proof"]
    if proof is None or "steps" not in proof:
        return json.dumps(certificate, ensure_ascii=False, indent=1) + "\n"
    head = json.dumps(certificate | {"proof": None}, ensure_ascii=False)
    lines = ",\n  ".join(json.dumps(step) for step in proof["steps"])
    rest = json.dumps({k: v for k, v in proof.items() if k != "steps"})
    body = f'{rest[:-1]}, "steps": [\n  {lines}]}}'
    return head.replace('"proof": null', f'"proof": {body}', 1) + "\n"


def _extended(value: Extended | Prob) -> str:
    return "infinity" if isinstance(value, float) else prob_text(value)


def _budget(claim: Claim) -> dict[str, Any]:
    from faier.number.budget import Budget

    budget = claim.budget
    assert budget is not None
    if not isinstance(budget, Budget):
        return {"ratio": prob_text(budget)}
    return {"budget": budget_record(budget)}


def _witness(found: Witness, scenario: Scenario) -> dict[str, Any]:
    # A certificate is about the compiled model: a stream's probabilities are given the inputs, and those are not.
    inputs = len(scenario.choices) ** len(found.word)
    record: dict[str, Any] = {
        "pair": found.pair,
        "forward": found.forward,
        "word": [label(s) for s in found.word],
        "ended": found.ended,
        "left": prob_text(found.left_probability / inputs),
        "right": prob_text(found.right_probability / inputs),
    }
    return record | {"parameters": values(found.parameters)} if scenario.uses_unknowns else record


def _proof(trace: Trace) -> dict[str, Any]:
    if isinstance(trace, Boxes):
        return boxes(trace)
    if isinstance(trace, Layers):
        return layers(trace)
    assert not isinstance(trace, Apart)
    if isinstance(trace, Enumeration):
        return {"rule": "enumerate", "ratio": exact_text(trace.ratio)}
    return {
        "rule": "tree",
        "ratio": exact_text(trace.ratio),
        "precision": trace.precision,
        "steps": [_step(step) for step in trace.steps],
        **({"matrices": [_matrix(matrix) for matrix in trace.matrices]} if trace.matrices else {}),
    }


def _matrix(matrix: Simulation) -> list[list[Any]]:
    return [[i, j, exact_text(value)] for i, row in sorted(matrix.items()) for j, value in sorted(row.items()) if value]


def _step(step: Step) -> dict[str, Any]:
    record: dict[str, Any] = {"rule": step.rule}
    if step.root is not None:
        record["root"] = list(step.root)
    else:
        record["after"] = [step.parent, step.letter]
    if step.rule == "subsume":
        record |= {"by": step.by, "scale": exact_text(Fraction(step.scale))}
    if step.rule in ("combine", "outweigh"):
        record["parts"] = [[by, exact_text(scale)] for by, scale in step.parts]
    if step.rule in ("simulate", "cosimulate"):
        record["matrix"] = step.by
    if step.exact:
        record["exact"] = True
    return record
