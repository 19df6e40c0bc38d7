"""Functions along all paths of their draws: exact distributions, and mistakes that read well."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Hashable
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import faier
from faier.mechanisms import paths, sampling
from faier.noise import uniform


def test_draws_are_multiplied_along_paths_and_added_over_them() -> None:
    @faier.mechanism
    def answer(truth: str) -> str:
        return truth if faier.flip("3/4") else faier.draw({"yes": "1/2", "no": "1/2"})

    assert dict(answer.distribution("yes")) == {"yes": F(7, 8), "no": F(1, 8)}


@given(st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=3), min_size=1, max_size=4))
def test_independent_draws_are_the_product(weights: list[list[int]]) -> None:
    rows = [{k: F(w, sum(row)) for k, w in enumerate(row)} for row in weights]
    made = faier.Mechanism(lambda _: tuple(faier.draw(row) for row in rows)).distribution(0)
    for values in itertools.product(*rows):
        expected = F(1)
        for row, value in zip(rows, values, strict=True):
            expected *= row[value]
        assert made[values] == expected
    assert sum(made.values()) == 1


def test_what_is_drawn_next_may_depend_on_what_was_drawn() -> None:
    def walk(steps: int) -> int:
        place = 0
        for _ in range(steps):
            place += faier.draw({1: "1/3", -1: "2/3"}) if place >= 0 else 1
        return place

    assert dict(faier.Mechanism(walk).distribution(2)) == {2: F(1, 9), 0: F(2, 9) + F(2, 3)}


def test_a_mechanism_may_call_another() -> None:
    inner = faier.library.truncated_geometric(counts=1)
    outer = faier.Mechanism(lambda count: inner(count) + inner(count))
    assert dict(outer.distribution(0)) == {0: F(4, 9), 1: F(4, 9), 2: F(1, 9)}


def test_probabilities_may_have_parameters() -> None:
    p = faier.parameter("p")
    coin = faier.Mechanism(
        lambda bit: bit if faier.flip(1 - p / 2) else 1 - bit, inputs=[0, 1], parameters={"p": "0 <= p <= 1"}
    )
    assert str(coin.distribution(0)[1]) == "p/2"
    assert coin.model().parameters == {"p": "0 <= p <= 1"}
    named = faier.Mechanism(lambda bit: faier.draw({bit: "1 - p/2", 1 - bit: "p/2"}))
    assert named.distribution(0) == coin.distribution(0)


def mistake(function: Any, data: Hashable = 0) -> str:
    with pytest.raises(faier.MechanismError) as caught:
        faier.Mechanism(function).distribution(data)
    return str(caught.value)


def test_a_list_is_no_symbol() -> None:
    assert mistake(lambda _: [1, 2]).endswith("it returns a list, which is not hashable; return a tuple")


def test_a_forgotten_return() -> None:
    def forgets(data: int) -> None:
        faier.flip()

    assert mistake(forgets) == "forgets(0), after 1 draw: True: it returns nothing; return the symbol that is released"


def test_a_float_is_no_symbol() -> None:
    assert "it returns the float 0.5" in mistake(lambda _: 0.5)


def test_a_generator_is_no_mechanism() -> None:
    def yields(_: int) -> Any:
        yield 1

    with pytest.raises(faier.MechanismError, match="plain function, which returns what is released; yields is async"):
        faier.Mechanism(yields)
    assert "it returns a generator, not a symbol" in mistake(lambda _: yields(1))


def test_a_distribution_that_does_not_sum_to_1() -> None:
    assert mistake(lambda _: faier.draw({"a": "0.99"})).endswith("the distribution {'a': 99/100} sums to 99/100, not 1")


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"a": "-1/2", "b": "3/2"}, "the probability of 'a' is negative: -1/2"),
        ({"a": 0.5, "b": 0.5}, 'write it as a string: "0.5"'),
        ({"a": "1/0"}, "the probability of 'a'"),
        ({}, "sums to 0, not 1"),
        ([1, 2], "a distribution is value -> probability"),
        ("a", "a distribution is value -> probability"),
        (3, "a distribution is value -> probability"),
        ([([1], 1)], "must be hashable, got a list"),
    ],
)
def test_what_is_no_distribution(weights: Any, message: str) -> None:
    assert message in mistake(lambda _: faier.draw(weights))


@pytest.mark.parametrize("p", ["3/2", "-1/2", 0.5, "x y", None])
def test_what_is_no_probability_of_a_coin(p: Any) -> None:
    assert mistake(lambda _: int(faier.flip(p)))


def test_a_loop_that_draws_for_ever() -> None:
    def waits(_: int) -> int:
        while not faier.flip():
            pass
        return 1

    expected = "waits(0) makes more than 1,000 draws on one path: a loop without an end? after 1000 draws: False"
    assert mistake(waits).startswith(expected)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_loop_that_never_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    def spins(_: int) -> int:
        faier.flip()
        while True:
            pass

    monkeypatch.setattr(paths, "_SECONDS_A_RUN", 0.2)
    assert mistake(spins) == "spins(0) does not end within 0.2 s: a loop without an end? after 1 draw: True"


def test_an_exception_shows_the_path_to_it() -> None:
    def fails(count: int) -> int:
        if faier.draw({"up": "1/2", "down": "1/2"}) == "down" and not faier.flip("1/3"):
            raise ValueError("no such count")
        return count

    line = fails.__code__.co_firstlineno + 2
    expected = "fails(7), after 2 draws: 'down', False: it raised ValueError: no such count"
    assert mistake(fails, 7) == f"{expected} (line {line} of test_paths.py)"


@pytest.mark.parametrize(
    "branch", [lambda p: 1 if p < 1 else 2, lambda p: 1 if p else 2, lambda p: 1 if p == 0 else 2, lambda p: int(p)]
)
def test_branching_on_a_parameter(branch: Any) -> None:
    assert "branches on p, which has parameters" in mistake(lambda _: branch(faier.parameter("p")))


@pytest.mark.parametrize("chance", [random.Random(1).randrange, np.random.default_rng(1).integers])
def test_other_randomness_is_found(chance: Any) -> None:
    message = mistake(lambda _: int(chance(1_000_000)))
    assert "is not the same when it is run again along the same draws" in message
    assert "besides faier.draw and faier.flip" in message


def test_other_randomness_in_what_is_drawn_from_is_found() -> None:
    dice = random.Random(1)
    assert "is not the same" in mistake(lambda _: faier.draw({dice.randrange(10**6): 1}))


def test_memory_between_runs_is_found() -> None:
    seen: list[int] = []

    def remembers(_: int) -> int:
        seen.append(1)
        return len(seen) + faier.draw(uniform([0, 1]))

    assert "is not the same" in mistake(remembers)


def test_too_many_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "MOST_PATHS", 1000)
    assert "has more than 1,000 paths" in mistake(lambda _: sum(int(faier.flip()) for _ in range(12)))


def test_draws_outside_a_mechanism() -> None:
    with pytest.raises(faier.MechanismError, match="called inside a mechanism"):
        faier.draw({"a": 1})


def test_data_sets_must_be_hashable() -> None:
    with pytest.raises(faier.MechanismError, match="a data set must be hashable, such as a tuple, got a list"):
        faier.Mechanism(lambda data: 1).distribution([1])


def test_inputs_have_to_be_known() -> None:
    with pytest.raises(faier.MechanismError, match=r"give inputs=\[\.\.\.\]"):
        faier.Mechanism(lambda data: 1).model()


def test_ranges_of_parameters_have_to_be_known() -> None:
    with pytest.raises(faier.MechanismError, match="uses the parameter p, whose range is not known"):
        faier.Mechanism(lambda data: faier.draw({0: "p", 1: "1-p"}), inputs=[0]).model()


def test_releases_at_random() -> None:
    noisy = faier.library.noisy_max(queries=3)
    counts = np.bincount(noisy.sample((0, 1, 2), 200_000, seed=3).astype(int), minlength=4)[1:]
    exact = [float(noisy.distribution((0, 1, 2))[i]) for i in (1, 2, 3)]
    expected = np.array(exact) * 200_000
    # The 99.99 % point of chi-squared with 2 degrees of freedom.
    assert ((counts - expected) ** 2 / expected).sum() < 18.5
    runs = [noisy.run((0, 1, 2), seed=k) for k in range(3000)]
    expected = np.array(exact) * 3000
    counts = np.array([runs.count(i) for i in (1, 2, 3)])
    assert ((counts - expected) ** 2 / expected).sum() < 18.5


def test_samples_are_the_same_for_the_same_seed() -> None:
    noisy = faier.library.truncated_geometric(counts=4)
    one, two, other = (noisy.sample(2, 100, seed=s) for s in (1, 1, 2))
    assert (one == two).all()
    assert (one != other).any()


def test_releases_with_powers_of_e() -> None:
    """One by one by as many random bits as it takes, and many at once: against probabilities in floats."""
    noisy = faier.library.truncated_geometric(counts=2, alpha="exp(-1/2)")
    a = math.exp(-0.5)
    exact = np.array([1 / (1 + a), a * (1 - a) / (1 + a), a**2 / (1 + a)])
    for n, seen in ((200_000, noisy.sample(0, 200_000, seed=3)), (3000, [noisy.run(0, seed=k) for k in range(3000)])):
        counts = np.bincount(np.array(list(seen), dtype=int), minlength=3)
        assert ((counts - exact * n) ** 2 / (exact * n)).sum() < 18.5
    assert [noisy.run(0, seed=k) for k in range(50)] == [noisy.run(0, seed=k) for k in range(50)]


def test_nothing_is_sampled_from_negative_powers_of_e() -> None:
    odd = faier.Mechanism(lambda _: faier.draw({"a": "exp(1)-2", "b": "3-exp(1)", "c": "exp(1)-2", "d": "2-exp(1)"}))
    with pytest.raises(faier.MechanismError, match=r"the probability of 'd' is negative: -exp\(1\) \+ 2"):
        odd.sample(0, 10, seed=1)


def test_more_bits_are_drawn_where_the_first_do_not_show_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enclosures as wide as can be make every draw go on; it ends nevertheless, with the same values."""
    dice = sampling.Dice(5)
    among = faier.Distribution({"a": "exp(-1)", "b": "1-exp(-1)"})
    usual = [dice.choose(among) for _ in range(300)]
    assert abs(usual.count("a") / 300 - math.exp(-1)) < 0.12
    asked: list[int] = []
    real = sampling.enclosure

    def vague(value: Any, bits: int) -> tuple[F, F]:
        asked.append(bits)
        low, high = real(value, bits)
        return (low, high) if bits > 128 else (F(0), F(1))

    monkeypatch.setattr(sampling, "enclosure", vague)
    dice = sampling.Dice(5)
    again = [dice.choose(among) for _ in range(300)]
    assert abs(again.count("a") / 300 - math.exp(-1)) < 0.12
    assert max(asked) > 128


def test_nothing_is_sampled_from_unknown_probabilities() -> None:
    noisy = faier.library.truncated_geometric(alpha="a", parameters={"a": "0 < a < 1"})
    with pytest.raises(faier.MechanismError, match="the probabilities depend on a; give them values before sampling"):
        noisy.sample(0, 10, seed=1)
