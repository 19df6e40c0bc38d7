"""`[mechanism]` in a file: a mechanism of the library by its name, written out as the model that it stands for."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from faier.errors import FaierError, MechanismError, NumberError
from faier.model.findings import Findings
from faier.model.names import label, place, suggestion
from faier.number.exact import Prob, kind_of, prob

if TYPE_CHECKING:
    from faier.mechanisms.mechanism import Mechanism

_OURS = ("use", "adjacent", "inputs")


def written_out(data: dict[str, Any], findings: Findings) -> dict[str, Any]:
    """Guarantee: the file's data with [model], [beliefs] and [[compare]] that say what [mechanism] stands for.

    States are data sets as Python has them; `compare` keeps the file's own pairs first. What is wrong is in `findings`.
    """
    table = data["mechanism"]
    rest = {key: value for key, value in data.items() if key not in ("mechanism", "beliefs", "compare")}
    if not isinstance(table, dict):
        findings.add("mechanism", f"a table is expected here, got {kind_of(table)}")
        return rest
    asked = _mechanism(table, "mechanism", findings, data.get("parameters"))
    if asked is None:
        return rest
    try:
        return rest | _Writing(asked, data, findings).tables()
    except FaierError as error:
        findings.add(_blamed(error, table, "mechanism"), str(error))
        return rest


class _Writing:
    """From a mechanism, and what a file says about its data sets, to tables of a model."""

    def __init__(self, asked: Mechanism, data: dict[str, Any], findings: Findings):
        self.asked, self.findings = asked, findings
        self.table: dict[str, Any] = data["mechanism"]
        self.beliefs, self.compare = data.get("beliefs", {}), data.get("compare", [])
        self.parameters = data.get("parameters", {})
        self.inputs = self._inputs()
        self.known = frozenset(self.inputs)
        self.by_label = {label(each): each for each in self.inputs}
        self.used: dict[Hashable, None] = {}

    def tables(self) -> dict[str, Any]:
        beliefs = self._beliefs()
        compare = self._compared(beliefs) + self._neighbours()
        if not compare and not self.findings.problems:
            self.findings.add(
                "mechanism", 'there is nothing to compare; write adjacent = "one_record" here, or add a [[compare]]'
            )
        if self.findings.problems or not self.used:
            return {}
        used = [each for each in self.inputs if each in self.used]
        emit, step = self.asked.rows(used)
        starts = {each: self.asked.starts(each) for each in used}
        self._check_parameters([*emit.values(), *step.values(), *starts.values()])
        names = self._names(starts, emit, beliefs)
        begun = {names[each]: dict(start) for each, start in starts.items() if names[each] != each}
        mixed = {name: self._mixed(weights, starts) for name, weights in beliefs.items()}
        for pair in compare:
            for side in ("left", "right"):
                pair[side] = names.get(pair[side], pair[side]) if pair[side] not in beliefs else pair[side]
        return {"model": {"emit": emit, "step": step}, "beliefs": begun | mixed, "compare": compare}

    def _inputs(self) -> tuple[Hashable, ...]:
        """The data sets: those that the file lists, else all of the mechanism's."""
        from faier.mechanisms.mechanism import listed_once

        if (given := self.table.get("inputs")) is None:
            return self.asked.all_inputs()
        if not isinstance(given, list):
            raise MechanismError(f"inputs are a list of data sets, got {kind_of(given)}")
        return listed_once(map(as_python, given))

    def _beliefs(self) -> dict[str, dict[Hashable, Prob]]:
        """The file's beliefs, over data sets; their keys are the labels of these."""
        found: dict[str, dict[Hashable, Prob]] = {}
        if not isinstance(self.beliefs, dict):
            self.findings.add("beliefs", f"a table is expected here, got {kind_of(self.beliefs)}")
            return found
        for name, weights in self.beliefs.items():
            if name in self.by_label:
                self.findings.add(place("beliefs", name), "a belief may not be named like a data set")
            if not isinstance(weights, dict) or not weights:
                message = f"data sets and probabilities are expected, got {weights!r:.60}"
                self.findings.add(place("beliefs", name), message)
                continue
            row = found[name] = {}
            for key, value in weights.items():
                if key not in self.by_label:
                    self.findings.add(place("beliefs", name, key), self._unknown(key))
                    continue
                try:
                    row[self.by_label[key]] = prob(value)
                except NumberError as error:
                    self.findings.add(place("beliefs", name, key), str(error))
                self.used[self.by_label[key]] = None
        return found

    def _compared(self, beliefs: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The file's own pairs, their sides as data sets or names of beliefs."""
        if not isinstance(self.compare, list):
            self.findings.add("compare", "write [[compare]], with two brackets, for each pair")
            return []
        found: list[dict[str, Any]] = []
        for i, entry in enumerate(self.compare):
            if not isinstance(entry, dict):
                message = f"a table with left and right is expected here, got {kind_of(entry)}"
                self.findings.add(f"compare[{i}]", message)
                continue
            for side in ("left", "right"):
                if side not in entry:
                    self.findings.add(f"compare[{i}].{side}", f"{side} is missing; it is a data set, or names a belief")
            sides = {
                side: self._side(entry[side], f"compare[{i}].{side}", beliefs)
                for side in ("left", "right")
                if side in entry
            }
            found.append(entry | sides)
        return found

    def _side(self, written: Any, where: str, beliefs: Mapping[str, Any]) -> Any:
        if isinstance(written, str):
            if written in beliefs:
                return written
            if written in self.by_label:
                written = self.by_label[written]
        try:
            data = as_python(written)
        except MechanismError as error:
            self.findings.add(where, str(error))
            return None
        if data not in self.known:
            self.findings.add(where, self._unknown(written))
        self.used[data] = None
        return data

    def _neighbours(self) -> list[dict[str, Any]]:
        from faier.knowledge.adjacency import pairs_of

        adjacent = self.table.get("adjacent")
        if adjacent is None and self.compare:
            return []
        if adjacent is None and (adjacent := self.asked.adjacent) is None:
            return []
        if isinstance(adjacent, list):
            adjacent = [as_python(pair) for pair in adjacent]
        try:
            pairs = pairs_of(adjacent, self.inputs)
        except MechanismError as error:
            self.findings.add("mechanism.adjacent", str(error))
            return []
        if not pairs:
            self.findings.add("mechanism.adjacent", "no two of the inputs are neighbours")
        self.used |= {each: None for pair in pairs for each in pair}
        return [{"left": one, "right": two} for one, two in pairs]

    def _names(
        self, starts: Mapping[Hashable, Any], emit: Mapping[Hashable, Any], beliefs: Mapping[str, Any]
    ) -> dict[Hashable, Hashable]:
        """What a data set is called in [[compare]]: itself where it is a state, else the belief a run about it has."""
        taken = {*map(label, emit), *beliefs}
        found: dict[Hashable, Hashable] = {}
        for each, start in starts.items():
            name = label(each)
            while name in taken:
                name = f"given {name}"
            found[each] = each if set(start) == {each} else name
        return found

    def _mixed(self, weights: Mapping[Hashable, Prob], starts: Mapping[Hashable, Any]) -> dict[Hashable, Prob]:
        """Where a run stands at first for a data set drawn with these probabilities."""
        row: dict[Hashable, Prob] = {}
        for each, weight in weights.items():
            for state, chance in starts[each].items():
                row[state] = row.get(state, Fraction(0)) + weight * chance
        return row

    def _check_parameters(self, rows: list[Any]) -> None:
        """Report names in the arguments that are no parameters, once each, where they stand."""
        known = self.parameters if isinstance(self.parameters, dict) else {}
        for name in sorted(frozenset[str]().union(*(row.parameters for row in rows)) - known.keys()):
            named = (k for k, v in self.table.items() if isinstance(v, str) and re.search(rf"\b{name}\b", v))
            stands = next(named, None)
            hint = suggestion(name, list(known)) or "; it is not in [parameters]"
            where = "mechanism" if stands is None else place("mechanism", stands)
            self.findings.add(where, f"unknown parameter {name!r}{hint}")

    def _unknown(self, written: Any) -> str:
        names = [*self.by_label, *(self.beliefs if isinstance(self.beliefs, dict) else ())]
        hint = suggestion(written, names)
        if not hint:
            shown = [text_of(each) for each in self.inputs[:4]]
            hint = f"; there are {', '.join(shown)}{', ...' if len(self.inputs) > 4 else ''}"
        return f"unknown input {text_of(written)}{hint}"


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


def _mechanism(table: dict[str, Any], where: str, findings: Findings, parameters: object) -> Mechanism | None:
    """The mechanism that a table names and describes; None where that is wrong."""
    from faier import library
    from faier.mechanisms.mechanism import Mechanism

    use = table.get("use")
    name = use.replace("-", "_") if isinstance(use, str) else use
    if name not in library.__all__:
        known = [each.replace("_", "-") for each in library.__all__]
        hint = suggestion(use, known) or f"; there are {', '.join(known)}"
        missing = 'use is missing; it names a mechanism of the library, as in use = "noisy-max"'
        findings.add(f"{where}.use", missing if use is None else f"unknown mechanism {kind_of(use)}{hint}")
        return None
    maker = getattr(library, name)
    arguments = _arguments(maker, table, where, findings, parameters)
    if arguments is None:
        return None
    try:
        made = maker(**arguments)
    except FaierError as error:
        findings.add(_blamed(error, table, where), str(error))
        return None
    except (TypeError, ValueError) as error:
        findings.add(where, f"{use} cannot be made of these arguments: {error}")
        return None
    if not isinstance(made, Mechanism):
        findings.add(f"{where}.use", f"{use} is not a mechanism that a file can name; use it from Python")
        return None
    return made


def _arguments(
    maker: Callable[..., Any], table: dict[str, Any], where: str, findings: Findings, parameters: object
) -> dict[str, Any] | None:
    takes = inspect.signature(maker).parameters
    known = [name for name in takes if name != "parameters"]
    found: dict[str, Any] = {}
    before = len(findings.problems)
    for key, value in table.items():
        name = key.replace("-", "_")
        if key in _OURS and name not in known:
            continue
        if name not in known:
            hint = suggestion(name, known) or f"; it takes {', '.join(known) or 'none'}"
            findings.add(place(where, key), f"unknown argument {kind_of(key)}{hint}")
            continue
        if isinstance(value, dict) and "use" in value:
            # A mechanism on top of another one.
            value = _mechanism(value, place(where, key), findings, parameters)
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


def _blamed(error: FaierError, table: Mapping[str, Any], where: str) -> str:
    """The argument that an error begins with, as in "alpha is to be 0 < alpha < 1"."""
    word = str(error).split(" ", 1)[0].rstrip(":,")
    key = next((key for key in table if key.replace("-", "_") == word), None)
    return where if key is None else place(where, key)
