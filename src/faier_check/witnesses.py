"""The rule `witness`: a counted word whose two probabilities are as stated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from .certificate import Claim, Expression, Witness
from .errors import CertificateError
from .exponentials import bare, sign_of_polynomial
from .expression import ExpressionError, expression
from .family import Family
from .instance import Values, row_at
from .limits import Meter
from .model import Distribution, Model, Pair
from .number import brief
from .poly_rows import Words
from .quotient import Number, make, same
from .row import Rounding, Row
from .rows import distribution
from .scope import Scope
from .transition import Transition


def witness(model: Model, claim: Claim, stated: Witness, meter: Meter) -> None:
    """The word counts in its direction, and its probabilities are those stated, exactly."""
    word = counted(model, claim, stated.direction, stated.word, stated.ended, "witness")
    transition = Transition(model, 64, meter)
    beliefs = model.sides(stated.direction)
    for name, belief, value in zip(("left", "right"), beliefs, (stated.left, stated.right), strict=True):
        row = _row(transition, belief, word)
        numerator = row.entries.get(model.done, 0) if stated.ended else sum(row.entries.values())
        found = Fraction(numerator, row.denominator)
        if isinstance(value, Expression):
            raise CertificateError(f"{name} is {brief(found)}, and stated with exp", rule="witness")
        if found != value:
            raise CertificateError(f"{name} is {brief(found)}, not {brief(value)}", rule="witness")
    if claim.both and not (stated.left and stated.right):
        raise CertificateError(
            "the word is not possible on both sides, so that it does not count", rule="witness"
        )


def witness_at(
    family: Family, values: Values, claim: Claim, stated: Witness, meter: Meter
) -> tuple[Number, Number]:
    """The same for the model at given values of the parameters; returns both probabilities.

    All rows of the model and the two beliefs are distributions there.
    """
    scope = bare(family.unknowns.scope.ring, family.unknowns.scope)
    if stated.direction not in family.directions:
        raise CertificateError("the model has no such direction", rule="witness")
    left, right = (number(value, scope, "the witness") for value in (stated.left, stated.right))
    emit = [row_at(row, family, values) for row in family.emit]
    step = [None if row is None else row_at(row, family, values) for row in family.step]
    beliefs = [row_at(family.beliefs[b], family, values) for b in family.sides(stated.direction)]
    for written in family.written:
        row_at(written, family, values)
    rows = [*emit, *(row for row in step if row is not None), *beliefs]
    if all(isinstance(value, Fraction) for row in rows for _, value in row):
        left_name, right_name = family.names(stated.direction)
        pair = Pair(left_name, right_name, True, _plain(beliefs[0]), _plain(beliefs[1]))
        model = Model(
            family.symbols,
            family.states,
            tuple(map(_plain, emit)),
            tuple(None if row is None else _plain(row) for row in step),
            (pair,),
        )
        witness(model, claim, replace(stated, direction=(0, True)), meter)
        return left, right
    word = counted(family, claim, stated.direction, stated.word, stated.ended, "witness")
    words = Words(
        scope.ring, len(family.symbols), emit, step, beliefs, lambda p: sign_of_polynomial(p, scope)
    )
    prefix = 0
    for symbol in word:
        prefix = words.after(prefix, symbol)
    bottom = scope.ring.power(words.common, len(word))
    for i, name, value in ((0, "left", left), (1, "right", right)):
        row = words.row(i, prefix)
        top = row.entries.get(words.done, {}) if stated.ended else row.total()
        found = make(scope.ring, top, scope.ring.times(bottom, words.denominators[i])) * row.scale
        if not same(found, value):
            raise CertificateError(f"{name} is not what is stated", rule="witness")
    if claim.both and not (left != 0 and right != 0):
        raise CertificateError(
            "the word is not possible on both sides, so that it does not count", rule="witness"
        )
    return left, right


def counted(
    model: Model | Family,
    claim: Claim,
    direction: tuple[int, bool],
    names: Sequence[str],
    ended: bool,
    rule: str,
) -> list[int]:
    """The word's symbols by number, where it is one that counts."""
    if direction not in model.directions:
        raise CertificateError("the model has no such direction", rule=rule)
    symbols = {name: i for i, name in enumerate(model.symbols)}
    for name in names:
        if name not in symbols:
            raise CertificateError(f"the model has no symbol {name[:60]!r}", rule=rule)
    length = len(names)
    if length == 0:
        raise CertificateError("the empty word does not count", rule=rule)
    if claim.horizon is not None and not (length < claim.horizon if ended else length == claim.horizon):
        kind = "complete run" if ended else "prefix"
        raise CertificateError(
            f"a {kind} of {length} symbols does not count at horizon {claim.horizon}", rule=rule
        )
    return [symbols[name] for name in names]


def number(value: Fraction | Expression, scope: Scope, place: str) -> Number:
    """A number as the certificate writes it."""
    if isinstance(value, Fraction):
        return value
    try:
        return expression(value.text, scope)
    except ExpressionError as error:
        raise CertificateError(f"{place}: {error}") from None


def _plain(row: Sequence[tuple[int, Number]]) -> Distribution:
    return distribution([(i, value) for i, value in row if isinstance(value, Fraction)], "the row")


def _row(transition: Transition, belief: Distribution, word: list[int]) -> Row:
    row = transition.start(belief, Rounding.EXACT)
    for symbol in word:
        row = transition.after(row, symbol, Rounding.EXACT)
    return row
