"""A Markov chain, read through randomised response."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import combinations
from typing import Any, Literal

from faier.errors import MechanismError
from faier.mechanisms.distribution import Distribution, Weight
from faier.mechanisms.process import Process
from faier.model.hmm import HMM
from faier.model.names import label
from faier.noise import k_ary_response
from faier.noise.reading import whole
from faier.scenario.scenario import Horizon, Scenario
from faier.scenario.written import Gate

from .chain import Chain, chain


def markov_release(
    states: int = 2,
    stay: Weight = "4/5",
    truth: Weight = "3/4",
    start: Any = None,
    step: Any = None,
    parameters: Mapping[str, str] | None = None,
) -> MarkovRelease:
    """Somebody's activity over time, each state told through randomised response.

    Definition: a chain of states 0, 1, ... stays where it is with probability `stay` and else goes to any other alike,
    from a uniform start; or `step`, state -> next state -> probability, and `start` say otherwise. At each time the
    state is told with probability `truth`, else one of the others, each alike. A data set is the state at time 1; a
    question at horizon T is about T releases. `.scenario(at=t)` is the question about the state at time t, and with
    `at="every"` that about the state at any time.
    Source: S. Song, Y. Wang and K. Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data, 2017, for chains of
    activities as a secret.
    Guarantee: one release keeps truth (k - 1)/(1 - truth) for k states; more tell more. With two states, stay = 4/5 and
    truth = 3/4 the state at time 1 has the ratio 75099/9097 after five releases, and about 8.3589 after any number.
    """
    moves = chain(states, stay, start, step)
    told = {state: k_ary_response(state, moves.states, truth) for state in moves.states}
    return MarkovRelease(moves, told, parameters)


class MarkovRelease(Process):
    """What `markov_release` gives: a process, and the question about its state at any time."""

    def __init__(self, chain: Chain, told: Mapping[Hashable, Distribution], parameters: Mapping[str, str] | None):
        self.chain, self.told = chain, dict(told)
        super().__init__(
            start=lambda state: {state: 1},
            emit=self.told.__getitem__,
            step=lambda state: chain.step[state],
            inputs=chain.states,
            adjacent="any_two",
            parameters=parameters,
            name="markov_release",
        )

    def scenario(
        self,
        at: int | Literal["every"] = 1,
        *,
        horizon: Horizon = "any",
        epsilon: Any = None,
        ratio: Any = None,
        title: str = "",
    ) -> Scenario:
        """Ask whether the releases tell the state at time `at`; an attacker knows the chain, with its start.

        Before that time the chain is conditioned on the state then, exactly; the horizon may be shorter or longer than
        `at`, or "any".
        """
        if at == "every":
            possible = list(self.chain.states)
            when = "any time"
        else:
            at = whole(at, "at", 1)
            when = f"time {at}"
            # A pair of which one is impossible is skipped, as the definition says.
            possible = self.chain.possible(at)
            if len(possible) < 2:
                raise MechanismError(f"markov_release: at time {at} the chain is always in state {label(possible[0])}")
        emit, step = self.rows(self.chain.states)
        used = frozenset[str]().union(*(row.parameters for row in (self.chain.start, *emit.values(), *step.values())))
        begin = "start"
        while begin in map(label, self.chain.states):
            begin = f"the {begin}"
        return Scenario.of(
            HMM(emit, step, {name: text for name, text in self.parameters.items() if name in used}),
            [Gate(begin, at, (one,), (two,)) for one, two in combinations(possible, 2)],
            beliefs={begin: dict(self.chain.start)},
            epsilon=epsilon,
            ratio=ratio,
            horizon=horizon,
            title=title or f"markov_release: the state at {when}",
        )
