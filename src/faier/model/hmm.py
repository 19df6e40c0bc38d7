"""Hidden Markov models with exact probabilities."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from faier.errors import ModelError, Problem
from faier.number.exact import Number, Prob, kind_of
from faier.number.unknowns import Unknowns

from .findings import Findings
from .names import label, place, suggestion
from .table import Table

State: TypeAlias = Hashable
Symbol: TypeAlias = Hashable
Word: TypeAlias = tuple[Symbol, ...]


class HMM:
    """States emit one symbol each turn and then move; a state without a `step` row ends the run.

    >>> HMM(emit={"ill": {"+": "3/4", "-": "1/4"}, "well": {"+": "1/4", "-": "3/4"}})
    HMM(2 states, 2 symbols)

    Numbers are exact: strings such as "1/3" or "0.1", integers, or `fractions.Fraction`; floats are refused.
    Every row must sum to exactly 1. States and symbols keep the order of first appearance. `parameters` gives
    the range of each unknown, {"p": "0 < p < 1"}, and `constraints` equations between them; rows then sum to
    1 identically.
    """

    states: Sequence[State]
    symbols: tuple[Symbol, ...]
    emit: Table
    step: Table
    parameters: Mapping[str, str]
    constraints: tuple[str, ...]
    unknowns: Unknowns

    def __init__(
        self,
        emit: Mapping[State, Mapping[Symbol, Number]],
        step: Mapping[State, Mapping[State, Number]] | None = None,
        parameters: Mapping[str, str] | None = None,
        constraints: Sequence[str] = (),
    ):
        findings = Findings()
        model, _ = self.collect(emit, step or {}, parameters or {}, constraints, findings)
        findings.settle()
        assert model is not None
        self.__dict__.update(model.__dict__)

    @classmethod
    def collect(
        cls,
        emit: Mapping[Any, object],
        step: Mapping[Any, object],
        parameters: Mapping[str, object],
        constraints: Sequence[object],
        findings: Findings,
    ) -> tuple[HMM | None, Unknowns]:
        """Read a model, adding all that is wrong with it to `findings`; no model where that is anything."""
        unknowns = findings.unknowns(parameters, constraints)
        if not emit:
            findings.add("model.emit", "a model needs at least one state")
        states = tuple(emit)
        symbols = tuple(dict.fromkeys(s for row in emit.values() if isinstance(row, Mapping) for s in row))
        state_index = {s: i for i, s in enumerate(states)}
        symbol_index = {s: i for i, s in enumerate(symbols)}
        for kind, names in (("state", [states, *step.values()]), ("symbol", emit.values())):
            _tell_apart(kind, names, findings)
        emit_rows = [
            findings.distribution(row, symbol_index, unknowns, "model.emit", s, kind="symbol")
            for s, row in emit.items()
        ]
        step_rows: list[dict[int, Prob]] = [{} for _ in states]
        for name, row in step.items():
            if name not in state_index:
                message = f"unknown state {kind_of(name)}; it has no row in model.emit"
                findings.add(place("model.step", name), message + suggestion(name, states))
                continue
            step_rows[state_index[name]] = findings.distribution(
                row, state_index, unknowns, "model.step", name, kind="state"
            )
        if findings.problems or findings.later:
            return None, unknowns
        model = cls.__new__(cls)
        model._fill(
            states,
            symbols,
            Table.from_rows(len(symbols), emit_rows),
            Table.from_rows(len(states), step_rows),
            {name: str(text) for name, text in parameters.items()},
            unknowns,
            tuple(map(str, constraints)),
        )
        return model, unknowns

    @classmethod
    def from_tables(
        cls,
        emit: Table,
        step: Table,
        symbols: Sequence[Symbol] | None = None,
        states: Sequence[State] | None = None,
    ) -> HMM:
        """Build a large model from integer tables (see `Table.from_arrays`); rows must sum to 1.

        Unnamed states and symbols are called "0", "1", ...
        """
        if emit.rows != step.rows or step.columns != step.rows:
            raise ModelError(f"emit has {emit.rows} rows and step is {step.rows} by {step.columns}")
        states = [str(i) for i in range(emit.rows)] if states is None else states
        symbols = [str(i) for i in range(emit.columns)] if symbols is None else symbols
        if len(states) != emit.rows or len(symbols) != emit.columns:
            raise ModelError("as many names as states and symbols are needed")
        if len(set(states)) < len(states) or len(set(symbols)) < len(symbols):
            raise ModelError("two states or two symbols have the same name")
        if not emit.is_constant or not step.is_constant:
            raise ModelError("tables hold constants; a model with parameters is built from rows")
        problems = [
            Problem(f"model.{name}.{states[i]}", f"the row sums to {total}, not 1")
            for name, table in (("emit", emit), ("step", step))
            for i, total in table.bad_rows()
        ]
        problems += [Problem(f"model.emit.{states[i]}", "the row is empty") for i in _empty(emit)]
        problems += [
            Problem(f"model.{name}.{states[i]}", f"a probability cannot be negative, got {value}")
            for name, table in (("emit", emit), ("step", step))
            for i, value in table.negative_entries()
        ]
        if problems:
            raise ModelError(problems)
        model = cls.__new__(cls)
        model._fill(states, tuple(symbols), emit, step, {}, Unknowns())
        return model

    def _fill(
        self,
        states: Sequence[State],
        symbols: tuple[Symbol, ...],
        emit: Table,
        step: Table,
        parameters: Mapping[str, str],
        unknowns: Unknowns,
        constraints: tuple[str, ...] = (),
    ) -> None:
        self.states, self.symbols, self.emit, self.step = states, symbols, emit, step
        self.parameters, self.unknowns, self.constraints = parameters, unknowns, constraints

    @cached_property
    def state_index(self) -> dict[State, int]:
        return {s: i for i, s in enumerate(self.states)}

    @cached_property
    def symbol_index(self) -> dict[Symbol, int]:
        return {s: i for i, s in enumerate(self.symbols)}

    @property
    def is_constant(self) -> bool:
        """True where no probability uses a parameter."""
        return self.emit.is_constant and self.step.is_constant

    @property
    def can_end(self) -> bool:
        """True where some state ends the run."""
        return bool(self.step.empty_rows.any())

    def emit_rows(self) -> dict[State, dict[Symbol, Prob]]:
        """state -> symbol -> probability, zeros left out."""
        return {
            s: {self.symbols[j]: v for j, v in self.emit.row(i).items()} for i, s in enumerate(self.states)
        }

    def step_rows(self) -> dict[State, dict[State, Prob]]:
        """state -> state -> probability, zeros left out; a state that ends the run has no entry."""
        return {
            s: {self.states[j]: v for j, v in row.items()}
            for i, s in enumerate(self.states)
            if (row := self.step.row(i))
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HMM):
            return NotImplemented
        return (
            tuple(self.states) == tuple(other.states)
            and self.symbols == other.symbols
            and self.emit_rows() == other.emit_rows()
            and self.step_rows() == other.step_rows()
            and dict(self.parameters) == dict(other.parameters)
            and self.constraints == other.constraints
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"HMM({len(self.states)} states, {len(self.symbols)} symbols)"


def _tell_apart(kind: str, among: Iterable[object], findings: Findings) -> None:
    """Report names that Python takes for equal although they read differently, as 1 and True."""
    first: dict[Hashable, Hashable] = {}
    for names in among:
        for name in names if isinstance(names, Mapping | tuple) else ():
            if type(name) is not str and label(known := first.setdefault(name, name)) != label(name):
                findings.add("model", f"the {kind}s {known!r} and {name!r} are equal in Python; name one otherwise")
                return


def _empty(table: Table) -> list[int]:
    return [int(i) for i in table.empty_rows.nonzero()[0]]
