"""Row vectors of polynomials: left and right of every prefix, for all values of the variables at once. [T9]"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import TypeAlias

from .polynomial import ONE, Poly, Ring, content, divided, plus, scaled
from .polynomial import size as size_of_polynomial
from .quotient import Number, parts
from .recent import Recent

Sign: TypeAlias = Callable[[Poly], int]
"""1 or -1 where a polynomial is known not to be of the other sign wherever it is looked at, else 0."""

Entries: TypeAlias = Sequence[tuple[int, Number]]


@dataclass(frozen=True)
class Row:
    """Entry i is entries[i] * scale; what is left out is 0 identically."""

    entries: Mapping[int, Poly]
    scale: Fraction

    def total(self) -> Poly:
        result: Poly = {}
        for p in self.entries.values():
            result = plus(result, p)
        return result


@dataclass(frozen=True)
class Common:
    """A positive common denominator, and what it is of each: denominator = cofactor * own."""

    denominator: Poly
    cofactors: tuple[Poly, ...]


def common_denominator(ring: Ring, own: Sequence[Poly], sign: Sign) -> Common:
    """A multiple of all denominators that is positive wherever none of them is 0."""
    multiple, cofactors = _multiple(ring, own)
    known = 1 if multiple == ONE else sign(multiple)
    # A square is positive where it is not 0.
    factor = {0: known} if known else multiple
    return Common(ring.times(multiple, factor), tuple(ring.times(c, factor) for c in cofactors))


def _multiple(ring: Ring, own: Sequence[Poly]) -> tuple[Poly, list[Poly]]:
    """A common multiple, the least where divisors are found, with the factors that lead to it."""
    distinct: dict[tuple[tuple[int, int], ...], Poly] = {tuple(sorted(p.items())): p for p in own}
    multiple = ONE
    for p in distinct.values():
        if ring.divide(multiple, p) is None:
            common = scaled(ring.common_divisor(multiple, p), gcd(content(multiple), content(p)))
            rest = ring.divide(p, common)
            multiple = ring.times(multiple, p if rest is None else rest)
    cofactors: dict[tuple[tuple[int, int], ...], Poly] = {}
    for key, p in distinct.items():
        found = ring.divide(multiple, p)
        assert found is not None
        cofactors[key] = found
    return multiple, [cofactors[tuple(sorted(p.items()))] for p in own]


def over_common(ring: Ring, entries: Entries) -> tuple[list[tuple[int, Poly]], Poly]:
    """The entries' numerators over one denominator, whose sign is not looked at."""
    tops, bottoms = zip(*[parts(value) for _, value in entries], strict=True)
    multiple, cofactors = _multiple(ring, bottoms)
    return [
        (i, ring.times(top, c)) for (i, _), top, c in zip(entries, tops, cofactors, strict=True)
    ], multiple


class Words:
    """Rows by belief and prefix. A prefix is a number; 0 is the empty one.

    Guarantee: the true row of a prefix of length k is the row here divided by the belief's `denominators`
    and by the k-th power of `common`, which is positive wherever all rows of the model are defined.
    """

    def __init__(
        self,
        ring: Ring,
        symbols: int,
        emit: Sequence[Entries],
        step: Sequence[Entries | None],
        beliefs: Sequence[Entries],
        sign: Sign,
    ):
        self.ring, self.done = ring, len(emit)
        self.length = [0]
        self._after: list[tuple[int, int]] = [(0, -1)]
        self._known: dict[tuple[int, int], int] = {}
        emits = [over_common(ring, row) for row in emit]
        steps = [([(self.done, ONE)], ONE) if row is None else over_common(ring, row) for row in step]
        starts = [over_common(ring, row) for row in beliefs]
        self.denominators = [bottom for _, bottom in starts]
        self._starts = [_row(tops) for tops, _ in starts]
        # An emission and a step are always multiplied: a multiple of the denominators of each kind is needed.
        emit_multiple, emit_cofactors = _multiple(ring, [bottom for _, bottom in emits])
        step_multiple, step_cofactors = _multiple(ring, [bottom for _, bottom in steps])
        matrix = common_denominator(ring, [ring.times(emit_multiple, step_multiple)], sign)
        self.common = matrix.denominator
        cofactors = [
            ring.times(matrix.cofactors[0], ring.times(a, b))
            for a, b in zip(emit_cofactors, step_cofactors, strict=True)
        ]
        self._step = [tops for tops, _ in steps]
        self._emit: list[dict[int, Poly]] = [{} for _ in range(symbols)]
        for i, (tops, _) in enumerate(emits):
            for symbol, top in tops:
                self._emit[symbol][i] = ring.times(top, cofactors[i])
        self._rows: Recent[tuple[int, int], Row] = Recent(ring.meter.limits.memory_bytes // 2)

    def after(self, prefix: int, symbol: int) -> int:
        """The number of a prefix one symbol longer."""
        key = prefix, symbol
        if key not in self._known:
            self._known[key] = len(self.length)
            self.length.append(self.length[prefix] + 1)
            self._after.append(key)
        return self._known[key]

    def possible(self, row: Row) -> frozenset[int]:
        """The symbols that can follow for some values."""
        self.ring.meter.spend(len(row.entries) * len(self._emit))
        return frozenset(s for s, emit in enumerate(self._emit) if not emit.keys().isdisjoint(row.entries))

    def row(self, belief: int, prefix: int) -> Row:
        missing: list[int] = []
        row = self._rows.get((belief, prefix))
        while row is None and prefix:
            missing.append(prefix)
            prefix = self._after[prefix][0]
            row = self._rows.get((belief, prefix))
        if row is None:
            row = self._starts[belief]
            self._rows.put((belief, 0), row, _size(row))
        self.ring.meter.spend(len(missing))
        for prefix in reversed(missing):
            row = self._one_more(row, self._after[prefix][1])
            self._rows.put((belief, prefix), row, _size(row))
        return row

    def _one_more(self, row: Row, symbol: int) -> Row:
        emit, times = self._emit[symbol], self.ring.times
        result: dict[int, Poly] = {}
        for i in row.entries.keys() & emit.keys():
            weight = times(row.entries[i], emit[i])
            for j, p in self._step[i]:
                term = times(weight, p)
                result[j] = plus(result[j], term) if j in result else term
        return _row(result.items(), row.scale)


def _row(entries: Iterable[tuple[int, Poly]], scale: Fraction = Fraction(1)) -> Row:
    kept = {i: p for i, p in entries if p}
    common = gcd(*[content(p) for p in kept.values()])
    if common > 1:
        kept = {i: divided(p, common) for i, p in kept.items()}
        scale *= common
    return Row(kept, scale)


def _size(row: Row) -> int:
    return 400 + sum(map(size_of_polynomial, row.entries.values()))
