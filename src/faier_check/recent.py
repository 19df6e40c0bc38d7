"""A dictionary of bounded size, for values that can be computed again."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Keeps up to `most_bytes` of values and forgets the ones not used for longest; the last one stays."""

    def __init__(self, most_bytes: int):
        self._most_bytes = most_bytes
        self._bytes = 0
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def get(self, key: K) -> V | None:
        found = self._values.get(key)
        if found is None:
            return None
        self._values.move_to_end(key)
        return found[0]

    def put(self, key: K, value: V, size: int) -> None:
        """Remember a value of a key that is not known now; `size` is roughly how many bytes it takes."""
        self._values[key] = value, size
        self._bytes += size
        while self._bytes > self._most_bytes and len(self._values) > 1:
            _, (_, forgotten) = self._values.popitem(last=False)
            self._bytes -= forgotten
