"""What a target of `faier audit` stands for: besides what other commands take, a plain function that can be run."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from types import ModuleType
from typing import Any

from faier.errors import UsageError
from faier.mechanisms.answering import StreamMechanism
from faier.mechanisms.mechanism import Mechanism
from faier.scenario.scenario import Scenario
from faier.targets.address import Address, address
from faier.targets.find import looked_up
from faier.targets.module import users_code

Runnable = Scenario | Mechanism | Callable[..., Any]

_MEANT = "what is audited is a scenario, a mechanism, or a function of a data set"


def runnable(text: str | os.PathLike[str], load: Callable[[str], Scenario]) -> Runnable:
    """The scenario of a model file, or what stands in a Python file: a scenario, a mechanism, a function of a data set.

    A function without arguments is called for what it makes.
    """
    where = address(text)
    return load(os.fspath(text)) if where is None else _found(where)


def _found(where: Address) -> Runnable:
    found = looked_up(where, _can_run, _MEANT)
    so_far = f"{where} is"
    if inspect.isfunction(found) and not inspect.signature(found).parameters:
        with users_code(where.path):
            found = found()
        so_far = f"{where}() returns"
    if isinstance(found, Scenario | Mechanism) or callable(found) or hasattr(found, "sample"):
        return found  # type: ignore[no-any-return]
    what = "nothing" if found is None else type(found).__name__
    raise UsageError(f"{so_far} {what}; {_MEANT}")


def _can_run(value: object, module: ModuleType) -> bool:
    if isinstance(value, Scenario | Mechanism | StreamMechanism):
        return True
    return inspect.isfunction(value) and value.__module__ == module.__name__
