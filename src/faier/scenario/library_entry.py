"""A mechanism of the library, made as a table of a file says: `use` is its name, other keys are its arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from faier.errors import FaierError, MechanismError
from faier.model.findings import Findings
from faier.model.names import label, place, suggestion
from faier.number.exact import kind_of

if TYPE_CHECKING:
    from faier.mechanisms.answering import StreamMechanism
    from faier.mechanisms.mechanism import Mechanism

OURS = ("use", "adjacent", "inputs", "exchangeable", "at")
"""Keys that say what is asked of the mechanism, where they are no arguments of it."""


def mechanism_of(
    table: dict[str, Any], where: str, findings: Findings, parameters: object
) -> Mechanism | StreamMechanism | None:
    """The mechanism that a table names and describes; None where that is wrong."""
    from faier import library
    from faier.mechanisms.answering import StreamMechanism
    from faier.mechanisms.mechanism import Mechanism

    use = table.get("use")
    name = use.replace("-", "_") if isinstance(use, str) else ""
    if name not in library.__all__:
        known = [each.replace("_", "-") for each in library.__all__]
        hint = suggestion(use, known) or f"; there are {', '.join(known)}"
        missing = 'use is missing; it names a mechanism of the library, as in use = "noisy-max"'
        findings.add(f"{where}.use", missing if use is None else f"unknown mechanism {kind_of(use)}{hint}")
        return None
    maker = library.entry(name)
    arguments = _arguments(maker, table, where, findings, parameters)
    if arguments is None:
        return None
    try:
        made = maker(**arguments)
    except FaierError as error:
        findings.add(blamed(error, table, where), str(error))
        return None
    except (TypeError, ValueError) as error:
        findings.add(where, f"{use} cannot be made of these arguments: {error}")
        return None
    if not isinstance(made, Mechanism | StreamMechanism):
        findings.add(f"{where}.use", f"{use} is not a mechanism that a file can name; use it from Python")
        return None
    return made


def _arguments(
    maker: Callable[..., Any], table: dict[str, Any], where: str, findings: Findings, parameters: object
) -> dict[str, Any] | None:
    takes = inspect.signature(maker).parameters
    more = any(p.kind is p.VAR_KEYWORD for p in takes.values())
    known = [name for name, p in takes.items() if name != "parameters" and p.kind is not p.VAR_KEYWORD]
    from faier.mechanisms.answering import StreamMechanism

    found: dict[str, Any] = {}
    before = len(findings.problems)
    for key, value in table.items():
        name = key.replace("-", "_")
        if key in OURS and name not in known:
            continue
        if name not in known and not more:
            hint = suggestion(name, known) or f"; it takes {', '.join(known) or 'none'}"
            findings.add(place(where, key), f"unknown argument {kind_of(key)}{hint}")
            continue
        if isinstance(value, dict) and "use" in value:
            # A mechanism on top of another one.
            inner = mechanism_of(value, place(where, key), findings, parameters)
            if isinstance(inner, StreamMechanism):
                findings.add(place(where, key), f"{value['use']} answers queries, and releases nothing of a data set")
            value = inner
        elif isinstance(value, dict):
            value = {k: _checked(v, place(where, key, k), findings) for k, v in value.items()}
        else:
            value = _checked(value, place(where, key), findings)
        found[name] = value
    for name in known:
        if name not in found and takes[name].default is inspect.Parameter.empty:
            findings.add(where, f"{table['use']} needs the argument {name}")
    if "parameters" in takes and isinstance(parameters, dict):
        found["parameters"] = {name: text for name, text in parameters.items() if isinstance(text, str)}
    return found if len(findings.problems) == before else None


def _checked(value: Any, where: str, findings: Findings) -> Any:
    try:
        return as_python(value)
    except MechanismError as error:
        findings.add(where, str(error))
        return None


def blamed(error: FaierError, table: Mapping[str, Any], where: str) -> str:
    """The argument that an error begins with, as in "alpha is to be 0 < alpha < 1"."""
    word = str(error).split(" ", 1)[0].rstrip(":,")
    key = next((key for key in table if key.replace("-", "_") == word), None)
    return where if key is None else place(where, key)


def as_python(value: Any) -> Any:
    """A value of a file as Python's: an array as a tuple. A float is refused, as everywhere."""
    if isinstance(value, list):
        return tuple(map(as_python, value))
    if isinstance(value, float):
        raise MechanismError(f'numbers are exact, got {value!r}; write it as a string: "{value!r}"')
    if isinstance(value, dict):
        raise MechanismError("a data set is a text, a whole number, or an array of such")
    return value


def text_of(value: Any) -> str:
    """A data set as a file has it: (1, "a") as [1, "a"]."""
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(text_of, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else label(value)
