"""A calibration as a record, as a sentence, and as facts for a terminal."""

from __future__ import annotations

from fractions import Fraction

from faier.calibration import Calibration
from faier.trace import Boxes

from .facts import Facts
from .records import Record, claim_record, witness_record
from .sentences import claim_text, horizon_text, resting_on, witness_text
from .text import decimal, exact_text, short

_MOST_UNDECIDED = 5


def calibration_record(found: Calibration, certificate: str | None = None, model: str | None = None) -> Record:
    """The calibration as JSON; `certificate` proves what is safe, for the model file `model`."""
    record: Record = {
        "faier": 1,
        "kind": "calibration",
        "parameter": found.parameter,
        "goal": found.goal,
        "range": range_text(found),
        "claim": claim_record(found.claim),
        "safe": _exact(found.safe),
        "unsafe": _exact(found.unsafe),
        "witness": None if found.witness is None else witness_record(found.witness, found.scenario),
        "safe_beyond": found.safe_beyond,
        "unsafe_beyond": found.unsafe_beyond,
        "monotone": found.monotone,
        "exception": None if found.exception is None else witness_record(found.exception, found.scenario),
        "tolerance": exact_text(found.tolerance),
        "complete": found.complete,
        "undecided": [exact_text(value) for value in found.undecided],
        "reason": found.reason,
        "certificate": certificate,
        "model": model,
        "verdicts": found.verdicts,
        "engine": "boxes",
        "seconds": float(found.seconds),
    }
    solvers = _solvers(found)
    return record | ({"rests_on": list(solvers)} if solvers else {})


def calibration_sentence(found: Calibration) -> str:
    """The calibration in one line that starts with "safe", "none" or "undecided"."""
    said = _said(found) + resting_on(None if found.proof is None else found.proof.trace)
    if found.complete:
        return said
    stopped = f"undecided: {found.reason}"
    if found.undecided:
        listed = ", ".join(_value(v) for v in found.undecided[:_MOST_UNDECIDED])
        more = len(found.undecided) - _MOST_UNDECIDED
        stopped += f"; not decided at {found.parameter} = {listed}" + (f" and {more} more" if more > 0 else "")
    return f"{stopped}; {said}"


def calibration_facts(found: Calibration, certificate: str | None = None, model: str | None = None) -> Facts:
    """What stands below the sentence."""
    goal = "smallest" if found.goal == "minimise" else "largest"
    facts = [
        ("claim", f"ratio {claim_text(found.claim)}, {horizon_text(found.claim)}"),
        ("wanted", f"the {goal} {found.parameter} in {range_text(found)} that keeps it"),
    ]
    if found.safe is not None:
        facts.append(("safe", exact_text(found.safe)))
    if found.unsafe is not None:
        facts.append(("unsafe" if found.witness is not None else "nothing at", exact_text(found.unsafe)))
    if found.safe is not None and found.unsafe is not None:
        facts.append(("apart", decimal(abs(found.safe - found.unsafe), 3)))
    if found.witness is not None:
        facts.append(("broken by", witness_text(found.witness)))
    if found.exception is not None:
        facts.append(("also broken by", witness_text(found.exception)))
    facts += [("rests on", solver) for solver in _solvers(found)]
    facts += [("verdicts", f"{found.verdicts:,}"), ("seconds", f"{found.seconds:.3g}")]
    if certificate is not None:
        facts.append(("certificate", f"{certificate}, for the model {model}"))
    return facts


def range_text(found: Calibration) -> str:
    """The range with the parameter's name."""
    return str(found.range).replace("_", found.parameter)


def _said(found: Calibration) -> str:
    claim = f"the ratio {claim_text(found.claim)}, {horizon_text(found.claim)}"
    name = found.parameter
    if found.safe is None:
        if found.unsafe_beyond:
            return f"none: every {name} in {range_text(found)} breaks {claim}{_seen(found)}"
        return f"no {name} was found that keeps {claim}{_seen(found)}"
    larger, smaller = ("larger", "smaller") if found.goal == "minimise" else ("smaller", "larger")
    if found.unsafe is None and found.complete:
        end = "the end of its range" if found.safe in (found.range.lower, found.range.upper) else "its range to the end"
        if found.safe_beyond:
            return f"safe: every {name} in {range_text(found)} keeps {claim}"
        safe = f"safe: {name} = {_value(found.safe)}, {end}, keeps {claim}"
        return safe + _not_all(found, larger)
    if found.safe_beyond:
        said = f"safe: {name} = {_value(found.safe)} and every {larger} value keep {claim}"
    else:
        said = f"safe: {name} = {_value(found.safe)} keeps {claim}{_not_all(found, larger)}"
    if found.unsafe is None:
        return said
    if found.witness is None:
        said += f"; the constraints leave nothing at {_value(found.unsafe)}"
        return said + (f", and no {smaller} value is safe" if found.unsafe_beyond else "")
    said += f"; unsafe: {_value(found.unsafe)}"
    return said + (f" and every {smaller} value" if found.unsafe_beyond else "")


def _not_all(found: Calibration, larger: str) -> str:
    if found.safe_beyond is None:
        return f" (not decided: all {larger} values)"
    at = None if found.exception is None else found.exception.parameters.get(found.parameter)
    return f" (but not every {larger} value does" + (f", {_value(at)} breaks it)" if at is not None else ")")


def _seen(found: Calibration) -> str:
    return "" if found.unsafe is None else f"; {found.parameter} = {_value(found.unsafe)} does, for one"


def _value(value: Fraction) -> str:
    text = short(value)
    return text if value.denominator < 1000 or "about" in text else f"{text} (about {decimal(value, 10)})"


def _exact(value: Fraction | None) -> str | None:
    return None if value is None else exact_text(value)


def _solvers(found: Calibration) -> tuple[str, ...]:
    trace = None if found.proof is None else found.proof.trace
    return trace.rests_on if isinstance(trace, Boxes) else ()
