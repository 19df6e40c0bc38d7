"""A model of classes of states: the partition that a certificate names is shown to be lumpable."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from .errors import CertificateError
from .limits import Meter
from .model import Distribution, Model

_Shares: TypeAlias = tuple[int, frozenset[tuple[int, int]]]


def lump(model: Model, classes: Sequence[int], meter: Meter) -> Model:
    """The model whose states are the classes, or CertificateError where the partition is not lumpable. [T14]

    States of one class emit every symbol, and enter every class, with the same probability, and all or none of them
    end the run. So every word has the same readings in both models.
    """
    if len(classes) != len(model.states):
        raise CertificateError(
            f"there are {len(classes)} entries for the classes of {len(model.states)} states", rule="lump"
        )
    first: list[int] = []
    emits: list[_Shares] = []
    moves: list[_Shares | None] = []
    for i, number in enumerate(classes):
        if number > len(first):
            raise CertificateError(f"class {number} comes before class {len(first)}", rule="lump")
        step = model.step[i]
        meter.spend(1 + len(model.emit[i].entries) + (0 if step is None else len(step.entries)))
        emit = _shares(model.emit[i].entries, model.emit[i].denominator)
        move = None if step is None else _shares(_entered(step, classes), step.denominator)
        if number == len(first):
            first.append(i)
            emits.append(emit)
            moves.append(move)
        elif emit != emits[number] or move != moves[number]:
            how = "emit" if emit != emits[number] else "move"
            raise CertificateError(
                f"the states {model.states[first[number]]!r} and {model.states[i]!r} do not {how} alike", rule="lump"
            )
    return replace(
        model,
        states=tuple(model.states[i] for i in first),
        emit=tuple(model.emit[i] for i in first),
        step=tuple(_row(move) for move in moves),
        pairs=tuple(
            replace(pair, left=_pushed(pair.left, classes), right=_pushed(pair.right, classes)) for pair in model.pairs
        ),
    )


def _entered(row: Distribution, classes: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """How much of a row goes into each class."""
    sums: dict[int, int] = {}
    for i, n in row.entries:
        sums[classes[i]] = sums.get(classes[i], 0) + n
    return tuple(sorted(sums.items()))


def _pushed(belief: Distribution, classes: Sequence[int]) -> Distribution:
    return Distribution(_entered(belief, classes), belief.denominator)


def _shares(entries: Sequence[tuple[int, int]], denominator: int) -> _Shares:
    """The same for equal distributions, however they are written."""
    common = math.gcd(denominator, *(n for _, n in entries))
    return denominator // common, frozenset((i, n // common) for i, n in entries)


def _row(move: _Shares | None) -> Distribution | None:
    return None if move is None else Distribution(tuple(sorted(move[1])), move[0])
