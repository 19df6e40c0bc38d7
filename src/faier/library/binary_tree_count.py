"""Counting continually, by a binary tree of partial sums."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Literal

from faier.errors import MechanismError, UsageError
from faier.mechanisms.choices import draw
from faier.mechanisms.distribution import Distribution, Weight, independent
from faier.mechanisms.mechanism import Mechanism
from faier.noise import truncated_geometric as noise
from faier.noise.reading import whole

MOST_OUTCOMES = 200_000


def binary_tree_count(
    steps: int = 4,
    alpha: Weight = "1/2",
    report: Literal["nodes", "sums"] = "nodes",
    parameters: Mapping[str, str] | None = None,
) -> Mechanism:
    """How many ones a stream of bits has had so far, told after each of its `steps` bits.

    Definition: for every i, the stream is cut into blocks of 2^i bits; each whole block's count gets its own geometric
    noise, clamped to what it can be. Released are all noisy counts, short blocks first, or with report="sums" for each
    t the sum of the noisy counts of the few blocks that make up the first t bits.
    Source: C. Dwork, M. Naor, T. Pitassi and G. Rothblum, Differential Privacy under Continual Observation, 2010;
    T.-H. H. Chan, E. Shi and D. Song, Private and Continual Release of Statistics, 2011.
    Guarantee: one bit is in at most k = 1 + floor(log2 steps) blocks, so streams that differ in one bit keep the ratio
    alpha^-k. For the nodes it is tight: 8 for four steps.
    """
    steps = whole(steps, "steps", 1)
    if report not in ("nodes", "sums"):
        raise UsageError(f'report is "nodes" or "sums", got {report!r}')
    blocks = _blocks(steps)
    if (outcomes := prod(1 + end - start for start, end in blocks)) > MOST_OUTCOMES:
        many = f"{outcomes:,}" if outcomes < 10**30 else "more than 10^30"
        raise MechanismError(f"binary_tree_count: {steps} steps have {many} outcomes; at most {MOST_OUTCOMES:,}")
    parts = [[blocks.index(block) for block in _of_first(t)] for t in range(1, steps + 1)]

    def released(noisy: Sequence[int]) -> Hashable:
        if report == "nodes":
            return tuple(noisy)
        return tuple(sum(noisy[i] for i in part) for part in parts)

    def rows(stream: Sequence[int]) -> list[Distribution]:
        if len(stream) != steps:
            raise MechanismError(f"binary_tree_count: a stream has {steps} bits, got {len(stream)}")
        return [noise(sum(stream[start:end]), end - start, alpha) for start, end in blocks]

    return Mechanism(
        lambda stream: released([draw(row) for row in rows(stream)]),
        inputs=lambda: product((0, 1), repeat=steps),
        adjacent="one_record",
        parameters=parameters,
        name="binary_tree_count",
        exact=lambda stream: independent(rows(stream)).map(released),
    )


def _blocks(steps: int) -> list[tuple[int, int]]:
    sizes = [1 << i for i in range(steps.bit_length())]
    return [(start, start + size) for size in sizes for start in range(0, steps - size + 1, size)]


def _of_first(t: int) -> list[tuple[int, int]]:
    """The first t bits as whole blocks, one for each binary digit 1 of t."""
    found, start = [], 0
    for i in reversed(range(t.bit_length())):
        if t >> i & 1:
            found.append((start, start + (1 << i)))
            start += 1 << i
    return found
