"""`draw` and `flip`: the random choices of a mechanism, answered by whoever runs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from faier.errors import MechanismError

from .distribution import Distribution, Value, Weight, distribution
from .symbolic import plain


class Chooser(Protocol):
    """Decides what a draw gives: an enumerator walks through all values, a sampler takes one at random."""

    def choose(self, among: Distribution) -> Value: ...


_CURRENT: ContextVar[Chooser | None] = ContextVar("faier_chooser", default=None)


def draw(among: Distribution | Mapping[Any, Weight] | Iterable[tuple[Any, Weight]]) -> Any:
    """Draw a value from a distribution, inside a mechanism: {"a": "1/3", "b": "2/3"}, or one of `faier.noise`.

    All values are walked through where the mechanism is verified; one is drawn at random where it is sampled.
    """
    chooser = _CURRENT.get()
    if chooser is None:
        raise MechanismError(
            "faier.draw and faier.flip are called inside a mechanism, while faier runs it; to draw from a mechanism "
            "call its .sample(data, n, seed)"
        )
    return chooser.choose(distribution(among))


def flip(probability: Weight = "1/2") -> bool:
    """True with this probability, inside a mechanism."""
    p = plain(probability)
    one = Distribution({True: p}) if p in ("1", 1) else None
    return bool(draw(one or _coin(p)))


@contextmanager
def answered_by(chooser: Chooser) -> Iterator[None]:
    """Let this chooser decide all draws of the block."""
    token = _CURRENT.set(chooser)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def _coin(p: Any) -> Distribution:
    from faier.errors import NumberError
    from faier.number.exact import prob

    try:
        heads = prob(p)
        tails = 1 - heads
    except NumberError as error:
        raise MechanismError(f"flip: {error}") from error
    return Distribution({True: heads, False: tails})
