"""From open prefixes to the horizon along those that a simulation is furthest from closing: for a worse word."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from faier.comparison import Comparison
from faier.engine.progress import Limits
from faier.engine.simulation.matrix import Simulation
from faier.engine.words import Found

from .batch import Batch, quotients
from .nodes import Nodes
from .search import Search

_WIDTH = 256


def worse_word(
    comparison: Comparison, limits: Limits, nodes: Nodes, batch: Batch, simulation: Simulation, ratio: Fraction
) -> Found | None:
    """A word of the horizon's length that starts with one of these prefixes and seems to have a larger ratio.

    Nothing is proved here: its exact ratio is still to be computed.
    """
    search = Search(comparison, limits)
    starts, roots = batch.ids, np.full(len(batch), -1)
    batch = batch.pick(np.ones(len(batch), dtype=bool))
    batch.ids = search.nodes.add(roots, roots, 0, nodes.direction[starts])
    limit = float(ratio)
    assert comparison.length is not None
    for _ in range(int(batch.depth[0]), comparison.length):
        right = np.ldexp(batch.right, -np.clip(batch.shift, -900, 900)[:, None]) * limit
        excess = simulation.excess(batch.columns, batch.left, right)
        order = np.argsort(-excess, kind="stable")[:_WIDTH]
        batch = batch.pick(np.sort(order[excess[order] > 0]))
        level = list(search.expand(batch))
        if not level or limits.reached():
            return None
        batch = Batch.join(level)
    prefix = quotients(batch, batch.left.sum(axis=1), batch.right.sum(axis=1))
    best = int(np.argmax(np.nan_to_num(prefix, nan=0.0, posinf=1e308)))
    if not prefix[best] > limit:
        return None
    node = int(batch.ids[best])
    up = node
    while search.nodes.parent[up] >= 0:
        up = int(search.nodes.parent[up])
    start = int(starts[up])
    return Found(int(nodes.direction[start]), (*nodes.letters(start), *search.nodes.letters(node)), False)
