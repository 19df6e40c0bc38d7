"""A stream as an ordinary model with two sides, which engines, certificates and exports treat like any other. [T12]"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from faier.number.exact import Prob

from .hmm import HMM, Symbol
from .names import labels
from .stream import Input, Letter, Memory, Stream
from .table import Table

Side: TypeAlias = Literal["left", "right"]
Node: TypeAlias = tuple[Side, int]
"""One side's run with a memory, by number."""
Target: TypeAlias = int | None
"""The class of the node that follows, None for the end."""

SIDES: tuple[Side, Side] = ("left", "right")


class Shared(NamedTuple):
    """A state in which both sides may stand: the next letter, and what follows it."""

    letter: Letter
    then: Target


class Own(NamedTuple):
    """A state of one side: what it is asked next and answers, and what follows; not what the other side is asked."""

    side: Side
    asked: Input
    symbol: Symbol
    then: Target


State: TypeAlias = Shared | Own
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class TwoSided:
    """`model` emits letters; `left` and `right` say where in it a run with a given memory starts on either side.

    Guarantee: the model's probability of a word of n letters, in either reading, is the stream's, given the word's
    inputs, divided by `choices` to the power of n.
    """

    stream: Stream
    model: HMM
    choices: int
    left: Mapping[Memory, Mapping[int, Prob]]
    right: Mapping[Memory, Mapping[int, Prob]]

    def start(self, side: Side, weights: Mapping[Memory, Prob]) -> dict[int, Prob]:
        """The start row, by number of state, of a run whose memory is drawn."""
        rows = self.left if side == "left" else self.right
        found: dict[int, Prob] = {}
        for memory, weight in weights.items():
            for state, value in rows[memory].items():
                _add(found, state, weight * value)
        return found


def two_sided(stream: Stream) -> TwoSided:
    """Compile a stream; equal memories are merged, and both sides share what behaves alike on both. [T12]

    The pair of inputs is drawn uniformly and shown in the letter. docs/certificates.md says which states there are, in
    which order: the checker compiles by itself and has to arrive at the same model.
    """
    labels(stream.letters, "letters")
    nodes: list[Node] = [(side, m) for side in SIDES for m in range(len(stream.memories))]
    classes = _classes(stream, nodes)
    first: dict[int, Node] = {}
    sides: dict[int, set[Side]] = {}
    for node, found in classes.items():
        first.setdefault(found, node)
        sides.setdefault(found, set()).add(node[0])
    shared = {found for found, on in sides.items() if len(on) == 2}
    partners = _partners(stream)
    rows = {node: _row(stream, node, classes, shared, partners) for node in nodes}
    states = {state: i for i, state in enumerate(dict.fromkeys(s for row in rows.values() for s in row))}
    letter_index = {letter: i for i, letter in enumerate(stream.letters)}
    emit = [{letter_index[x]: p for x, p in _emitted(state, partners).items()} for state in states]
    numbered = {node: {states[s]: p for s, p in row.items()} for node, row in rows.items()}
    step: list[dict[int, Prob]] = [
        {} if state.then is None else numbered[first[state.then]] for state in states
    ]
    model = HMM.__new__(HMM)
    model._fill(
        tuple(map(str, range(len(states)))),
        stream.letters,
        Table.from_rows(len(letter_index), emit),
        Table.from_rows(len(states), step),
        stream.parameters,
        stream.unknowns,
        stream.constraints,
    )
    starts = {
        side: {memory: numbered[side, m] for m, memory in enumerate(stream.memories)} for side in SIDES
    }
    return TwoSided(stream, model, len(stream.input_pairs), starts["left"], starts["right"])


def _partners(stream: Stream) -> dict[Side, dict[Input, list[Input]]]:
    """For each side's own input what the other side may be asked at the same time."""
    found: dict[Side, dict[Input, list[Input]]] = {side: {a: [] for a in stream.inputs} for side in SIDES}
    for a, b in stream.input_pairs:
        found["left"][a].append(b)
        found["right"][b].append(a)
    return found


def _row(
    stream: Stream,
    node: Node,
    classes: Mapping[Node, int],
    shared: set[int],
    partners: Mapping[Side, Mapping[Input, list[Input]]],
) -> dict[State, Prob]:
    """Where a node's run stands before its next letter: which letter, as far as needed, and what follows it."""
    side, m = node
    uniform = Fraction(1, len(stream.input_pairs))
    row: dict[State, Prob] = {}
    for own in stream.inputs:
        others = partners[side][own]
        for symbol, then, p in stream.answers[own, stream.memories[m]]:
            if p == 0:
                continue
            target = None if then is None else classes[side, stream.memory_index[then]]
            if target is None or target in shared:
                # A state that both sides may stand in says the whole letter.
                for other in others:
                    pair = (own, other) if side == "left" else (other, own)
                    _add(row, Shared(Letter(*pair, symbol), target), uniform * p)
            else:
                _add(row, Own(side, own, symbol, target), uniform * len(others) * p)
    return row


def _emitted(state: State, partners: Mapping[Side, Mapping[Input, list[Input]]]) -> dict[Letter, Prob]:
    if isinstance(state, Shared):
        return {state.letter: Fraction(1)}
    side, own, symbol, _ = state
    others = partners[side][own]
    letters = [Letter(own, b, symbol) if side == "left" else Letter(b, own, symbol) for b in others]
    return dict.fromkeys(letters, Fraction(1, len(letters)))


def _classes(stream: Stream, nodes: list[Node]) -> dict[Node, int]:
    """The coarsest partition of the nodes in which all of a class go on alike, letter by letter.

    Only nodes that lead to a class that was divided are looked at again, and the largest part of a class keeps its
    number, so that a counter to n takes about n log n steps.
    """
    classes = dict.fromkeys(nodes, 0)
    before: dict[Node, set[Node]] = {node: set() for node in nodes}
    for side, m in nodes:
        for asked in stream.inputs:
            for answer in stream.answers[asked, stream.memories[m]]:
                if answer.then is not None:
                    before[side, stream.memory_index[answer.then]].add((side, m))
    # The members of each class, by what they are known to do.
    alike: list[dict[Hashable, set[Node]]] = [{}]
    known: dict[Node, Hashable] = {}
    waiting: Iterable[Node] = nodes
    while waiting:
        touched: set[int] = set()
        for node in waiting:
            parts = alike[classes[node]]
            if node in known:
                parts[known[node]].discard(node)
            known[node] = _behaviour(stream, node, classes)
            parts.setdefault(known[node], set()).add(node)
            touched.add(classes[node])
        moved: list[Node] = []
        for found in touched:
            parts = {behaviour: members for behaviour, members in alike[found].items() if members}
            largest = max(parts, key=lambda behaviour: len(parts[behaviour]))
            for behaviour, members in parts.items():
                if behaviour != largest:
                    moved += members
                    classes.update(dict.fromkeys(members, len(alike)))
                    alike.append({behaviour: members})
            alike[found] = {largest: parts[largest]}
        waiting = {node for after in moved for node in before[after]}
    return classes


def _behaviour(stream: Stream, node: Node, classes: Mapping[Node, int]) -> Hashable:
    """The probability of every letter with every class that may follow it."""
    side, m = node
    by_input: dict[Input, dict[tuple[Hashable, Target], Prob]] = {}
    for own in stream.inputs:
        found: dict[tuple[Hashable, Target], Prob] = {}
        for symbol, then, p in stream.answers[own, stream.memories[m]]:
            if p != 0:
                target = None if then is None else classes[side, stream.memory_index[then]]
                _add(found, (symbol, target), p)
        by_input[own] = found
    own_input = 0 if side == "left" else 1
    return tuple(frozenset(by_input[pair[own_input]].items()) for pair in stream.input_pairs)


def _add(row: dict[Key, Prob], key: Key, more: Prob) -> None:
    row[key] = row.get(key, Fraction(0)) + more
