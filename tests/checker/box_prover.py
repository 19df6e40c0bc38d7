"""Random models with parameters, their definition at points, and a naive prover that cuts boxes in halves.

Nothing of the checker is used: polynomials are dictionaries of exponents to fractions, and their signs on a box come
from interval arithmetic and from the values at corners.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from checker_cases import after, claim, holds, root, toml
from checker_models import Spec, keeps

Json = dict[str, Any]
Poly = dict[tuple[int, ...], Fraction]
Box = tuple[tuple[Fraction, Fraction], ...]
NAMES = ("p", "q")


def constant(value: Fraction | int, count: int) -> Poly:
    return {(0,) * count: Fraction(value)} if value else {}


def add(a: Poly, b: Poly, factor: Fraction | int = 1) -> Poly:
    result = dict(a)
    for e, c in b.items():
        result[e] = result.get(e, Fraction(0)) + c * factor
    return {e: c for e, c in result.items() if c}


def times(a: Poly, b: Poly) -> Poly:
    result: Poly = {}
    for e, c in a.items():
        for f, d in b.items():
            g = tuple(x + y for x, y in zip(e, f, strict=True))
            result[g] = result.get(g, Fraction(0)) + c * d
    return {e: c for e, c in result.items() if c}


def value(p: Poly, point: Sequence[Fraction]) -> Fraction:
    total = Fraction(0)
    for e, c in p.items():
        for v, n in zip(point, e, strict=True):
            c *= v**n
        total += c
    return total


def text(p: Poly) -> str:
    terms = [
        "*".join([f"({c})", *(f"{n}^{k}" for n, k in zip(NAMES, e, strict=False) if k)]) for e, c in p.items()
    ]
    return "+".join(terms) or "0"


@dataclass(frozen=True)
class PolySpec:
    """Like `Spec`, with polynomials for numbers; every number is a probability on the unit box."""

    count: int
    emit: tuple[tuple[Poly, ...], ...]
    step: tuple[tuple[Poly, ...] | None, ...]
    pairs: tuple[tuple[tuple[Poly, ...], tuple[Poly, ...], bool], ...]

    def toml(self) -> bytes:
        def row(values: Sequence[Poly], letter: str) -> dict[str, str]:
            return {f"{letter}{i}": text(v) for i, v in enumerate(values)}

        model = toml(
            {f"s{i}": row(r, "a") for i, r in enumerate(self.emit)},
            {f"s{i}": row(r, "s") for i, r in enumerate(self.step) if r is not None},
            {f"b{i}{j}": row(pair[j], "s") for i, pair in enumerate(self.pairs) for j in (0, 1)},
            [(f"b{i}0", f"b{i}1", pair[2]) for i, pair in enumerate(self.pairs)],
        )
        lines = "".join(f'{name} = "0 <= {name} <= 1"\n' for name in NAMES[: self.count])
        return model.replace(b"faier = 1\n", b"faier = 1\n[parameters]\n" + lines.encode(), 1)

    def at(self, point: Sequence[Fraction]) -> Spec:
        def row(values: Sequence[Poly]) -> tuple[Fraction, ...]:
            return tuple(value(v, point) for v in values)

        return Spec(
            tuple(map(row, self.emit)),
            tuple(None if r is None else row(r) for r in self.step),
            tuple((row(a), row(b), one) for a, b, one in self.pairs),
        )

    @property
    def directions(self) -> list[tuple[int, bool]]:
        return [
            (i, f) for i, (_, _, one) in enumerate(self.pairs) for f in ((True,) if one else (True, False))
        ]

    def keeps(self, ratio: Fraction, horizon: int | None, both: bool) -> bool:
        """Whether the claim holds on a grid of points."""
        grid = [Fraction(k, 6) for k in range(7)]
        return all(
            keeps(self.at(point), ratio, horizon, both)
            for point in itertools.product(grid, repeat=self.count)
        )


def some_poly_spec(random: Random) -> PolySpec:
    """Rows are mixtures of constant rows: f * one + (1 - f) * another, with f between 0 and 1 on the unit box."""
    count, states, symbols = random.randint(1, 2), random.randint(1, 2), random.randint(1, 2)
    units = [{tuple(int(i == j) for j in range(count)): Fraction(1)} for i in range(count)]

    def share() -> Poly:
        found = constant(1, count)
        for _ in range(random.choice([0, 1, 1, 2])):
            unit = random.choice(units)
            found = times(found, unit if random.random() < 0.5 else add(constant(1, count), unit, -1))
        return (
            found
            if random.random() < 0.7
            else times(found, constant(Fraction(1, random.randint(2, 3)), count))
        )

    def plain(width: int) -> list[Fraction]:
        weights = [random.choice([0, 1, 1, 2]) for _ in range(width)]
        weights[random.randrange(width)] += 1
        return [Fraction(w, sum(weights)) for w in weights]

    def row(width: int) -> tuple[Poly, ...]:
        one, other = plain(width), plain(width)
        if random.random() < 0.4:
            return tuple(constant(x, count) for x in one)
        f = share()
        rest = add(constant(1, count), f, -1)
        return tuple(
            add(times(f, constant(x, count)), times(rest, constant(y, count)))
            for x, y in zip(one, other, strict=True)
        )

    emit = tuple(row(symbols) for _ in range(states))
    step = tuple(row(states) if random.random() < 0.7 else None for _ in range(states))
    if random.random() < 0.4:
        # Nothing is learnt, or next to nothing, so that rows come back up to a factor.
        emit = (emit[0],) * states if random.random() < 0.7 else emit
        step = tuple(tuple(constant(int(i == j), count) for j in range(states)) for i in range(states))
    pairs = tuple((row(states), row(states), random.random() < 0.6) for _ in range(random.choice([1, 1, 2])))
    return PolySpec(count, emit, step, pairs)


def bernstein_is_not_negative(p: Poly, box: Box) -> bool:
    """By the definition, with fractions: expand around the lower corner, then average."""
    import math

    count = len(box)
    degrees = [max([e[i] for e in p], default=0) for i in range(count)]
    local: Poly = {}
    for e, c in p.items():
        term = constant(c, count)
        for i, (low, high) in enumerate(box):
            line = add(
                constant(low, count), {tuple(int(i == j) for j in range(count)): Fraction(1)}, high - low
            )
            for _ in range(e[i]):
                term = times(term, line)
        local = add(local, term)
    for place in itertools.product(*(range(n + 1) for n in degrees)):
        total = Fraction(0)
        for e, c in local.items():
            if all(k <= j for k, j in zip(e, place, strict=True)):
                weight = Fraction(1)
                for k, j, n in zip(e, place, degrees, strict=True):
                    weight *= Fraction(math.comb(j, k), math.comb(n, k))
                total += c * weight
        if total < 0:
            return False
    return True


@dataclass
class Node:
    where: Json
    prefix: tuple[int, ...]
    box: Box
    left: dict[int, Poly]
    right: dict[int, Poly]
    depth: int
    pair: int
    step: Json | None = None


@dataclass
class BoxProver:
    """Writes certificates: honest, or careless about every condition that is not a comparison of rows."""

    spec: PolySpec
    horizon: int | None
    both: bool
    ratio: Fraction
    random: Random
    careless: bool
    most: int = 60
    deepest: int = 3

    def certificate(self) -> Json | None:
        unit = tuple((Fraction(0), Fraction(1)) for _ in range(self.spec.count))
        nodes: list[Node] = []
        for pair, forward in self.spec.directions:
            left, right, _ = self.spec.pairs[pair]
            sides = (left, right) if forward else (right, left)
            rows = [{i: p for i, p in enumerate(side) if p} for side in sides]
            nodes.append(Node(root("", pair, forward), (), unit, rows[0], rows[1], 0, pair))
        at = 0
        while at < len(nodes):
            node = nodes[at]
            if not self.close(at, node, nodes):
                return None
            if len(nodes) > self.most:
                return None
            at += 1
        steps = [node.step for node in nodes if node.step is not None]
        variables = [[name, "0", "1"] for name in NAMES[: self.spec.count]]
        proof = {"rule": "boxes", "ratio": str(self.ratio), "variables": variables, "steps": steps}
        stated = claim(str(self.ratio), self.horizon or "any", "both" if self.both else "either")
        return holds(self.spec.toml(), stated, proof)

    def close(self, number: int, node: Node, nodes: list[Node]) -> bool:
        if len(node.prefix) == self.horizon and self.shown(self.reading(node, "prefix"), node.box):
            node.step = {**node.where, "rule": "end"}
            return True
        states = {*node.left, *node.right}
        hesitant = self.random.random() < 0.4
        if not hesitant and all(
            self.shown(self.gap(node.left.get(i, {}), node.right.get(i, {})), node.box) for i in states
        ):
            node.step = {**node.where, "rule": "dominate"}
            return True
        if (self.careless or not self.both) and self.random.random() < 0.8 and self.subsume(node, nodes):
            return True
        longest = self.deepest if self.horizon is None else self.horizon
        if len(node.prefix) < longest and (
            self.random.random() < 0.6 or (self.careless and self.random.random() < 0.5)
        ):
            names = [] if self.both and not node.prefix else ["prefix", "ended"]
            if self.both and self.horizon is not None:
                names = ["ended"] if node.prefix else []
            if self.careless or all(self.shown(self.reading(node, name), node.box) for name in names):
                node.step = {**node.where, "rule": "expand"}
                nodes += self.children(number, node)
                return True
        if node.depth < 3:
            i = self.random.randrange(self.spec.count)
            low, high = node.box[i]
            middle = (low + high) / 2
            node.step = {**node.where, "rule": "split", "variable": i, "at": str(middle)}
            for k, half in enumerate(((low, middle), (middle, high))):
                box = (*node.box[:i], half, *node.box[i + 1 :])
                place = {"half": [number, k]}
                nodes.append(Node(place, node.prefix, box, node.left, node.right, node.depth + 1, node.pair))
            return True
        return False

    def subsume(self, node: Node, nodes: Sequence[Node]) -> bool:
        for number, other in enumerate(nodes):
            if other.step is None or other.step["rule"] != "expand":
                continue
            inside = all(a <= c and d <= b for (a, b), (c, d) in zip(other.box, node.box, strict=True))
            long_enough = self.horizon is None or len(other.prefix) <= len(node.prefix)
            same_pair = node.pair == other.pair
            if not self.careless and not (inside and long_enough and same_pair):
                continue
            for scale in (self.guess(node, other), Fraction(1), Fraction(1, 2)):
                if all(
                    self.shown(add(self.times(scale, other.left.get(i, {})), p, -1), node.box)
                    for i, p in node.left.items()
                ) and all(
                    self.shown(add(node.right.get(i, {}), p, -scale), node.box)
                    for i, p in other.right.items()
                ):
                    node.step = {**node.where, "rule": "subsume", "by": number, "scale": str(scale)}
                    return True
        return False

    def guess(self, node: Node, other: Node) -> Fraction:
        """What the left rows differ by in the middle of the box."""
        middle = [(low + high) / 2 for low, high in node.box]
        one, two = (sum((value(p, middle) for p in n.left.values()), Fraction(0)) for n in (node, other))
        return one / two if one and two else Fraction(1)

    def times(self, scale: Fraction, p: Poly) -> Poly:
        return {e: c * scale for e, c in p.items()}

    def children(self, number: int, node: Node) -> list[Node]:
        found: list[Node] = []
        for symbol in range(len(self.spec.emit[0])):
            left, right = (self.follow(row, symbol) for row in (node.left, node.right))
            if not left or (not right and (self.both or self.careless)):
                continue
            found.append(
                Node(
                    after(number, symbol, ""),
                    (*node.prefix, symbol),
                    node.box,
                    left,
                    right,
                    node.depth,
                    node.pair,
                )
            )
        return found

    def follow(self, row: dict[int, Poly], symbol: int) -> dict[int, Poly]:
        result: dict[int, Poly] = {}
        done = len(self.spec.emit)
        for i, p in row.items():
            if i == done:
                continue
            weight = times(p, self.spec.emit[i][symbol])
            step = self.spec.step[i]
            for j, q in [(done, constant(1, self.spec.count))] if step is None else enumerate(step):
                result[j] = add(result.get(j, {}), times(weight, q))
        return {j: p for j, p in result.items() if p}

    def reading(self, node: Node, name: str) -> Poly:
        done = len(self.spec.emit)
        left, right = (
            self.sum(row.values()) if name == "prefix" else row.get(done, {})
            for row in (node.left, node.right)
        )
        if not left or (self.both and not right):
            return {}
        return self.gap(left, right)

    def sum(self, polynomials: Iterator[Poly] | Any) -> Poly:
        total: Poly = {}
        for p in polynomials:
            total = add(total, p)
        return total

    def gap(self, left: Poly, right: Poly) -> Poly:
        return add({e: c * self.ratio for e, c in right.items()}, left, -1)

    def shown(self, p: Poly, box: Box) -> bool:
        return bernstein_is_not_negative(p, box)
