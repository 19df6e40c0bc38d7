"""Parameters inside a mechanism: numbers that can be reckoned with, and not looked at."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NoReturn

from faier.errors import MechanismError, NumberError
from faier.number.exact import Prob, prob
from faier.number.rational_function import RationalFunction


class Symbolic:
    """An expression in parameters. It has no value while a mechanism runs, so nothing can depend on what it is.

    >>> alpha = parameter("alpha")
    >>> str((1 - alpha) / (1 + alpha))
    '(-alpha + 1)/(alpha + 1)'
    """

    __slots__ = ("value",)

    def __init__(self, value: Prob):
        self.value = value

    def __add__(self, other: object) -> Symbolic:
        return Symbolic(self.value + _number(other))

    def __radd__(self, other: object) -> Symbolic:
        return Symbolic(_number(other) + self.value)

    def __sub__(self, other: object) -> Symbolic:
        return Symbolic(self.value - _number(other))

    def __rsub__(self, other: object) -> Symbolic:
        return Symbolic(_number(other) - self.value)

    def __mul__(self, other: object) -> Symbolic:
        return Symbolic(self.value * _number(other))

    def __rmul__(self, other: object) -> Symbolic:
        return Symbolic(_number(other) * self.value)

    def __truediv__(self, other: object) -> Symbolic:
        return Symbolic(self.value / _number(other))

    def __rtruediv__(self, other: object) -> Symbolic:
        return Symbolic(_number(other) / self.value)

    def __pow__(self, exponent: int) -> Symbolic:
        result = self.value**exponent
        assert isinstance(result, Fraction | RationalFunction)
        return Symbolic(result)

    def __neg__(self) -> Symbolic:
        return Symbolic(-self.value)

    def _no_value(self, *_: object) -> NoReturn:
        from .current import note

        error = MechanismError(
            f"the mechanism branches on {self}, which has parameters: what it does may not depend on their values, "
            "only its probabilities may"
        )
        note(error)
        raise error

    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __bool__ = _no_value
    __int__ = __float__ = __index__ = __round__ = __hash__ = _no_value

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return f"Symbolic({self.value})"


def parameter(name: str) -> Symbolic:
    """The unknown of this name, for probabilities inside a mechanism; its range stands where the mechanism is made."""
    value = prob(name)
    if not isinstance(value, RationalFunction) or str(value) != name:
        raise MechanismError(f"a parameter is a name such as p, got {name!r}")
    return Symbolic(value)


def plain(what: Any) -> Any:
    """The number behind a symbolic one; anything else as it is."""
    return what.value if isinstance(what, Symbolic) else what


def _number(other: object) -> Prob:
    try:
        return prob(plain(other))
    except NumberError as error:
        raise MechanismError(f"arithmetic with a parameter: {error}") from error
