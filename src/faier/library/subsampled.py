"""A mechanism on a random sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import product
from typing import Any

from faier.errors import UsageError
from faier.mechanisms.distribution import Distribution, Weight, mixture
from faier.mechanisms.mechanism import Mechanism, as_mechanism
from faier.mechanisms.process import Process
from faier.noise import binomial, hypergeometric
from faier.noise.reading import share, whole


def subsampled(
    mechanism: Mechanism | str = "randomized_response",
    people: int = 1,
    rate: Weight = "1/10",
    drawn: int | None = None,
    reused: bool = True,
    parameters: Mapping[str, str] | None = None,
    **arguments: Any,
) -> Process:
    """A mechanism that is asked how many of a random sample of people have a property.

    Definition: a data set is a tuple of people's records, 0 or 1. Each person is in the sample independently with
    probability `rate`, or, where `drawn` is given, the sample has that many people, drawn without putting back. The
    mechanism gets the number of records 1 in the sample, and answers again and again: with `reused` about one and the
    same hidden sample, otherwise about a fresh one each time. It is a mechanism of counts, or the name of one in the
    library, with its `arguments`.
    Source: B. Balle, G. Barthe and M. Gaboardi, Privacy Amplification by Subsampling, 2018.
    Guarantee: if the mechanism keeps the ratio c between counts that differ by 1, one answer keeps 1 + rate (c - 1)
    where one person's record changes. k answers of a reused sample keep 1 + rate (c^k - 1) (9/5 for rate 1/10, c = 3,
    k = 2), and of fresh ones (1 + rate (c - 1))^k (36/25).
    """
    people, chance = whole(people, "people", 1), share(rate, "rate")
    if drawn is not None:
        drawn = whole(drawn, "drawn", 1)
    if isinstance(mechanism, str):
        asked = _named(mechanism, arguments)
    elif arguments:
        raise UsageError(f"{next(iter(arguments))} is an argument for a mechanism that is given by its name")
    else:
        asked = as_mechanism(mechanism)

    def sample(data: Sequence[int]) -> Distribution:
        ones = sum(data)
        return binomial(ones, chance) if drawn is None else hypergeometric(people, ones, drawn)

    def fresh(data: Sequence[int]) -> Distribution:
        return mixture((p, asked.distribution(count)) for count, p in sample(data).items())

    return Process(
        start=sample if reused else lambda data: {data: Fraction(1)},
        emit=asked.distribution if reused else fresh,
        inputs=lambda: product((0, 1), repeat=people),
        adjacent="one_record",
        parameters={**asked.parameters, **(parameters or {})},
        name="subsampled",
    )


def _named(name: str, arguments: Mapping[str, Any]) -> Mechanism:
    # Through the library, whose names are looked up when they are asked for; it knows how to say that there is none.
    library = import_module("faier.library")
    return as_mechanism(library.entry(name)(**arguments))
