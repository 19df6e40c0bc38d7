"""Noise on all integers, and its tails as symbols: T15 against many integers, and refusals. [T15]"""

from __future__ import annotations

import doctest
import operator
from fractions import Fraction as F
from importlib import import_module
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

import faier
from faier import noise
from faier.noise import Tail

ALPHA = st.fractions(F(1, 9), F(8, 9), max_denominator=9)
COUNTS = st.integers(-4, 4)


@st.composite
def on_integers(draw: st.DrawFn, lower: F, upper: F) -> noise.OnIntegers:
    """Any middle, with tails that shrink by these factors; scaled to sum to 1."""
    low = draw(COUNTS)
    weights = [F(draw(st.integers(1, 5))), *(F(draw(st.integers(0, 5))) for _ in range(draw(st.integers(0, 2)))), F(1)]
    total = sum(weights) + weights[0] * lower / (1 - lower) + weights[-1] * upper / (1 - upper)
    return noise.OnIntegers(low, tuple(w / total for w in weights), lower, upper)


@given(st.data(), ALPHA, ALPHA)
def test_sums_over_all_integers(data: st.DataObject, lower: F, upper: F) -> None:
    row = data.draw(on_integers(lower, upper))
    z = data.draw(st.integers(-9, 9))
    assert row.at_most(z) + row.at_least(z + 1) == 1
    assert row.at_most(z) - row.at_most(z - 1) == row.of(z) == row.at_least(z) - row.at_least(z + 1)
    assert row.of(row.high + 3) == row.of(row.high) * upper**3
    assert row.of(row.low - 3) == row.of(row.low) * lower**3


@given(st.data(), ALPHA, ALPHA)
def test_lumping_loses_no_ratio_and_no_delta(data: st.DataObject, lower: F, upper: F) -> None:
    """Mixtures of lumped rows, against the same mixtures on many integers and what lies beyond them."""
    rows = {k: data.draw(on_integers(lower, upper)) for k in range(data.draw(st.integers(2, 3)))}
    left, right = (mixing(data, len(rows)) for _ in range(2))
    made = noise.lumped(rows)
    small = [mixed(made, weights) for weights in (left, right)]
    far = 30
    large = []
    for weights in (left, right):
        one = {z: sum((w * rows[k].of(z) for k, w in weights.items()), F(0)) for z in range(-far, far + 1)}
        one["below"] = sum((w * rows[k].at_most(-far - 1) for k, w in weights.items()), F(0))
        one["above"] = sum((w * rows[k].at_least(far + 1) for k, w in weights.items()), F(0))
        large.append(one)
    assert worst(*small) == worst(*large)
    assert worst(*small[::-1]) == worst(*large[::-1])
    c = data.draw(st.fractions(0, 4, max_denominator=8))
    assert delta(*small, c) == delta(*large, c)


def mixing(data: st.DataObject, size: int) -> dict[int, F]:
    weights = [data.draw(st.integers(0, 3)) for _ in range(size)]
    weights[data.draw(st.integers(0, size - 1))] += 1
    return {k: F(w, sum(weights)) for k, w in enumerate(weights)}


def mixed(rows: dict[int, faier.Distribution], weights: dict[int, F]) -> dict[object, F]:
    symbols = {z for row in rows.values() for z in row}
    return {z: sum((w * rows[k].of(z) for k, w in weights.items()), F(0)) for z in symbols}


def worst(left: dict, right: dict) -> F | float:
    return max(p / right[z] if right[z] else inf for z, p in left.items() if p)


def delta(left: dict, right: dict, c: F) -> F:
    return sum((max(F(0), p - c * right[z]) for z, p in left.items()), F(0))


@given(COUNTS, ALPHA, st.integers(-5, 5), st.integers(0, 6))
def test_clamped_is_truncated(count: int, alpha: F, low: int, width: int) -> None:
    made = noise.geometric(count, alpha).clamped(low, low + width)
    if low <= count <= low + width:
        assert made == noise.truncated_geometric(count, low + width, alpha, low)
    assert sum(made.values()) == 1
    assert set(made) <= set(range(low, low + width + 1))


@given(ALPHA, st.integers(0, 3), st.integers(1, 3))
def test_lumped_and_tailed_are_the_same(alpha: F, low: int, width: int) -> None:
    high = low + width
    rows = {count: noise.geometric(count, alpha) for count in range(low, high + 1)}
    made = noise.lumped(rows, low, high)
    assert made == {count: noise.tailed_geometric(count, low, high, alpha) for count in rows}
    assert noise.lumped(rows) == made


def test_tails_with_an_unknown_alpha() -> None:
    made = noise.lumped({c: noise.geometric(c, "alpha") for c in (0, 1)})
    assert str(made[0][Tail(False, 0)]) == "1/(alpha + 1)"


def test_what_shrinks_differently_is_not_lumped() -> None:
    with pytest.raises(faier.MechanismError, match="the lower tails shrink by 1/2 and by 1/3"):
        noise.lumped({0: noise.geometric(0, "1/2"), 1: noise.geometric(1, "1/3")})
    with pytest.raises(faier.MechanismError, match="the lower tails shrink by alpha and by beta"):
        noise.lumped({0: noise.geometric(0, "alpha"), 1: noise.geometric(1, "beta")})


def test_the_condition_is_needed() -> None:
    """Tails of different factors as one symbol would hide a ratio without bound."""
    one, two = noise.geometric(0, "1/2"), noise.geometric(0, "1/3")
    ratios = [one.of(z) / two.of(z) for z in (0, 10, 20)]
    assert ratios[0] < ratios[1] < ratios[2]
    assert one.at_least(1) / two.at_least(1) < ratios[1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: noise.lumped({}), "no distributions"),
        (lambda: noise.lumped({0: noise.geometric(0), 5: noise.geometric(5)}, 1, 5), "the tails begin outside 0..5"),
        (lambda: noise.lumped({0: noise.geometric(0)}, 2, 1), "low is at most high"),
        (lambda: noise.lumped({0: noise.geometric(0)}, 0, 0), "low is less than high"),
        (lambda: noise.geometric(0).clamped(3, 1), "low is at most high"),
        (lambda: noise.OnIntegers(0, (F(1, 2),), F(1, 2), F(1, 2)), "sums to 1, got 3/2"),
        (lambda: noise.OnIntegers(0, (F(1, 2),), F(1), F(1, 2)), "less than 1, got 1"),
        (lambda: faier.Distribution(noise.geometric(0)), "has infinitely many values; draw from it clamped"),
    ],
)
def test_what_is_not_lumped(make, message: str) -> None:
    with pytest.raises(faier.MechanismError, match=message):
        make()


SIGNS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq]


@given(st.booleans(), COUNTS, COUNTS, st.sampled_from(SIGNS))
def test_a_tail_answers_only_what_all_its_integers_answer_alike(upwards: bool, end: int, limit: int, sign) -> None:
    tail = Tail(upwards, end)
    answers = {sign(z, limit) for z in (range(end, 30) if upwards else range(end, -30, -1))}
    if len(answers) == 1:
        assert sign(tail, limit) == answers.pop()
    else:
        with pytest.raises(faier.MechanismError, match="for some integers of the tail"):
            sign(tail, limit)


def test_tails_can_be_moved() -> None:
    assert str(Tail(True, 3) + 2) == ">=5"
    assert str(1 - Tail(True, 3)) == "<=-2"
    assert str(2 + Tail(False, 3) - 1) == "<=4"
    with pytest.raises(faier.MechanismError):
        sorted([Tail(True, 3), Tail(True, 4)])
    assert Tail(True, 3) != "x"


def test_a_threshold_on_unclamped_noise() -> None:
    """Released only when count plus noise is at least 3."""
    noisy = faier.Mechanism(lambda c: bool(faier.draw(noise.tailed_geometric(c, 0, 3)) >= 3))
    assert noisy.distribution(1)[True] == noise.geometric(1).at_least(3) == F(1, 6)


def asked(draws, inputs=(0, 1)) -> faier.Scenario:
    return faier.differential_privacy(faier.Mechanism(draws, inputs=inputs), adjacent=faier.any_two)


def test_tails_that_begin_at_different_places_make_no_model() -> None:
    """One data set would release 5 where the other releases >=4, though the outputs are the same."""
    same = asked(lambda c: faier.draw(noise.tailed_geometric(c, 0, 4)))
    assert faier.epsilon(same).ratio.upper == 2
    with pytest.raises(faier.MechanismError, match=r"releases >=4 and 4, which have outputs in common"):
        asked(lambda c: faier.draw(noise.tailed_geometric(c, 0, 4 + c)))
    with pytest.raises(faier.MechanismError, match="outputs in common"):
        asked(lambda c: ("a", faier.draw(noise.tailed_geometric(c, 0, 4)) + int(faier.flip())))
    with pytest.raises(faier.MechanismError, match="outputs in common"):
        faier.Process(lambda c: {c: 1}, lambda c: noise.tailed_geometric(c, 0, 4 + c), inputs=[0, 1]).model()
    # What is released with another name does not overlap.
    named = asked(lambda c: (c, faier.draw(noise.tailed_geometric(c, 0, 4 + c))))
    assert faier.epsilon(named).ratio.upper == inf


def test_tails_of_different_noise_are_no_one_symbol() -> None:
    with pytest.raises(faier.MechanismError, match="noise that shrinks by 1/2, and of noise that shrinks by 1/3"):
        asked(lambda c: faier.draw(noise.tailed_geometric(c, 0, 4, F(1, 2 + c))))
    with pytest.raises(faier.MechanismError, match="shrinks by 1/2, and of noise that shrinks by alpha"):
        asked(lambda c: faier.draw(noise.tailed_geometric(c, 0, 4, "alpha" if c else "1/2")))
    # Released beside what tells the noise, they are different symbols.
    named = asked(lambda c: (c, faier.draw(noise.tailed_geometric(c, 0, 4, F(1, 2 + c)))))
    assert faier.epsilon(named).ratio.upper == inf
    # A comparison tells the same of all integers of a tail, whatever they weigh.
    fine = asked(lambda c: faier.draw(noise.tailed_geometric(c, 0, 4, F(1, 2 + c))) >= 3)
    one, two = noise.geometric(0, "1/2").at_least(3), noise.geometric(1, "1/3").at_least(3)
    assert faier.epsilon(fine).ratio.upper == one / two


@given(st.booleans(), COUNTS, st.booleans(), COUNTS)
def test_which_tails_overlap(up: bool, end: int, other_up: bool, other: int) -> None:
    def integers(upwards: bool, start: int) -> set[int]:
        return set(range(start, 20)) if upwards else set(range(-20, start + 1))

    assert Tail(up, end).covers(Tail(other_up, other)) == bool(integers(up, end) & integers(other_up, other))
    assert Tail(up, end).covers(other) == (other in integers(up, end))


@pytest.mark.parametrize("module", ["tails", "geometric", "coins", "weighted"])
def test_examples_of_the_docstrings(module: str) -> None:
    results = doctest.testmod(import_module(f"faier.noise.{module}"))
    assert results.failed == 0
    assert results.attempted > 0


def test_a_tail_is_neither_true_nor_a_float_where_some_of_its_integers_are_not() -> None:
    for asked in (lambda: bool(Tail(True, 0)), lambda: bool(Tail(False, 3)), lambda: Tail(True, 2) == 5.0):
        with pytest.raises(faier.MechanismError, match="some integers of the tail and not for others"):
            asked()
    assert bool(Tail(True, 1))
    assert bool(Tail(False, -1))
    assert Tail(True, 2) != 1.0
    assert Tail(True, 2) != 5.5
    assert Tail(True, 2) != float("inf")
