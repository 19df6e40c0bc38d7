"""Small random models in plain fractions, and the definition of what counts: nothing of the checker."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from checker_cases import toml
from hypothesis import strategies as st

Row = tuple[Fraction, ...]


@dataclass(frozen=True)
class Spec:
    """States and symbols are numbers; a state with step None ends the run; a pair is left, right, one_way."""

    emit: tuple[Row, ...]
    step: tuple[Row | None, ...]
    pairs: tuple[tuple[Row, Row, bool], ...]

    @property
    def symbols(self) -> int:
        return len(self.emit[0])

    @property
    def directions(self) -> list[tuple[int, bool]]:
        return [
            (i, f) for i, (_, _, one) in enumerate(self.pairs) for f in ((True,) if one else (True, False))
        ]

    def sides(self, direction: tuple[int, bool]) -> tuple[Row, Row]:
        left, right, _ = self.pairs[direction[0]]
        return (left, right) if direction[1] else (right, left)

    def toml(self) -> bytes:
        def row(values: Row, letter: str) -> dict[str, Fraction]:
            return {f"{letter}{i}": v for i, v in enumerate(values)}

        beliefs = {f"b{i}{j}": row(pair[j], "s") for i, pair in enumerate(self.pairs) for j in (0, 1)}
        return toml(
            {f"s{i}": row(r, "a") for i, r in enumerate(self.emit)},
            {f"s{i}": row(r, "s") for i, r in enumerate(self.step) if r is not None},
            beliefs,
            [(f"b{i}0", f"b{i}1", pair[2]) for i, pair in enumerate(self.pairs)],
        )


def rows_after(spec: Spec, start: Sequence[Fraction], word: Sequence[int]) -> list[Fraction]:
    """The row vector after a word, the last entry `done`."""
    row = [*start, Fraction(0)]
    for symbol in word:
        row = follow(spec, row, symbol)
    return row


def follow(spec: Spec, row: Sequence[Fraction], symbol: int) -> list[Fraction]:
    result = [Fraction(0)] * (len(spec.emit) + 1)
    for i, value in enumerate(row[:-1]):
        weight = value * spec.emit[i][symbol]
        if weight:
            for j, p in enumerate(spec.step[i] or [*[Fraction(0)] * len(spec.emit), Fraction(1)]):
                result[j] += weight * p
    return result


def counted(
    spec: Spec, direction: tuple[int, bool], horizon: int | None, both: bool, longest: int = 5
) -> Iterator[tuple[Fraction, Fraction]]:
    """Left and right of every counted word, at "any" up to a length; words that are impossible left out."""
    level = [tuple(rows_after(spec, side, ()) for side in spec.sides(direction))]
    for length in range(1, (longest if horizon is None else horizon) + 1):
        level = [
            tuple(follow(spec, side, symbol) for side in rows)
            for rows in level
            for symbol in range(spec.symbols)
            if any(map(any, rows))
        ]
        for left, right in level:
            readings = []
            if horizon is None or length == horizon:
                readings.append((sum(left), sum(right)))
            if horizon is None or length < horizon:
                readings.append((left[-1], right[-1]))
            for a, b in readings:
                if (a and b) if both else (a or b):
                    yield Fraction(a), Fraction(b)


def keeps(spec: Spec, ratio: Fraction, horizon: int | None, both: bool) -> bool:
    """Whether left <= ratio * right, by the definition (at "any": as far as one looks)."""
    return all(a <= ratio * b for d in spec.directions for a, b in counted(spec, d, horizon, both))


def tight(spec: Spec, horizon: int | None, both: bool) -> Fraction | None:
    """The largest ratio by the definition, None where it is infinite."""
    largest = Fraction(0)
    for a, b in itertools.chain.from_iterable(counted(spec, d, horizon, both) for d in spec.directions):
        if b == 0:
            return None
        largest = max(largest, a / b)
    return largest


@st.composite
def distributions(draw: st.DrawFn, width: int) -> Row:
    weights = [draw(st.sampled_from([0, 0, 1, 1, 2, 3])) for _ in range(width)]
    if not any(weights):
        weights[draw(st.integers(0, width - 1))] = 1
    return tuple(Fraction(w, sum(weights)) for w in weights)


@st.composite
def specs(draw: st.DrawFn) -> Spec:
    """Up to three states and symbols, with zeros, ties, runs that end, equal pairs and one-way pairs."""
    states, symbols = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    emit = tuple(draw(distributions(symbols)) for _ in range(states))
    step = tuple(
        draw(st.one_of(st.none(), distributions(states), distributions(states))) for _ in range(states)
    )
    pair = st.tuples(distributions(states), distributions(states), st.booleans())
    return Spec(emit, step, tuple(draw(st.lists(pair, min_size=1, max_size=2))))
