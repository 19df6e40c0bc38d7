"""Streams: mechanisms that answer one input after another, whoever chooses the inputs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from faier.number.exact import Prob, kind_of
from faier.number.unknowns import Unknowns

from .findings import Findings
from .hmm import Symbol
from .names import place, suggestion

Input: TypeAlias = Hashable
Memory: TypeAlias = Hashable


class Letter(NamedTuple):
    """What happens at once on both sides: the left run is asked `left`, the right one `right`, both answer `symbol`."""

    left: Input
    right: Input
    symbol: Symbol


class Answer(NamedTuple):
    """A symbol with the memory that follows, None where the run stops, and its probability."""

    symbol: Symbol
    then: Memory | None
    probability: Prob


class Stream:
    """What a mechanism with a memory answers to each input: a symbol and its next memory, or a symbol and the end.

    >>> Stream(on={"yes": {"m": [("1", "m", "3/4"), ("0", "m", "1/4")]}, "no": {"m": [("0", "m", 1)]}},
    ...        adjacent=[("yes", "no")])
    Stream(2 inputs, 1 memory)

    `on` is input -> memory -> answers: (symbol, next memory, probability), or (symbol, probability) where the run
    stops. Every memory answers every input, with probabilities that sum to exactly 1. `adjacent` are the pairs of
    inputs that may differ between two runs, either way round; equal inputs are always adjacent. Numbers are exact,
    as in `HMM`. Inputs, memories and symbols keep the order of first appearance.
    """

    inputs: tuple[Input, ...]
    memories: tuple[Memory, ...]
    symbols: tuple[Symbol, ...]
    adjacent: tuple[tuple[Input, Input], ...]
    answers: Mapping[tuple[Input, Memory], tuple[Answer, ...]]
    parameters: Mapping[str, str]
    constraints: tuple[str, ...]
    unknowns: Unknowns

    def __init__(
        self,
        on: Mapping[Any, Mapping[Any, Iterable[Sequence[Any]]]],
        adjacent: Iterable[tuple[Any, Any]] = (),
        parameters: Mapping[str, str] | None = None,
        constraints: Sequence[str] = (),
    ):
        findings = Findings()
        stream, _ = self.collect(on, list(adjacent), parameters or {}, constraints, findings)
        findings.settle()
        assert stream is not None
        self.__dict__.update(stream.__dict__)

    @classmethod
    def collect(
        cls,
        on: Mapping[Any, object],
        adjacent: Sequence[object],
        parameters: Mapping[str, object],
        constraints: Sequence[object],
        findings: Findings,
        *,
        in_file: bool = False,
    ) -> tuple[Stream | None, Unknowns]:
        """Read a stream, adding all that is wrong with it to `findings`; no stream where that is anything.

        In a file all names are strings.
        """
        unknowns = findings.unknowns(parameters, constraints)
        if not on:
            findings.add("stream.on", "a stream needs at least one input")
        reading = _Reading(on, unknowns, findings, in_file)
        answers = reading.answers()
        pairs = _pairs(adjacent, tuple(on), findings)
        if findings.problems or findings.later:
            return None, unknowns
        stream = cls.__new__(cls)
        stream._fill(
            tuple(on),
            reading.memories,
            pairs,
            answers,
            {name: str(text) for name, text in parameters.items()},
            unknowns,
            tuple(map(str, constraints)),
        )
        return stream, unknowns

    def _fill(
        self,
        inputs: tuple[Input, ...],
        memories: tuple[Memory, ...],
        adjacent: tuple[tuple[Input, Input], ...],
        answers: Mapping[tuple[Input, Memory], tuple[Answer, ...]],
        parameters: Mapping[str, str],
        unknowns: Unknowns,
        constraints: tuple[str, ...] = (),
    ) -> None:
        self.inputs, self.memories, self.adjacent, self.answers = inputs, memories, adjacent, answers
        self.symbols = tuple(dict.fromkeys(a.symbol for row in answers.values() for a in row))
        self.parameters, self.unknowns, self.constraints = parameters, unknowns, constraints

    def mapped(
        self,
        change: Callable[[Prob, str], Prob],
        parameters: Mapping[str, str],
        unknowns: Unknowns,
    ) -> Stream:
        """The same stream with its probabilities changed, given each with its place, and other parameters."""
        answers = {
            (a, m): tuple(x._replace(probability=change(x.probability, place("stream.on", a, m))) for x in row)
            for (a, m), row in self.answers.items()
        }
        stream = Stream.__new__(Stream)
        stream._fill(self.inputs, self.memories, self.adjacent, answers, parameters, unknowns, self.constraints)
        return stream

    def with_adjacent(self, adjacent: Iterable[tuple[Input, Input]]) -> Stream:
        """The same stream with another relation between inputs."""
        findings = Findings()
        pairs = _pairs(list(adjacent), self.inputs, findings)
        findings.settle()
        stream = Stream.__new__(Stream)
        stream._fill(
            self.inputs, self.memories, pairs, self.answers, self.parameters, self.unknowns, self.constraints
        )
        return stream

    @cached_property
    def input_pairs(self) -> tuple[tuple[Input, Input], ...]:
        """All (left, right) that an adversary may choose, in the order of the inputs."""
        near = {*self.adjacent, *((b, a) for a, b in self.adjacent)}
        return tuple((a, b) for a in self.inputs for b in self.inputs if a == b or (a, b) in near)

    @cached_property
    def letters(self) -> tuple[Letter, ...]:
        """For each pair of inputs the symbols that stand among the answers to either, in the order of all symbols."""
        said = {
            a: {x.symbol for m in self.memories for x in self.answers[a, m]} for a in self.inputs
        }
        return tuple(
            Letter(a, b, s) for a, b in self.input_pairs for s in self.symbols if s in said[a] or s in said[b]
        )

    @cached_property
    def memory_index(self) -> dict[Memory, int]:
        return {m: i for i, m in enumerate(self.memories)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stream):
            return NotImplemented
        return (
            self.inputs == other.inputs
            and self.memories == other.memories
            and self.adjacent == other.adjacent
            and dict(self.answers) == dict(other.answers)
            and dict(self.parameters) == dict(other.parameters)
            and self.constraints == other.constraints
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inputs, memories = len(self.inputs), len(self.memories)
        return (
            f"Stream({inputs} input{'' if inputs == 1 else 's'}, {memories} memor{'y' if memories == 1 else 'ies'})"
        )


class _Reading:
    """The rows of a stream, with all that is wrong with them."""

    def __init__(self, on: Mapping[Any, object], unknowns: Unknowns, findings: Findings, in_file: bool):
        self.on, self.unknowns, self.findings, self.in_file = on, unknowns, findings, in_file
        tables = [rows for rows in on.values() if isinstance(rows, Mapping)]
        self.memories: tuple[Memory, ...] = tuple(dict.fromkeys(m for rows in tables for m in rows))
        self.known = set(self.memories)

    def answers(self) -> dict[tuple[Input, Memory], tuple[Answer, ...]]:
        found: dict[tuple[Input, Memory], tuple[Answer, ...]] = {}
        for name, rows in self.on.items():
            where = place("stream.on", name)
            if not isinstance(rows, Mapping):
                self.findings.add(where, f"a table memory -> answers is expected here, got {kind_of(rows)}")
                continue
            for memory in self.memories:
                if memory in rows:
                    found[name, memory] = self._row(rows[memory], place("stream.on", name, memory))
                else:
                    self.findings.add(where, f"the memory {kind_of(memory)} has no answer to this input")
            if not rows and not self.memories:
                self.findings.add(where, "an input needs at least one memory that answers it")
        return found

    def _row(self, row: object, where: str) -> tuple[Answer, ...]:
        if isinstance(row, str | Mapping) or not isinstance(row, Iterable):
            self.findings.add(
                where, f"a list of [symbol, next memory, probability] is expected here, got {kind_of(row)}"
            )
            return ()
        listed = list(row)
        if not listed:
            self.findings.add(where, "the row is empty")
        before = len(self.findings.problems), self.findings.later
        read = [self._answer(entry, f"{where}[{i}]") for i, entry in enumerate(listed)]
        answers = [answer for answer in read if answer is not None]
        seen: set[tuple[Symbol, Memory | None]] = set()
        for i, answer in enumerate(answers):
            if (answer.symbol, answer.then) in seen:
                self.findings.add(f"{where}[{i}]", "the same symbol with the same next memory is given twice")
            seen.add((answer.symbol, answer.then))
        if listed and before == (len(self.findings.problems), self.findings.later):
            self.findings.check_sum([a.probability for a in answers], self.unknowns, "row", where)
        return tuple(answers)

    def _answer(self, entry: object, where: str) -> Answer | None:
        shape = "write [symbol, next memory, probability], or [symbol, probability] where the run stops"
        if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) not in (2, 3):
            self.findings.add(where, f"an answer is expected here, got {kind_of(entry)}; {shape}")
            return None
        symbol, *following, value = entry
        for part in (symbol, *following):
            try:
                hash(part)
            except TypeError:
                self.findings.add(where, f"a name is expected here, got {kind_of(part)}")
                return None
            if self.in_file and not isinstance(part, str):
                self.findings.add(where, f"names are strings, got {kind_of(part)}; {shape}")
                return None
        then = following[0] if following else None
        if following and then not in self.known:
            message = f"unknown memory {kind_of(then)}; it answers no input{suggestion(then, self.memories)}"
            self.findings.add(where, message)
            return None
        number = self.findings.number(value, self.unknowns, where)
        if number is None or not self.findings.check_sign(number, self.unknowns, where):
            return None
        return Answer(symbol, then, number)


def _pairs(
    adjacent: Sequence[object], inputs: tuple[Input, ...], findings: Findings
) -> tuple[tuple[Input, Input], ...]:
    pairs: list[tuple[Input, Input]] = []
    for i, entry in enumerate(adjacent):
        where = f"stream.adjacent[{i}]"
        if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != 2:
            findings.add(where, f"a pair of inputs is expected here, got {kind_of(entry)}")
            continue
        good = True
        for name in entry:
            try:
                known = name in inputs
            except TypeError:
                known = False
            if not known:
                message = f"unknown input {kind_of(name)}; it has no rows in stream.on"
                findings.add(where, message + suggestion(name, inputs))
                good = False
        if good:
            pairs.append((entry[0], entry[1]))
    return tuple(pairs)

