"""Exact rows of one comparison, kept by prefix: what one part of a search has computed, the others need not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from faier.comparison import Comparison
from faier.engine.exact import ExactRow, advance, start

_MOST_BITS = 1_000_000_000
_BITS_OF_AN_ENTRY = 800


@dataclass(eq=False, slots=True)
class Prefix:
    """A prefix in one direction: its exact row, and those of its continuations that are known."""

    row: ExactRow
    after: dict[int, Prefix] = field(default_factory=dict)


class KnownRows:
    """All rows computed so far, while memory allows; `emptied` counts how often it did not.

    One that has been forgotten stays right for whoever still holds it.
    """

    def __init__(self) -> None:
        self.emptied = 0
        self._roots: dict[int, Prefix] = {}
        self._bits = 0

    def root(self, comparison: Comparison, direction: int) -> Prefix:
        """The empty prefix."""
        if (found := self._roots.get(direction)) is None:
            row = start(comparison, direction)
            self._account(row)
            found = self._roots[direction] = Prefix(row)
        return found

    def after(self, comparison: Comparison, before: Prefix, letter: int) -> Prefix:
        """One letter further."""
        if (found := before.after.get(letter)) is None:
            row = advance(comparison, before.row, letter)
            self._account(row)
            found = before.after[letter] = Prefix(row)
        return found

    def word(self, comparison: Comparison, direction: int, letters: Sequence[int]) -> Prefix:
        """All these letters on from the empty prefix."""
        found = self.root(comparison, direction)
        for letter in letters:
            found = self.after(comparison, found, letter)
        return found

    def _account(self, row: ExactRow) -> None:
        """Forget everything when it becomes too much. The numbers of one row are about equally long."""
        entries = len(row.left) + len(row.right)
        length = max(row.left.values(), default=0).bit_length()
        self._bits += entries * (_BITS_OF_AN_ENTRY + length)
        if self._bits > _MOST_BITS:
            for prefix in self._roots.values():
                prefix.after.clear()
            self._roots.clear()
            self._bits = 0
            self.emptied += 1


_of: WeakKeyDictionary[Comparison, KnownRows] = WeakKeyDictionary()


def known_rows(comparison: Comparison) -> KnownRows:
    """Those of this comparison, whoever asks."""
    return _of.setdefault(comparison, KnownRows())
