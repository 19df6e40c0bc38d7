"""What the Markov Quilt mechanism asks for: nodes nearby that a secret may change, and how much the others tell."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import log
from typing import TypeAlias

from faier.errors import MechanismError
from faier.noise import least_alpha

from .chain import Chain


@dataclass(frozen=True)
class Quilt:
    """For the state at time `at`, the times `before` and `after` it (None where there is none) that screen it off.

    `nearby` is how many times lie between them, and `influence` the largest ratio with which they tell the state.

    Guarantee: a count with geometric noise keeps the ratio influence alpha^-nearby about the state at that time.
    """

    at: int
    before: int | None
    after: int | None
    nearby: int
    influence: Fraction

    def alpha(self, ratio: Fraction, digits: int = 6) -> Fraction | None:
        """The least alpha with so many digits at which that is at most `ratio`; None where none below 1 is."""
        if self.influence >= ratio:
            return None
        return least_alpha(self.nearby, ratio / self.influence, digits)


def best_quilt(chain: Chain, length: int, at: int, ratio: Fraction) -> Quilt:
    """The quilt of at most one time on each side of `at` that asks for the least noise.

    Source: S. Song, Y. Wang and K. Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data, 2017 (section 4.4).
    Guarantee: nothing is assumed; the influence of each quilt is computed exactly. Without a quilt all times are
    nearby, which serves any ratio greater than 1.
    """
    if ratio <= 1:
        raise MechanismError(f"noise keeps a ratio greater than 1, got {ratio}")
    sides = _before(chain, at), _after(chain, length, at)
    return min(_quilts(length, at, *sides), key=lambda quilt: _noise(quilt, ratio))


def _noise(quilt: Quilt, ratio: Fraction) -> float:
    """log alpha, up to a float: what chooses among quilts proves nothing."""
    return (log(quilt.influence) - log(ratio)) / quilt.nearby if quilt.influence < ratio else 0.0


def _quilts(length: int, at: int, before: Tables, after: Tables) -> Iterator[Quilt]:
    nothing: Table = {}
    for b, told_before in [(None, nothing), *before.items()]:
        for a, told_after in [(None, nothing), *after.items()]:
            influence = _influence(told_before, told_after)
            if influence is not None:
                yield Quilt(at, b, a, (a or length + 1) - (b or 0) - 1, influence)


Table: TypeAlias = "dict[tuple[Hashable, Hashable], Fraction | None]"
"""Two states at the time of the secret -> the largest ratio of what another time shows; None where it is infinite."""
Tables: TypeAlias = dict[int, Table]


def _influence(before: Table, after: Table) -> Fraction | None:
    """What times before and after tell together: given the state between them they are independent."""
    largest = Fraction(1)
    for pair in {**before, **after}:
        one, two = before.get(pair, Fraction(1)), after.get(pair, Fraction(1))
        if one is None or two is None:
            return None
        largest = max(largest, one * two)
    return largest


def _after(chain: Chain, length: int, at: int) -> Tables:
    found: Tables = {}
    rows = {x: {x: Fraction(1)} for x in chain.possible(at)}
    for time in range(at + 1, length + 1):
        rows = {x: _moved(chain, row) for x, row in rows.items()}
        found[time] = _ratios(rows)
    return found


def _before(chain: Chain, at: int) -> Tables:
    """P(earlier state | state at `at`), by Bayes: as P(earlier state) P(state at `at` | earlier state)."""
    found: Tables = {}
    states = chain.possible(at)
    law = {x: _number(p) for x, p in chain.start.items()}
    laws = [law]
    for _ in range(1, at):
        laws.append(_moved(chain, laws[-1]))
    ahead = {x: {x: Fraction(1)} for x in states}
    for time in range(at - 1, 0, -1):
        ahead = {
            x: {y: sum((_number(p) * row.get(z, Fraction(0)) for z, p in chain.step[y].items()), Fraction(0))
                for y in chain.states}
            for x, row in ahead.items()
        }  # fmt: skip
        rows = {}
        for x in states:
            joint = {y: p * ahead[x][y] for y, p in laws[time - 1].items() if p * ahead[x][y]}
            total = sum(joint.values(), Fraction(0))
            rows[x] = {y: p / total for y, p in joint.items()}
        found[time] = _ratios(rows)
    return found


def _moved(chain: Chain, row: dict[Hashable, Fraction]) -> dict[Hashable, Fraction]:
    after: dict[Hashable, Fraction] = {}
    for x, p in row.items():
        for y, q in chain.step[x].items():
            after[y] = after.get(y, Fraction(0)) + p * _number(q)
    return after


def _ratios(rows: dict[Hashable, dict[Hashable, Fraction]]) -> Table:
    found: Table = {}
    for one, two in permutations(rows, 2):
        a, b = rows[one], rows[two]
        found[one, two] = None if a.keys() - b.keys() else max(p / b[y] for y, p in a.items())
    return found


def _number(p: object) -> Fraction:
    if not isinstance(p, Fraction):
        raise MechanismError("a quilt of a chain with parameters is not built; give them values")
    return p
