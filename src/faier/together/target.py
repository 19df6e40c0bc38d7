"""What a target of `faier audit` stands for: besides what other commands take, a plain function that can be run."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from typing import Any

from faier.errors import UsageError
from faier.mechanisms.mechanism import Mechanism
from faier.model.names import suggestion
from faier.scenario.scenario import Scenario
from faier.targets.address import Address, address
from faier.targets.module import imported, users_code

Runnable = Scenario | Mechanism | Callable[..., Any]


def runnable(text: str | os.PathLike[str], load: Callable[[str], Scenario]) -> Runnable:
    """The scenario of a model file, or what stands in a Python file: a scenario, a mechanism, a function of a data set.

    A function without arguments is called for what it makes.
    """
    where = address(text)
    return load(os.fspath(text)) if where is None else _found(where)


def _found(where: Address) -> Runnable:
    module = imported(where.path)
    named = [(name, value) for name, value in vars(module).items() if not name.startswith("_")]
    known = [name for name, value in named if _can_run(value, module.__name__)]
    listed = f"there are {', '.join(known[:12])}" if known else "nothing in it can be run"
    if not where.name:
        raise UsageError(f"say what is meant in {where.path}, as in {where.path}:name; {listed}")
    found: Any = module
    for part in where.name.split("."):
        if not hasattr(found, part):
            hint = suggestion(where.name, known) or f"; {listed}"
            raise UsageError(f"there is no {where.name!r} in {where.path}{hint}")
        found = getattr(found, part)
    if inspect.isfunction(found) and not inspect.signature(found).parameters:
        with users_code(where.path):
            found = found()
    if isinstance(found, Scenario | Mechanism) or callable(found) or hasattr(found, "sample"):
        return found  # type: ignore[no-any-return]
    raise UsageError(
        f"{where} is {type(found).__name__}; what is audited is a scenario, a mechanism, or a function of a data set"
    )


def _can_run(value: object, module: str) -> bool:
    if isinstance(value, Scenario | Mechanism):
        return True
    return inspect.isfunction(value) and value.__module__ == module
