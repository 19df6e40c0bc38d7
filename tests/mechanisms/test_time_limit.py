"""A time limit holds while a model is being built: in users' functions, between them, and in our own loops."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

import faier
from faier.engine.progress import Limits
from faier.mechanisms import paths
from faier.mechanisms.time_limit import Left, built_within

FOR_EVER = 10**9

# The exception of a watch arrives wherever Python is, also where none may leave, as in what the tests' own tools do
# after a garbage collection. There it is told and dropped, and sent again.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def spin(answer: str) -> str:
    for _ in range(FOR_EVER):
        pass
    return answer


def spin_and_catch(answer: str) -> str:
    """What catches everything is reached again, and again."""
    for _ in range(200):
        try:
            for _ in range(FOR_EVER):
                pass
        except BaseException:
            break
    return answer


def many_short_functions() -> faier.HMM:
    """Each function is under a watch of its own, inside the one over all of them."""
    made = faier.Mechanism(lambda data: faier.draw({data: "1/2", 0: "1/2"}), inputs=range(1, 900_000))
    return made.model()


def a_loop_of_ours() -> object:
    return faier.differential_privacy(faier.library.noisy_max(queries=40), adjacent=faier.each_within(1))


@pytest.mark.parametrize("function", [spin, spin_and_catch])
def test_a_function_is_stopped(function: Callable[[str], str]) -> None:
    asked = faier.Mechanism(function, inputs=["a", "b"], adjacent=faier.any_two)
    with pytest.raises(faier.OutOfTime, match=r"the time limit of 0\.2 s came while the model was being built"):
        faier.verify(asked, ratio=2, timeout=0.2)


@pytest.mark.parametrize("build", [many_short_functions, a_loop_of_ours])
def test_building_is_stopped_between_functions(build: Callable[[], object]) -> None:
    with pytest.raises(faier.OutOfTime, match="being built"):
        built_within(0.4, build)


def test_no_watch_is_left_behind() -> None:
    before = threading.active_count()
    for _ in range(3):
        with pytest.raises(faier.OutOfTime):
            built_within(0.1, many_short_functions)
    deadline = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before
    # Nothing arrives later.
    time.sleep(0.7)


def test_a_function_that_takes_too_long_is_still_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_SECONDS_A_RUN", 0.1)
    asked = faier.Mechanism(spin, inputs=["a", "b"], adjacent=faier.any_two)
    with pytest.raises(faier.MechanismError, match=r"does not end within 0\.1 s"):
        faier.verify(asked, ratio=2, timeout=60)


def test_what_is_left_is_for_the_search_and_named_by_the_whole_limit() -> None:
    built, left = built_within(30.0, lambda: "model")
    assert built == "model"
    assert isinstance(left, Left)
    assert 0 < left < 30
    limits = Limits(Left(1e-9, 30.0))
    while (reason := limits.reached()) is None:
        pass
    assert reason == "the time limit of 30 s was reached"
    assert built_within(None, lambda: "model") == ("model", None)


def test_errors_of_a_model_are_what_they_were() -> None:
    with pytest.raises(faier.MechanismError, match="has no inputs"):
        built_within(30.0, lambda: faier.Mechanism(spin, inputs=[]).model())


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: faier.library.noisy_max(queries=100_000), "more than 1,000,000 kinds of data sets of 100,000 records"),
        (lambda: faier.library.noisy_max(queries=100_000, ties="first"), "more than 20,000,000 entries together"),
        (lambda: faier.library.rappor(bits=100_000), "more than 20,000,000 entries together"),
        (lambda: faier.library.truncated_geometric(counts=100_000), "counts is at most 10,000, got 100,000"),
        (lambda: faier.library.geometric(counts=100_000), "counts is at most 10,000, got 100,000"),
        (lambda: faier.library.binary_tree_count(100_000), r"more than 10\^30 outcomes"),
    ],
)
def test_impossible_sizes_are_refused_at_once(build: Callable[[], faier.Mechanism], message: str) -> None:
    with pytest.raises(faier.MechanismError, match=message):
        faier.differential_privacy(build(), adjacent=faier.one_within(1))
