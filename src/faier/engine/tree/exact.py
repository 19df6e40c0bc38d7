"""Exact rows of nodes, computed where floats cannot decide."""

from __future__ import annotations

from faier.comparison import Comparison
from faier.engine.exact import ExactRow, advance, start

from .nodes import Nodes

_CACHED_ENTRIES = 4_000_000


class ExactRows:
    """Exact rows by node number, computed along the path from the root and kept while memory allows."""

    def __init__(self, comparison: Comparison, nodes: Nodes):
        self._comparison = comparison
        self._nodes = nodes
        self._kept: dict[int, ExactRow] = {}
        self._entries = 0

    def row(self, node: int) -> ExactRow:
        path: list[int] = []
        here = node
        while here >= 0 and here not in self._kept:
            path.append(here)
            here = int(self._nodes.parent[here])
        row = self._kept[here] if here >= 0 else None
        for step in reversed(path):
            if row is None:
                row = start(self._comparison, int(self._nodes.direction[step]))
            else:
                row = advance(self._comparison, row, int(self._nodes.letter[step]))
            self._keep(step, row)
        assert row is not None
        return row

    def _keep(self, node: int, row: ExactRow) -> None:
        self._entries += len(row.left) + len(row.right)
        if self._entries > _CACHED_ENTRIES:
            self._kept.clear()
            self._entries = len(row.left) + len(row.right)
        self._kept[node] = row
