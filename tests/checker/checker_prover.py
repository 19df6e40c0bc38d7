"""A naive prover that writes certificates: honest, or careless about every condition but the rows'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from checker_cases import after, claim, holds, root
from checker_models import Spec, follow, rows_after

Json = dict[str, Any]


@dataclass
class Node:
    where: Json
    length: int
    left: Sequence[Fraction]
    right: Sequence[Fraction]
    is_root: bool
    step: Json | None = None


@dataclass
class Prover:
    """Builds a tree for left <= ratio * right; a horizon of None is "any"."""

    spec: Spec
    horizon: int | None
    both: bool
    ratio: Fraction
    random: Random
    careless: bool
    deepest: int = 4
    most: int = 60

    def certificate(self) -> Json | None:
        steps = self.steps()
        if steps is None:
            return None
        precision = self.random.choice([16, 64])
        return self.around({"rule": "tree", "ratio": str(self.ratio), "precision": precision, "steps": steps})

    def around(self, proof: Json) -> Json:
        """The certificate with this proof; a budget cannot be 0."""
        base = str(self.ratio or Fraction(1, 1000))
        claimed = claim(base, self.horizon or "any", "both" if self.both else "either")
        return holds(self.spec.toml(), claimed, proof)

    def steps(self) -> list[Json] | None:
        nodes: list[Node] = []
        for pair, forward in self.spec.directions:
            left, right = (rows_after(self.spec, side, ()) for side in self.spec.sides((pair, forward)))
            nodes.append(Node(root("", pair, forward), 0, left, right, True))
        at = 0
        while at < len(nodes):
            node = nodes[at]
            node.step = self.close(node, nodes)
            if node.step is None:
                limit = self.deepest if self.horizon is None else self.horizon
                if (
                    len(nodes) > self.most
                    or node.length >= limit
                    or not (self.careless or self.readings(node))
                ):
                    return None
                node.step = {**node.where, "rule": "expand"}
                nodes += self.children(at, node)
            if not self.careless or self.random.random() < 0.9:
                node.step["exact"] = True
            at += 1
        if self.careless:
            for node in nodes:
                self.loosen(node, nodes)
        return [node.step for node in nodes if node.step is not None]

    def close(self, node: Node, nodes: Sequence[Node]) -> Json | None:
        """A rule that closes the node without children, if there is one."""
        found: list[Json] = []
        if node.length == self.horizon and self.reading(sum(node.left), sum(node.right)):
            found.append({**node.where, "rule": "end"})
        if self.dominates(node):
            found.append({**node.where, "rule": "dominate"})
        for number, other in enumerate(nodes):
            expanded = other.step is not None and other.step["rule"] == "expand"
            scale = self.scale(node, other)
            if expanded and scale is not None and (self.careless or self.may_subsume(node, other)):
                found.append({**node.where, "rule": "subsume", "by": number, "scale": str(scale)})
        return self.random.choice(found) if found and self.random.random() < 0.8 else None

    def loosen(self, node: Node, nodes: Sequence[Node]) -> None:
        """Let a closed node point at any other step instead, earlier or later."""
        if node.step is None or node.step["rule"] == "expand" or self.random.random() < 0.5:
            return
        choices = list(range(len(nodes)))
        self.random.shuffle(choices)
        for number in choices:
            scale = self.scale(node, nodes[number])
            if scale is not None:
                node.step = {
                    **node.where,
                    "rule": "subsume",
                    "by": number,
                    "scale": str(scale),
                    "exact": True,
                }
                return

    def children(self, number: int, node: Node) -> list[Node]:
        result: list[Node] = []
        for symbol in range(self.spec.symbols):
            left, right = follow(self.spec, node.left, symbol), follow(self.spec, node.right, symbol)
            impossible = not any(left) or (not any(right) and (self.both or self.careless))
            if not impossible or self.random.random() < 0.1:
                result.append(Node(after(number, symbol, ""), node.length + 1, left, right, False))
        return result

    def dominates(self, node: Node) -> bool:
        return all(x <= self.ratio * y for x, y in zip(node.left, node.right, strict=True))

    def reading(self, left: Fraction, right: Fraction) -> bool:
        return left <= self.ratio * right or (self.both and not (left and right))

    def readings(self, node: Node) -> bool:
        if self.both and node.is_root:
            return True
        ended = self.reading(node.left[-1], node.right[-1])
        return ended and (
            (self.both and self.horizon is not None) or self.reading(sum(node.left), sum(node.right))
        )

    def may_subsume(self, node: Node, other: Node) -> bool:
        if self.horizon is not None and (
            other.length > node.length or (self.both and other.length != node.length)
        ):
            return False
        inside = all(bool(y) <= bool(z) for y, z in zip(node.right, other.right, strict=True))
        return not self.both or (inside and not (self.horizon is None and other.is_root and self.ratio < 1))

    def scale(self, node: Node, other: Node) -> Fraction | None:
        """Some s > 0 with left <= s * left of the other and right >= s * right of the other."""
        least, most = Fraction(0), None
        for x, y in zip(node.left, other.left, strict=True):
            if x and not y:
                return None
            least = max(least, x / y) if y else least
        for x, y in zip(node.right, other.right, strict=True):
            if y:
                most = x / y if most is None else min(most, x / y)
        if most is not None and (most < least or most == 0):
            return None
        if most is None:
            return least or Fraction(1)
        return self.random.choice([least or most, most])
