"""From `file.py:name` to the scenario that is meant."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any

from faier.errors import UsageError
from faier.knowledge.questions import differential_privacy
from faier.mechanisms.answering import StreamMechanism
from faier.mechanisms.mechanism import Mechanism
from faier.model.names import suggestion
from faier.number.exact import kind_of
from faier.scenario.scenario import Scenario

from .address import Address
from .module import imported, users_code

_MOST_CANDIDATES = 12
_MEANT = (
    "a target is a faier.Scenario, a function without arguments that returns one, or a mechanism that says which data "
    "sets are neighbours: @faier.mechanism(inputs=[...], adjacent=faier.one_record)"
)


def scenario_at(where: Address) -> Scenario:
    """The scenario that `file.py:name` stands for. The file is run: it is code, and can do whatever code can."""
    return as_scenario(object_at(where), where)


def object_at(where: Address) -> Any:
    """What stands in the file under that name; a function that makes it is called."""
    found = looked_up(where, _may_be_meant, _MEANT)
    return _made(found, where) if inspect.isroutine(found) and not inspect.isbuiltin(found) else found


def looked_up(where: Address, may_be_meant: Callable[[object, ModuleType], bool], meant: str) -> Any:
    """What stands in the file under that name, whatever it is; the names to choose from, where it is none of them."""
    module = imported(where.path)
    known = [name for name, value in vars(module).items() if not name.startswith("_") and may_be_meant(value, module)]
    if not where.name:
        raise UsageError(f"say what is meant in {where.path}: {_listed(where, known, meant)}")
    found: Any = module
    for part in where.name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            hint = suggestion(where.name, known) or f"; {_listed(where, known, meant)}"
            raise UsageError(f"there is no {where.name!r} in {where.path}{hint}") from None
    return found


def as_scenario(found: object, where: Address) -> Scenario:
    """The scenario that an object is, or stands for."""
    if isinstance(found, Scenario):
        return found
    if isinstance(found, Mechanism | StreamMechanism):
        if found.adjacent is None:
            raise UsageError(
                f"{where}: the mechanism does not say which data sets are neighbours; give adjacent= to "
                "@faier.mechanism, or make a scenario of it: faier.differential_privacy(mechanism, adjacent=...) or "
                "faier.pufferfish(mechanism, ...)"
            )
        with users_code(where.path):
            return differential_privacy(found)
    raise UsageError(f"{where} is {_kind(found)}; {_MEANT}")


def _may_be_meant(value: object, module: ModuleType) -> bool:
    if isinstance(value, Scenario | Mechanism | StreamMechanism):
        return True
    return inspect.isfunction(value) and value.__module__ == module.__name__ and not _needs(value)


def _made(function: Any, where: Address) -> Any:
    if needs := _needs(function):
        raise UsageError(
            f"{where} takes {', '.join(needs)}; {_MEANT}"
        )
    with users_code(where.path):
        found = function()
        if inspect.iscoroutine(found):
            found.close()
    if found is None:
        raise UsageError(f"{where}() returns nothing; return the scenario")
    if not isinstance(found, Scenario | Mechanism | StreamMechanism):
        raise UsageError(f"{where}() returns {_kind(found)}; {_MEANT}")
    return found


def _needs(function: Any) -> list[str]:
    """The arguments that a function cannot be called without."""
    try:
        parameters: Iterable[inspect.Parameter] = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [
        p.name
        for p in parameters
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]


def _listed(where: Address, known: Sequence[str], meant: str) -> str:
    if not known:
        return f"nothing in it is meant to be asked about; {meant}"
    shown = [f"{where.path}:{name}" for name in known[:_MOST_CANDIDATES]]
    more = len(known) - len(shown)
    return "there are " * (len(known) > 1) + ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _kind(found: object) -> str:
    if isinstance(found, type):
        return f"the class {found.__name__}"
    if isinstance(found, str | int | float | bool | list | dict | tuple):
        return kind_of(found)
    return f"a {type(found).__name__}"
