"""Streams: the rows of a `[stream]`, and the ordinary model with two sides that they are compiled to. [T12]

docs/certificates.md says what the model is, states and orders included. A certificate is about that model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from .errors import ModelFileError
from .family import Family, FamilyPair, Weights
from .limits import Meter
from .model import Distribution
from .quotient import Number, same
from .rows import equal_rows, number, row_of, table
from .scope import Scope
from .unknowns import Unknowns

LEFT, RIGHT = 0, 1

_Entries: TypeAlias = list[tuple[int, int | None, Number]]
"""(symbol, next memory, probability); None where the run stops."""
_State: TypeAlias = tuple[tuple[int, ...], int | None]
"""What is known of the next letter, (left input, right input, symbol) or (side, own input, symbol), and what follows.

The second is told from the first by its side, which is -1 or -2.
"""
_Row: TypeAlias = dict[_State, Number]


@dataclass(frozen=True)
class Stream:
    inputs: tuple[str, ...]
    memories: tuple[str, ...]
    symbols: tuple[str, ...]
    near: frozenset[tuple[int, int]]
    """The pairs of inputs, both ways round, that are said to be adjacent."""
    answers: tuple[tuple[_Entries, ...], ...]
    """For each input and memory."""
    rows: tuple[Distribution | Weights, ...]
    """The same numbers, each list a row of its own."""

    @property
    def memory_index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.memories)}

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of inputs that may be asked at the same time, the left one first."""
        count = range(len(self.inputs))
        return [(a, b) for a in count for b in count if a == b or (a, b) in self.near]


def read_stream(file: Mapping[str, object], scope: Scope) -> Stream:
    """Read a `[stream]`: every memory answers every input, and constants are probabilities."""
    for key in file:
        if key not in ("adjacent", "on"):
            raise ModelFileError(f"unknown key {key[:60]!r}", "stream")
    on = {name: table(rows, f"stream.on.{name}") for name, rows in table(file.get("on"), "stream.on").items()}
    inputs = tuple(on)
    memories = tuple(dict.fromkeys(name for rows in on.values() for name in rows))
    if not memories:
        raise ModelFileError("a stream needs at least one input and one memory", "stream.on")
    index = {name: i for i, name in enumerate(memories)}
    symbols: dict[str, int] = {}
    answers: list[tuple[_Entries, ...]] = []
    rows: list[Distribution | Weights] = []
    for name, written in on.items():
        found: list[_Entries] = []
        for memory in memories:
            place = f"stream.on.{name}.{memory}"
            if memory not in written:
                raise ModelFileError("is missing", place)
            entries = _entries(written[memory], index, symbols, scope, place)
            rows.append(row_of(((i, p) for i, (_, _, p) in enumerate(entries) if p != 0), place))
            found.append(entries)
        answers.append(tuple(found))
    near = _near(file.get("adjacent", []), {name: i for i, name in enumerate(inputs)})
    return Stream(inputs, memories, tuple(symbols), near, tuple(answers), tuple(rows))


def two_sided(
    stream: Stream,
    beliefs: Sequence[Distribution | Weights],
    pairs: Sequence[FamilyPair],
    unknowns: Unknowns,
    meter: Meter,
) -> Family:
    """The model that emits letters, and its pairs: the left belief on its left side, the right one on its right."""
    compiling = _Compiling(stream, meter)
    letters = _letters(stream)
    emit: list[Distribution | Weights] = []
    step: list[Distribution | Weights | None] = []
    for shown, then in compiling.states:
        emitted = [letters[letter] for letter in compiling.shows(shown)]
        emit.append(row_of([(i, Fraction(1, len(emitted))) for i in emitted], "stream"))
        after = None if then is None else compiling.row(compiling.first[then])
        step.append(None if after is None else row_of(compiling.numbered(after), "stream"))
    starts: list[Distribution | Weights] = []
    places: dict[tuple[int, int], int] = {}

    def start(side: int, belief: int) -> int:
        if (side, belief) not in places:
            places[side, belief] = len(starts)
            starts.append(row_of(compiling.numbered(compiling.start(side, beliefs[belief])), "a compared belief"))
        return places[side, belief]

    compiled: list[FamilyPair] = []
    for pair in pairs:
        ways = [(pair.left_name, pair.left, pair.right_name, pair.right)]
        if not pair.one_way and not equal_rows(beliefs[pair.left], beliefs[pair.right]):
            ways.append((pair.right_name, pair.right, pair.left_name, pair.left))
        for left_name, left, right_name, right in ways:
            compiled.append(FamilyPair(left_name, right_name, True, start(LEFT, left), start(RIGHT, right)))
    names = tuple(str(i) for i in range(len(compiling.states)))
    texts = tuple(f"({stream.inputs[a]}, {stream.inputs[b]}, {stream.symbols[s]})" for a, b, s in letters)
    if len(set(texts)) < len(texts):
        raise ModelFileError("two letters would be written alike", "stream")
    written = (*stream.rows, *beliefs)
    inputs = tuple(stream.pairs.index((a, b)) for a, b, _ in letters)
    return Family(unknowns, texts, names, tuple(emit), tuple(step), tuple(starts), tuple(compiled), written, inputs)


class _Compiling:
    """Nodes are (side, memory); those that go on alike, letter by letter, are one class."""

    def __init__(self, stream: Stream, meter: Meter):
        self.stream, self.meter = stream, meter
        self.pairs = stream.pairs
        self.nodes = [(side, m) for side in (LEFT, RIGHT) for m in range(len(stream.memories))]
        self.partners: list[list[list[int]]] = [[[] for _ in stream.inputs] for _ in (LEFT, RIGHT)]
        for a, b in self.pairs:
            self.partners[LEFT][a].append(b)
            self.partners[RIGHT][b].append(a)
        self._values: dict[Fraction | int, list[tuple[Number, int]]] = {}
        self._count = 0
        self.classes = self._coarsest()
        self.first: dict[int, tuple[int, int]] = {}
        self.shared: set[int] = set()
        for node in self.nodes:
            other = self.first.setdefault(self.classes[node], node)
            if other[0] != node[0]:
                self.shared.add(self.classes[node])
        self.states: dict[_State, int] = {}
        for node in self.nodes:
            for state in self.row(node):
                self.states.setdefault(state, len(self.states))

    def row(self, node: tuple[int, int]) -> _Row:
        """The distribution over states of a run with this memory on this side."""
        side, memory = node
        found: _Row = {}
        for own, answers in enumerate(self.stream.answers):
            others = self.partners[side][own]
            for symbol, then, p in answers[memory]:
                if p == 0:
                    continue
                self.meter.spend(len(others))
                follows = None if then is None else self.classes[side, then]
                if follows is None or follows in self.shared:
                    for other in others:
                        pair = (own, other) if side == LEFT else (other, own)
                        _add(found, ((*pair, symbol), follows), p * Fraction(1, len(self.pairs)))
                else:
                    share = Fraction(len(others), len(self.pairs))
                    _add(found, ((-1 - side, own, symbol), follows), p * share)
        return found

    def shows(self, shown: tuple[int, ...]) -> list[tuple[int, int, int]]:
        """The letters that a state emits, each as likely as the others."""
        first, own, symbol = shown
        if first >= 0:
            return [(first, own, symbol)]
        side = -1 - first
        return [(own, b, symbol) if side == LEFT else (b, own, symbol) for b in self.partners[side][own]]

    def start(self, side: int, belief: Distribution | Weights) -> _Row:
        found: _Row = {}
        weights = (
            [(m, Fraction(n, belief.denominator)) for m, n in belief.entries]
            if isinstance(belief, Distribution)
            else belief
        )
        for memory, weight in weights:
            for state, p in self.row((side, memory)).items():
                _add(found, state, p * weight)
        return found

    def numbered(self, row: _Row) -> list[tuple[int, Number]]:
        return [(self.states[state], p) for state, p in row.items() if p != 0]

    def _coarsest(self) -> dict[tuple[int, int], int]:
        """The coarsest partition whose classes go on alike: letter by letter to each class, or to the end.

        A class is divided by what its members do. Of its parts the largest keeps the number; what leads to the others
        is looked at again.
        """
        classes = dict.fromkeys(self.nodes, 0)
        leading: dict[tuple[int, int], list[tuple[int, int]]] = {node: [] for node in self.nodes}
        for side, memory in self.nodes:
            for answers in self.stream.answers:
                for _, then, _ in answers[memory]:
                    if then is not None:
                        leading[side, then].append((side, memory))
        doing: dict[tuple[int, int], object] = {}
        members: dict[tuple[int, object], set[tuple[int, int]]] = {}
        parts: dict[int, set[object]] = {0: set()}
        queue = set(self.nodes)
        while queue:
            for node in queue:
                if node in doing:
                    members[classes[node], doing[node]].discard(node)
                doing[node] = behaviour = self._behaviour(node, classes)
                members.setdefault((classes[node], behaviour), set()).add(node)
                parts[classes[node]].add(behaviour)
            apart: list[tuple[int, int]] = []
            for one in {classes[node] for node in queue}:
                sizes = {behaviour: len(members[one, behaviour]) for behaviour in parts[one]}
                stays = max(sizes, key=lambda behaviour: sizes[behaviour])
                for behaviour, size in sizes.items():
                    if behaviour != stays:
                        leaving = members.pop((one, behaviour))
                        if size:
                            new = len(parts)
                            parts[new], members[new, behaviour] = {behaviour}, leaving
                            classes.update(dict.fromkeys(leaving, new))
                            apart += leaving
                parts[one] = {stays}
            queue = {node for other in apart for node in leading[other]}
        return classes

    def _behaviour(self, node: tuple[int, int], classes: Mapping[tuple[int, int], int]) -> object:
        side, memory = node
        asked: list[frozenset[tuple[object, int]]] = []
        for answers in self.stream.answers:
            sums: dict[tuple[int, int | None], Number] = {}
            for symbol, then, p in answers[memory]:
                key = symbol, None if then is None else classes[side, then]
                sums[key] = sums.get(key, Fraction(0)) + p
            self.meter.spend(len(sums))
            asked.append(frozenset((key, self._same_as(p)) for key, p in sums.items() if p != 0))
        return tuple(asked[pair[side]] for pair in self.pairs)

    def _same_as(self, value: Number) -> int:
        """A number for a value: equal functions have the same."""
        if isinstance(value, Fraction):
            known = self._values.setdefault(value, [])
        else:
            # All functions together: a file has few that differ.
            known = self._values.setdefault(-1, [])
            self.meter.spend(100 * len(known))
        for other, found in known:
            if same(other, value):
                return found
        known.append((value, self._count))
        self._count += 1
        return self._count - 1


def _entries(
    row: object, memories: Mapping[str, int], symbols: dict[str, int], scope: Scope, place: str
) -> _Entries:
    if not isinstance(row, list) or not row:
        raise ModelFileError("a list of [symbol, next memory, probability] is expected here", place)
    found: _Entries = []
    for i, entry in enumerate(row):
        where = f"{place}[{i}]"
        if not isinstance(entry, list) or len(entry) not in (2, 3):
            raise ModelFileError("[symbol, next memory, probability] or [symbol, probability] is expected here", where)
        *names, value = entry
        if not all(isinstance(name, str) for name in names):
            raise ModelFileError("names are strings", where)
        if len(names) == 2 and names[1] not in memories:
            raise ModelFileError(f"unknown memory {names[1][:60]!r}", where)
        symbol = symbols.setdefault(names[0], len(symbols))
        then = memories[names[1]] if len(names) == 2 else None
        if any((s, t) == (symbol, then) for s, t, _ in found):
            raise ModelFileError("the same symbol with the same next memory is given twice", where)
        probability = number(value, scope, where)
        if isinstance(probability, Fraction) and probability < 0:
            raise ModelFileError("a probability cannot be negative", where)
        found.append((symbol, then, probability))
    return found


def _near(adjacent: object, inputs: Mapping[str, int]) -> frozenset[tuple[int, int]]:
    if not isinstance(adjacent, list):
        raise ModelFileError("a list of pairs of inputs is expected here", "stream.adjacent")
    near: set[tuple[int, int]] = set()
    for i, pair in enumerate(adjacent):
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(name, str) for name in pair):
            raise ModelFileError("a pair of inputs is expected here", f"stream.adjacent[{i}]")
        if any(name not in inputs for name in pair):
            raise ModelFileError("unknown input", f"stream.adjacent[{i}]")
        one, two = (inputs[name] for name in pair)
        near |= {(one, two), (two, one)}
    return frozenset(near)


def _letters(stream: Stream) -> dict[tuple[int, int, int], int]:
    """Letters in order: pair by pair the symbols that stand among the answers to either input."""
    said = [{symbol for row in answers for symbol, _, _ in row} for answers in stream.answers]
    found = (
        (a, b, s) for a, b in stream.pairs for s in range(len(stream.symbols)) if s in said[a] or s in said[b]
    )
    return {letter: i for i, letter in enumerate(found)}


def _add(row: _Row, state: _State, more: Number) -> None:
    row[state] = row.get(state, Fraction(0)) + more
