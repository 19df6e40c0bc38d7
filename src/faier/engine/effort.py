"""What a search has tried so far, and what would have helped it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

from faier.explanation import Explanation
from faier.number.exact import Extended

if TYPE_CHECKING:
    from faier.comparison import Comparison

    from .outcome import Outcome
    from .tree.nodes import Nodes


@dataclass
class Effort:
    """Counters that the parts of a search fill in."""

    words: int = 0
    followed: int | None = None
    nodes: Nodes | None = None
    loops: int = 0
    families: int = 0
    programs: int = 0
    combinations: int = 0
    outweighings: int = 0
    simulations: int = 0
    solver_missing: bool = False
    too_large_to_simulate: bool = False
    too_large_for_loops: bool = False


def explain(effort: Effort, outcome: Outcome, comparison: Comparison, tolerance: Fraction | None = None) -> Explanation:
    """What was tried, what closed what, and what would help. The same search always gives the same answer."""
    return Explanation(
        tuple(_tried(effort, outcome)), _closed(effort, outcome), tuple(_helps(effort, outcome, comparison, tolerance))
    )


def _tried(effort: Effort, outcome: Outcome) -> list[str]:
    said = []
    if effort.words:
        said.append(f"every counted word, one by one: {_many(effort.words, 'word')}")
    if effort.loops:
        found = "one of them grows without end" if outcome.diverges is not None else "none grows without end"
        said.append(f"loops that make the ratio grow without end [T8]: {_many(effort.loops, 'loop')}, {found}")
    if effort.followed is not None:
        said.append(f"a narrow beam along the worst prefixes, {_many(effort.followed, 'symbol')} deep")
    if effort.families:
        found = "one is the bound" if outcome.limit is not None else "none is the bound"
        families = _many(effort.families, "family")
        said.append(f"limits of the loops that the worst words repeat [T11]: {families}, {found}")
    if (said_of_tree := _tree(effort, outcome)) is not None:
        said.append(said_of_tree)
    if effort.programs:
        found = f"{_many(effort.simulations, 'simulation')} used"
        said.append(f"simulations by linear programming [T2]: {_many(effort.programs, 'program')}, {found}")
    if effort.combinations:
        said.append(f"several prefixes that cover one together [T3]: {_many(effort.combinations, 'program')}")
    if effort.outweighings:
        said.append(f"differences that outweigh others [T17]: {_many(effort.outweighings, 'program')}")
    return said


def _tree(effort: Effort, outcome: Outcome) -> str | None:
    if effort.nodes is None or _not_begun(effort, outcome):
        return None
    count = effort.nodes.count
    if deepest := int(effort.nodes.depth[:count].max(initial=0)):
        return f"the tree of prefixes: {_many(count, 'prefix')}, up to {_many(deepest, 'symbol')}"
    return f"the tree of prefixes: only the empty one, in {_many(count, 'direction')}"


def _not_begun(effort: Effort, outcome: Outcome) -> bool:
    """Whether a loop that grows without end answered the question before any prefix was looked at."""
    from .tree.nodes import OPEN

    nodes = effort.nodes
    return outcome.diverges is not None and nodes is not None and bool((nodes.rule[: nodes.count] == OPEN).all())


def _closed(effort: Effort, outcome: Outcome) -> dict[str, int]:
    from .tree.nodes import DROPPED, OPEN, RULE_NAMES, SIMULATE, SUBSUME

    if effort.nodes is None or _not_begun(effort, outcome):
        return {}
    rules = effort.nodes.rule[: effort.nodes.count]
    numbers = [n for n in RULE_NAMES if n not in (SUBSUME, SIMULATE)]
    counts = {RULE_NAMES[number]: int((rules == number).sum()) for number in (*numbers, SUBSUME, SIMULATE)}
    counts["open"] = int((rules == OPEN).sum())
    counts["impossible"] = int((rules == DROPPED).sum())
    return {name: count for name, count in counts.items() if count}


def _helps(effort: Effort, outcome: Outcome, comparison: Comparison, tolerance: Fraction | None) -> list[str]:
    said = []
    if outcome.lower == inf and outcome.diverges is None and not comparison.both:
        said.append('possible = "both": a word that only one side can produce has an infinite ratio, and is left out')
    if outcome.diverges is not None:
        said.append("a finite horizon: at every length no epsilon exists")
    if outcome.reason is None:
        return said
    if outcome.upper == inf:
        if effort.solver_missing:
            said.append("pip install 'faier[lengths]': linear programs compare sides that share no states")
        if effort.too_large_to_simulate:
            said.append(
                "a smaller model: this one is too large for simulations, which compare states that differ (they are "
                "sought among up to 400 states, and among 20,000 where runs come to no state twice)"
            )
        if comparison.length is None:
            said.append("a horizon, such as --horizon 20: answers there are exact")
        if effort.too_large_for_loops:
            said.append("a smaller model, or shorter numbers: loops were not looked at in one as large as this")
    elif (width := _width(outcome.lower, outcome.upper)) is not None and tolerance is not None and width > tolerance:
        said.append(f"a larger tolerance: --tolerance {width:.1g} is reached already")
    if outcome.trace is None:
        said.append("more time, or a larger limit: what stopped the search is said above")
    return said


def _width(lower: Extended, upper: Extended) -> float | None:
    """The relative width of an enclosure, rounded up a little."""
    if not lower or lower == inf or upper == inf:
        return None
    return float(Fraction(upper) / Fraction(lower) - 1) * 1.5


def _many(count: int, noun: str) -> str:
    plural = {"prefix": "prefixes", "family": "families"}.get(noun, f"{noun}s")
    return f"{count:,} {noun if count == 1 else plural}"
