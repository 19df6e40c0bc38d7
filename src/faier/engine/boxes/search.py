"""One search over prefixes and boxes: it proves a ratio for all words and all values, or finds where it breaks. [T9]

A node is a prefix, in one direction, on a box of the parameters. It is closed by a rule on coefficients, or its
word goes on, or its box is cut in halves: whichever promises more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import inf
from typing import Any, TypeAlias

import numpy as np

from faier.engine.progress import Limits
from faier.errors import NumberError
from faier.number.bernstein import Box, Exact, as_floats, coefficients, degrees_of
from faier.number.domain import Domain, Point
from faier.number.exact import Extended, Prob
from faier.number.positivity import Negative, Oracle, Sign, Undecided, prove
from faier.number.signs import sign_on_hull
from faier.trace import Boxes, BoxStep

from .subsume import Covers
from .symbolic import Row, Symbolic

_FEW_WORDS = 64
MOST_NODES = 100_000
INTERRUPTED = "interrupted"
_SECONDS_FOR_BOUNDS = 2.0


@dataclass(frozen=True)
class Broken:
    """At these values of the variables this reading breaks the ratio, exactly."""

    point: Point
    direction: int
    letters: tuple[int, ...]
    ended: bool


@dataclass(frozen=True)
class Open:
    """A limit was reached: `upper` bounds the ratio of everything.

    `touches` says that all is proved but for polynomials that touch 0, or nearly.
    """

    reason: str
    upper: Extended
    touches: bool = False


Result: TypeAlias = Boxes | Broken | Open


@dataclass(eq=False)
class Prefix:
    """What does not depend on the box: the rows after a word, and how far they are from the ratio."""

    direction: int
    letters: tuple[int, ...]
    row: Row
    symbolic: Symbolic
    ratio: tuple[Any, Any]

    def gap(self, left: Any, right: Any) -> Any:
        """ratio * right - left, its denominator cleared."""
        top, bottom = self.ratio
        return right * top - left * bottom

    @cached_property
    def gaps(self) -> list[Any]:
        return [gap for left, right in self.row.values() if (gap := self.gap(left, right)) != 0]

    @cached_property
    def prefix_gap(self) -> Any:
        return self.gap(*self.symbolic.prefix(self.row))

    @cached_property
    def ended_gap(self) -> Any:
        return self.gap(*self.symbolic.ended(self.row))


@dataclass(eq=False)
class Node:
    """A prefix on a box; `step` will be the number of its step, `weight` is its part of all that is to be decided."""

    prefix: Prefix
    box: Box
    place: tuple[str, tuple[Any, ...]]
    halvings: int = 0
    step: int = -1
    weight: float = 1.0

    @property
    def length(self) -> int:
        return len(self.prefix.letters)


@dataclass
class _Steps:
    """The steps so far; a child's place names the number of its parent."""

    items: list[BoxStep] = field(default_factory=list)
    rests_on: list[str] = field(default_factory=list)

    def add(self, rule: str, place: tuple[str, tuple[Any, ...]], **fields: Any) -> int:
        self.items.append(BoxStep(rule, place, fields))
        return len(self.items) - 1

    def add_sign(self, domain: Domain, sign: Sign, place: tuple[str, tuple[Any, ...]]) -> None:
        """A proof about a polynomial, step by step."""
        waiting = [(sign, place)]
        while waiting:
            at, where = waiting.pop()
            # A square's root is a polynomial, and is written in the names of the variables.
            written = {k: domain.function(v, domain.one) if k == "root" else v for k, v in at.fields.items()}
            number = self.add(at.rule, where, **written)
            if at.rule == "solver":
                self.rests_on.append(at.fields["solver"])
            kind = "half" if at.rule == "split" else "part"
            keys = at.keys or range(len(at.children))
            waiting += [
                (child, (kind, (number, k))) for k, child in zip(keys, at.children, strict=True)
            ][::-1]


class Search:
    """Proves left <= ratio * right for every counted word and all values, or says where that fails."""

    def __init__(
        self,
        symbolic: Symbolic,
        ratio: Prob,
        limits: Limits,
        *,
        oracle: Oracle | None = None,
        most_nodes: int = MOST_NODES,
    ):
        self.symbolic, self.ratio, self.limits, self.oracle = symbolic, ratio, limits, oracle
        self.most_nodes = most_nodes
        top, bottom = symbolic.domain.lift(ratio)
        factor = sign_on_hull(symbolic.domain, bottom) or bottom
        self._ratio = top * factor, bottom * factor
        self._prefixes: dict[tuple[int, tuple[int, ...]], Prefix] = {}
        self.steps = _Steps()
        self.nodes = 0
        self.covers = Covers(symbolic)
        self.undecided: list[tuple[Node, str]] = []
        self.share = 0.0

    def run(self) -> Result:
        """Close every node, breadth first, so that short words come first."""
        waiting: deque[Node] = deque()
        try:
            return self._run(waiting)
        except KeyboardInterrupt:
            return Open(INTERRUPTED, self._upper([*waiting, *(n for n, _ in self.undecided)]) if waiting else inf)

    def _run(self, waiting: deque[Node]) -> Result:
        for k, direction in enumerate(self.symbolic.directions):
            prefix = Prefix(k, (), self.symbolic.start(direction), self.symbolic, self._ratio)
            self._prefixes[k, ()] = prefix
            waiting.append(
                Node(prefix, self.symbolic.domain.hull, ("root", (direction.pair, direction.forward)))
            )
        for node in waiting:
            node.weight = 1.0 / len(waiting)
        while waiting:
            reason = self.limits.reached(self.nodes)
            if reason is None and self.nodes >= self.most_nodes:
                reason = f"the limit of {self.most_nodes:,} prefixes on boxes was reached"
            if reason is not None:
                return Open(reason, self._upper([*waiting, *(n for n, _ in self.undecided)]))
            node = waiting[0]
            self.nodes += 1
            try:
                found = self._close(node)
            except NumberError as error:
                return Open(str(error), self._upper([*waiting, *(n for n, _ in self.undecided)]))
            if isinstance(found, Broken):
                return found
            # In this order, so that all that is open is among them whenever somebody interrupts.
            waiting.extend(found)
            waiting.popleft()
            for child in found:
                child.weight = node.weight / len(found)
            if not found and not (self.undecided and self.undecided[-1][0] is node):
                self.share += node.weight
            self.limits.tell(self.nodes, len(waiting), node.length, None, None, self.share)
        if self.undecided:
            node, why = self.undecided[0]
            return Open(why, self._upper([n for n, _ in self.undecided]), touches=True)
        domain = self.symbolic.domain
        variables = [(n, lo, hi) for n, (lo, hi) in zip(domain.names, domain.hull, strict=True)]
        return Boxes(self.ratio, variables, self.steps.items, tuple(dict.fromkeys(self.steps.rests_on)))

    def _close(self, node: Node) -> Broken | list[Node]:
        """Apply a rule; the nodes that it leaves."""
        symbolic, prefix = self.symbolic, node.prefix
        if symbolic.domain.cuts and (cut := symbolic.domain.misses(node.box)) is not None:
            self.steps.add("outside", node.place, cut=cut)
            return []
        if node.length == symbolic.length:
            node.step = self.steps.add("end", node.place)
            return self._readings(node, prefix_counts=True, ended_counts=False) or []
        tensors = self._up_to_a_negative(node)
        if len(tensors) == len(prefix.gaps) and (not tensors or np.all(tensors[-1] >= 0)):
            self.steps.add("dominate", node.place)
            return []
        if not symbolic.both and (cover := self.covers.find(prefix, node)) is not None:
            self.steps.add("subsume", node.place, by=cover.step, scale=cover.scale)
            return []
        axis = self._axis_to_halve(node, tensors)
        if axis is not None:
            return self._halve(node, axis)
        return self._expand(node)

    def _up_to_a_negative(self, node: Node) -> list[Exact]:
        """The coefficients of the rows' differences, state by state, up to the first that has a negative one."""
        tensors: list[Exact] = []
        for gap in node.prefix.gaps:
            tensors.append(self.symbolic.domain.tensor(gap, node.box))
            if not np.all(tensors[-1] >= 0):
                break
        return tensors

    def _expand(self, node: Node) -> Broken | list[Node]:
        symbolic = self.symbolic
        node.step = self.steps.add("expand", node.place)
        root, both, at_any = node.length == 0, symbolic.both, symbolic.length is None
        prefix_counts = not both or (at_any and not root)
        broken = self._readings(node, prefix_counts=prefix_counts, ended_counts=not root)
        if broken is not None:
            return broken
        self.covers.add(node.prefix, node)
        children: list[Node] = []
        for letter in range(symbolic.letters):
            after = self._after(node.prefix, letter)
            left, right = symbolic.prefix(after.row)
            if left == 0 or (both and right == 0):
                continue
            children.append(
                Node(after, node.box, ("after", (node.step, letter)), node.halvings)
            )
        return children

    def _after(self, prefix: Prefix, letter: int) -> Prefix:
        key = prefix.direction, (*prefix.letters, letter)
        if (found := self._prefixes.get(key)) is None:
            row = self.symbolic.after(prefix.row, letter)
            found = self._prefixes[key] = Prefix(*key, row, self.symbolic, self._ratio)
        return found

    def _readings(self, node: Node, *, prefix_counts: bool, ended_counts: bool) -> Broken | None:
        """Check the readings of a node that count; what coefficients cannot tell gets a proof of its own."""
        symbolic, prefix = self.symbolic, node.prefix
        for name, counts, gap, sides in (
            ("prefix", prefix_counts, prefix.prefix_gap, symbolic.prefix(prefix.row)),
            ("ended", ended_counts, prefix.ended_gap, symbolic.ended(prefix.row)),
        ):
            if not counts or sides[0] == 0 or (symbolic.both and sides[1] == 0):
                continue
            if symbolic.domain.is_nonnegative(gap, node.box):
                continue
            answer = prove(symbolic.domain, gap, node.box, oracle=self.oracle, stop=self._patience())
            match answer:
                case Sign():
                    self.steps.add_sign(symbolic.domain, answer, ("reading", (node.step, name)))
                case Negative(point=point):
                    return Broken(point, prefix.direction, prefix.letters, name == "ended")
                case Undecided(reason=reason):
                    self.undecided.append((node, reason))
        return None

    def _patience(self) -> Callable[[], bool]:
        """When a proof about a polynomial has to end: where solvers can help, half of the time left is theirs."""
        limits = self.limits
        if self.oracle is None or limits.seconds is None:
            return lambda: limits.reached() is not None
        until = (limits.elapsed + limits.seconds) / 2
        return lambda: limits.elapsed >= until or limits.reached() is not None

    def _halve(self, node: Node, axis: int) -> list[Node]:
        lo, hi = node.box[axis]
        at = (lo + hi) / 2
        node.step = self.steps.add("split", node.place, variable=axis, at=at)
        return [
            Node(
                node.prefix,
                (*node.box[:axis], side, *node.box[axis + 1 :]),
                ("half", (node.step, k)),
                node.halvings + 1,
            )
            for k, side in enumerate(((lo, at), (at, hi)))
        ]

    def _axis_to_halve(self, node: Node, first: Sequence[Exact]) -> int | None:
        """The axis along which to cut, or None where the word had better go on. The `first` tensors are known.

        Where the rows are dominated at every corner, smaller boxes will show it. Where they are not, smaller boxes
        do not help at that corner, and longer words do at all of them; a box is cut there now and then all the
        same, as words that matter at one end of a range may not matter at the other.
        """
        symbolic = self.symbolic
        if symbolic.length is not None and symbolic.letters ** (symbolic.length - node.length) <= _FEW_WORDS:
            return None
        rest = node.prefix.gaps[len(first) :]
        tensors = [*first, *(symbolic.domain.tensor(gap, node.box) for gap in rest)]
        free = [i for i in symbolic.domain.free if any(t.shape[i] > 1 for t in tensors)]
        if not free or len(free) > 8:
            return None
        corners = list(product(*((0, -1) if i in free else (0,) for i in range(len(node.box)))))
        dominated = sum(all(t[corner] >= 0 for t in tensors) for corner in corners)
        if dominated == len(corners):
            return self._widest(tensors, free)
        if dominated and node.halvings < len(free) * (1 + node.length // 8):
            return self._widest(tensors, free)
        return None

    def _widest(self, tensors: Sequence[Exact], free: Sequence[int]) -> int:
        spread = dict.fromkeys(free, 0.0)
        for tensor in tensors:
            floats = as_floats(tensor)
            largest = float(np.abs(floats).max()) or 1.0
            for i in free:
                if floats.shape[i] > 1:
                    steps = np.abs(np.diff(floats, axis=i)).max() * (floats.shape[i] - 1)
                    spread[i] = max(spread[i], float(steps) / largest)
        return max(free, key=lambda i: spread[i])

    def _upper(self, nodes: Sequence[Node]) -> Extended:
        """A bound on the ratio of all that starts with these nodes, and of all that is closed."""
        if not isinstance(self.ratio, Fraction):
            return inf
        highest: Extended = self.ratio
        brief = Limits(_SECONDS_FOR_BOUNDS)
        for node in nodes[:5000]:
            if brief.reached() is not None:
                return inf
            try:
                highest = max(highest, bound(node.prefix.row, node.box))
            except NumberError:
                return inf
            if highest == inf:
                break
        return inf if len(nodes) > 5000 else highest


def bound(row: Row, box: Box) -> Extended:
    """The largest ratio of coefficients in any state: no word from here on exceeds it anywhere on the box."""
    highest: Extended = Fraction(0)
    for left, right in row.values():
        if left == 0:
            continue
        degrees = degrees_of([left, right])
        above, below = (t.ravel().tolist() for t in coefficients([left, right], box, degrees))
        for a, b in zip(above, below, strict=True):
            if b < 0 or (b == 0 and a > 0):
                return inf
            if b > 0 and a > 0 and (highest == inf or a > highest * b):
                highest = Fraction(a, b)
    return highest
