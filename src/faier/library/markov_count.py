"""A noisy count over a Markov chain."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

from faier.errors import MechanismError
from faier.knowledge.prior import Prior, markov_chain
from faier.knowledge.query import Fold, count
from faier.knowledge.questions import pufferfish
from faier.knowledge.secret import Secret, record
from faier.mechanisms.choices import draw
from faier.mechanisms.distribution import Distribution, Weight
from faier.mechanisms.mechanism import Mechanism
from faier.noise import geometric, lumped, truncated_geometric
from faier.noise.reading import number, whole
from faier.scenario.scenario import Scenario

from .chain import Chain, chain
from .quilt import Quilt, best_quilt


def markov_count(
    length: int = 10,
    states: int = 2,
    stay: Weight = "4/5",
    counted: Any = 1,
    alpha: Weight = "1/2",
    clamped: bool = True,
    start: Any = None,
    step: Any = None,
    parameters: Mapping[str, str] | None = None,
) -> MarkovCount:
    """How often a chain was in one state, with noise: how many people of a row are ill, who infect one another.

    Definition: a chain of `length` steps, of states 0, 1, ..., stays where it is with probability `stay` and else goes
    to any other alike, from a uniform start; or `step` and `start` say otherwise. The number of times it was in the
    state `counted` gets geometric noise, clamped to 0..length, or not, with tails as symbols [T15]. As a mechanism it
    takes the count; `.scenario(at=t)` is the question about the state at time t, with the chain as the prior.
    Source: S. Song, Y. Wang and K. Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data, 2017.
    Guarantee: counts that differ by 1 keep the ratio 1/alpha. For the state at one time, W the infinity-Wasserstein
    distance of the counts given either state, it is at most alpha^-W (their Theorem 3.2); faier gives the exact ratio.
    """
    length = whole(length, "length", 1)
    return MarkovCount(chain(states, stay, start, step), length, counted, alpha, bool(clamped), parameters)


class MarkovCount(Mechanism):
    """What `markov_count` gives: a mechanism of the count, its prior and query, and the question about a time."""

    def __init__(
        self,
        chain: Chain,
        length: int,
        counted: Hashable,
        alpha: Weight,
        clamped: bool,
        parameters: Mapping[str, str] | None,
    ):
        counts = range(length + 1)
        rows: dict[int, Distribution]
        if clamped:
            rows = {c: truncated_geometric(c, length, alpha) for c in counts}
        else:
            rows = lumped({c: geometric(c, alpha) for c in counts})
        self.chain, self.length = chain, length
        self.prior: Prior = markov_chain(chain.start, chain.step, length)
        self.query: Fold = count(counted)
        super().__init__(
            lambda count: draw(rows[count]),
            inputs=counts,
            adjacent="each_within(1)",
            parameters=parameters,
            exact=rows.__getitem__,
            name="markov_count",
        )

    def secrets(self, at: int) -> list[Secret]:
        """That the chain is in each of its states at this time."""
        return [record(at, state) for state in self.chain.states]

    def quilt(self, at: int, ratio: Weight) -> Quilt:
        """What the Markov Quilt mechanism would ask for to keep a ratio about the state at this time."""
        limit = number(ratio, "ratio")
        if not isinstance(limit, Fraction):
            raise MechanismError(f"the ratio of a quilt is a number, got {limit}")
        if whole(at, "at", 1) > self.length:
            raise MechanismError(f"at is at most {self.length}, got {at}")
        return best_quilt(self.chain, self.length, at, limit)

    def scenario(
        self, at: int | None = None, *, epsilon: Any = None, ratio: Any = None, title: str = ""
    ) -> Scenario:
        """Ask whether the noisy count tells the state at time `at`, or, where none is given, at any time."""
        times = range(1, self.length + 1) if at is None else [whole(at, "at", 1)]
        return pufferfish(
            self,
            prior=self.prior,
            query=self.query,
            secrets=[pair for t in times for pair in combinations(self.secrets(t), 2)],
            epsilon=epsilon,
            ratio=ratio,
            title=title or "markov_count: the state at " + ("any time" if at is None else f"time {at}"),
        )
