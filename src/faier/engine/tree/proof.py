"""From the nodes of a finished search to the steps of a proof."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from faier.comparison import Ints
from faier.trace import Rule, Step, Tree

from .batch import UNDECIDED, YES, compare
from .nodes import COMBINE, DOMINATE, DROPPED, EXPAND, OPEN, OUTWEIGH, RULE_NAMES, SIMULATE, SUBSUME, Nodes
from .search import Search

_LEAST_PRECISION = 64
# Less than the bits that a float can tell.
_WIDEST = 1000
_EXACT_CUTS = 1000


def proof(search: Search, ratio: Fraction) -> Tree:
    """The steps that prove `ratio`, once every node is closed at it.

    Nodes that `ratio` already dominates are cut off with what hangs below them, except where another node points
    there. A step is exact only where floats left its rule undecided at this ratio, or where rounding rows to a common
    scale would cost too many bits.
    """
    nodes = search.nodes
    count = nodes.count
    rule, parent = nodes.rule[:count], nodes.parent[:count]
    depth = nodes.depth[:count]
    entry = search.margin.entry(depth)
    against = compare(nodes.bound[:count], ratio, entry)
    dominated, touching = against == YES, against == UNDECIDED
    entry = search.margin_of_bounds(depth)
    simulated = compare(nodes.simulated[:count], ratio, entry) == YES
    kept = np.zeros(count, dtype=bool)

    # A cut must not remove the target of a subsume step, so those and their ancestors stay.
    pinned = np.zeros(count, dtype=bool)
    for node in nodes.subsumed:
        by, _, _ = _cover(nodes, node)
        if rule[by] != EXPAND:
            continue
        while by >= 0 and not pinned[by]:
            pinned[by] = True
            by = int(parent[by])
    for node, (parts, _) in nodes.combined.items():
        for by, _ in parts if rule[node] in (COMBINE, OUTWEIGH) else ():
            while by >= 0 and not pinned[by]:
                pinned[by] = True
                by = int(parent[by])
    cut = dominated & ~pinned
    replaced = simulated & ~dominated & ~pinned
    patience = _EXACT_CUTS
    for k in range(count):
        up = int(parent[k])
        kept[k] = rule[k] != DROPPED and (up < 0 or (kept[up] and not cut[up] and not replaced[up]))
        open_to_cut = kept[k] and touching[k] and rule[k] == EXPAND and not pinned[k]
        if open_to_cut and patience and search.affordable(int(depth[k])):
            patience -= 1
            cut[k] = search.exact.row(k).dominated(ratio)
        open_to_simulation = kept[k] and not cut[k] and rule[k] == EXPAND and not pinned[k] and not replaced[k]
        if search.simulations and open_to_simulation and patience and search.affordable(int(depth[k])):
            patience -= 1
            bounds = [simulation.bound(search.exact.row(k)) for simulation in search.simulations]
            if (least := min(bounds)) <= ratio:
                replaced[k], nodes.simulation[k] = True, bounds.index(least)

    reading_clear = compare(nodes.reading[:count], ratio, search.margin.total(depth)) == YES
    number = np.cumsum(kept) - 1
    wide = _widest_so_far(nodes)
    widest = 0
    steps: list[Step] = []
    used: dict[int, int] = {}
    for k in np.flatnonzero(kept).tolist():
        here = DOMINATE if cut[k] else SIMULATE if replaced[k] else int(rule[k])
        assert here != OPEN, "an open node cannot be part of a proof"
        up = int(parent[k])
        direction = search.comparison.directions[int(nodes.direction[k])]
        place = {"parent": int(number[up]), "letter": int(nodes.letter[k])} if up >= 0 else {}
        root = (direction.pair, direction.forward) if up < 0 else None
        by, scale, exact = _cover(nodes, k) if here == SUBSUME else (-1, Fraction(1), False)
        if here == SUBSUME and rule[by] == DOMINATE:
            here = DOMINATE  # what covers it turned out to be dominated, and so it is itself
        if here == SUBSUME and rule[by] == SIMULATE:
            here = SIMULATE
        if here == SUBSUME and rule[by] in (COMBINE, OUTWEIGH):
            here, together = int(rule[by]), nodes.combined[by]
            parts, exact = tuple((v, scale * s) for v, s in together[0]), exact or together[1]
        elif here in (COMBINE, OUTWEIGH):
            parts, exact = nodes.combined[k]
        if here == SUBSUME:
            assert rule[by] == EXPAND
            needed = max(int(wide[k]), int(wide[by]))
            exact = exact or needed > _WIDEST
            steps.append(Step("subsume", root, by=int(number[by]), scale=scale, exact=exact, parts=(), **place))
        elif here in (COMBINE, OUTWEIGH):
            needed = max(int(wide[k]), *(int(wide[v]) for v, _ in parts))
            exact = exact or needed > _WIDEST
            parts = tuple((int(number[v]), s) for v, s in parts)
            name: Rule = "combine" if here == COMBINE else "outweigh"
            steps.append(Step(name, root, scale=Fraction(1), exact=exact, parts=parts, **place))
        elif here == SIMULATE:
            if by >= 0:
                matrix, exact = int(nodes.simulation[by]), True
            else:
                matrix, exact = int(nodes.simulation[k]), not simulated[k]
            used.setdefault(matrix, len(used))
            needed = int(wide[k]) + search.simulations[matrix].spread
            exact = exact or needed > _WIDEST
            name = "cosimulate" if search.simulations[matrix].of_prefixes else "simulate"
            steps.append(Step(name, root, by=used[matrix], scale=Fraction(1), exact=exact, parts=(), **place))
        else:
            needed = int(wide[k])
            exact = not (dominated[k] if here == DOMINATE else reading_clear[k]) or needed > _WIDEST
            # The reading of a root compares no rows.
            exact = exact and not (here == EXPAND and up < 0)
            steps.append(Step(RULE_NAMES[here], root, exact=exact, **place))  # type: ignore[arg-type]
        if not exact:
            widest = max(widest, needed)
    bits = _LEAST_PRECISION + widest + int(-np.log2(search.automaton.smallest_entry)) + 1
    matrices = tuple(search.simulations[number].entries for number in used)
    return Tree(ratio, steps, precision=-(-bits // 64) * 64, matrices=matrices)


def _widest_so_far(nodes: Nodes) -> Ints:
    """For each node the most bits between two entries of a row on the way to it.

    A checker that rounds all entries of a row to one scale has so many bits less for the smallest, which may be all
    that a later symbol leaves.
    """
    wide = nodes.wide[: nodes.count].copy()
    for k in range(nodes.count):
        if (up := nodes.parent[k]) >= 0:
            wide[k] = max(wide[k], wide[up])
    return wide


def _cover(nodes: Nodes, node: int) -> tuple[int, Fraction, bool]:
    """The node that covers this one and is not itself covered, with the scale between the two."""
    by, scale, exact = nodes.subsumed[node]
    while nodes.rule[by] == SUBSUME:
        by, more, also = nodes.subsumed[by]
        scale, exact = scale * more, exact or also
    return by, scale, exact
