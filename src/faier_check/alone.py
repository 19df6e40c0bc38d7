"""Pairs that a certificate of secrets at every step asks about alone. [T18]

Ordinary pairs, and gates at one step each, are asked about as in a file without the others; sets of states, up to some
step, for words that bound their tight ratio from below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .certificate import Horizon
from .errors import CertificateError, ModelFileError
from .family import Family, FamilyPair
from .gate import EVERY, Gate, gated
from .limits import Meter
from .strict_json import array, fields, integer


@dataclass(frozen=True)
class Alone:
    """A question, by number, about the pairs of these numbers, for a horizon."""

    pairs: tuple[int, ...]
    horizon: Horizon
    question: int


def read_alone(value: object) -> Alone:
    """A part of a certificate that has `pairs`."""
    part = fields(value, "a part", ("pairs", "horizon", "question"))
    pairs = tuple(integer(n, "a part's pair", 0) for n in array(part["pairs"], "a part's pairs"))
    if not pairs or list(pairs) != sorted(set(pairs)):
        raise CertificateError("a part's pairs are numbers in order")
    horizon = None if part["horizon"] == "any" else integer(part["horizon"], "a part's horizon", 1)
    return Alone(pairs, horizon, integer(part["question"], "a part's question", 0))


def family_of(family: Family, pairs: Sequence[FamilyPair | Gate], part: Alone, meter: Meter) -> Family:
    """The model that the file would be compiled to if it had these pairs alone."""
    if part.pairs[-1] >= len(pairs):
        raise CertificateError("the model has no such pair", rule="alone")
    try:
        return gated(family, [pairs[n] for n in part.pairs], meter, lambda: part.horizon)
    except ModelFileError as error:
        raise CertificateError(error.message, rule="alone") from None


def is_every(pair: object) -> bool:
    """Whether a pair is asked about at every step."""
    return isinstance(pair, Gate) and pair.at == EVERY
