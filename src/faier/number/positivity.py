"""Proving that a polynomial is nowhere negative on a box, or finding where it is. [T9]

Coefficients in the Bernstein basis decide most boxes; the others are cut in halves. Floats pre-filter under a
proven bound on their errors, exact integers decide. Where a polynomial touches 0 inside a box or a face, halving
alone never ends; squares, faces and sectors close such boxes exactly, and products, parabolas and cuts whole ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from .bernstein import Box, Floats, as_floats, coefficients, degrees_of, halves, is_nonnegative
from .domain import Domain, Point, evaluate
from .identities import factors_of, less, multipliers, parabola
from .touching import divided_face, exact_zero, sector, square_root_of

MOST_BOXES = 20_000
_MOST_ALONG_CUTS = 4_000
_STUCK = 8
_MOST_HALVINGS = 44
_MOST_VAIN_MOVES = 120
_PATIENCE = 150
_DEEPEST = 4
_FEW_BOXES = 600


@dataclass(frozen=True)
class Sign:
    """One step of a proof that a polynomial is >= 0 on a box, named as in the certificate.

    `keys` says which parts the children are, where these are not just numbered.
    """

    rule: str
    fields: dict[str, Any] = field(default_factory=dict)
    children: tuple[Sign, ...] = ()
    keys: tuple[int, ...] = ()


@dataclass(frozen=True)
class Negative:
    """The variables may have these values, and the polynomial is negative there."""

    point: Point


@dataclass(frozen=True)
class Undecided:
    """What is left: neither proved nor refuted within the limits."""

    boxes: tuple[Box, ...]
    reason: str


Answer: TypeAlias = Sign | Negative | Undecided
Oracle: TypeAlias = Callable[[Any, Box], "Answer"]
"""Asks a solver: is the polynomial negative somewhere in the box?"""


def prove(
    domain: Domain,
    polynomial: Any,
    box: Box | None = None,
    *,
    oracle: Oracle | None = None,
    stop: Callable[[], bool] = lambda: False,
    most_boxes: int = MOST_BOXES,
    identities: int = _DEEPEST,
) -> Answer:
    """Decide whether a polynomial is >= 0 wherever the variables may be in a box (default: the hull).

    `identities` is how many of them may be nested.
    """
    box = domain.hull if box is None else box
    if domain.is_nonnegative(polynomial, box):
        return Sign("coefficients")
    if (cut := domain.misses(box)) is not None:
        return Sign("outside", {"cut": cut})
    if domain.sign_of_number(polynomial) is not None:
        point = domain.inside([lo for lo, _ in box], box, polynomial)
        return Undecided((box,), "no value that counts was found") if point is None else Negative(point)
    square, rest = square_root_of(polynomial)
    if square is not None:
        answer = prove(domain, rest, box, oracle=oracle, stop=stop, most_boxes=most_boxes, identities=identities)
        match answer:
            case Sign():
                return Sign("squares", {"root": square}, (answer,))
            case Negative(point=point) if domain.sign_at(polynomial, point) >= 0:
                # The factor is 0 just there; somewhere near it is not.
                moved = _nearby(domain, polynomial, point, box)
                return Negative(moved) if moved is not None else Undecided((box,), "a factor vanishes there")
        return answer
    if oracle is not None and domain.cuts:
        # The boxes that a cut goes through are many, and none of them gets any easier.
        most_boxes = min(most_boxes, _MOST_ALONG_CUTS)
    search = _Search(domain, polynomial, box, stop, most_boxes, identities=identities)
    answer = search.run()
    if isinstance(answer, Undecided) and not stop() and (zeros := search.zeros()):
        # Halving from the start again, first at the points where the polynomial touches 0.
        again = _Search(domain, polynomial, box, stop, most_boxes, zeros, identities=identities)
        second = again.run()
        if not isinstance(second, Undecided):
            return second
        search, answer = again, second
    if isinstance(answer, Undecided) and oracle is not None:
        # It knows itself how much time is left.
        return search.ask(oracle)
    return answer


def _nearby(domain: Domain, polynomial: Any, point: Point, box: Box) -> Point | None:
    for k in range(4, 60):
        for signs in product((-1, 1), repeat=len(point)):
            moved = tuple(
                v + s * (hi - lo) * Fraction(1, 2**k) * Fraction(i + 2, i + 3)
                for i, (v, s, (lo, hi)) in enumerate(zip(point, signs, box, strict=False))
            )
            if domain.holds(moved) and domain.sign_at(polynomial, moved) < 0:
                return moved
    return None


@dataclass
class _Node:
    """A box of the subdivision. Closed by `sign`, or halved, or open."""

    box: Box
    depth: int
    sign: Sign | None = None
    halved: tuple[int, Fraction, _Node, _Node] | None = None

    def proof(self) -> Sign:
        """Guarantee: only called where everything is closed."""
        if self.sign is not None:
            return self.sign
        assert self.halved is not None
        axis, at, lower, upper = self.halved
        return Sign("split", {"variable": axis, "at": at}, (lower.proof(), upper.proof()))


class _Search:
    """Breadth first over the boxes: those of one depth are looked at together."""

    def __init__(
        self,
        domain: Domain,
        polynomial: Any,
        box: Box,
        stop: Callable[[], bool],
        most_boxes: int,
        hints: Sequence[Point] = (),
        identities: int = 0,
    ):
        self.domain, self.polynomial, self.stop, self.most_boxes = domain, polynomial, stop, most_boxes
        self.degrees = degrees_of([polynomial])
        self.axes = [i for i, d in enumerate(self.degrees) if d and i in domain.free]
        self.root = _Node(box, 0)
        self.seen = 1
        self.hints = tuple(hints)
        self.identities = identities
        self.stuck: list[_Node] = []
        self.tries = 0
        self.vain = 0

    def run(self) -> Answer:
        """Look at boxes until all are closed, one breaks, or the limits are reached."""
        active = self._pieces(self.root)
        tensors, margin = self._start(active)
        while active:
            if self.stop():
                self.stuck += active
                return Undecided(tuple(n.box for n in self.stuck), "a limit was reached")
            flat = tensors.reshape(len(active), -1)
            lowest = flat.min(axis=1)
            if (found := self._breaks(active, tensors, margin)) is not None:
                return Negative(found)
            kept: list[int] = []
            for k, node in enumerate(active):
                if lowest[k] > margin or (lowest[k] >= -margin and is_nonnegative(self.polynomial, node.box)):
                    node.sign = Sign("coefficients")
                elif self.domain.cuts and (cut := self.domain.misses(node.box)) is not None:
                    node.sign = Sign("outside", {"cut": cut})
                elif not self._is_time_to_move(node) or not self._moves(node):
                    kept.append(k)
            if not kept:
                break
            depth = active[kept[0]].depth
            if self.identities and (self.seen > _PATIENCE or depth >= _STUCK * len(self.axes)):
                sign = self._by_identity([active[k] for k in kept])
                self.identities = 0
                if sign is not None:
                    self.root.sign = sign
                    return sign
            if depth >= _MOST_HALVINGS * max(1, len(self.axes)) or self.seen > self.most_boxes or not self.axes:
                self.stuck += [active[k] for k in kept]
                break
            if depth >= 3 * _STUCK * len(self.axes) and not self.hints and self.zeros([active[k] for k in kept]):
                self.stuck += [active[k] for k in kept]
                break
            active, tensors, margin = self._halve([active[k] for k in kept], tensors[kept], margin)
        if self.stuck:
            return Undecided(tuple(n.box for n in self.stuck), "the polynomial touches 0, or nearly")
        return self.root.proof()

    def ask(self, oracle: Oracle) -> Answer:
        """What is left goes to a solver: all at once where the pieces are many."""
        few = len(self.stuck) <= 4
        nodes = self.stuck if few else [self.root]
        for node in nodes:
            answer = oracle(self.polynomial, node.box)
            if not isinstance(answer, Sign):
                if isinstance(answer, Undecided) and few:
                    answer = oracle(self.polynomial, self.root.box)
                    if isinstance(answer, Sign):
                        self.root.sign = answer
                        return answer
                return answer
            node.sign = answer
        return self.root.proof()

    def _by_identity(self, nodes: Sequence[_Node]) -> Sign | None:
        """A proof for the whole box at once; the nodes are what halving has left."""
        near = [
            tuple((lo + hi) / 2 for lo, hi in node.box[: len(self.domain.free)])
            for node in nodes[:: max(1, len(nodes) // 8)]
        ]
        return by_identity(self.domain, self.polynomial, self.root.box, near, self.stop, self.identities)

    def zeros(self, nodes: Sequence[_Node] | None = None) -> list[Point]:
        """Simple points in stuck boxes where the polynomial is exactly 0."""
        found: list[Point] = []
        nodes = self.stuck if nodes is None else nodes
        if self.hints or self.domain.root or not nodes:
            return found
        for node in nodes[:: max(1, len(nodes) // 16)]:
            zero = exact_zero(self.polynomial, node.box, self.root.box)
            if zero is not None and zero not in found:
                found.append(zero)
        return found[:8]

    def _pieces(self, root: _Node) -> list[_Node]:
        """The root, or, where points are given, its pieces with these points at their corners."""
        pieces = [root]
        for hint in self.hints:
            for axis in self.axes:
                at = hint[axis]
                for node in list(pieces):
                    lo, hi = node.box[axis]
                    if lo < at < hi:
                        pieces.remove(node)
                        pieces += self._split(node, axis, at)
        for node in pieces:
            node.depth = 0
        return pieces

    def _split(self, node: _Node, axis: int, at: Fraction) -> list[_Node]:
        lo, hi = node.box[axis]
        parts = [
            _Node((*node.box[:axis], side, *node.box[axis + 1 :]), node.depth + 1) for side in ((lo, at), (at, hi))
        ]
        node.halved = (axis, at, parts[0], parts[1])
        self.seen += 1
        return parts

    def _start(self, active: Sequence[_Node]) -> tuple[Floats, float]:
        tensors = []
        for node in active:
            exact = coefficients([self.polynomial], node.box, self.degrees)
            floats = as_floats(exact)[0]
            tensors.append(floats / max(float(np.abs(floats).max()), 1e-300))
        # Each entry was rounded twice, and the largest is 1.
        return np.array(tensors), 2.0**-51

    def _halve(
        self, nodes: Sequence[_Node], tensors: Floats, margin: float
    ) -> tuple[list[_Node], Floats, float]:
        """Cut every box along the axis where its coefficients differ most."""
        spread = np.zeros((len(nodes), len(self.axes)))
        for k, axis in enumerate(self.axes):
            steps = np.abs(np.diff(tensors, axis=axis + 1)).reshape(len(nodes), -1)
            spread[:, k] = steps.max(axis=1) * self.degrees[axis]
        choice = spread.argmax(axis=1)
        children: list[_Node] = []
        parts: list[Floats] = []
        for k, axis in enumerate(self.axes):
            chosen = np.flatnonzero(choice == k)
            if not len(chosen):
                continue
            for matrix in halves(self.degrees[axis]):
                moved = np.moveaxis(tensors[chosen], axis + 1, -1) @ matrix.T
                parts.append(np.moveaxis(moved, -1, axis + 1))
            pairs = [
                self._split(nodes[i], axis, (nodes[i].box[axis][0] + nodes[i].box[axis][1]) / 2)
                for i in chosen.tolist()
            ]
            children += [lower for lower, _ in pairs]
            children += [upper for _, upper in pairs]
        # Averages do not enlarge errors; each sum of degree + 1 products of entries below 1 adds its own.
        return children, np.concatenate(parts), margin + (max(self.degrees) + 3) * 2.0**-52

    def _breaks(self, active: Sequence[_Node], tensors: Floats, margin: float) -> Point | None:
        """A point where the polynomial is negative, near a corner of a box where it is."""
        corners = list(product(*((0, -1) if i in self.axes else (0,) for i in range(len(self.degrees)))))
        best: list[tuple[float, int, tuple[int, ...]]] = []
        shape = tensors.shape[1:]
        for corner in corners:
            values = tensors.reshape(len(active), -1)[:, np.ravel_multi_index(_from_start(corner, shape), shape)]
            k = int(values.argmin())
            if values[k] < 0:
                best.append((float(values[k]), k, corner))
        for value, k, corner in sorted(best)[:4]:
            if value < -margin or self.tries < 64:
                self.tries += value >= -margin
                box = active[k].box
                point = tuple(box[i][1] if c else box[i][0] for i, c in enumerate(corner))
                at = evaluate(self.polynomial, point)
                if isinstance(at, Fraction) and at >= 0:
                    continue
                if (found := self.domain.inside(point, box, self.polynomial)) is not None:
                    return found
        return None

    def _is_time_to_move(self, node: _Node) -> bool:
        """Exact moves cost more than halving; at points where the polynomial is 0 they are tried at once."""
        return bool(node.depth and node.depth % (_STUCK * max(1, len(self.axes))) == 0) or (
            bool(self.hints) and node.depth <= 2
        )

    def _moves(self, node: _Node) -> bool:
        """Close a box on which the polynomial touches 0, if that can be done exactly."""
        if self.vain >= _MOST_VAIN_MOVES or self.stop():
            return False
        sign = close(self.polynomial, node.box, list(self.axes), depth=2)
        if sign is None:
            self.vain += 1
            return False
        node.sign = sign
        return True


def _from_start(corner: Sequence[int], shape: Sequence[int]) -> tuple[int, ...]:
    """-1 as the last place of its axis."""
    return tuple(n - 1 if c else 0 for c, n in zip(corner, shape, strict=True))


def close(polynomial: Any, box: Box, axes: Sequence[int], depth: int) -> Sign | None:
    """A proof without halving: coefficients, squares, faces, sectors; None where they do not do."""
    if is_nonnegative(polynomial, box):
        return Sign("coefficients")
    square, rest = square_root_of(polynomial)
    if square is not None:
        inner = close(rest, box, axes, depth)
        return None if inner is None else Sign("squares", {"root": square}, (inner,))
    if depth == 0:
        return None
    for axis in axes:
        for side in (0, 1):
            parts = divided_face(polynomial, box, axis, side)
            if parts is None:
                continue
            face, inner_part = parts
            on_face = close(face, box, [a for a in axes if a != axis], depth - 1)
            if on_face is None:
                continue
            inside = close(inner_part, box, axes, depth - 1)
            if inside is not None:
                return Sign("face", {"variable": axis, "side": side}, (on_face, inside))
    for axis in axes:
        if (above := parabola(polynomial, axis)) is None:
            continue
        signs = _all_shown(above, lambda part: close(part, box, axes, 0))
        if signs is not None:
            return Sign("parabola", {"variable": axis}, signs)
    for corner in product((0, 1), repeat=len(axes)):
        where = dict(zip(axes, corner, strict=True))
        parts_of = sector(polynomial, box, where)
        if parts_of is None:
            continue
        children: list[Sign] = []
        unit = tuple((Fraction(0), Fraction(1)) if i in where else interval for i, interval in enumerate(box))
        for part in parts_of.values():
            child = close(part, unit, axes, 0) or _halved(part, unit, axes, 4)
            if child is None:
                break
            children.append(child)
        else:
            whole = [where.get(i, 0) for i in range(len(box))]
            return Sign("sector", {"corner": whole}, tuple(children), tuple(parts_of))
    return None


def by_identity(
    domain: Domain, polynomial: Any, box: Box, near: Sequence[Point], stop: Callable[[], bool], nested: int
) -> Sign | None:
    """A proof by factors that keep their signs, by a parabola that lies above 0, or by a multiple of a cut.

    `near` are points close to where the polynomial touches 0.
    """
    probes = [p for p in (*near, *_spread(domain, box)) if domain.holds(p)]

    def shown(part: Any, further: int = nested - 1) -> Sign | None:
        if stop() or any(domain.sign_at(part, p) < 0 for p in probes):
            return None
        answer = prove(domain, part, box, stop=stop, most_boxes=_FEW_BOXES, identities=further)
        return answer if isinstance(answer, Sign) else None

    factors = factors_of(polynomial)
    if len(factors) > 1:
        # Where one of them changes its sign, so does the polynomial, and nothing else will do.
        return _by_factors(domain, polynomial, factors, probes, shown)
    for axis in (i for i, d in enumerate(polynomial.degrees()) if d):
        if (parts := parabola(polynomial, axis)) is None:
            continue
        signs = _all_shown(parts, shown)
        if signs is not None:
            return Sign("parabola", {"variable": axis}, signs)
    if nested == 1:
        return None
    for k, cut in enumerate(domain.cuts):
        for top, bottom in multipliers(polynomial, cut.polynomial, near):
            wanted = [less(polynomial, cut.polynomial, (top, bottom)), top]
            signs = _all_shown(wanted[:1] if cut.relation == "==" else wanted, lambda part: shown(part, 1))
            if signs is not None:
                multiplier = domain.function(top, domain.context.constant(bottom))
                return Sign("given", {"cut": k, "multiplier": multiplier}, signs)
    return None


def _by_factors(
    domain: Domain,
    polynomial: Any,
    factors: Sequence[Any],
    probes: Sequence[Point],
    shown: Callable[[Any], Sign | None],
) -> Sign | None:
    """Each factor with the sign that it has everywhere; the last is what is left of the polynomial."""
    proofs: list[tuple[Any, Sign]] = []
    rest = polynomial
    for factor in factors[:-1]:
        sign = next((s for p in probes if (s := domain.sign_at(factor, p))), 0)
        if not sign or (proof := shown(factor * sign)) is None:
            return None
        proofs.append((factor * sign, proof))
        rest = rest / (factor * sign)
    found = shown(rest)
    for factor, proof in reversed(proofs):
        if found is None:
            return None
        found = Sign("product", {"factor": domain.function(factor, domain.one)}, (proof, found))
    return found


def _all_shown(parts: Sequence[Any], shown: Callable[[Any], Sign | None]) -> tuple[Sign, ...] | None:
    signs: list[Sign] = []
    for part in parts:
        if (sign := shown(part)) is None:
            return None
        signs.append(sign)
    return tuple(signs)


def _spread(domain: Domain, box: Box) -> list[Point]:
    """A few points of a box that are no special ones."""
    sides = box[: len(domain.free)]
    return [
        tuple(lo + (hi - lo) * Fraction(k * (i + 3) % 97 + 1, 99) for i, (lo, hi) in enumerate(sides))
        for k in (16, 53, 71, 95)
    ]


def _halved(polynomial: Any, box: Box, axes: Sequence[int], depth: int) -> Sign | None:
    """A few halvings of a small box, the widest spread first."""
    if is_nonnegative(polynomial, box):
        return Sign("coefficients")
    if depth == 0:
        return None
    tensor = as_floats(coefficients([polynomial], box))[0]
    spreads = [
        (float(np.abs(np.diff(tensor, axis=a)).max()) if tensor.shape[a] > 1 else 0.0, a) for a in axes
    ]
    axis = max(spreads)[1]
    lo, hi = box[axis]
    at = (lo + hi) / 2
    parts = []
    for side in ((lo, at), (at, hi)):
        part = _halved(polynomial, (*box[:axis], side, *box[axis + 1 :]), axes, depth - 1)
        if part is None:
            return None
        parts.append(part)
    return Sign("split", {"variable": axis, "at": at}, tuple(parts))
