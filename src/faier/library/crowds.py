"""Crowds."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from faier.errors import MechanismError
from faier.mechanisms.choices import draw, flip
from faier.mechanisms.distribution import Weight
from faier.mechanisms.mechanism import Mechanism
from faier.noise import uniform
from faier.noise.reading import share, whole


def crowds(
    honest: int = 5,
    corrupt: Weight = "1/11",
    forward: Weight = "4/5",
    parameters: Mapping[str, str] | None = None,
) -> Mechanism:
    """A message that is handed on among members of a crowd until one delivers it: who sent it?

    Definition: the sender, one of `honest` members (from 1), hands the message to a random member, who is corrupt with
    probability `corrupt`; an honest one hands it on again with probability `forward`, else delivers it. The first
    corrupt member to get it tells from whom; otherwise the run is "unseen".
    Source: M. Reiter and A. Rubin, Crowds: Anonymity for Web Transactions, 1998.
    Guarantee: with b = corrupt the ratio is 1 + honest (1 - forward (1 - b)) / ((1 - b) forward), which is tight:
    2614/909 for five members, b = 91/1000 and forward = 4/5.
    """
    honest, bad, onward = whole(honest, "honest", 2), share(corrupt, "corrupt"), share(forward, "forward", one=False)
    members = range(1, honest + 1)
    # Once an honest member, anybody alike, has it: it is handed on and seen, or handed on and all begins anew.
    seen_later = onward * bad / (1 - onward * (1 - bad))
    def mechanism(sender: int) -> Hashable:
        if sender not in members:
            raise MechanismError(f"crowds: a sender is a number from 1 to {honest}, got {sender!r}")
        if flip(bad):
            return sender
        if not flip(seen_later):
            return "unseen"
        found: int = draw(uniform(members))
        return found

    return Mechanism(
        mechanism,
        inputs=members,
        adjacent="any_two",
        parameters=parameters,
        name="crowds",
    )
