"""The steps of a proof by tree as a forest, and the rows of every step, computed from the model file."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from .certificate import Claim, Step, Tree
from .errors import CertificateError
from .limits import Meter
from .model import Model
from .row import Rounding, Row
from .support import Supports
from .transition import Transition

Side: TypeAlias = int
LEFT: Side = 0
RIGHT: Side = 1


class Forest:
    """Links steps to prefixes.

    Guarantee, once made: every direction of the model has exactly one root, every other step stands after an
    earlier expand step, and no two steps stand for one prefix in one direction.
    """

    def __init__(self, model: Model, claim: Claim, tree: Tree, meter: Meter):
        self.model, self.claim, self.meter = model, claim, meter
        self.ratio: Fraction = tree.ratio
        self.steps = tree.steps
        self.length: list[int] = []
        self.children: list[dict[int, int]] = []
        self.roots: dict[tuple[int, bool], int] = {}
        self._directions = frozenset(model.directions)
        for step in tree.steps:
            self._link(step)
        for pair, forward in model.directions:
            if (pair, forward) not in self.roots:
                raise CertificateError(
                    f"the direction [{pair}, {str(forward).lower()}] has no root", rule="root"
                )
        self._transition = Transition(model, tree.precision, meter)
        self._rows: OrderedDict[tuple[int, Side, Rounding], Row] = OrderedDict()
        self._row_bytes = 0
        self.supports = Supports(model, meter)
        self._masks: dict[tuple[int, Side], int] = {}

    def _link(self, step: Step) -> None:
        if step.root is not None:
            if step.root not in self._directions:
                raise CertificateError("the model has no such direction", rule="root", step=step.number)
            if step.root in self.roots:
                raise CertificateError("the direction has a root already", rule="root", step=step.number)
            self.roots[step.root] = step.number
            self.length.append(0)
        else:
            if step.parent >= step.number or self.steps[step.parent].rule != "expand":
                raise CertificateError(
                    "the parent is not an earlier expand step", rule="after", step=step.number
                )
            if step.symbol >= len(self.model.symbols):
                raise CertificateError("there is no such symbol", rule="after", step=step.number)
            siblings = self.children[step.parent]
            if step.symbol in siblings:
                raise CertificateError("the prefix has a step already", rule="after", step=step.number)
            siblings[step.symbol] = step.number
            self.length.append(self.length[step.parent] + 1)
        self.children.append({})

    def in_depth(self) -> Iterator[Step]:
        """Every step, each subtree in one stretch, so that few rows are needed at a time."""
        waiting = list(reversed(self.roots.values()))
        while waiting:
            number = waiting.pop()
            yield self.steps[number]
            waiting.extend(reversed(self.children[number].values()))

    def row(self, step: int, side: Side, rounding: Rounding) -> Row:
        """One side's row of a step's prefix. [T6]

        Guarantee: equal to the true row, or entry by entry at least or at most as large, as `rounding` says.
        """
        missing: list[Step] = []
        row: Row | None = None
        at = self.steps[step]
        while True:
            row = self._rows.get((at.number, side, rounding))
            if row is not None:
                self._rows.move_to_end((at.number, side, rounding))
                break
            missing.append(at)
            if at.root is not None:
                break
            at = self.steps[at.parent]
        self.meter.spend(len(missing))
        for at in reversed(missing):
            if at.root is not None:
                row = self._transition.start(self.model.sides(at.root)[side], rounding)
            else:
                assert row is not None
                row = self._transition.after(row, at.symbol, rounding)
            self._keep((at.number, side, rounding), row)
        assert row is not None
        return row

    def _keep(self, key: tuple[int, Side, Rounding], row: Row) -> None:
        """Remember a row for its children; when memory runs short, forget the ones not used for longest."""
        self._rows[key] = row
        self._row_bytes += row.size
        while self._row_bytes > self.meter.limits.memory_bytes and len(self._rows) > 1:
            _, forgotten = self._rows.popitem(last=False)
            self._row_bytes -= forgotten.size

    def support(self, step: int, side: Side) -> int:
        """The exact support of one side's row of a step's prefix."""
        missing: list[Step] = []
        at = self.steps[step]
        while (at.number, side) not in self._masks:
            missing.append(at)
            if at.root is not None:
                break
            at = self.steps[at.parent]
        for at in reversed(missing):
            if at.root is not None:
                mask = self.supports.start(self.model.sides(at.root)[side])
            else:
                mask = self.supports.after(self._masks[at.parent, side], at.symbol)
            self._masks[at.number, side] = mask
        return self._masks[step, side]
