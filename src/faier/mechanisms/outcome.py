"""What a mechanism may return: a symbol, which has to be the same thing whenever it is returned."""

from __future__ import annotations

import inspect
from collections.abc import Hashable
from enum import Enum
from fractions import Fraction
from numbers import Integral
from typing import Any

from faier.errors import MechanismError
from faier.model.names import label
from faier.number.exact import kind_of

from .distribution import Distribution


def symbol(outcome: Any) -> Hashable:
    """The symbol that was returned, a number or text of numpy's as Python's own; else a `MechanismError` says why."""
    if outcome is None:
        raise MechanismError("it returns nothing; return the symbol that is released")
    if inspect.isawaitable(outcome) or inspect.isgenerator(outcome) or inspect.isasyncgen(outcome):
        if inspect.iscoroutine(outcome):
            outcome.close()
        raise MechanismError(f"it returns {kind_of(outcome)}, not a symbol; a mechanism is a plain function")
    if callable(outcome):
        raise MechanismError(f"it returns {kind_of(outcome)}, not a symbol; call it, and return what it gives")
    found = _plain(outcome)
    try:
        hash(found)
    except MechanismError:
        raise
    except TypeError:
        advice = "; return a tuple" if isinstance(outcome, list | tuple) or hasattr(outcome, "tolist") else ""
        raise MechanismError(f"it returns {_kind(outcome)}, which is not hashable{advice}") from None
    return found  # type: ignore[no-any-return]


def other_than(first: Hashable, second: Hashable) -> str:
    """That the same draws gave two symbols."""
    kind = type(second)
    if type(first) is kind and kind.__eq__ is object.__eq__:
        return (
            f"it returned two of {kind.__name__}, which are equal to nothing but themselves; return a tuple, a text or "
            "a number"
        )
    return f"it returned {first!r} and then {second!r}"


def confused(one: Hashable, two: Hashable) -> bool:
    """Whether two symbols are equal in Python although they do not read the same, as 1 and True."""
    return one is not two and type(one) is not str and one == two and label(one) != label(two)


def that_travels(found: Distribution) -> Distribution:
    """The same, if its symbols are what they were in another process; ValueError where that is not sure."""
    if not all(map(_travels, found)):
        raise ValueError("symbols of a user's own kind may be equal to nothing but themselves")
    return found


def _travels(value: Any) -> bool:
    kind = type(value)
    if kind is tuple or kind is frozenset:
        return all(map(_travels, value))
    return kind in (str, bytes, int, bool, Fraction, type(None)) or isinstance(value, Enum)


def _plain(outcome: Any) -> Any:
    kind = type(outcome)
    if kind in (str, int, bool):
        return outcome
    if isinstance(outcome, float):
        raise MechanismError(f"it returns the float {outcome!r}; release an int, a string or a Fraction")
    if kind is tuple:
        return tuple(map(_plain, outcome))
    if kind.__module__ == "numpy":
        if isinstance(outcome, Integral):
            return int(outcome)
        if isinstance(outcome, str):
            return str(outcome)
        if kind.__name__ in ("bool", "bool_"):
            return bool(outcome)
    return outcome


def _kind(outcome: object) -> str:
    return "a tuple with something in it" if isinstance(outcome, tuple) else kind_of(outcome)
