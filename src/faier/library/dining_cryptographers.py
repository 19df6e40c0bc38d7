"""Dining cryptographers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from faier.errors import UsageError
from faier.mechanisms.choices import flip
from faier.mechanisms.distribution import Weight
from faier.mechanisms.mechanism import Mechanism
from faier.noise.reading import share, whole


def dining_cryptographers(
    people: int = 3,
    heads: Weight = "1/2",
    watcher: Literal["last", "outside"] = "last",
    parameters: Mapping[str, str] | None = None,
) -> Mechanism:
    """That one of the people around a table has paid, without telling who.

    Definition: everybody shares a coin, which shows heads with probability `heads`, with each neighbour, and says
    whether the two at hand differ; who has paid says the opposite. A data set is the number, from 1, of who has paid.
    Released is what all say, and where the `watcher` is the last person, who has not paid, the two coins of theirs.
    Source: D. Chaum, The Dining Cryptographers Problem: Unconditional Sender and Recipient Untraceability, 1988.
    Guarantee: with fair coins the ratio is 1: nothing is told. With h = heads, at least 1/2, the last person's ratio is
    (h/(1 - h))^(people - 2), which is tight: 2 for three people and h = 2/3.
    """
    people, chance = whole(people, "people", 3 if watcher == "last" else 2), share(heads, "heads")
    if watcher not in ("last", "outside"):
        raise UsageError(f'watcher is "last" or "outside", got {watcher!r}')

    def mechanism(payer: int) -> str:
        # Coin i lies between person i and the next; the last one's are the last two.
        coins = [flip(chance) for _ in range(people)]
        said = [coins[i] ^ coins[i - 1] ^ (payer == i + 1) for i in range(people)]
        seen = coins[-2:] if watcher == "last" else []
        return f"{_bits(seen)}:{_bits(said)}" if seen else _bits(said)

    suspects = range(1, people if watcher == "last" else people + 1)
    return Mechanism(
        mechanism,
        inputs=suspects,
        adjacent="any_two",
        parameters=parameters,
        name="dining_cryptographers",
    )


def _bits(values: list[bool]) -> str:
    return "".join(str(int(value)) for value in values)
