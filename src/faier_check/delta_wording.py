"""A proved claim about delta in words."""

from __future__ import annotations

from .delta_certificate import DeltaCertificate
from .family import Family
from .number import brief


def sentence(certificate: DeltaCertificate, model: Family) -> str:
    """What a valid certificate about delta proves, as one sentence."""
    words = "counted words of " + ("any length" if certificate.horizon is None else f"horizon {certificate.horizon}")
    ratio, epsilon = certificate.budget.ratio_text, certificate.budget.epsilon_text
    many = len(model.directions)
    scope = f"for {'all ' if many > 1 else ''}{many} direction{'' if many == 1 else 's'}"
    if certificate.kind == "holds":
        bound = f"{ratio} * right + {brief(certificate.upper)} (epsilon = {epsilon})"
        return f"{scope}, every set of {words} has left <= {bound}"
    if certificate.outcomes is not None:
        left, right = model.names(certificate.outcomes.direction)
        bound = f"{ratio} * right + {brief(certificate.lower)} (epsilon = {epsilon})"
        count = len(certificate.outcomes.words)
        many_words = f"{count} outcome{'' if count == 1 else 's'}"
        return f"an event of {many_words} of {left[:60]!r} (left) against {right[:60]!r} (right) has left > {bound}"
    return (
        f"the largest left - {ratio} * right of sets of {words}, {scope} (delta at epsilon = {epsilon}), "
        f"lies between {brief(certificate.lower)} and {brief(certificate.upper)}"
    )
