"""`[mechanism]` in a file: a mechanism of the library by its name, written out as the model that it stands for."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from faier.errors import FaierError, MechanismError, NumberError
from faier.model.findings import Findings
from faier.model.names import label, place, suggestion
from faier.number.exact import Prob, kind_of, prob

from .library_entry import as_python, blamed, mechanism_of, text_of

if TYPE_CHECKING:
    from faier.mechanisms.mechanism import Mechanism
    from faier.model.belief import Belief

    from .scenario import Pair, Scenario
    from .written import Gate


@dataclass(frozen=True)
class Named:
    """The data of a file with a model in the place of [mechanism], and what is to be known of that model.

    `once` says that a run is one release, `ratios_only` that some outputs were merged by symmetry.
    """

    data: dict[str, Any]
    once: bool = False
    ratios_only: bool = False


def written_out(data: dict[str, Any], findings: Findings) -> Named:
    """Guarantee: the file's data with [model], [beliefs] and [[compare]] that say what [mechanism] stands for.

    States are data sets as Python has them; `compare` keeps the file's own pairs first. What is wrong is in `findings`.
    """
    from faier.mechanisms.answering import StreamMechanism
    from faier.mechanisms.process import Process

    from .named_stream import stream_tables

    table = data["mechanism"]
    rest = {key: value for key, value in data.items() if key not in ("mechanism", "beliefs", "compare")}
    if not isinstance(table, dict):
        findings.add("mechanism", f"a table is expected here, got {kind_of(table)}")
        return Named(rest)
    asked = mechanism_of(table, "mechanism", findings, data.get("parameters"))
    if asked is None:
        return Named(rest)
    try:
        if isinstance(asked, StreamMechanism):
            return Named(rest | stream_tables(asked, data))
        writing = _Writing(asked, data, findings)
        tables = writing.tables()
    except FaierError as error:
        findings.add(blamed(error, table, "mechanism"), str(error))
        return Named(rest)
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        # Entries of the library read data sets without asking first what they are.
        where = "mechanism.inputs" if "inputs" in table else "mechanism"
        findings.add(where, f"{table['use']} does not take these inputs: {type(error).__name__}: {error}")
        return Named(rest)
    return Named(rest | tables, not isinstance(asked, Process), writing.ratios_only)


class _Writing:
    """From a mechanism, and what a file says about its data sets, to tables of a model."""

    def __init__(self, asked: Mechanism, data: dict[str, Any], findings: Findings):
        self.asked, self.findings = asked, findings
        self.table: dict[str, Any] = data["mechanism"]
        self.beliefs, self.compare = data.get("beliefs", {}), data.get("compare", [])
        self.parameters, self.claim = data.get("parameters", {}), data.get("claim", {})
        self.used: dict[Hashable, None] = {}
        self.ratios_only = False

    def tables(self) -> dict[str, Any]:
        if "at" in self.table:
            return self._at_a_time()
        return self._by_symmetry() or self._by_inputs()

    def _by_inputs(self) -> dict[str, Any]:
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
        rows = [*emit.values(), *step.values(), *starts.values()]
        self._check_parameters([name for row in rows for name in row.parameters])
        names = self._names(starts, emit, beliefs)
        begun = {names[each]: dict(start) for each, start in starts.items() if names[each] != each}
        mixed = {name: self._mixed(weights, starts) for name, weights in beliefs.items()}
        for pair in compare:
            for side in ("left", "right"):
                pair[side] = names.get(pair[side], pair[side]) if pair[side] not in beliefs else pair[side]
        return {"model": {"emit": emit, "step": step}, "beliefs": begun | mixed, "compare": compare}

    def _at_a_time(self) -> dict[str, Any]:
        """The mechanism's own question about a secret at one time."""
        for key in ("adjacent", "inputs", "exchangeable"):
            if key in self.table:
                raise MechanismError(f"{key} does not go together with at, which says what is compared")
        if self.beliefs or self.compare:
            raise MechanismError("at says what is compared; [beliefs] and [[compare]] do not go together with it")
        if (ask := getattr(self.asked, "scenario", None)) is None:
            use = self.table["use"]
            raise MechanismError(f"at is for mechanisms over a chain, as markov-count; {use} has no times")
        asked: Scenario = ask(at=as_python(self.table["at"]))
        from faier.model.hmm import HMM

        from .written import Gate

        if (written := asked.written) is not None and isinstance(written.model, HMM):
            return {
                "model": {"emit": written.model.emit_rows(), "step": written.model.step_rows()},
                "beliefs": {name: dict(belief.weights) for name, belief in written.beliefs.items()},
                "compare": [_gate_entry(pair) if isinstance(pair, Gate) else _entry(pair) for pair in written.pairs],
            }
        model, beliefs = asked.model, list(asked.compared_beliefs())
        return {
            "model": {"emit": model.emit_rows(), "step": model.step_rows()},
            "beliefs": {b.name: dict(b.weights) for b in beliefs if _name(b) is b.name},
            "compare": [_entry(pair) for pair in asked.pairs],
        }

    def _by_symmetry(self) -> dict[str, Any] | None:
        """The smaller question that stands for all neighbours, where there is one and nothing else is compared."""
        from faier.knowledge.adjacency import as_adjacency
        from faier.knowledge.smaller import by_symmetry

        said = self.table.get("exchangeable")
        if said is not None and not isinstance(said, bool):
            raise MechanismError(f"exchangeable is true or false, got {kind_of(said)}")
        adjacent = self.table.get("adjacent", self.asked.adjacent)
        if self.beliefs or self.compare or adjacent is None:
            if said:
                raise MechanismError("exchangeable goes with adjacent alone, without [beliefs] and [[compare]]")
            return None
        claim = self.claim if isinstance(self.claim, dict) else {}
        # What looks at every output is not asked by symmetry unless the file says so, and is then refused.
        every_output = claim.get("possible") == "both" or claim.get("delta") not in (None, 0, "0")
        inputs = self.inputs if "inputs" in self.table else None
        neighbours = as_adjacency(_pairs(adjacent))
        smaller = by_symmetry(self.asked, neighbours, inputs, said, "both" if every_output else "either")
        if smaller is None:
            return None
        self._check_parameters([name for row in smaller.emit.values() for name in row.parameters])
        self.ratios_only = smaller.merged
        return {"model": {"emit": smaller.emit}, "compare": [_entry(pair) for pair in smaller.pairs]}

    @cached_property
    def inputs(self) -> tuple[Hashable, ...]:
        """The data sets: those that the file lists, else all of the mechanism's."""
        from faier.mechanisms.mechanism import listed_once

        if (given := self.table.get("inputs")) is None:
            return self.asked.all_inputs()
        if not isinstance(given, list):
            raise MechanismError(f"inputs are a list of data sets, got {kind_of(given)}")
        return listed_once(map(as_python, given))

    @cached_property
    def known(self) -> frozenset[Hashable]:
        return frozenset(self.inputs)

    @cached_property
    def by_label(self) -> dict[str, Hashable]:
        return {label(each): each for each in self.inputs}

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

        adjacent = self.table.get("adjacent", None if self.compare else self.asked.adjacent)
        if adjacent is None:
            return []
        try:
            pairs = pairs_of(_pairs(adjacent), self.inputs)
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

    def _check_parameters(self, used: Iterable[str]) -> None:
        """Report names in the arguments that are no parameters, once each, where they stand."""
        known = self.parameters if isinstance(self.parameters, dict) else {}
        for name in sorted(set(used) - known.keys()):
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


def _gate_entry(gate: Gate) -> dict[str, Any]:
    """A secret inside a run as an entry of [[compare]]."""
    start: Any = gate.start
    sides = {"left": list(gate.left), "right": list(gate.right)}
    return {"from": _name(start), "at": gate.at, **sides, "one_way": gate.one_way}


def _entry(pair: Pair) -> dict[str, Any]:
    """A pair as an entry of [[compare]]."""
    return {"left": _name(pair.left), "right": _name(pair.right), "one_way": pair.one_way}


def _name(belief: Belief) -> Hashable:
    """The state that a belief is certain of, where it is named like that; else its name."""
    states = list(belief.weights)
    return states[0] if len(states) == 1 and label(states[0]) == belief.name else belief.name


def _pairs(adjacent: Any) -> Any:
    return [as_python(pair) for pair in adjacent] if isinstance(adjacent, list) else adjacent
