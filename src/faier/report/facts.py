"""The labelled facts beside a sentence: the claim, who answered, how long it took, how it is proved."""

from __future__ import annotations

from typing import TypeAlias

from faier.scenario.every import steps_left_out
from faier.trace import Apart, Boxes, Enumeration, Layers, Trace, Tree
from faier.verdict import Event, Holds, Tight, Unknown, Verdict, Violated, Witness

from .event import event_facts
from .rounding import log_above, log_below
from .sentences import claim_text, horizon_text, left_out_text
from .text import bound_above, bound_below, decimal, short
from .values import domain_texts, solver_steps, values_text

Facts: TypeAlias = list[tuple[str, str]]


def verdict_facts(verdict: Verdict, certificate: str | None = None) -> Facts:
    claim = verdict.claim
    counted = "" if claim.possible == "either" else ", of the words that both sides can produce"
    delta = f", delta {short(claim.delta)}" if claim.delta else ""
    facts = [("claim", f"ratio {claim_text(claim)}{delta}, {horizon_text(claim)}{counted}")]
    facts += domain_texts(verdict.scenario)
    if isinstance(verdict, Violated) and isinstance(verdict.witness, Event):
        facts += event_facts(verdict.witness)
    elif isinstance(verdict, Violated) and isinstance(verdict.witness, Witness) and verdict.witness.parameters:
        facts.append(("broken at", values_text(verdict.witness.parameters, in_full=True)))
    if isinstance(verdict, Unknown):
        what = "delta" if claim.delta else "ratio"
        facts.append((f"{what} at least", bound_below(verdict.bounds.lower)))
        facts.append((f"{what} at most", bound_above(verdict.bounds.upper)))
    if isinstance(verdict, Holds):
        facts += [("left out", left_out_text(entry)) for entry in verdict.left_out]
    facts += [("steps left out", text) for text in steps_left_out(verdict.scenario)]
    return facts + _how(verdict.engine, verdict.seconds, verdict.trace, certificate)


def tight_facts(tight: Tight, certificate: str | None = None) -> Facts:
    low, high = tight.ratio.lower, tight.ratio.upper
    if tight.exact:
        facts = [("ratio", short(low)), ("epsilon", decimal(log_below(low), 13))]
    else:
        facts = [
            ("ratio at least", bound_below(low)),
            ("ratio at most", bound_above(high)),
            ("epsilon at least", bound_below(log_below(low))),
            ("epsilon at most", bound_above(log_above(high))),
        ]
    facts += domain_texts(tight.scenario)
    if (witness := tight.witness) is not None and witness.parameters:
        label = "attained at" if tight.attained else "near it"
        ratio = "" if tight.attained else f": ratio about {decimal(witness.ratio)}"
        facts.append((label, values_text(witness.parameters, in_full=True) + ratio))
    facts += [("left out", left_out_text(entry)) for entry in tight.left_out]
    facts += [("steps left out", text) for text in steps_left_out(tight.scenario)]
    return facts + _how(tight.engine, tight.seconds, tight.trace, certificate)


def _how(engine: str, seconds: float, trace: Trace | None, certificate: str | None) -> Facts:
    facts = [("engine", engine), ("seconds", f"{seconds:.3g}")]
    match trace:
        case Tree(steps=steps):
            facts.append(("proof", _steps(len(steps))))
        case Boxes(steps=steps):
            cuts = sum(step.rule == "split" for step in steps)
            halved = f"ranges halved {_times(cuts)}" if cuts else "no range halved"
            facts.append(("proof", f"{_steps(len(steps))}, {halved}"))
            facts += [("rests on", f"{solver}, for {_steps(n)}") for solver, n in solver_steps(trace).items()]
        case Layers(depth=depth):
            facts.append(("proof", f"all prefixes of up to {depth:,} symbol{'' if depth == 1 else 's'}, in layers"))
        case Enumeration():
            facts.append(("proof", "every counted word was looked at"))
        case Apart(parts=()) | None:
            pass
        case Apart(parts=parts):
            count = f"{len(parts):,} part{'' if len(parts) == 1 else 's'}"
            facts.append(("proof", f"what comes before a step and what comes from it on, apart: {count}"))
    if certificate is not None:
        facts.append(("certificate", certificate))
    return facts


def _steps(count: int) -> str:
    return f"{count:,} step{'' if count == 1 else 's'}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
