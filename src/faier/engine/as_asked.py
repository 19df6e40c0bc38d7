"""Results in the words of the question: engines see compiled models, and users what they wrote."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import fields, is_dataclass, replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from faier.verdict import Witness

_ASKING: ContextVar[bool] = ContextVar("faier_asking", default=False)

P = ParamSpec("P")
Result = TypeVar("Result")


def as_asked(engine: Callable[P, Result]) -> Callable[P, Result]:
    """Let the witnesses of a stream have its probabilities given the inputs, not those of the compiled model. [T12]

    An engine that asks another one gets what that one found, unchanged.
    """

    @wraps(engine)
    def decided(*args: P.args, **kwargs: P.kwargs) -> Result:
        if _ASKING.get():
            return engine(*args, **kwargs)
        token = _ASKING.set(True)
        try:
            result = engine(*args, **kwargs)
        finally:
            _ASKING.reset(token)
        choices: int = len(result.scenario.choices)  # type: ignore[attr-defined]
        found: Result = result if choices == 1 else _given_inputs(result, choices)
        return found

    return decided


def _given_inputs(value: Any, choices: int) -> Any:
    """The value with every witness in it multiplied."""
    if isinstance(value, Witness):
        times = choices ** len(value.word)
        left, right = value.left_probability * times, value.right_probability * times
        return replace(value, left_probability=left, right_probability=right)
    if isinstance(value, tuple) and any(is_dataclass(part) for part in value):
        return tuple(_given_inputs(part, choices) for part in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed = {}
    for each in fields(value):
        part = getattr(value, each.name)
        if isinstance(part, Witness | tuple) and (other := _given_inputs(part, choices)) != part:
            changed[each.name] = other
    return replace(value, **changed) if changed else value
