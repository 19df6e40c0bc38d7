"""A proved claim in words."""

from __future__ import annotations

from .certificate import Certificate, Witness
from .model import Model
from .number import brief


def sentence(certificate: Certificate, model: Model) -> str:
    """What a valid certificate proves, as one sentence."""
    claim = certificate.claim
    words = "counted word of " + ("any length" if claim.horizon is None else f"horizon {claim.horizon}")
    if claim.both:
        words += " that both sides can produce"
    directions = _count(len(model.directions), "direction")
    scope = (
        f"for {'all ' if len(model.directions) > 1 else ''}{directions} of {_count(len(model.pairs), 'pair')}"
    )
    witness = "" if certificate.witness is None else f"the {words} {_word(certificate.witness, model)}"
    if claim.budget is not None:
        bound = f"{claim.budget.ratio_text} * right (epsilon = {claim.budget.epsilon_text})"
        return f"{witness} has left > {bound}" if witness else f"{scope}, every {words} has left <= {bound}"
    parts: list[str] = []
    if certificate.proof is not None:
        parts.append(f"{scope}, every {words} has left <= {brief(certificate.proof.ratio)} * right")
    if witness:
        reached = "right = 0 < left" if claim.lower == "infinity" else f"left = {brief(claim.lower)} * right"
        parts.append(f"{witness} has {reached}")
    return ", and ".join(parts) or "the tight ratio lies between 0 and infinity, which says nothing"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _word(witness: Witness, model: Model) -> str:
    names = ", ".join(repr(s[:60]) for s in witness.word[:20]) + (", ..." if len(witness.word) > 20 else "")
    ended = ", as a complete run," if witness.ended else ""
    left, right = model.names(witness.direction)
    return f"[{names}]{ended} of {left[:60]!r} (left) against {right[:60]!r} (right)"
