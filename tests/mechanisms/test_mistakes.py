"""Functions that are no mechanisms, by mistake or on purpose: none gets a distribution, and each is told why."""

from __future__ import annotations

import os
import random
import secrets
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import faier
from faier.mechanisms import path, paths


def mistake(function: Any, data: Hashable = 0) -> str:
    with pytest.raises(faier.MechanismError) as caught:
        faier.Mechanism(function).distribution(data)
    return str(caught.value)


# Randomness and memory besides draws.


@pytest.mark.parametrize(
    "chance",
    [
        lambda: secrets.randbelow(10**9),
        lambda: uuid.uuid4().hex,
        lambda: time.perf_counter_ns(),
        lambda: random.SystemRandom().getrandbits(60),
        lambda: int(np.random.default_rng().integers(10**9)),
        lambda: id(object()) ^ secrets.randbits(60),
    ],
)
def test_randomness_from_elsewhere_shows_when_a_path_is_run_again(chance: Any) -> None:
    assert "is not the same when it is run again along the same draws" in mistake(lambda _: (faier.flip(), chance()))


def test_a_shared_generator_is_noticed_though_nothing_comes_of_it() -> None:
    def once_in_a_million(_: int) -> int:
        return int(random.random() < 1e-12) + faier.flip()

    assert "Python's random module was used, or seeded, while it ran" in mistake(once_in_a_million)
    assert "numpy.random was used, or seeded" in mistake(lambda _: int(np.random.rand() < 1e-12))
    assert "Python's random module" in mistake(lambda _: (random.seed(1), random.randrange(9))[1])


def test_a_shared_generator_that_is_seeded_alike_is_noticed_beside_other_threads() -> None:
    over = threading.Event()
    idle = threading.Thread(target=over.wait)
    idle.start()
    # Where they stand already is where seeding takes them, after other tests: then nothing moves.
    random.seed()
    np.random.seed()
    try:
        assert "Python's random module" in mistake(lambda _: (random.seed(1), random.randrange(9))[1])
        assert "numpy.random was used" in mistake(lambda _: (np.random.seed(1), int(np.random.rand() * 9))[1])
    finally:
        over.set()
        idle.join()


def test_a_shared_generator_on_a_late_path_is_noticed() -> None:
    def late(_: int) -> int:
        flips = [faier.flip() for _ in range(11)]
        return random.choice([1, 2]) if sum(flips) == 0 else 0

    assert "is not the same" in mistake(late)


def test_a_shared_generator_that_another_thread_uses_is_nobodys_fault() -> None:
    over = threading.Event()

    def uses() -> None:
        while not over.wait(0.002):
            random.random()

    def guilty(_: int) -> bool:
        random.random()
        return faier.flip()

    thread = threading.Thread(target=uses)
    thread.start()
    try:
        assert "Python's random module was used" in mistake(guilty)
        quick = faier.Mechanism(lambda _: tuple(faier.flip() for _ in range(8)))
        assert all(len(quick.by_paths(data)) == 256 for data in range(3))
    finally:
        over.set()
        thread.join()


def test_a_generator_of_its_own_with_a_fixed_seed_is_no_randomness() -> None:
    shuffled = random.Random(7).sample(range(5), 5)
    assert len(faier.Mechanism(lambda _: random.Random(7).sample(range(5), 5)[faier.flip()]).distribution(0)) == 2
    assert len(shuffled) == 5


def test_counting_the_runs_is_noticed() -> None:
    runs = [0]

    def counts(_: int) -> int:
        runs[0] += 1
        return (runs[0] // 2) % 3 + 3 * faier.flip()

    assert "is not the same" in mistake(counts)


def test_what_was_drawn_in_an_earlier_run_cannot_be_kept() -> None:
    kept: dict[int, bool] = {}

    def remembers(_: int) -> bool:
        return kept.setdefault(1, faier.flip() if 1 not in kept else kept[1])

    assert "it makes 0 draws, and made more" in mistake(remembers)


def test_more_draws_when_it_is_run_again_are_noticed_though_nothing_comes_of_them() -> None:
    runs = [0]

    def draws_more(_: int) -> int:
        runs[0] += 1
        if runs[0] > 1:
            faier.flip()
        return 1

    assert "it makes 1 draws, and made 0" in mistake(draws_more)


def test_objects_that_are_equal_to_nothing_else_are_no_symbols() -> None:
    class Thing:
        pass

    assert "two of Thing, which are equal to nothing but themselves; return a tuple" in mistake(lambda _: Thing())
    assert "it returns a function, not a symbol; call it" in mistake(lambda _: lambda: 1)


# Exceptions that the function catches itself.


def swallowing(body: Any) -> Any:
    def function(data: Any) -> Any:
        try:
            return body(data)
        except BaseException:
            return "all is well"

    return function


def test_a_wrong_draw_is_not_forgotten_where_the_function_catches_it() -> None:
    assert "sums to 99/100, not 1" in mistake(swallowing(lambda _: faier.draw({"a": "0.99"})))
    assert "flip: " in mistake(swallowing(lambda _: faier.flip("1/0")))
    assert "branches on p" in mistake(swallowing(lambda _: 1 if faier.parameter("p") < 1 else 2))
    assert "must be hashable" in mistake(swallowing(lambda _: faier.draw([([1], 1)])))


def test_a_run_without_an_end_is_not_forgotten_either() -> None:
    def waits(_: int) -> int:
        n = 0
        while not faier.flip():
            n += 1
        return n

    assert "makes more than 1,000 draws on one path" in mistake(swallowing(waits))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_run_that_takes_too_long_is_not_forgotten_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_SECONDS_A_RUN", 0.2)

    def stubborn(_: int) -> int:
        for _ in range(2):
            try:
                while True:
                    pass
            except BaseException:
                continue
        return 1

    assert "does not end within 0.2 s" in mistake(swallowing(stubborn))


def test_other_draws_on_a_path_that_was_walked_are_not_forgotten_either() -> None:
    seen: list[int] = []

    def changes(_: int) -> Any:
        seen.append(1)
        try:
            return faier.draw({len(seen): 1})
        except Exception:
            return 7

    assert "is not the same" in mistake(changes)


def test_exceptions_of_the_functions_own_may_be_caught() -> None:
    def careful(count: int) -> str:
        try:
            return "abc"[count + faier.draw({0: "1/2", 9: "1/2"})]
        except IndexError:
            return "?"

    assert len(faier.Mechanism(careful).distribution(0)) == 2


def test_leaving_the_program_is_an_error_like_others() -> None:
    assert "it raised SystemExit: 0" in mistake(lambda _: sys.exit(0))
    assert "it raised GeneratorExit" in mistake(lambda _: (_ for _ in ()).throw(GeneratorExit))


def test_control_c_stops_everything() -> None:
    def interrupted(_: int) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        faier.Mechanism(interrupted).distribution(0)


def test_the_watch_is_over_when_the_distribution_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_SECONDS_A_RUN", 0.15)
    made = faier.Mechanism(lambda _: faier.flip()).distribution(0)
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        pass
    assert len(made) == 2


# Depth and width.


def test_recursion_with_draws_in_it() -> None:
    def walk(steps: int) -> int:
        return 0 if steps == 0 else walk(steps - 1) + faier.draw({1: "1/2", -1: "1/2"})

    assert len(faier.Mechanism(walk).distribution(6)) == 7


def test_recursion_without_an_end() -> None:
    def falls(n: int) -> int:
        return falls(n + 1)

    assert "falls(0), before any draw: it raised RecursionError: maximum recursion depth" in mistake(falls)


def test_far_too_many_paths_are_seen_in_a_moment() -> None:
    assert "has about 10^" in mistake(lambda _: sum(int(faier.flip()) for _ in range(60)))


def test_many_paths_where_few_values_come_out() -> None:
    made = faier.Mechanism(lambda _: sum(int(faier.flip("1/3")) for _ in range(13))).distribution(0)
    assert dict(made) == dict(faier.noise.binomial(13, "1/3"))


def test_a_narrow_tree_of_great_depth_is_not_taken_for_a_wide_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_LOOK_AHEAD_AT", 100)

    def until(_: int) -> int:
        return next((n for n in range(300) if faier.flip("1/10")), 300)

    assert len(faier.Mechanism(until).distribution(0)) == 301


def test_the_limit_of_draws_is_for_one_path() -> None:
    assert path.MOST_DRAWS == 1_000
    long = faier.Mechanism(lambda _: sum(faier.draw({1: 1}) for _ in range(1_000)))
    assert dict(long.distribution(0)) == {1_000: 1}


# Draws within draws.


def test_a_draw_may_decide_what_is_drawn_from() -> None:
    nested = faier.Mechanism(lambda _: faier.draw({faier.draw({0: "1/2", 1: "1/2"}): "1/3", 2: "2/3"}))
    assert {k: str(v) for k, v in nested.distribution(0).items()} == {0: "1/6", 1: "1/6", 2: "2/3"}
    lazily = faier.Mechanism(lambda _: faier.draw((faier.draw({k: "1/2", -k: "1/2"}), "1/2") for k in (1, 2)))
    assert len(lazily.distribution(0)) == 4


def test_a_distribution_is_no_value() -> None:
    inner = faier.Distribution({0: 1})
    assert "must be hashable, got a Distribution" in mistake(lambda _: faier.draw([(inner, 1)]))


def test_another_distribution_may_be_worked_out_in_between() -> None:
    inner = faier.Mechanism(lambda bit: bit if faier.flip("1/3") else 1 - bit)
    outer = faier.Mechanism(lambda bit: faier.draw(inner.by_paths(bit)))
    assert outer.distribution(1) == inner.distribution(1)


# Values that are alike and not the same.


def test_true_and_1_are_not_released_by_one_mechanism() -> None:
    message = mistake(lambda _: True if faier.flip() else 1)
    assert "returns True on one path and 1 on another, which Python takes for equal" in message
    apart = faier.Mechanism(lambda data: (data, True) if data else (1, 1), inputs=[0, 1])
    with pytest.raises(faier.ModelError, match="are equal in Python; name one otherwise"):
        apart.model()


def test_data_sets_that_are_alike() -> None:
    with pytest.raises(faier.MechanismError, match="the data sets 1 and True are equal in Python"):
        faier.Mechanism(lambda data: data, inputs=[0, 1, True])
    with pytest.raises(faier.MechanismError, match="a data set must be hashable, such as a tuple, got a list"):
        faier.Mechanism(lambda data: data, inputs=[[0], [1]])
    with pytest.raises(faier.MechanismError, match="inputs are a list of data sets, got 'ab'"):
        faier.Mechanism(lambda data: data, inputs="ab")


def test_numbers_of_numpy_become_pythons_own() -> None:
    made = faier.Mechanism(lambda _: (np.int64(faier.flip()), np.str_("a"), np.bool_(True))).distribution(0)
    assert {type(part) for value in made for part in value} == {int, str, bool}
    assert "it returns the float 0.5" in mistake(lambda _: (1, (0.5, 2)))
    assert "it returns the float" in mistake(lambda _: np.float64(1.0))
    assert "which is not hashable; return a tuple" in mistake(lambda _: np.array([1, 2]))
    assert "a tuple with something in it, which is not hashable" in mistake(lambda _: (1, [2]))


def test_releases_may_be_values_of_a_class() -> None:
    @dataclass(frozen=True)
    class Count:
        of: int

    assert len(faier.Mechanism(lambda _: Count(faier.draw({1: "1/2", 2: "1/2"}))).distribution(0)) == 2


# What is no function of a data set.


def test_async_functions_are_no_mechanisms() -> None:
    async def later(_: int) -> int:
        return 1

    async def streams(_: int) -> Any:
        yield 1

    for function in (later, streams):
        with pytest.raises(faier.MechanismError, match="is async, or has a yield"):
            faier.mechanism(function)
    assert "it returns a coroutine, not a symbol" in mistake(lambda _: later(1))


def test_a_function_that_takes_something_else() -> None:
    assert "it raised TypeError" in mistake(lambda: 1)
    assert "it raised TypeError" in mistake(lambda a, b: 1)


def test_running_it_once_finds_the_same_mistakes() -> None:
    for function, message in (
        (lambda _: None, "it returns nothing"),
        (lambda _: [1], "not hashable"),
        (swallowing(lambda _: faier.draw({"a": "0.99"})), "sums to 99/100"),
    ):
        with pytest.raises(faier.MechanismError, match=message):
            faier.Mechanism(function).run(0, seed=1)


def test_profilers_and_debuggers_still_work_afterwards() -> None:
    script = """
import cProfile, faier
coin = faier.mechanism(lambda bit: bit if faier.flip() else 1 - bit)
assert len(coin.by_paths(0)) == 2
cProfile.run("len([])")
"""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120, capture_output=True, env=environment)
