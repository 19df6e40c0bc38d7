"""Reading a scenario from a model file; docs/file-format.md says what may stand there."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from faier.errors import ModelError, NotYetError, NumberError, Problem, UsageError
from faier.model.belief import Belief
from faier.model.findings import Findings
from faier.model.hmm import HMM
from faier.model.lines import line_of, lines
from faier.model.names import place, suggestion
from faier.model.stream import Stream
from faier.model.toml_read import SIZE_LIMIT, parse, read_text
from faier.number.budget import Budget
from faier.number.digits import short_text
from faier.number.exact import kind_of
from faier.number.rational_function import RationalFunction
from faier.number.unknowns import Unknowns, with_constants

from .budgets import check_ratio, constant_ratio, read_epsilon, read_ratio, scientific
from .named import Named, written_out
from .scenario import Claim, Pair, Scenario
from .written import Gate, Written, compiled, late_secrets

VERSION = 1
_MOST_WARNINGS = 8
_FURTHEST_GATE = 100_000
_TOP = (
    "faier",
    "title",
    "parameters",
    "constraints",
    "model",
    "beliefs",
    "compare",
    "claim",
    "stream",
    "mechanism",
)


def load(path: str | os.PathLike[str], *, size_limit: int = SIZE_LIMIT) -> Scenario:
    """Read a model file. All that is wrong with its meaning is in one `ModelError`, by place and line.

    A file that is valid but uses what is not built yet raises `NotYetError`.
    """
    return load_with_warnings(path, size_limit=size_limit)[0]


def loads(text: str, name: str = "the text") -> Scenario:
    """Read the text of a model file; `name` stands for the file in messages about syntax."""
    return loads_with_warnings(text, name)[0]


def load_with_warnings(
    path: str | os.PathLike[str], *, size_limit: int = SIZE_LIMIT
) -> tuple[Scenario, tuple[str, ...]]:
    """`load`, with what is odd about the file but not wrong."""
    return loads_with_warnings(read_text(path, size_limit), os.fsdecode(path))


def loads_with_warnings(text: str, name: str = "the text") -> tuple[Scenario, tuple[str, ...]]:
    """`loads`, with what is odd about the file but not wrong."""
    text = text.removeprefix("\ufeff")
    reading = _Reading(parse(text, name))
    try:
        return reading.scenario(), tuple(reading.warnings)
    except ModelError as error:
        found = lines(text)
        problems = [Problem(p.place, p.message, line_of(found, p.place)) for p in reading.told(error.problems)]
    # In the order of the file; what stands nowhere in it comes first.
    raise ModelError(sorted(problems, key=lambda p: p.line or 0))


class _Reading:
    """One pass over the data of a file, gathering everything that is wrong with it."""

    def __init__(self, data: dict[str, Any]):
        self.data = data
        self.findings = Findings()
        self.warnings: list[str] = []
        self.states: Mapping[Any, int] = {}
        self.kind = "state"
        self.beliefs: dict[str, Belief | None] = {}
        self.named: Named | None = None
        self.names_a_mechanism = "mechanism" in data and not {"model", "stream"} & data.keys()

    def told(self, problems: Sequence[Problem]) -> list[Problem]:
        """What is wrong, by places of the file: of a model that it does not write, the first and how many more."""
        unwritten = [p for p in problems if self.names_a_mechanism and p.place.startswith(("model", "stream"))]
        if not unwritten:
            return list(problems)
        first, more = unwritten[0], len(unwritten) - 1
        message = f"{first.place}: {first.message}" + (f" (and {more} more of this kind)" if more else "")
        return [*(p for p in problems if p not in unwritten), Problem("mechanism", message)]

    def scenario(self) -> Scenario:
        self._check_version()
        self._check_keys(self.data, "", _TOP)
        if self.names_a_mechanism:
            self.named = written_out(self.data, self.findings)
            self.data = self.named.data
        title = self.data.get("title", "")
        if not isinstance(title, str):
            self.findings.add("title", f"a title is a string, got {kind_of(title)}")
        parameters, constraints = self._table("parameters"), self.data.get("constraints", [])
        if not isinstance(constraints, list):
            self.findings.add(
                "constraints",
                'a list of equations is expected here, constraints = ["p0 + p1 == 1"], '
                f"got {kind_of(constraints)}",
            )
            constraints = []
            self.findings.knows_constraints = False
        if self.names_a_mechanism and self.findings.problems:
            self._claim(self.findings.unknowns(parameters, constraints))
            self.findings.settle()
        model, unknowns = self._model(parameters, constraints)
        self._read_beliefs(unknowns)
        pairs = self._pairs()
        claim = self._claim(unknowns)
        self.findings.settle()
        assert model is not None
        self._warn(unknowns)
        known = {name: belief for name, belief in self.beliefs.items() if belief is not None}
        plain = tuple(pair for pair in pairs if isinstance(pair, Pair))
        if isinstance(model, Stream) or len(plain) < len(pairs):
            self.warnings += late_secrets(pairs, claim)
            scenario = compiled(Written(model, tuple(pairs), known), claim, title, self.warnings)
        else:
            scenario = Scenario(model, plain, claim, known, title)
        if self.named is None:
            return scenario
        if self.named.once and claim.horizon is None:
            scenario = scenario.claiming(horizon=1)
        return replace(scenario, ratios_only=self.named.ratios_only)

    def _check_version(self) -> None:
        version = self.data.get("faier")
        if version is None:
            self.findings.add("faier", "the version of the format is missing; write faier = 1 at the top")
        elif isinstance(version, bool) or version != VERSION or not isinstance(version, int):
            # What the rest means depends on the version, so nothing else is said.
            raise ModelError(
                f"unknown version {kind_of(version)}; this faier reads faier = {VERSION}", "faier"
            )

    def _check_keys(self, table: Mapping[str, Any], where: str, known: Collection[str]) -> None:
        for key in table:
            if key not in known:
                spot = place(where, key) if where else place("", key)[1:]
                hint = suggestion(key, known) or f"; known are {', '.join(known)}"
                self.findings.add(spot, f"unknown key {kind_of(key)}{hint}")

    def _table(self, *keys: str, required: bool = False) -> dict[str, Any]:
        """A table of the file; {} where it is missing or something else, which is reported."""
        where, table = ".".join(keys), self.data
        for i, key in enumerate(keys):
            found = table.get(key)
            if found is None and not required:
                return {}
            if found is None:
                self.findings.add(where, f"[{where}] is missing")
                return {}
            if not isinstance(found, dict):
                if i == len(keys) - 1:
                    self.findings.add(where, f"a table is expected here, got {kind_of(found)}")
                return {}
            table = found
        return table

    def _model(
        self, parameters: dict[str, Any], constraints: list[Any]
    ) -> tuple[HMM | Stream | None, Unknowns]:
        given = [name for name in ("model", "stream", "mechanism") if name in self.data]
        for other in given[1:]:
            self.findings.add(other, f"a file has [{given[0]}] or [{other}], not both")
        if "stream" in self.data and "model" not in self.data:
            return self._stream(parameters, constraints)
        if "model" not in self.data and self.findings.later is not None:
            return None, self.findings.unknowns(parameters, constraints)
        if "model" not in self.data:
            self.findings.add("model", "[model.emit] is missing")
            return None, self.findings.unknowns(parameters, constraints)
        self._check_keys(self._table("model"), "model", ("emit", "step"))
        before = len(self.findings.problems)
        emit, step = self._table("model", "emit", required=True), self._table("model", "step")
        self.states = {name: i for i, name in enumerate(emit)}
        if not emit and len(self.findings.problems) > before:
            return None, self.findings.unknowns(parameters, constraints)
        return HMM.collect(emit, step, parameters, constraints, self.findings)

    def _stream(
        self, parameters: dict[str, Any], constraints: list[Any]
    ) -> tuple[Stream | None, Unknowns]:
        self.kind = "memory"
        self._check_keys(self._table("stream"), "stream", ("adjacent", "on"))
        before = len(self.findings.problems)
        on = self._table("stream", "on", required=True)
        tables = [rows for rows in on.values() if isinstance(rows, dict)]
        self.states = {name: i for i, name in enumerate(dict.fromkeys(m for rows in tables for m in rows))}
        adjacent = self._table("stream").get("adjacent", [])
        if not isinstance(adjacent, list):
            message = f'a list of pairs of inputs is expected here, adjacent = [["0", "1"]], got {kind_of(adjacent)}'
            self.findings.add("stream.adjacent", message)
            adjacent = []
        if not on and len(self.findings.problems) > before:
            return None, self.findings.unknowns(parameters, constraints)
        return Stream.collect(on, adjacent, parameters, constraints, self.findings, in_file=True)

    def _read_beliefs(self, unknowns: Unknowns) -> None:
        names = list(self.states)
        for name, weights in self._table("beliefs").items():
            self.beliefs[name] = None
            if name in self.states:
                self.findings.add(place("beliefs", name), f"a belief may not be named like a {self.kind}")
            if not self.states:
                continue
            before = len(self.findings.problems), self.findings.later
            weighed = self.findings.distribution(
                weights, self.states, unknowns, "beliefs", name, kind=self.kind, what="belief"
            )
            if before == (len(self.findings.problems), self.findings.later):
                self.beliefs[name] = Belief(name, {names[i]: value for i, value in weighed.items()})

    def _pairs(self) -> list[Pair | Gate]:
        compare = self.data.get("compare")
        if isinstance(compare, dict):
            self.findings.add("compare", "write [[compare]], with two brackets, for each pair")
            return []
        if compare is not None and not isinstance(compare, list):
            self.findings.add("compare", f"write [[compare]] for each pair; got {kind_of(compare)}")
            return []
        if not compare:
            self.findings.add(
                "compare", "there is nothing to compare; add a [[compare]] with a left and a right"
            )
            return []
        pairs: list[Pair | Gate] = []
        sides: dict[str, Belief | None] = {}
        for i, entry in enumerate(compare):
            where = f"compare[{i}]"
            if not isinstance(entry, dict):
                self.findings.add(
                    where, f"a table with left and right is expected here, got {kind_of(entry)}"
                )
                continue
            self._check_keys(entry, where, ("left", "right", "one_way", "at", "from"))
            one_way = entry.get("one_way", False)
            if not isinstance(one_way, bool):
                self.findings.add(f"{where}.one_way", f"one_way is true or false, got {kind_of(one_way)}")
            if "at" in entry or "from" in entry:
                if (gate := self._gate(entry, one_way, where, sides)) is not None:
                    pairs.append(gate)
                continue
            left, right = (self._side(entry, side, where, sides) for side in ("left", "right"))
            if left is not None and right is not None:
                pairs.append(Pair(left, right, one_way))
        return pairs

    def _gate(
        self, entry: dict[str, Any], one_way: bool, where: str, sides: dict[str, Belief | None]
    ) -> Gate | None:
        """A secret inside a run."""
        if self.kind == "memory":
            self.findings.postpone(
                NotYetError(f"{where}: a secret inside a run of a stream (from and at) is not built yet")
            )
            return None
        start, at = self._side(entry, "from", where, sides), entry.get("at")
        if at is None:
            message = 'at is missing; it is the number of the symbol that the state emits, or "every"'
            self.findings.add(f"{where}.at", message)
        elif at == "every":
            pass
        elif isinstance(at, bool) or not isinstance(at, int) or not 1 <= at <= _FURTHEST_GATE:
            message = f'at is the number of a symbol, from 1 to {_FURTHEST_GATE:,}, or "every", got {kind_of(at)}'
            self.findings.add(f"{where}.at", message)
            at = None
        left, right = (self._states(entry.get(side), f"{where}.{side}") for side in ("left", "right"))
        if start is None or at is None or not left or not right:
            return None
        return Gate(start, at, left, right, one_way)

    def _states(self, names: Any, where: str) -> tuple[Any, ...]:
        """The states of one side of a gate; () where something is wrong."""
        if not isinstance(names, list) or not names:
            got = "" if names is None else ", got an empty one" if names == [] else f", got {kind_of(names)}"
            self.findings.add(where, f"together with at, a list of states is expected here{got}")
            return ()
        before = len(self.findings.problems)
        for k, name in enumerate(names):
            if not isinstance(name, str) and not self.names_a_mechanism:
                self.findings.add(f"{where}[{k}]", f"the name of a state is expected, got {kind_of(name)}")
            elif self.states and name not in self.states:
                message = f"unknown state {kind_of(name)}{suggestion(name, [*self.states])}"
                self.findings.add(f"{where}[{k}]", message)
        return tuple(names) if len(self.findings.problems) == before else ()

    def _side(
        self, entry: dict[str, Any], side: str, where: str, seen: dict[str, Belief | None]
    ) -> Belief | None:
        name = entry.get(side)
        known = isinstance(name, str) or self.names_a_mechanism
        if known and name in seen:
            return seen[name]
        if name is None:
            self.findings.add(f"{where}.{side}", f"{side} is missing; it names a belief or a {self.kind}")
        elif isinstance(name, list):
            self.findings.add(f"{where}.{side}", f"{side} is a list of states only together with at")
        elif not known:
            self.findings.add(
                f"{where}.{side}", f"the name of a belief or a {self.kind} is expected, got {kind_of(name)}"
            )
        elif name in self.states:
            return seen.setdefault(name, Belief.at(name))
        elif name in self.beliefs:
            return seen.setdefault(name, self.beliefs[name])
        elif self.states:
            hint = suggestion(name, [*self.beliefs, *self.states])
            self.findings.add(f"{where}.{side}", f"unknown belief or {self.kind} {kind_of(name)}{hint}")
        return None

    def _claim(self, unknowns: Unknowns) -> Claim:
        parameters = unknowns.names
        table = self._table("claim")
        self._check_keys(table, "claim", ("epsilon", "ratio", "horizon", "possible", "delta"))
        if "epsilon" in table and "ratio" in table:
            self.findings.add("claim", "give epsilon or ratio, not both")
        budget = None
        for key, read in (("epsilon", read_epsilon), ("ratio", read_ratio)):
            if key in table:
                budget = self._attempt(f"claim.{key}", read, table[key], parameters | self.findings.unread)
        if isinstance(budget, RationalFunction):
            self.findings.used |= budget.parameters
            if not self.findings.unread.isdisjoint(budget.parameters):
                budget = None
            elif stray := budget.parameters - parameters:
                self.findings.add(
                    "claim.ratio", f"unknown parameter {min(stray)!r}; it is not in [parameters]"
                )
            else:
                budget = self._with_constants(budget, unknowns)
        possible = table.get("possible", "either")
        if possible not in ("either", "both"):
            self.findings.add("claim.possible", f'possible is "either" or "both", got {kind_of(possible)}')
            possible = "either"
        delta = self._delta(table.get("delta", 0), unknowns)
        if delta and possible == "both":
            self.findings.add(
                "claim.delta", 'a delta greater than 0 and possible = "both" do not go together'
            )
            delta = Fraction(0)
        return Claim(budget, self._horizon(table.get("horizon")), possible, delta)

    def _with_constants(self, ratio: RationalFunction, unknowns: Unknowns) -> Budget | RationalFunction | None:
        """The claimed ratio with the values of parameters that have one; it is positive wherever the others are."""
        try:
            found = constant_ratio(with_constants(ratio, unknowns))
            if isinstance(found, RationalFunction) and not self.findings.problems:
                check_ratio(found, unknowns)
            return found
        except (NumberError, UsageError) as error:
            self.findings.add("claim.ratio", str(error))
        return None

    def _attempt(self, where: str, read: Any, value: Any, parameters: frozenset[str]) -> Any:
        try:
            if isinstance(value, (dict, list)):
                raise NumberError(f"a number is expected here, got {kind_of(value)}")
            return read(value, parameters)
        except NotYetError as error:
            self.findings.postpone(error)
        except (NumberError, UsageError) as error:
            self.findings.add(where, str(error))
        return None

    def _horizon(self, horizon: Any) -> Any:
        if horizon is None or horizon == "any":
            return horizon
        if isinstance(horizon, str) and horizon.strip().isdecimal():
            self.findings.add(
                "claim.horizon", f"write the number without quotes: horizon = {horizon.strip():.40}"
            )
        elif isinstance(horizon, bool) or not isinstance(horizon, int):
            message = f'a horizon is a number of observations or "any", got {kind_of(horizon)}'
            self.findings.add("claim.horizon", message)
        elif horizon < 1:
            self.findings.add("claim.horizon", f"a horizon is at least 1, got {kind_of(horizon)}")
        else:
            return horizon
        return None

    def _delta(self, value: Any, unknowns: Unknowns) -> Fraction:
        if isinstance(value, str):
            value = scientific(value)
        number = self.findings.number(value, unknowns, "claim", "delta")
        if isinstance(number, RationalFunction):
            self.findings.add(
                "claim.delta", f"delta has no parameters, but this one uses {number.names[0]!r}"
            )
        if not isinstance(number, Fraction):
            return Fraction(0)
        if not 0 <= number <= 1:
            self.findings.add("claim.delta", f"delta lies between 0 and 1, got {short_text(number)}")
            return Fraction(0)
        return number

    def _warn(self, unknowns: Unknowns) -> None:
        self.warnings += self.findings.warnings
        idle = [name for name in (*unknowns.ranges, *unknowns.fixed) if name not in self.findings.used]
        for name in idle[:_MOST_WARNINGS]:
            self.warnings.append(f"{place('parameters', name)}: the parameter is never used")
        if len(idle) > _MOST_WARNINGS:
            self.warnings.append(f"parameters: {len(idle) - _MOST_WARNINGS} more are never used")
        for i, entry in enumerate([] if self.kind == "memory" else self.data["compare"]):
            # Two runs of a stream differ in their inputs, so the same belief on both sides is the usual question.
            if entry.get("left") == entry.get("right"):
                self.warnings.append(f"compare[{i}]: left and right are the same")
