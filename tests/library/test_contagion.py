"""A noisy count over a chain: exact at every time, beside what published mechanisms ask for."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import combinations, pairwise, product
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import faier
from faier import library
from faier.knowledge.wasserstein import distance
from faier.library.chain import Chain
from faier.library.quilt import Quilt


@st.composite
def row(draw: st.DrawFn, values: Any, least: int = 0) -> dict[Any, F]:
    weights = [draw(st.integers(least, 4)) for _ in values]
    if not any(weights):
        weights[0] = 1
    return {v: F(w, sum(weights)) for v, w in zip(values, weights, strict=True) if w}


@st.composite
def settings_of_a_chain(draw: st.DrawFn, least: int = 0) -> dict[str, Any]:
    states = (0, 1) if draw(st.booleans()) else (0, 1, 2)
    return {
        "length": draw(st.integers(1, 5)),
        "start": draw(row(states, 1)),
        "step": {s: draw(row(states, least)) for s in states},
        "clamped": draw(st.booleans()),
    }


def trajectories(chain: Chain, length: int) -> dict[tuple, F]:
    found = {}
    for path in product(chain.states, repeat=length):
        p = F(chain.start.of(path[0]))
        for x, y in pairwise(path):
            p *= chain.step[x].of(y)
        if p:
            found[path] = p
    return found


@settings(max_examples=60)
@given(settings_of_a_chain(), st.data())
def test_the_ratio_about_each_time_by_listing_trajectories(chain: dict[str, Any], data: st.DataObject) -> None:
    count = library.markov_count(**chain)
    at = data.draw(st.integers(1, count.length))
    paths = trajectories(count.chain, count.length)
    given_state: dict[Any, dict[Any, F]] = {}
    for path, p in paths.items():
        released = given_state.setdefault(path[at - 1], {})
        for z, q in count.distribution(path.count(1)).items():
            released[z] = released.get(z, F(0)) + p * q
    totals = {x: sum(r.values()) for x, r in given_state.items()}
    expected = max(
        (
            (r[z] / totals[x]) / (given_state[y][z] / totals[y])
            for x, r in given_state.items()
            for y in given_state
            if x != y
            for z in r
        ),
        default=None,
    )
    if expected is None:
        with pytest.raises(faier.UsageError, match="one is impossible"):
            count.scenario(at=at)
    else:
        assert faier.epsilon(count.scenario(at=at)).ratio.upper == expected


@settings(max_examples=60)
@given(settings_of_a_chain(least=1), st.data())
def test_quilts_by_listing_trajectories(chain: dict[str, Any], data: st.DataObject) -> None:
    """The quilt that is found asks for no more than any other, and has the influence that trajectories show."""
    count = library.markov_count(**chain)
    at = data.draw(st.integers(1, count.length))
    ratio = data.draw(st.sampled_from([F(11, 10), F(3, 2), F(2), F(5)]))
    found = count.quilt(at, ratio)
    paths = trajectories(count.chain, count.length)
    noises = {}
    for before in [None, *range(1, at)]:
        for after in [None, *range(at + 1, count.length + 1)]:
            nearby = (after or count.length + 1) - (before or 0) - 1
            influence = told(paths, at, [t for t in (before, after) if t is not None])
            if influence < inf:
                noises[before, after] = Quilt(at, before, after, nearby, F(influence)).alpha(ratio)
            if (before, after) == (found.before, found.after):
                assert (found.nearby, found.influence) == (nearby, influence)
    alpha = found.alpha(ratio)
    assert alpha is not None
    assert alpha == min(a for a in noises.values() if a is not None)


def told(paths: dict[tuple, F], at: int, times: list[int]) -> F | float:
    """The largest ratio with which the states at these times tell that at `at`."""
    rows: dict[Any, dict[tuple, F]] = {}
    for path, p in paths.items():
        shown = tuple(path[t - 1] for t in times)
        here = rows.setdefault(path[at - 1], {})
        here[shown] = here.get(shown, F(0)) + p
    totals = {x: sum(r.values()) for x, r in rows.items()}
    return max(
        (
            (p / totals[x]) / (rows[y][shown] / totals[y]) if shown in rows[y] else inf
            for x, y in product(rows, repeat=2)
            for shown, p in rows[x].items()
        ),
        default=F(1),
    )


@settings(max_examples=60)
@given(settings_of_a_chain(least=1), st.data())
def test_what_the_published_bounds_ask_for_is_enough(chain: dict[str, Any], data: st.DataObject) -> None:
    ratio = data.draw(st.sampled_from([F(3, 2), F(2), F(5)]))
    count = library.markov_count(**chain)
    at = data.draw(st.integers(1, count.length))
    apart = faier.wasserstein(count.scenario(at=at))
    enough = [count.quilt(at, ratio).alpha(ratio)]
    enough += [faier.noise.least_alpha(apart, ratio)] if apart else []
    for alpha in enough:
        assert alpha is not None
        noisy = library.markov_count(**chain, alpha=alpha).scenario(at=at, ratio=ratio)
        assert isinstance(faier.verify(noisy), faier.Holds)


@given(row(range(-2, 4)), row(range(-2, 4)))
def test_the_wasserstein_distance_by_sets(one: dict[int, F], two: dict[int, F]) -> None:
    """Strassen: W is enough exactly when no set of numbers is likelier than all that is at most W away from it."""

    def enough(w: int) -> bool:
        sets = [s for n in range(1, len(one) + 1) for s in combinations(one, n)]
        near = ({y for y in two if any(abs(x - y) <= w for x in s)} for s in sets)
        return all(sum(one[x] for x in s) <= sum(two[y] for y in around) for s, around in zip(sets, near, strict=True))

    assert distance(one, two) == distance(two, one) == next(w for w in range(7) if enough(w))


def test_a_hundred_steps_every_time() -> None:
    count = library.markov_count(length=100, stay="4/5", alpha="1/2", clamped=False)
    every = count.scenario()
    assert len(every.pairs) == 100
    found = faier.epsilon(every)
    assert found.exact
    ratios = [faier.epsilon(count.scenario(at=t)).ratio.upper for t in (1, 20, 50)]
    assert ratios[0] < ratios[1] < ratios[2] == found.ratio.upper
    assert found.ratio.upper < 2 ** faier.wasserstein(every)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: library.markov_count(length=3).quilt(4, 2), "at is at most 3, got 4"),
        (lambda: library.markov_count(length=3).quilt(1, 1), "noise keeps a ratio greater than 1, got 1"),
        (lambda: library.markov_count(length=3).quilt(1, "r"), "the ratio of a quilt is a number, got r"),
        (lambda: library.markov_count(length=3, stay="s").quilt(1, 2), "a quilt of a chain with parameters"),
        (lambda: faier.noise.least_alpha(2, 1), "noise keeps a ratio greater than 1"),
        (lambda: faier.wasserstein(library.markov_release().scenario(at=2)), "distributions of whole numbers"),
        (
            lambda: faier.wasserstein(
                faier.pufferfish(
                    library.geometric(counts=2, alpha="1/2"),
                    prior=faier.independent("p", 2),
                    parameters={"p": "0 < p < 1"},
                    query=faier.count(),
                    secrets=[faier.record(1), ~faier.record(1)],
                )
            ),
            "depend on parameters",
        ),
    ],
)
def test_what_has_no_bound(make: Any, message: str) -> None:
    with pytest.raises(faier.MechanismError, match=message):
        make()


@given(st.integers(1, 9), st.fractions(F(101, 100), 20, max_denominator=100), st.integers(1, 4))
def test_the_least_alpha_of_so_many_digits(apart: int, ratio: F, digits: int) -> None:
    found, unit = faier.noise.least_alpha(apart, ratio, digits), F(1, 10**digits)
    limit = 1 if found is None else found
    assert limit**apart * ratio >= 1
    assert limit == unit or (limit - unit) ** apart * ratio < 1
