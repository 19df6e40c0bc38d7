"""RAPPOR: permanent and instantaneous randomised response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from faier.errors import MechanismError
from faier.mechanisms.distribution import Distribution, Weight, independent
from faier.mechanisms.paths import short
from faier.mechanisms.process import Process
from faier.noise import bernoulli
from faier.noise.reading import share, whole


def rappor(
    bits: int = 4,
    f: Weight = "1/2",
    p: Weight = "1/2",
    q: Weight = "3/4",
    parameters: Mapping[str, str] | None = None,
) -> Process:
    """Reports of a few bits (of a Bloom filter), each randomised once for all and then again for each report.

    Definition: a bit that is set is set in the permanent bits with probability 1 - f/2, another one with f/2. Each
    report has a 1 with probability q for a permanent bit that is set, and with p for another one. A data set is the
    tuple of true bits. The first release is one report; a question at horizon T is about T of them, at "any" about all.
    Source: U. Erlingsson, V. Pihur and A. Korolova, RAPPOR: Randomized Aggregatable Privacy-Preserving Ordinal
    Response, 2014.
    Guarantee: where h bits are set on one side only and h on the other only, any number of reports keep the ratio
    ((1 - f/2)/(f/2))^2h, and ever more reports approach it: 81 for f = 1/2 and h = 2, with 5929/2025 for one report
    and 162409/21609 for two.
    """
    bits = whole(bits, "bits", 1)
    keep = share(f, "f")
    told = {0: bernoulli(share(p, "p")), 1: bernoulli(share(q, "q"))}
    permanent = {0: bernoulli(keep / 2), 1: bernoulli(1 - keep / 2)}

    def each(row: Mapping[int, Distribution], among: Sequence[int]) -> Distribution:
        if len(among) != bits or any(bit not in row for bit in among):
            raise MechanismError(f"rappor: a data set is a tuple of {bits} bits, got {short(among)}")
        return independent(row[bit] for bit in among)

    return Process(
        start=lambda data: each(permanent, data),
        emit=lambda kept: each(told, kept),
        inputs=lambda: product((0, 1), repeat=bits),
        adjacent="any_two",
        parameters=parameters,
        name="rappor",
    )


