"""Pairs that a certificate of secrets at every step asks about alone. [T18]

Ordinary pairs, and gates at one step each, are asked about as in a file without the others; sets of states, up to some
step, for words that bound their tight ratio from below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .certificate import Horizon
from .errors import CertificateError, ModelFileError
from .family import Family, FamilyPair
from .gate import EVERY, Gate, gated
from .limits import Meter
from .strict_json import array, fields, integer

_FURTHEST = 10_000


@dataclass(frozen=True)
class Alone:
    """A question, by number, about the pairs of these numbers, for a horizon.

    Where `step` is a number there is one pair, at every step, which is asked about at this one.
    """

    pairs: tuple[int, ...]
    horizon: Horizon
    question: int
    step: int | None
    after: None = None


def read_alone(value: object) -> Alone:
    """A part of a certificate that has `pairs`."""
    part = fields(value, "a part", ("pairs", "horizon", "question"), ("step",))
    pairs = tuple(integer(n, "a part's pair", 0) for n in array(part["pairs"], "a part's pairs"))
    if not pairs or list(pairs) != sorted(set(pairs)):
        raise CertificateError("a part's pairs are numbers in order")
    horizon = None if part["horizon"] == "any" else integer(part["horizon"], "a part's horizon", 1)
    step = integer(part["step"], "a part's step", 1) if "step" in part else None
    if step is not None and (len(pairs) > 1 or step > _FURTHEST):
        raise CertificateError(f"one pair is asked about at a step of at most {_FURTHEST}")
    return Alone(pairs, horizon, integer(part["question"], "a part's question", 0), step)


def family_of(family: Family, pairs: Sequence[FamilyPair | Gate], part: Alone, meter: Meter) -> Family:
    """The model that the file would be compiled to if it had these pairs alone."""
    if part.pairs[-1] >= len(pairs):
        raise CertificateError("the model has no such pair", rule="alone")
    some = [pairs[n] for n in part.pairs]
    if part.step is not None:
        gate = some[0]
        if not isinstance(gate, Gate) or not is_every(gate):
            raise CertificateError("it is a pair at every step that is asked about at one", rule="alone")
        some = [replace(gate, at=part.step)]
    try:
        return gated(family, some, meter, lambda: part.horizon)
    except ModelFileError as error:
        raise CertificateError(error.message, rule="alone") from None


def is_every(pair: object) -> bool:
    """Whether a pair is asked about at every step."""
    return isinstance(pair, Gate) and pair.at == EVERY
