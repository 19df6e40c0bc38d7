"""Delta of a stream: at each prefix an adversary picks the pair of inputs that shows most. [T10, T12]"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from faier.comparison import Comparison
from faier.engine.progress import Limits, Stopped
from faier.model.hmm import Word
from faier.verdict import Outcome

from .excess import Excess, too_long

_Row: TypeAlias = tuple[tuple[int, int], ...]
_Key: TypeAlias = tuple[_Row, _Row]
"""The left and the right row of a prefix, ascending by state and without common factor."""

_NODE_BYTES = 2_000


@dataclass
class _Node:
    """A prefix given its inputs, up to a factor, and its children by pair of inputs: (letter, child, factor)."""

    left: dict[int, int]
    right: dict[int, int]
    depth: int
    groups: list[list[tuple[int, _Node, Fraction]]] | None = None


@dataclass(frozen=True)
class _Value:
    """Of one unit of a node: an event's two probabilities, an upper bound of delta, and the choice made."""

    left: Fraction
    right: Fraction
    upper: Fraction
    choice: int = -1


@dataclass
class Adversary:
    """The game of one direction at a ratio, followed so far as it was asked for."""

    comparison: Comparison
    direction: int
    ratio: Fraction
    length: int | None
    layers: list[dict[_Key, _Node]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.choices = self.comparison.scenario.choices
        self.group = {letter: g for g, letters in enumerate(self.choices) for letter in letters}
        self.done = self.comparison.automaton.done
        left, right, unit = self.comparison.start_exact(self.direction)
        key, factor = _reduced(left, right)
        self.unit = unit * factor
        self.layers.append({key: _Node(dict(key[0]), dict(key[1]), 0)})

    def open(self) -> list[_Node]:
        """The prefixes of the last layer that may still show more or less than they do."""
        depth = len(self.layers) - 1
        if depth == self.length:
            return []
        return [node for node in self.layers[-1].values() if self._is_open(node)]

    def _is_open(self, node: _Node) -> bool:
        """Whether its bounds differ, or runs that stop here are to be told from those that go on.

        The empty prefix always is: it is no word that counts.
        """
        gain, loss = self._parts(node)
        stops = not node.depth or (self.done in node.right and not self._ended(node)[0])
        return bool(gain) and bool(loss or stops)

    def expand(self, limits: Limits) -> None:
        """Follow all open prefixes by one letter; raises `Stopped` where a limit comes first."""
        exact, times = self.comparison.automaton.exact, len(self.choices)
        after: dict[_Key, _Node] = {}
        grown: list[tuple[_Node, list[list[tuple[int, _Node, Fraction]]]]] = []
        for node in self.open():
            groups: list[list[tuple[int, _Node, Fraction]]] = [[] for _ in self.choices]
            for letter in sorted(exact.letters_of(node.left.keys() | node.right.keys())):
                (left, right), over = exact.advance((node.left, node.right), letter)
                key, factor = _reduced(left, right)
                if not key[0]:
                    continue
                child = after.get(key)
                if child is None:
                    child = after[key] = _Node(dict(key[0]), dict(key[1]), node.depth + 1)
                groups[self.group[letter]].append((letter, child, Fraction(times * factor, over)))
            grown.append((node, groups))
            held = sum(map(len, self.layers)) + len(after)
            if reason := limits.reached(bytes_=held * _NODE_BYTES):
                raise Stopped(reason)
        for node, groups in grown:
            node.groups = groups
        self.layers.append(after)

    def value(self) -> _Value:
        """What is known of the whole game."""
        values = self.values()
        (root,) = self.layers[0].values()
        found = values[id(root)]
        return _Value(found.left * self.unit, found.right * self.unit, found.upper * self.unit)

    def values(self) -> dict[int, _Value]:
        """Of every node, from the last layer back."""
        found: dict[int, _Value] = {}
        for layer in reversed(self.layers):
            for node in layer.values():
                found[id(node)] = self._value(node, found)
        return found

    def outcomes(self) -> Iterator[tuple[Outcome, Fraction, Fraction]]:
        """The words that exceed the ratio under the best choices found, with their probabilities given the inputs."""
        values = self.values()
        symbols = self.comparison.scenario.model.symbols
        (root,) = self.layers[0].values()
        waiting: list[tuple[_Node, tuple[int, ...], Fraction]] = [(root, (), self.unit)]
        while waiting:
            node, letters, unit = waiting.pop()
            word = tuple(symbols[letter] for letter in letters)
            if node.groups is None:
                yield from self._leaf(node, word, unit)
                continue
            left, right = self._ended(node)
            if left:
                yield Outcome(word, True), left * unit, right * unit
            choice = values[id(node)].choice
            waiting += [(child, (*letters, letter), unit * f) for letter, child, f in node.groups[choice]]

    def _leaf(self, node: _Node, word: Word, unit: Fraction) -> Iterator[tuple[Outcome, Fraction, Fraction]]:
        # A prefix that goes on and exceeds the ratio has no runs that stop and do not, or it would have been followed.
        ended = self._ended(node)
        left, right = self._chosen(node)
        if left:
            yield Outcome(word, False), (left + ended[0]) * unit, (right + ended[1]) * unit
        elif ended[0]:
            yield Outcome(word, True), ended[0] * unit, ended[1] * unit

    def _value(self, node: _Node, known: dict[int, _Value]) -> _Value:
        left, right = map(Fraction, self._ended(node))
        base = left - self.ratio * right
        if node.groups is None:
            more_left, more_right = self._chosen(node)
            gain, loss = self._parts(node)
            closed = node.depth == self.length or not gain or not loss
            upper = base + (max(Fraction(0), gain - loss) if closed else self._most(node))
            return _Value(left + more_left, right + more_right, upper)
        best = _Value(Fraction(0), Fraction(0), Fraction(0), 0)
        highest = Fraction(0)
        for g, children in enumerate(node.groups):
            parts = [(known[id(child)], f) for _, child, f in children]
            one = _Value(
                sum((v.left * f for v, f in parts), Fraction(0)),
                sum((v.right * f for v, f in parts), Fraction(0)),
                sum((v.upper * f for v, f in parts), Fraction(0)),
                g,
            )
            highest = max(highest, one.upper)
            if one.left - self.ratio * one.right > best.left - self.ratio * best.right:
                best = one
        return _Value(left + best.left, right + best.right, base + highest, best.choice)

    def _most(self, node: _Node) -> Fraction:
        """An upper bound of what goes on: the positive differences of the states that answer one pair of inputs.

        A state answers the pairs of the letters that it emits. All pairs have the same share of a row, but not of its
        positive differences.
        """
        emit = self.comparison.scenario.model.emit
        left, right = self._rest(node)
        most = [Fraction(0)] * len(self.choices)
        for i, x in left.items():
            if (d := x - self.ratio * right.get(i, 0)) > 0:
                scale, letters = emit.integer_row(i)
                for letter, p in letters:
                    most[self.group[letter]] += d * Fraction(p, scale)
        return len(self.choices) * max(most)

    def _ended(self, node: _Node) -> tuple[int, int]:
        """Runs that stop here, where they count apart and exceed the ratio."""
        if not node.depth or node.depth == self.length:
            return 0, 0
        left, right = node.left.get(self.done, 0), node.right.get(self.done, 0)
        return (left, right) if left > self.ratio * right else (0, 0)

    def _rest(self, node: _Node) -> tuple[dict[int, int], dict[int, int]]:
        """The rows without the runs that count apart."""
        if not node.depth or node.depth == self.length:
            return node.left, node.right
        return tuple({i: x for i, x in row.items() if i != self.done} for row in (node.left, node.right))  # type: ignore[return-value]

    def _chosen(self, node: _Node) -> tuple[int, int]:
        """All that goes on, where it exceeds the ratio together."""
        left, right = (sum(row.values()) for row in self._rest(node))
        return (left, right) if left > self.ratio * right else (0, 0)

    def _parts(self, node: _Node) -> tuple[Fraction, Fraction]:
        left, right = self._rest(node)
        differences = [left.get(i, 0) - self.ratio * right.get(i, 0) for i in left.keys() | right.keys()]
        gain = sum((d for d in differences if d > 0), Fraction(0))
        return gain, gain - sum(differences, Fraction(0))


def stream_excess(
    comparison: Comparison,
    direction: int,
    ratio: Fraction,
    limits: Limits,
    *,
    threshold: Fraction | None,
    tolerance: Fraction,
    longest: int | None,
) -> Excess:
    """`excess` for a stream: probabilities are given the inputs, of which the worst are chosen answer by answer."""
    game = Adversary(comparison, direction, ratio, comparison.length)
    reason: str | None = None
    while True:
        depth = len(game.layers) - 1
        value = game.value()
        found = Excess(direction, ratio, value.left, value.right, value.upper, depth, reason)
        if reason is not None or depth == longest or found.upper - found.lower <= tolerance or not game.open():
            return found
        if threshold is not None and found.decides(threshold):
            return found
        try:
            if why := limits.reached() or too_long(comparison, depth):
                raise Stopped(why)
            game.expand(limits)
        except (Stopped, KeyboardInterrupt) as stop:
            reason = str(stop) or "interrupted"


def _reduced(left: dict[int, int], right: dict[int, int]) -> tuple[_Key, int]:
    common = math.gcd(*left.values(), *right.values()) or 1
    rows: Sequence[_Row] = [tuple(sorted((i, x // common) for i, x in row.items())) for row in (left, right)]
    return (rows[0], rows[1]), common
