"""A chain read through randomised response: every time, against listing all trajectories."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import pairwise, product
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import faier
from faier import library


@st.composite
def rows(draw: st.DrawFn, values: Any) -> dict[Any, F]:
    weights = [draw(st.integers(0, 3)) for _ in values]
    weights[draw(st.integers(0, len(weights) - 1))] += 1
    return {v: F(w, sum(weights)) for v, w in zip(values, weights, strict=True) if w}


@settings(max_examples=60)
@given(st.data())
def test_the_ratio_about_the_state_at_a_time(data: st.DataObject) -> None:
    states = ("a", "b") if data.draw(st.booleans()) else ("a", "b", "c")
    start, step = data.draw(rows(states)), {s: data.draw(rows(states)) for s in states}
    truth = data.draw(st.sampled_from([F(3, 4), F(1, 2), F(1)]))
    length, at = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    release = library.markov_release(start=start, step=step, truth=truth)
    # Long enough for the secret, even where fewer releases count.
    given_state: dict[Any, dict[Any, F]] = {}
    for path in product(states, repeat=max(length, at)):
        p = F(start.get(path[0], 0))
        for x, y in pairwise(path):
            p *= step[x].get(y, 0)
        if not p:
            continue
        words = given_state.setdefault(path[at - 1], {})
        for word in product(states, repeat=length):
            q = p
            for x, y in zip(path, word, strict=False):
                q *= truth if x == y else (1 - truth) / (len(states) - 1)
            if q:
                words[word] = words.get(word, F(0)) + q
    if len(given_state) < 2:
        with pytest.raises(faier.MechanismError, match="the chain is always in state"):
            release.scenario(at=at, horizon=length)
        return
    totals = {x: sum(words.values()) for x, words in given_state.items()}
    worst = max(
        (p / totals[x]) / (given_state[y][word] / totals[y]) if word in given_state[y] else inf
        for x, words in given_state.items()
        for y in given_state
        if x != y
        for word, p in words.items()
    )
    assert faier.epsilon(release.scenario(at=at, horizon=length)).ratio.upper == worst


@pytest.mark.parametrize("at", [1, 4, 9])
def test_longer_observation_tells_more_up_to_a_limit(at: int) -> None:
    release = library.markov_release()
    ratios = [faier.epsilon(release.scenario(at=at, horizon=n)).ratio.upper for n in (1, 3, 6, 12)]
    assert ratios == sorted(ratios)
    every = faier.epsilon(release.scenario(at=at, horizon="any"))
    assert ratios[-1] <= every.ratio.upper
    # What is seen before the state tells no more than what is seen after it, the state itself apart, whose ratio is 3.
    first = faier.epsilon(release.scenario(at=1, horizon="any"))
    assert first.ratio.upper / 3 >= 2
    assert every.ratio.lower <= first.ratio.upper**2 / 3
