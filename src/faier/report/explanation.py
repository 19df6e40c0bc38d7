"""How an answer was come by: lines for people, and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faier.explanation import Explanation

if TYPE_CHECKING:
    from .facts import Facts

_WORDS = {
    "expand": "followed by every symbol",
    "end": "ended at the horizon",
    "dominate": "dominated [T1]",
    "subsume": "covered by another prefix [T3]",
    "simulate": "closed by a simulation [T2]",
    "combine": "covered by several others together [T3]",
    "outweigh": "outweighed by others together [T17]",
    "open": "open",
    "impossible": "impossible",
}


def explanation_facts(explanation: Explanation | None, engine: str) -> Facts:
    """What was tried, what closed what and what would help, one fact each."""
    if explanation is None:
        return [("tried", f"the engine {engine}, which says no more")]
    facts = [("tried", text) for text in explanation.tried]
    facts += [("prefixes", f"{count:,} {_WORDS.get(name, name)}") for name, count in explanation.closed.items()]
    return facts + [("would help", text) for text in explanation.helps]


def explanation_record(explanation: Explanation | None) -> dict[str, object]:
    """The same as JSON."""
    if explanation is None:
        return {"explanation": None}
    return {
        "explanation": {
            "tried": list(explanation.tried),
            "closed": dict(explanation.closed),
            "helps": list(explanation.helps),
        }
    }
