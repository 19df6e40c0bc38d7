"""Verdicts as the text of a failed test: in plain characters, the witness symbol by symbol."""

from __future__ import annotations

from io import StringIO

from faier.verdict import Event, Unknown, Violated

from .event import event_facts, event_rows
from .sentences import claim_text, horizon_text, verdict_sentence
from .text import bound_above, bound_below, short

_WIDTH = 100


def violation_text(verdict: Violated, name: str = "") -> str:
    """Which claim is broken, by which word, and how likely it is up to each symbol."""
    return "\n".join([verdict_sentence(verdict), *_claimed(verdict, name), *_table(verdict)])


def undecided_text(verdict: Unknown, name: str = "") -> str:
    """That nothing was decided, why, and between which bounds the ratio (or delta) lies."""
    bounds, what = verdict.bounds, "delta" if verdict.claim.delta else "ratio"
    return "\n".join(
        [
            f"not decided, neither private nor broken: {verdict.reason}",
            *_claimed(verdict, name),
            f"  {what}    between {bound_below(bounds.lower)} and {bound_above(bounds.upper)}",
            "Give it more time (timeout=), a shorter horizon, or a larger budget.",
        ]
    )


def _claimed(verdict: Violated | Unknown, name: str) -> list[str]:
    asked = name or verdict.scenario.title
    delta = f", delta {short(verdict.claim.delta)}" if verdict.claim.delta else ""
    claimed = f"  claimed  ratio {claim_text(verdict.claim)}{delta}, {horizon_text(verdict.claim)}"
    return ([f"  of       {asked}"] if asked else []) + [claimed]


def _table(verdict: Violated) -> list[str]:
    from rich.console import Console

    from .terminal import path_view

    if isinstance(verdict.witness, Event):
        rows = [f"  {word}  {what}".rstrip() for word, what in event_rows(verdict.witness)]
        return ["", *rows, "", *(f"  {name:<13}{value}" for name, value in event_facts(verdict.witness))]
    view = path_view(verdict.scenario, verdict.witness)
    if view is None:
        return []
    out = StringIO()
    Console(file=out, width=_WIDTH, color_system=None, highlight=False, markup=False, emoji=False).print(view)
    return ["", *(f"  {line.rstrip()}" for line in out.getvalue().rstrip("\n").split("\n"))]
