"""`draw` and `flip`: the random choices of a mechanism, answered by whoever runs it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from faier.errors import FaierError, MechanismError, NumberError
from faier.number.exact import prob

from .current import current, note
from .distribution import Distribution, Weight, distribution
from .symbolic import plain

_REMEMBERED: dict[Any, Distribution] = {}
_MOST_REMEMBERED = 4096
_VALUES = (str, int, bool)
_WEIGHTS = (str, int, Fraction)


def draw(among: Distribution | Mapping[Any, Weight] | Iterable[tuple[Any, Weight]]) -> Any:
    """Draw a value from a distribution, inside a mechanism: {"a": "1/3", "b": "2/3"}, or one of `faier.noise`.

    All values are walked through where the mechanism is verified; one is drawn at random where it is sampled.
    """
    chooser = current()
    if chooser is None:
        raise MechanismError(
            "faier.draw and faier.flip are called inside a mechanism, while faier runs it; to draw from a mechanism "
            "call its .sample(data, n, seed)"
        )
    try:
        return chooser.choose(_read(among))
    except FaierError as error:
        note(error)
        raise


def flip(probability: Weight = "1/2") -> bool:
    """True with this probability, inside a mechanism."""
    p = plain(probability)
    try:
        coin = _coin(p)
    except MechanismError as error:
        note(error)
        raise
    return bool(draw(coin))


def _read(among: Any) -> Distribution:
    """A distribution; equal dictionaries of plain values get the same one, which paths compare quickly."""
    if type(among) is not dict:
        return distribution(among)
    # 1 and True are equal, and so are their tuples: of plain values the types tell them apart.
    key = tuple((type(value), value, type(weight), weight) for value, weight in among.items())
    if not all(part[0] in _VALUES and part[2] in _WEIGHTS for part in key):
        return distribution(among)
    return _kept(key) or _keep(key, distribution(among))


def _coin(p: Any) -> Distribution:
    key = (type(p), p) if type(p) in _WEIGHTS else None
    if key is not None and (found := _kept(key)) is not None:
        return found
    try:
        heads = prob(p)
        tails = 1 - heads
    except NumberError as error:
        raise MechanismError(f"flip: {error}") from error
    coin = Distribution({True: heads, False: tails})
    return coin if key is None else _keep(key, coin)


def _kept(key: Any) -> Distribution | None:
    return _REMEMBERED.get(key)


def _keep(key: Any, found: Distribution) -> Distribution:
    if len(_REMEMBERED) >= _MOST_REMEMBERED:
        _REMEMBERED.clear()
    _REMEMBERED[key] = found
    return found
