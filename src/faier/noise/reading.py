"""What the makers of noise take: exact numbers, whole numbers, and one answer for equal questions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import wraps
from typing import Any, TypeVar

from faier.errors import MechanismError, NumberError
from faier.mechanisms.distribution import Distribution, Weight
from faier.mechanisms.symbolic import plain
from faier.number.exact import Prob, kind_of, prob

_MOST_KEPT = 4096

Maker = TypeVar("Maker", bound=Callable[..., Distribution])


def number(value: Weight, name: str) -> Prob:
    """An exact number; a `MechanismError` that names it otherwise."""
    try:
        return prob(plain(value))
    except NumberError as error:
        raise MechanismError(f"{name}: {error}") from error


def share(value: Weight, name: str, *, zero: bool = True, one: bool = True) -> Prob:
    """A number from 0 to 1, as far as it is constant."""
    read = number(value, name)
    if isinstance(read, Fraction) and not (0 <= read <= 1 and (zero or read > 0) and (one or read < 1)):
        ends = f"{'0 <=' if zero else '0 <'} {name} {'<= 1' if one else '< 1'}"
        raise MechanismError(f"{name} is to be {ends}, got {read}")
    return read


def whole(value: object, name: str, least: int | None = None, most: int | None = None) -> int:
    """A whole number, at least and at most so large."""
    if isinstance(value, Fraction) and value.denominator == 1:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise MechanismError(f"{name} is a whole number, got {kind_of(value)}")
    if least is not None and value < least:
        raise MechanismError(f"{name} is at least {least}, got {value}")
    if most is not None and value > most:
        raise MechanismError(f"{name} is at most {most:,}, got {value:,}")
    return value


def remembered(maker: Maker) -> Maker:
    """Equal questions get the same object, which paths of a mechanism compare quickly.

    Equal are those of the same types too: True is not 1 here, and 0.5 is refused where Fraction(1, 2) is not.
    """
    known: dict[Hashable, Distribution] = {}

    @wraps(maker)
    def asked(*arguments: Any, **options: Any) -> Distribution:
        arguments = tuple(plain(a) for a in arguments)
        options = {name: plain(value) for name, value in options.items()}
        key = _typed(arguments), tuple(options), _typed(tuple(options.values()))
        try:
            found = known.get(key)
        except TypeError:
            return maker(*arguments, **options)
        if found is None:
            if len(known) >= _MOST_KEPT:
                known.clear()
            found = known[key] = maker(*arguments, **options)
        return found

    return asked  # type: ignore[return-value]


def _typed(values: tuple[Any, ...]) -> tuple[Hashable, ...]:
    return tuple((type(value), _typed(value) if isinstance(value, tuple) else value) for value in values)
