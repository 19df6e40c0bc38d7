"""The rule `witness`: a counted word whose two probabilities are as stated."""

from __future__ import annotations

from fractions import Fraction

from .certificate import Claim, Witness
from .errors import CertificateError
from .limits import Meter
from .model import Distribution, Model
from .number import brief
from .row import Rounding, Row
from .transition import Transition


def witness(model: Model, claim: Claim, stated: Witness, meter: Meter) -> None:
    """The word counts in its direction, and its probabilities are those stated, exactly."""
    if stated.direction not in model.directions:
        raise CertificateError("the model has no such direction", rule="witness")
    symbols = {name: i for i, name in enumerate(model.symbols)}
    for name in stated.word:
        if name not in symbols:
            raise CertificateError(f"the model has no symbol {name[:60]!r}", rule="witness")
    length = len(stated.word)
    if length == 0:
        raise CertificateError("the empty word does not count", rule="witness")
    if claim.horizon is not None and not (
        length < claim.horizon if stated.ended else length == claim.horizon
    ):
        kind = "complete run" if stated.ended else "prefix"
        raise CertificateError(
            f"a {kind} of {length} symbols does not count at horizon {claim.horizon}", rule="witness"
        )
    word = [symbols[name] for name in stated.word]
    transition = Transition(model, 64, meter)
    beliefs = model.sides(stated.direction)
    for name, belief, value in zip(("left", "right"), beliefs, (stated.left, stated.right), strict=True):
        row = _row(transition, belief, word)
        numerator = row.entries.get(model.done, 0) if stated.ended else sum(row.entries.values())
        found = Fraction(numerator, row.denominator)
        if found != value:
            raise CertificateError(f"{name} is {brief(found)}, not {brief(value)}", rule="witness")
    if claim.both and not (stated.left and stated.right):
        raise CertificateError(
            "the word is not possible on both sides, so that it does not count", rule="witness"
        )


def _row(transition: Transition, belief: Distribution, word: list[int]) -> Row:
    row = transition.start(belief, Rounding.EXACT)
    for symbol in word:
        row = transition.after(row, symbol, Rounding.EXACT)
    return row
