"""The rules `layers` and `event`: delta at a ratio is at most, or more than, what is claimed. [T10]"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from .budgets import budget, excess
from .certificate import Horizon
from .delta_certificate import DeltaCertificate, Layers, Outcomes
from .differences import Weighted, bounds
from .errors import CertificateError
from .game import game
from .limits import Meter
from .model import Distribution, Model
from .number import brief

_Trie: TypeAlias = "dict[int, _Trie]"
_PREFIX, _ENDED = -1, -2
"""Marks among the symbols of a trie: an outcome stands here."""


def prove(certificate: DeltaCertificate, model: Model, inputs: Sequence[int], meter: Meter) -> int:
    """The certificate's claim follows from the model, or CertificateError; returns the number of steps.

    `inputs` is empty, or numbers the pair of inputs that each letter of a stream has.
    """
    if certificate.outcomes is not None:
        event(certificate, certificate.outcomes, model, inputs, meter)
        return 1
    assert certificate.layers is not None
    return layers(certificate, certificate.layers, model, inputs, meter)


def layers(
    certificate: DeltaCertificate, proof: Layers, model: Model, inputs: Sequence[int], meter: Meter
) -> int:
    """All upper bounds at a ratio <= c are at most `upper`; of a profile the largest lower bound at one >= c is enough.

    Returns the number of directions.
    """
    horizon = certificate.horizon
    if horizon is not None and proof.depth > horizon:
        raise CertificateError("the layers go beyond the horizon", rule="layers")
    budget(proof.below, certificate.budget)
    matrices = Weighted.of(model)

    def enclosed(sides: tuple[Distribution, Distribution], ratio: Fraction) -> tuple[Fraction, Fraction]:
        if inputs:
            return game(model, matrices, sides, ratio, horizon, proof.depth, inputs, meter)
        return bounds(model, matrices, sides, ratio, horizon, proof.depth, meter)

    known: dict[tuple[Distribution, Distribution], tuple[Fraction, Fraction]] = {}
    largest = Fraction(0)
    for direction in model.directions:
        sides = model.sides(direction)
        if sides not in known:
            _, high = enclosed(sides, proof.below)
            low = Fraction(0)
            if certificate.kind == "profile":
                low, _ = enclosed(sides, proof.above)
            known[sides] = low, high
        low, high = known[sides]
        if high > certificate.upper:
            left, right = model.names(direction)
            raise CertificateError(
                f"delta of {left[:60]!r} against {right[:60]!r} is only shown to be at most {brief(high)}",
                rule="layers",
            )
        largest = max(largest, low)
    if certificate.kind == "profile":
        exactly = certificate.budget.power == 0 and certificate.budget.root == 1
        if not (exactly and proof.above == certificate.budget.base):
            _exceeds(proof.above, Fraction(1), certificate, "proof.above is below the claimed ratio")
        if largest < certificate.lower:
            raise CertificateError(f"delta is only shown to be at least {brief(largest)}", rule="layers")
    return len(known)


def event(
    certificate: DeltaCertificate, stated: Outcomes, model: Model, inputs: Sequence[int], meter: Meter
) -> None:
    """The outcomes count, no two go together, their probabilities are those stated, and left > c right + delta.

    Of a stream, they are those of one adversary: what it asks next depends on the answers alone.
    """
    if stated.direction not in model.directions:
        raise CertificateError("the model has no such direction", rule="event")
    trie = _trie(stated, model, certificate.horizon)
    matrices = Weighted.of(model)
    if inputs:
        _one_adversary(trie, inputs)
    times = len(set(inputs)) if inputs else 1
    left, right = (_probability(model, matrices, side, trie, times, meter) for side in model.sides(stated.direction))
    for name, value, found in (("left", stated.left, left), ("right", stated.right, right)):
        if value != found:
            raise CertificateError(f"{name} is {brief(found)}, not {brief(value)}", rule="event")
    if left <= certificate.lower:
        raise CertificateError("the event does not exceed the claimed delta", rule="event")
    _exceeds(left - certificate.lower, right, certificate, "the event does not exceed the claimed delta")


def _exceeds(left: Fraction, right: Fraction, certificate: DeltaCertificate, reason: str) -> None:
    try:
        excess(left, right, certificate.budget)
    except CertificateError as error:
        if "too" in error.reason:
            raise
        raise CertificateError(reason, rule=certificate.kind if certificate.kind != "violated" else "event") from None


def _trie(stated: Outcomes, model: Model, horizon: Horizon) -> _Trie:
    """The outcomes by their symbols, where no two of them go together."""
    symbols = {name: i for i, name in enumerate(model.symbols)}
    root: _Trie = {}
    for word, ended in zip(stated.words, stated.ended, strict=True):
        if not word:
            raise CertificateError("the empty word does not count", rule="event")
        if horizon is not None and len(word) > (horizon - 1 if ended else horizon):
            kind = "complete run" if ended else "prefix"
            raise CertificateError(
                f"a {kind} of {len(word)} symbols does not count at horizon {horizon}", rule="event"
            )
        at = root
        for name in word:
            if name not in symbols:
                raise CertificateError(f"the model has no symbol {name[:60]!r}", rule="event")
            if _PREFIX in at:
                raise CertificateError("an outcome begins with another one", rule="event")
            at = at.setdefault(symbols[name], {})
        mark = _ENDED if ended else _PREFIX
        if mark in at or _PREFIX in at or (at and not ended):
            raise CertificateError("an outcome stands twice, or begins another one", rule="event")
        at[mark] = {}
    return root


def _one_adversary(trie: _Trie, inputs: Sequence[int]) -> None:
    """After each prefix all outcomes go on with the same pair of inputs."""
    waiting = [trie]
    while waiting:
        at = waiting.pop()
        if len({inputs[symbol] for symbol in at if symbol >= 0}) > 1:
            raise CertificateError("two outcomes are shown to different choices of inputs", rule="event")
        waiting += [after for symbol, after in at.items() if symbol >= 0]


def _probability(
    model: Model, matrices: Weighted, side: Distribution, trie: _Trie, times: int, meter: Meter
) -> Fraction:
    """How likely it is that one of the outcomes comes about; each letter counts as so many times as likely."""
    total = Fraction(0)
    waiting: list[tuple[_Trie, dict[int, int], Fraction]] = [
        (trie, dict(side.entries), Fraction(1, side.denominator))
    ]
    while waiting:
        at, row, unit = waiting.pop()
        for symbol, after in at.items():
            if symbol == _PREFIX:
                total += sum(row.values()) * unit
            elif symbol == _ENDED:
                total += row.get(model.done, 0) * unit
            else:
                moved, over = matrices.after(row, symbol, meter)
                waiting.append((after, moved, unit * times / over))
    return total
