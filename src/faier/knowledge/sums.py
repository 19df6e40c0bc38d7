"""A sum over the records of a data set, given each of many secrets about one record: two passes for all of them.

A sum that is counted from both ends meets in the middle: with the record at time t fixed, what comes before it and what
comes after it add up independently, given the hidden states on both sides. As polynomials in z, whose coefficient of
z^k is the probability of the sum k, they are multiplied.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any, TypeAlias

import flint

from faier.errors import MechanismError
from faier.number.exact import Prob

from .prior import Move, Prior
from .secret import Secret

Polynomials: TypeAlias = dict[Hashable, Any]
"""Hidden state -> polynomial with integer coefficients."""

MOST_COEFFICIENTS = 20_000_000


def sums(
    prior: Prior, adds: Callable[[Any], int], secrets: Sequence[Secret], holds: Callable[[Secret, Any], bool]
) -> list[tuple[Prob, dict[Hashable, Prob]]] | None:
    """Guarantee: for each secret its probability, and that of it together with each sum; exactly.

    `adds` is what a record adds to the sum, at least 0, and every secret is about one record. None where the prior has
    unknown probabilities, or too many hidden states for this to be quick.
    """
    layers = _layers(prior)
    if layers is None:
        return None
    times = {secret.time for secret in secrets}
    after, scales_after = _backward(layers, adds, times)
    found: dict[int, tuple[Prob, dict[Hashable, Prob]]] = {}
    before, scale = _integers(prior.start())
    for time, layer in enumerate(layers, 1):
        for place, secret in enumerate(secrets):
            if secret.time == time:
                total = flint.fmpz_poly()
                for onward, polynomial in _step(before, layer, adds, partial(holds, secret)).items():
                    total += polynomial * after[time][onward]
                found[place] = _row(total, scale * layer.scale * scales_after[time])
        before, scale = _step(before, layer, adds, None), scale * layer.scale
    return [found[place] for place in range(len(secrets))]


class _Layer:
    """The moves of one time, as integers over a common denominator."""

    def __init__(self, moves: Mapping[Hashable, Sequence[Move]]):
        weights = [q for row in moves.values() for *_, q in row]
        self.scale = lcm(*(q.denominator for q in weights if isinstance(q, Fraction)))
        self.moves = {
            hidden: [(record, onward, _over(q, self.scale)) for record, onward, q in row]
            for hidden, row in moves.items()
        }


def _layers(prior: Prior) -> list[_Layer] | None:
    """The moves of each time from every hidden state that is reached; None where they are not all numbers."""
    start = prior.start()
    if not start.is_constant:
        return None
    reached: list[Hashable] = list(start)
    found: list[_Layer] = []
    coefficients = 0
    for time in range(1, prior.length + 1):
        coefficients += len(reached) * time
        moves = {hidden: prior.moves(time, hidden) for hidden in reached}
        numbers = all(isinstance(q, Fraction) for row in moves.values() for *_, q in row)
        if coefficients > MOST_COEFFICIENTS or not numbers:
            return None
        found.append(_Layer(moves))
        reached = list(dict.fromkeys(onward for row in moves.values() for _, onward, _ in row))
    return found


def _backward(
    layers: Sequence[_Layer], adds: Callable[[Any], int], times: set[int | None]
) -> tuple[dict[int, Polynomials], dict[int, int]]:
    """time -> hidden state after it -> what the records after it add up to; for the times that are asked about."""
    last = {onward for row in layers[-1].moves.values() for _, onward, _ in row}
    now: Polynomials = {hidden: flint.fmpz_poly([1]) for hidden in last}
    scale = 1
    found: dict[int, Polynomials] = {}
    scales: dict[int, int] = {}
    for time in range(len(layers), 0, -1):
        if time in times:
            found[time], scales[time] = now, scale
        layer = layers[time - 1]
        earlier: Polynomials = {}
        for hidden, row in layer.moves.items():
            total = flint.fmpz_poly()
            for onward, shift, weight in _merged(row, adds):
                total += _shifted(now[onward] * weight, shift)
            earlier[hidden] = total
        now, scale = earlier, scale * layer.scale
    return found, scales


def _step(
    before: Polynomials, layer: _Layer, adds: Callable[[Any], int], allowed: Callable[[Any], bool] | None
) -> Polynomials:
    """One record on, among those that are allowed."""
    found: Polynomials = {}
    for hidden, polynomial in before.items():
        row = layer.moves[hidden]
        if allowed is not None:
            row = [move for move in row if allowed(move[0])]
        for onward, shift, weight in _merged(row, adds):
            more = _shifted(polynomial * weight, shift)
            found[onward] = found[onward] + more if onward in found else more
    return found


def _shifted(polynomial: Any, shift: int) -> Any:
    return polynomial * flint.fmpz_poly([*[0] * shift, 1]) if shift else polynomial


def _merged(row: Sequence[tuple[Any, Hashable, int]], adds: Callable[[Any], int]) -> list[tuple[Hashable, int, int]]:
    """(hidden state after, what is added, weight), each two of the first once."""
    weights: dict[tuple[Hashable, int], int] = {}
    for record, onward, weight in row:
        more = adds(record)
        if isinstance(more, bool) or not isinstance(more, int) or more < 0:
            raise MechanismError(f"a record adds a whole number of at least 0 to a sum, got {more!r}")
        weights[onward, more] = weights.get((onward, more), 0) + weight
    return [(onward, more, weight) for (onward, more), weight in weights.items()]


def _integers(start: Mapping[Hashable, Prob]) -> tuple[Polynomials, int]:
    scale = lcm(*(p.denominator for p in start.values() if isinstance(p, Fraction)))
    return {hidden: flint.fmpz_poly([_over(p, scale)]) for hidden, p in start.items()}, scale


def _row(total: Any, scale: int) -> tuple[Prob, dict[Hashable, Prob]]:
    weights = {k: int(c) for k, c in enumerate(total.coeffs()) if c != 0}
    return Fraction(sum(weights.values()), scale), {k: Fraction(w, scale) for k, w in weights.items()}


def _over(value: Prob, common: int) -> int:
    assert isinstance(value, Fraction)
    return value.numerator * (common // value.denominator)
