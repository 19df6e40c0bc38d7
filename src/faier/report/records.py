"""Results as plain records: the JSON that the command line promises, and `to_dict()` returns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias, assert_never

from faier.families import Divergence, Family, WordsLimit
from faier.number.budget import Budget
from faier.number.exact import Extended
from faier.scenario.every import steps_left_out
from faier.scenario.scenario import Claim, Scenario
from faier.trace import Boxes, Trace
from faier.verdict import (
    Bounds,
    Event,
    Holds,
    LeftOut,
    Tight,
    Unknown,
    ValuesLimit,
    Verdict,
    Violated,
    Witness,
)

from .event import event_record
from .explanation import explanation_record
from .rounding import log_above, log_below
from .sides import sides_record, values_by_name
from .symbols import symbol_record as symbol_record
from .text import exact_text

Record: TypeAlias = dict[str, object]


def verdict_record(verdict: Verdict, certificate: str | None = None, *, explain: bool = False) -> Record:
    """The verdict as JSON; `certificate` is the path it was written to.

    `explanation` is there only where it is asked for, `left_out` only where possible = "both" left something to say,
    `rests_on` only where a solver's word is a step of the proof, `steps_left_out` only of secrets at every step.
    """
    witness: Record | None = None
    bounds: Record | None = None
    reason: str | None = None
    left_out: tuple[LeftOut, ...] = ()
    match verdict:
        case Holds():
            name, left_out = "holds", verdict.left_out
        case Violated():
            name = "violated"
            found = verdict.witness
            asked = verdict.scenario
            witness = event_record(found, asked) if isinstance(found, Event) else witness_record(found, asked)
        case Unknown():
            what = "delta" if verdict.claim.delta else "ratio"
            name, bounds, reason = "unknown", {what: bounds_record(verdict.bounds)}, verdict.reason
        case _:
            assert_never(verdict)
    record: Record = {
        "faier": 1,
        "kind": "verdict",
        "verdict": name,
        "claim": claim_record(verdict.claim),
        "witness": witness,
        "bounds": bounds,
        "reason": reason,
        "engine": verdict.engine,
        "certificate": certificate,
        "seconds": float(verdict.seconds),
    }
    more = explanation_record(verdict.explanation) if explain else {}
    more |= _steps(verdict.scenario)
    return record | _rests_on(verdict.trace) | _left_out_records(left_out, verdict.scenario) | more


def tight_record(tight: Tight, certificate: str | None = None, *, explain: bool = False) -> Record:
    """The tight epsilon as JSON; its floats are rounded outward.

    `explanation` is there only where it is asked for, `reason` only where a limit stopped the search, `rests_on` only
    where a solver's word is a step of the proof, `left_out` only under possible = "both", `steps_left_out` only of
    secrets at every step.
    """
    record: Record = {
        "faier": 1,
        "kind": "epsilon",
        "exact": tight.exact,
        "attained": tight.attained,
        "ratio": bounds_record(tight.ratio),
        "epsilon": {
            "lower": _json_float(log_below(tight.ratio.lower)),
            "upper": _json_float(log_above(tight.ratio.upper)),
        },
        "horizon": tight.scenario.claim.horizon,
        "witness": None if tight.witness is None else witness_record(tight.witness, tight.scenario),
        "limit": None if tight.limit is None else limit_record(tight.limit, tight.scenario),
        "diverges": None if tight.diverges is None else divergence_record(tight.diverges, tight.scenario),
        "engine": tight.engine,
        "certificate": certificate,
        "seconds": float(tight.seconds),
    }
    if not tight.complete:
        record["reason"] = tight.reason
    more = explanation_record(tight.explanation) if explain else {}
    more |= _steps(tight.scenario)
    return record | _rests_on(tight.trace) | _left_out_records(tight.left_out, tight.scenario) | more


def error_record(errors: Iterable[tuple[str, int | None, str]]) -> Record:
    """Errors as JSON, from (place, line, message)."""
    listed = [{"place": place, "line": line, "message": message} for place, line, message in errors]
    return {"faier": 1, "kind": "error", "errors": listed}


def witness_record(witness: Witness, scenario: Scenario) -> Record:
    left, right = sides_record(witness, scenario)
    return {
        "left": left,
        "right": right,
        "word": [symbol_record(s) for s in witness.word],
        "ended": witness.ended,
        "left_probability": exact_text(witness.left_probability),
        "right_probability": exact_text(witness.right_probability),
        "ratio": exact_text(witness.ratio),
        "parameters": {name: exact_text(value) for name, value in witness.parameters.items()},
    }


def divergence_record(found: Divergence, scenario: Scenario) -> Record:
    """Words prefix loop^n suffix whose ratio grows at least like growth^n n^polynomial."""
    power: Record = {"polynomial": found.power} if found.power else {}
    return _family_record(found, scenario) | {"growth": exact_text(found.growth)} | power


def _family_record(family: Family, scenario: Scenario) -> Record:
    left, right = sides_record(family, scenario)
    return {
        "left": left,
        "right": right,
        "prefix": [symbol_record(s) for s in family.prefix],
        "loop": [symbol_record(s) for s in family.loop],
        "suffix": [symbol_record(s) for s in family.suffix],
        "ended": family.ended,
    }


def limit_record(limit: ValuesLimit | WordsLimit, scenario: Scenario) -> Record:
    """What is approached and not reached: by the words of a family, or by a word as values of parameters move.

    `approach` has each variable, its value, and from where it comes.
    """
    if isinstance(limit, WordsLimit):
        return _family_record(limit, scenario) | {"ratio": exact_text(limit.ratio)}
    left, right = sides_record(limit, scenario)
    return {
        "left": left,
        "right": right,
        "word": [symbol_record(s) for s in limit.word],
        "ended": limit.ended,
        "approach": [[name, exact_text(value), how] for name, value, how in limit.approach],
        "parameters": {name: exact_text(value) for name, value in limit.parameters.items()},
        "ratio": exact_text(limit.ratio),
    }


def claim_record(claim: Claim) -> Record:
    budget = claim.budget
    if budget is None:
        ratio, epsilon = None, None
    elif isinstance(budget, Budget):
        exact = budget.exact
        ratio = budget.ratio_text if exact is None else exact_text(exact)
        epsilon = budget.epsilon_text
    else:
        ratio, epsilon = str(budget), f"ln({budget})"
    return {
        "ratio": ratio,
        "epsilon": epsilon,
        "horizon": claim.horizon,
        "possible": claim.possible,
        "delta": exact_text(claim.delta),
    }


def bounds_record(bounds: Bounds) -> Record:
    return {"lower": exact_text(bounds.lower), "upper": exact_text(bounds.upper)}


def _rests_on(trace: Trace | None) -> Record:
    return {"rests_on": list(trace.rests_on)} if isinstance(trace, Boxes) and trace.rests_on else {}


def _steps(scenario: Scenario) -> Record:
    missing = steps_left_out(scenario)
    return {"steps_left_out": list(missing)} if missing else {}


def _left_out_records(left_out: Sequence[LeftOut], scenario: Scenario) -> Record:
    if not left_out:
        return {}
    values = values_by_name(scenario)
    return {
        "left_out": [
            {
                "left": values.get(entry.left, entry.left),
                "right": values.get(entry.right, entry.right),
                "left_probability": exact_text(entry.left_probability),
                "right_probability": exact_text(entry.right_probability),
                "nothing_counts": entry.nothing_counts,
            }
            for entry in left_out
        ]
    }


def _json_float(value: Extended) -> float | str:
    return exact_text(value) if abs(value) == float("inf") else float(value)
