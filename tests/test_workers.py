"""Workers: the same results in the same order, mistakes as they are, and nobody left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from enum import Enum
from fractions import Fraction
from pathlib import Path

import pytest

import faier
from faier import workers
from faier.mechanisms.time_limit import built_within

linux = pytest.mark.skipif(sys.platform != "linux", reason="workers are forks")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Workers as soon as one piece is done, however little is left."""
    monkeypatch.setattr(workers, "_PAYS_FROM", -1.0)
    monkeypatch.setattr(workers, "_LOOKS_FROM", -1.0)
    workers.choose(3)
    yield
    workers.choose(None)
    assert children() == set()


def children() -> set[int]:
    """Processes of which this one is the parent, dead ones that nobody waited for among them."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(after_name[1]) == os.getpid():
            found.add(int(path.parent.name))
    return found


def who(item: int) -> tuple[int, int]:
    time.sleep(0.01)
    return item, os.getpid()


@linux
def test_results_come_in_order_and_from_others() -> None:
    found = list(workers.in_order(who, range(40)))
    assert [item for item, _ in found] == list(range(40))
    assert found[0][1] == os.getpid()
    assert {pid for _, pid in found[1:]} & {os.getpid()} == set()
    assert len({pid for _, pid in found[1:]}) > 1


@linux
def test_a_worker_has_no_workers() -> None:
    assert set(workers.in_order(lambda _: (workers.jobs(), workers.is_worker()), range(4))) == {(3, False), (1, True)}


def test_one_process_alone_where_one_is_chosen() -> None:
    workers.choose(1)
    assert {pid for _, pid in workers.in_order(who, range(3))} == {os.getpid()}


def test_little_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_PAYS_FROM", 60.0)
    assert {pid for _, pid in workers.in_order(who, range(20))} == {os.getpid()}


def test_a_mistake_is_raised_here_with_all_that_came_before() -> None:
    def odd(item: int) -> int:
        if item == 7:
            raise faier.MechanismError(f"seven, in {os.getpid()}")
        return item

    results = workers.in_order(odd, range(20))
    assert [next(results) for _ in range(7)] == list(range(7))
    with pytest.raises(faier.MechanismError, match=f"seven, in {os.getpid()}"):
        next(results)


@linux
def test_what_cannot_be_sent_is_done_here() -> None:
    found = list(workers.in_order(lambda item: (lambda: item) if item == 5 else item, range(9)))
    assert found[5]() == 5  # type: ignore[operator]
    assert found[:5] == list(range(5))


@linux
def test_a_worker_that_dies_is_replaced_by_this_process() -> None:
    def deadly(item: int) -> int:
        if item in (3, 8) and workers.is_worker():
            os.kill(os.getpid(), signal.SIGKILL)
        return item

    assert list(workers.in_order(deadly, range(30))) == list(range(30))


@linux
def test_a_worker_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_PATIENCE", 0.3)

    def stuck(item: int) -> int:
        if item in (3, 8) and workers.is_worker():
            time.sleep(3600)
        return item

    assert list(workers.in_order(stuck, range(30))) == list(range(30))


@linux
def test_nobody_is_left_when_the_reader_stops() -> None:
    results = workers.in_order(who, range(1000))
    assert [next(results)[0] for _ in range(5)] == list(range(5))
    assert children()
    results.close()  # type: ignore[attr-defined]
    assert children() == set()


def slowly(data: int) -> object:
    end = time.monotonic() + 0.05
    while time.monotonic() < end:
        pass
    return faier.draw({data: "1/2", 0: "1/2"})


@linux
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_time_limit_ends_workers() -> None:
    asked = faier.Mechanism(slowly, inputs=range(1, 2000))
    with pytest.raises(faier.OutOfTime):
        built_within(0.5, asked.model)
    assert children() == set()


class Colour(Enum):
    RED = "red"
    GREEN = "green"


class Alone:
    """Equal to nothing but itself."""


ALONE = Alone()


def release(data: int) -> object:
    a, b = faier.flip("1/3"), faier.draw({0: "p", data: "1-p"})
    if data % 5 == 0:
        return Colour.RED if a else Colour.GREEN
    return (b, a, Fraction(data, 7), ("x", None))


def test_a_model_is_the_same_however_many_build_it() -> None:
    models = []
    for number in (1, 3):
        workers.choose(number)
        made = faier.Mechanism(release, inputs=range(1, 30), parameters={"p": "0 < p < 1"})
        models.append(made.model())
    one, other = models
    assert one.symbols == other.symbols
    assert one.states == other.states
    assert [one.emit.row(i) for i in range(29)] == [other.emit.row(i) for i in range(29)]


@linux
def test_symbols_that_are_equal_to_themselves_alone_stay_one() -> None:
    made = faier.Mechanism(lambda data: ALONE if faier.flip("1/2") else data, inputs=range(20))
    assert sum(symbol is ALONE for symbol in made.model().symbols) == 1
    assert made.model().symbols.count(ALONE) == 1


def test_a_mistake_in_a_mechanism_is_told_as_ever() -> None:
    def wrong(data: int) -> object:
        return faier.flip("1/2") if data != 11 else 1 / 0

    with pytest.raises(faier.MechanismError, match=r"wrong\(11\), before any draw: it raised ZeroDivisionError"):
        faier.Mechanism(wrong, inputs=range(20)).model()


@pytest.mark.parametrize(("text", "number"), [("1", 1), (" 5 ", 5), ("", None)])
def test_the_environment_says_how_many(monkeypatch: pytest.MonkeyPatch, text: str, number: int | None) -> None:
    workers.choose(None)
    monkeypatch.setenv("FAIER_JOBS", text)
    assert workers.jobs() == (number or (len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1))


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", "99999", "²"])
def test_the_environment_has_to_be_a_number(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    workers.choose(None)
    monkeypatch.setenv("FAIER_JOBS", text)
    with pytest.raises(faier.UsageError, match="FAIER_JOBS is a number of processes, from 1 to 1024"):
        workers.jobs()


SCRIPT = """
import sys, time
import faier
from faier import workers
workers._PAYS_FROM = workers._LOOKS_FROM = -1.0


def slowly(data):
    end = time.monotonic() + 0.05
    while time.monotonic() < end:
        pass
    return faier.draw({data: "1/2", 0: "1/2"})


print("begun", flush=True)
faier.Mechanism(slowly, inputs=range(1, COUNT)).model()
print("built")
"""


def processes_with(marker: str) -> list[int]:
    """Processes of which the environment says so."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            text = path.read_bytes()
        except OSError:
            continue
        if f"FAIER_TEST_MARKER={marker}\0".encode() in text:
            found.append(int(path.parent.name))
    return found


def started(count: int, marker: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", SCRIPT.replace("COUNT", str(count))],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "FAIER_JOBS": "3", "FAIER_TEST_MARKER": marker},
    )  # fmt: skip


@linux
def test_a_script_needs_no_guard_and_warnings_may_be_errors() -> None:
    with started(8, "guard") as process:
        out, errors = process.communicate(timeout=60)
    assert (out, errors, process.returncode) == ("begun\nbuilt\n", "", 0)


@linux
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_their_parent(how: signal.Signals) -> None:
    marker = f"{os.getpid()}-{how.name}"
    with started(100_000, marker) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        deadline = time.monotonic() + 30
        while len(processes_with(marker)) < 4 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(processes_with(marker)) == 4
        process.send_signal(how)
        process.wait(timeout=30)
        while processes_with(marker) and time.monotonic() < deadline + 30:
            time.sleep(0.02)
    assert processes_with(marker) == []


def in_a_daemon(queue: object) -> None:
    queue.put(list(workers.in_order(str, range(10))))  # type: ignore[attr-defined]


@linux
def test_another_programs_worker_has_none() -> None:
    import multiprocessing

    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=in_a_daemon, args=(queue,), daemon=True)
    process.start()
    assert queue.get(timeout=30) == list(map(str, range(10)))
    process.join()
