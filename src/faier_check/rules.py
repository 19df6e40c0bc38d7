"""The rules that close a prefix: one function each, named as in the certificate. It proves or raises.

What a step proves: for every word that starts with its prefix and every reading of it that counts,
left <= ratio * right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NoReturn

from .certificate import Step
from .errors import CertificateError
from .number import brief
from .row import Rounding, Row, entry_of, factors, first_above
from .tree import LEFT, RIGHT, Forest


def dominate(forest: Forest, step: Step) -> None:
    """left <= ratio * right in every entry: this word and all longer ones keep the ratio. [T1]"""
    left = forest.row(step.number, LEFT, _above(step))
    right = forest.row(step.number, RIGHT, _below(step))
    if (entry := first_above(left, forest.ratio, right)) is not None:
        _reject(
            step, f"left exceeds {brief(forest.ratio)} * right in the entry {forest.model.entry_name(entry)}"
        )


def expand(forest: Forest, step: Step) -> None:
    """The readings of this prefix keep the ratio; every symbol has a step or cannot follow. [T4, T5]"""
    claim = forest.claim
    if claim.horizon is not None and forest.length[step.number] >= claim.horizon:
        _reject(step, f"a prefix of the horizon's length ({claim.horizon}) cannot be expanded")
    children = forest.children[step.number]
    sides = (LEFT, RIGHT) if claim.both else (LEFT,)
    possible = [forest.supports.emitted(forest.support(step.number, side)) for side in sides]
    missing = frozenset.intersection(*possible) - children.keys()
    if missing:
        name = forest.model.symbols[min(missing)]
        _reject(step, f"the symbol {name[:60]!r} is possible and has no step")
    if step.root is None:
        if claim.horizon is None or not claim.both:
            _prefix(forest, step)
        _ended(forest, step)
    elif not claim.both and forest.ratio < 1:
        # The empty prefix has probability 1 on both sides, and no run ends before its first symbol.
        _reject(step, f"the empty prefix needs a ratio of at least 1, got {brief(forest.ratio)}")


def end(forest: Forest, step: Step) -> None:
    """At the horizon's length the prefix reading is all that counts. [T4]"""
    if forest.length[step.number] != forest.claim.horizon:
        _reject(step, "only a prefix of the horizon's length ends here")
    _prefix(forest, step)


def subsume(forest: Forest, step: Step) -> None:
    """left <= scale * left and right >= scale * right of an expanded step: its proof covers this one. [T3]

    It may be an ancestor: what is left of a word shrinks before it comes back here, as the other is expanded.
    """
    _may_cover(forest, step, step.by)
    left, other_left = forest.row(step.number, LEFT, _above(step)), forest.row(step.by, LEFT, _below(step))
    if (entry := first_above(left, step.scale, other_left)) is not None:
        name = forest.model.entry_name(entry)
        _reject(step, f"left exceeds {brief(step.scale)} * left of step {step.by} in the entry {name}")
    right, other_right = (
        forest.row(step.number, RIGHT, _below(step)),
        forest.row(step.by, RIGHT, _above(step)),
    )
    if (entry := first_above(other_right, 1 / step.scale, right)) is not None:
        name = forest.model.entry_name(entry)
        _reject(step, f"right is less than {brief(step.scale)} * right of step {step.by} in the entry {name}")


def combine(forest: Forest, step: Step) -> None:
    """left <= the sum of scale * left, and right >= that of scale * right, over expanded steps: they cover it. [T3]"""
    for by, _ in step.parts:
        _may_cover(forest, step, by)
    left = forest.row(step.number, LEFT, _above(step))
    covering = _sum(forest, step, LEFT, _below(step))
    for i, x in sorted(left.entries.items()):
        if entry_of(left, x) > covering.get(i, Fraction(0)):
            _reject(step, f"left exceeds the sum of left in the entry {forest.model.entry_name(i)}")
    right = forest.row(step.number, RIGHT, _below(step))
    for i, total in sorted(_sum(forest, step, RIGHT, _above(step)).items()):
        if total > entry_of(right, right.entries.get(i, 0)):
            _reject(step, f"right is less than the sum of right in the entry {forest.model.entry_name(i)}")


def outweigh(forest: Forest, step: Step) -> None:
    """ratio * right - left is at least the sum of scale * (ratio * right - left) over expanded steps. [T17]

    What has a minus goes to the other side, so that nothing is subtracted and roundings keep their direction.
    """
    for by, _ in step.parts:
        _may_cover(forest, step, by)
    left = forest.row(step.number, LEFT, _above(step))
    right = forest.row(step.number, RIGHT, _below(step))
    parts_left = _sum(forest, step, LEFT, _below(step))
    parts_right = _sum(forest, step, RIGHT, _above(step))
    for i in sorted(left.entries.keys() | parts_right.keys()):
        needed = entry_of(left, left.entries.get(i, 0)) + forest.ratio * parts_right.get(i, Fraction(0))
        enough = forest.ratio * entry_of(right, right.entries.get(i, 0)) + parts_left.get(i, Fraction(0))
        if needed > enough:
            name = forest.model.entry_name(i)
            _reject(step, f"the sum of differences exceeds the difference of right and left in the entry {name}")


def simulate(forest: Forest, step: Step) -> None:
    """left K <= ratio * right in every entry, for a simulation K: this word and all longer ones keep the ratio. [T2]"""
    left = forest.row(step.number, LEFT, _above(step))
    right = forest.row(step.number, RIGHT, _below(step))
    matrix = forest.simulations.simulation(step.matrix)
    if (missing := min(left.entries.keys() - matrix.keys(), default=None)) is not None:
        _reject(step, f"the matrix has no row for {forest.model.entry_name(missing)}, where left is not 0")
    carried = forest.simulations.times(left, step.matrix, _above(step))
    if (entry := first_above(carried, forest.ratio, right)) is not None:
        name = forest.model.entry_name(entry)
        _reject(step, f"left K exceeds {brief(forest.ratio)} * right in the entry {name}")


def cosimulate(forest: Forest, step: Step) -> None:
    """left <= ratio * right K in every entry, for a simulation K of prefixes: all longer words keep the ratio. [T2]"""
    left = forest.row(step.number, LEFT, _above(step))
    right = forest.row(step.number, RIGHT, _below(step))
    forest.simulations.cosimulation(step.matrix)
    carried = forest.simulations.times(right, step.matrix, _below(step))
    if (entry := first_above(left, forest.ratio, carried)) is not None:
        name = forest.model.entry_name(entry)
        _reject(step, f"left exceeds {brief(forest.ratio)} * right K in the entry {name}")


TREE_RULES: Mapping[str, Callable[[Forest, Step], None]] = {
    "dominate": dominate,
    "expand": expand,
    "end": end,
    "subsume": subsume,
    "simulate": simulate,
    "cosimulate": cosimulate,
    "combine": combine,
    "outweigh": outweigh,
}


def check_step(forest: Forest, step: Step) -> tuple[()]:
    """Check one step by its rule; it rests on nothing else."""
    TREE_RULES[step.rule](forest, step)
    return ()


def _may_cover(forest: Forest, step: Step, by: int) -> None:
    """Whatever the rows: the conditions on the step that covers this one."""
    claim = forest.claim
    if by >= len(forest.steps) or forest.steps[by].rule != "expand":
        _reject(step, f"step {by} is not an expand step")
    here, there = forest.length[step.number], forest.length[by]
    if claim.horizon is not None and there > here:
        _reject(step, f"step {by} has fewer symbols left")
    if claim.both:
        if claim.horizon is not None and there != here:
            _reject(step, f"step {by} must be exactly as long under 'both'")
        if not forest.support(step.number, RIGHT) <= forest.support(by, RIGHT):
            _reject(step, f"the support of right does not lie inside that of step {by}")
        if claim.horizon is None and forest.steps[by].root is not None and forest.ratio < 1:
            _reject(step, f"step {by} is a root, whose empty prefix needs a ratio of at least 1")


def _sum(forest: Forest, step: Step, side: int, rounding: Rounding) -> dict[int, Fraction]:
    """The rows of the parts, each times its scale, added up."""
    total: dict[int, Fraction] = {}
    for by, scale in step.parts:
        row = forest.row(by, side, rounding)
        forest.meter.spend(4 * len(row.entries))
        for i, x in row.entries.items():
            total[i] = total.get(i, Fraction(0)) + scale * entry_of(row, x)
    return total


def _prefix(forest: Forest, step: Step) -> None:
    """The run begins with this prefix: left <= ratio * right, where the reading counts."""
    if forest.claim.both and not (forest.support(step.number, LEFT) and forest.support(step.number, RIGHT)):
        return
    left = forest.row(step.number, LEFT, _above(step))
    right = forest.row(step.number, RIGHT, _below(step))
    _reading(forest, step, "prefix", (left, sum(left.entries.values())), (right, sum(right.entries.values())))


def _ended(forest: Forest, step: Step) -> None:
    """The run is exactly this prefix: left <= ratio * right, where the reading counts."""
    done = forest.model.done
    if done not in forest.support(step.number, LEFT):
        return
    if forest.claim.both and done not in forest.support(step.number, RIGHT):
        return
    left = forest.row(step.number, LEFT, _above(step))
    right = forest.row(step.number, RIGHT, _below(step))
    _reading(forest, step, "ended", (left, left.entries.get(done, 0)), (right, right.entries.get(done, 0)))


def _reading(forest: Forest, step: Step, name: str, left: tuple[Row, int], right: tuple[Row, int]) -> None:
    a, b = factors(left[0], forest.ratio, right[0])
    if left[1] * a > right[1] * b:
        _reject(step, f"the {name} reading of left exceeds {brief(forest.ratio)} * right")


def _above(step: Step) -> Rounding:
    return Rounding.EXACT if step.exact else Rounding.ABOVE


def _below(step: Step) -> Rounding:
    return Rounding.EXACT if step.exact else Rounding.BELOW


def _reject(step: Step, reason: str) -> NoReturn:
    raise CertificateError(reason, rule=step.rule, step=step.number)
