"""A proved claim in words."""

from __future__ import annotations

from fractions import Fraction

from .box_steps import BoxProof
from .certificate import Bound, Certificate, Expression, Limit, Witness
from .families import Words, WordsLimit
from .family import Family
from .number import brief


def sentence(certificate: Certificate, model: Family) -> str:
    """What a valid certificate proves, as one sentence."""
    claim = certificate.claim
    words = "counted word of " + ("any length" if claim.horizon is None else f"horizon {claim.horizon}")
    if claim.both:
        words += " that both sides can produce"
    directions = _count(len(model.directions), "direction")
    scope = (
        f"for {'all ' if len(model.directions) > 1 else ''}{directions} of {_count(len(model.pairs), 'pair')}"
    )
    scope = _values(certificate, model) + scope
    witness = "" if certificate.witness is None else f"the {words} {_word(certificate.witness, model)}"
    if claim.budget is not None:
        bound = f"{claim.budget.ratio_text} * right (epsilon = {claim.budget.epsilon_text})"
    elif claim.ratio is not None:
        bound = f"({_short(claim.ratio)}) * right"
    if claim.budget is not None or claim.ratio is not None:
        return f"{witness} has left > {bound}" if witness else f"{scope}, every {words} has left <= {bound}"
    parts: list[str] = []
    if certificate.proof is not None:
        parts.append(f"{scope}, every {words} has left <= {_bound(claim.upper)} * right")
    if witness:
        reached = "right = 0 < left" if claim.lower == "infinity" else f"left = {_bound(claim.lower)} * right"
        parts.append(f"{witness} has {reached}")
    elif certificate.diverges is not None:
        growth = certificate.diverges.row_factor / certificate.diverges.column_factor
        power = len(certificate.diverges.further_rows)
        family = _family(certificate.diverges.words, model)
        said = _growth(growth, power)
        parts.append(f"{family} have left / right at least like {said}, so that no finite ratio is kept")
    elif isinstance(certificate.limit, WordsLimit):
        family = _family(certificate.limit.words, model)
        parts.append(f"{family} have left / right that tends to {_bound(claim.lower)} as n grows")
    elif certificate.limit is not None:
        word = f"the {words} {_word(certificate.limit, model)}"
        parts.append(
            f"{word} has left / right as close to {_bound(claim.lower)} as one likes, at some values"
        )
    return ", and ".join(parts) or "the tight ratio lies between 0 and infinity, which says nothing"


def _values(certificate: Certificate, model: Family) -> str:
    """What a proof by boxes is about."""
    names = model.unknowns.scope.names
    if not isinstance(certificate.proof, BoxProof) or not names:
        return ""
    listed = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
    values = f"values of {listed}"
    defined = "" if certificate.claim.ratio is None else ", and the ratio is defined,"
    return f"for all admissible {values} at which the rows are probabilities{defined or ','} "


def _bound(value: Bound) -> str:
    if isinstance(value, Expression):
        return f"({_short(value.text)})"
    return value if isinstance(value, str) else brief(value)


def _short(text: str) -> str:
    """A text as it is, or the fact that it is too long to show."""
    return text if len(text) <= 200 else f"the ratio that begins {text[:150]!r}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _family(words: Words, model: Family) -> str:
    def listed(word: tuple[str, ...]) -> str:
        return ", ".join(repr(s[:60]) for s in word[:20]) + (", ..." if len(word) > 20 else "")

    ended = ", as complete runs," if words.ended else ""
    left, right = model.names(words.direction)
    return (
        f"the words [{listed(words.prefix)}] [{listed(words.loop)}]^n [{listed(words.suffix)}]{ended} of "
        f"{left[:60]!r} (left) against {right[:60]!r} (right)"
    )


def _word(witness: Witness | Limit, model: Family) -> str:
    names = ", ".join(repr(s[:60]) for s in witness.word[:20]) + (", ..." if len(witness.word) > 20 else "")
    ended = ", as a complete run," if witness.ended else ""
    left, right = model.names(witness.direction)
    at = ""
    if isinstance(witness, Witness) and witness.parameters:
        values = [f"{name} = {brief(value)}" for name, value in list(witness.parameters.items())[:10]]
        at = ", at " + ", ".join(values) + (", ...," if len(witness.parameters) > 10 else ",")
    return f"[{names}]{ended} of {left[:60]!r} (left) against {right[:60]!r} (right){at}"


def _growth(growth: Fraction, power: int) -> str:
    """How a ratio grows with n."""
    factors = [f"({brief(growth)})^n"] if growth != 1 or not power else []
    return " ".join([*factors, *(["n"] if power == 1 else [f"n^{power}"] if power else [])])
