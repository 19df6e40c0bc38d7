"""The steps of a proof by tree as a forest, and the rows of every step, computed from the model file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeAlias, TypeVar

from .certificate import Claim, Step, Tree
from .errors import CertificateError
from .limits import Meter
from .matrices import Simulations
from .model import Distribution, Model
from .recent import Recent
from .row import Rounding, Row
from .support import Support, Supports
from .support import size as size_of_support
from .transition import Transition

Side: TypeAlias = int
LEFT: Side = 0
RIGHT: Side = 1

_T = TypeVar("_T")
_Key: TypeAlias = tuple[int, Side, Rounding | None]
"""A step, a side of its direction and how its row is rounded; None for its support."""


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
        self._rows: Recent[_Key, Row] = Recent(meter.limits.memory_bytes // 2)
        self.simulations = Simulations(model, tree.matrices, tree.precision, meter)
        self.supports = Supports(model, meter)
        self._supports: Recent[_Key, Support] = Recent(meter.limits.memory_bytes // 4)

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
        transition = self._transition
        return self._along(
            self._rows,
            (step, side, rounding),
            lambda belief: transition.start(belief, rounding),
            lambda row, symbol: transition.after(row, symbol, rounding),
            lambda row: row.size,
        )

    def support(self, step: int, side: Side) -> Support:
        """The exact support of one side's row of a step's prefix."""
        supports = self.supports
        return self._along(
            self._supports, (step, side, None), supports.start, supports.after, size_of_support
        )

    def _along(
        self,
        known: Recent[_Key, _T],
        key: _Key,
        start: Callable[[Distribution], _T],
        after: Callable[[_T, int], _T],
        size: Callable[[_T], int],
    ) -> _T:
        """What holds after a step's prefix: from the last known value before it, symbol by symbol."""
        number, side, rounding = key
        missing: list[Step] = []
        at = self.steps[number]
        value = known.get(key)
        while value is None and at.root is None:
            missing.append(at)
            at = self.steps[at.parent]
            value = known.get((at.number, side, rounding))
        if value is None:
            assert at.root is not None
            value = start(self.model.sides(at.root)[side])
            known.put((at.number, side, rounding), value, size(value))
        self.meter.spend(len(missing))
        for at in reversed(missing):
            value = after(value, at.symbol)
            known.put((at.number, side, rounding), value, size(value))
        return value
