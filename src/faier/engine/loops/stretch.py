"""Repeating the loops of a word more often, each as long as that makes its ratio larger.

Nothing is proved here: it names a word, whose exact ratio is then computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log

import numpy as np

from faier.comparison import Comparison, Floats
from faier.engine.words import Found

from .letters import Letters

_LONGEST_LOOP = 8
_LEAST_REPEATS = 3
_LONGEST_WORD = 4000
_MOST_STATES = 60
_MOST_BITS = 400_000
_ROUNDS = 60


@dataclass(frozen=True)
class _Block:
    loop: tuple[int, ...]
    count: int

    @property
    def length(self) -> int:
        return len(self.loop) * self.count


def stretched(comparison: Comparison, letters: Letters, found: Found, slack: float) -> Found | None:
    """The word with some of its loops repeated more often; None where that gains no more than a relative `slack`."""
    if letters.too_large or letters.size > _MOST_STATES or not 0 < len(found.letters) <= _LONGEST_WORD:
        return None
    blocks = _blocks(found.letters)
    if all(block.count == 1 for block in blocks):
        return None
    values = _Values(comparison, letters, found)
    first = best = values.of(blocks)
    longest = min(_LONGEST_WORD, _MOST_BITS // max(1, comparison.automaton.exact.common.bit_length()))
    for _ in range(_ROUNDS):
        options = []
        for k, block in enumerate(blocks):
            if block.count > 1:
                longer = [*blocks[:k], _Block(block.loop, block.count + max(1, block.count // 2)), *blocks[k + 1 :]]
                if sum(b.length for b in longer) <= longest:
                    options.append((values.of(longer), longer))
        if not options:
            break
        value, longer = max(options, key=lambda option: option[0])
        if not value > best + slack / 16:
            break
        best, blocks = value, longer
    if not best > first + slack:
        return None
    return Found(found.direction, tuple(s for block in blocks for s in block.loop * block.count), found.ended)


def _blocks(word: Sequence[int]) -> list[_Block]:
    """The word as loops and single letters, at each place the loop that covers most."""
    blocks: list[_Block] = []
    at = 0
    while at < len(word):
        best = _Block((word[at],), 1)
        for length in range(1, _LONGEST_LOOP + 1):
            loop = tuple(word[at : at + length])
            count = 1
            while tuple(word[at + count * length : at + (count + 1) * length]) == loop:
                count += 1
            if count >= _LEAST_REPEATS and count * length > best.length:
                best = _Block(loop, count)
        blocks.append(best)
        at += best.length
    return blocks


class _Values:
    """Logarithms of ratios in floats; the power of a loop is kept as long as it may be asked for again."""

    def __init__(self, comparison: Comparison, letters: Letters, found: Found):
        self._letters = letters
        self._ended = found.ended
        self._start = np.zeros((2, letters.size))
        direction = comparison.directions[found.direction]
        for side, belief in enumerate((direction.left, direction.right)):
            for i, p in comparison.weights(belief):
                self._start[side, i] = float(p)
        self._powers: dict[_Block, Floats] = {}

    def of(self, blocks: Sequence[_Block]) -> float:
        """-inf where floats do not reach."""
        rows, height = self._start, np.zeros(2)
        for block in blocks:
            rows = rows @ self._power(block)
            top = rows.max(axis=1)
            if not (top > 0).all():
                return -inf
            rows, height = rows / top[:, None], height + np.log(top)
        left, right = rows[:, -1] if self._ended else rows.sum(axis=1)
        if not left > 0 or not right > 0:
            return -inf
        return float(height[0] - height[1]) + log(left) - log(right)

    def _power(self, block: _Block) -> Floats:
        """The matrix of the block, up to a factor, which both sides have in common."""
        if (known := self._powers.get(block)) is None:
            square, known = self._letters.float_word(block.loop), np.eye(self._letters.size)
            count = block.count
            while count:
                if count & 1:
                    known = _scaled(known @ square)
                square = _scaled(square @ square)
                count >>= 1
            self._powers[block] = known
        return known


def _scaled(matrix: Floats) -> Floats:
    top = float(matrix.max())
    return matrix / top if top > 0 else matrix
