"""Exact rows of nodes, computed where floats cannot decide."""

from __future__ import annotations

from faier.comparison import Comparison
from faier.engine.exact import ExactRow
from faier.engine.known_rows import Prefix, known_rows

from .nodes import Nodes


class ExactRows:
    """Exact rows by node number, computed along the path from the root and kept while memory allows."""

    def __init__(self, comparison: Comparison, nodes: Nodes):
        self._comparison = comparison
        self._nodes = nodes
        self._known = known_rows(comparison)
        self._kept: dict[int, Prefix] = {}
        self._emptied = 0

    def row(self, node: int) -> ExactRow:
        if self._emptied != self._known.emptied:
            self._kept.clear()
            self._emptied = self._known.emptied
        path: list[int] = []
        here = node
        while here >= 0 and here not in self._kept:
            path.append(here)
            here = int(self._nodes.parent[here])
        prefix = self._kept[here] if here >= 0 else None
        for step in reversed(path):
            if prefix is None:
                prefix = self._known.root(self._comparison, int(self._nodes.direction[step]))
            else:
                prefix = self._known.after(self._comparison, prefix, int(self._nodes.letter[step]))
            self._kept[step] = prefix
        assert prefix is not None
        return prefix.row
