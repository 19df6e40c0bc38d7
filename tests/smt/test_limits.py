"""Time limits, Ctrl-C and missing solvers."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import above_threshold
import pytest
import small

from faier.engine.smt import verify as module
from faier.engine.smt.verify import timed, verify
from faier.errors import NotYetError, SolverError, UsageError
from faier.model.hmm import HMM
from faier.scenario.scenario import Scenario
from faier.verdict import Bounds, Unknown

both_solvers = pytest.mark.parametrize("solver", ["z3", "cvc5"])


@both_solvers
def test_a_time_limit_ends_the_solver(solver: str) -> None:
    hard = above_threshold.scenario(25, ratio=2**12)
    started = time.perf_counter()
    verdict = verify(hard, solver=solver, encoding="literal", seconds=1)
    assert time.perf_counter() - started < 3
    assert isinstance(verdict, Unknown)
    assert verdict.reason == "the time limit was reached"
    assert verdict.bounds == Bounds(Fraction(0), math.inf)
    assert _children() == []


def test_a_time_limit_ends_the_writing_of_a_query() -> None:
    started = time.perf_counter()
    verdict = verify(above_threshold.scenario(1_900), seconds=0.5)
    assert time.perf_counter() - started < 2.5
    assert isinstance(verdict, Unknown)


@both_solvers
def test_no_time_at_all_is_unknown(solver: str) -> None:
    assert isinstance(verify(small.question(1), solver=solver, seconds=0), Unknown)


def test_a_limit_of_infinity_is_no_limit() -> None:
    assert not isinstance(verify(small.question(1), seconds=math.inf), Unknown)


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent differently")
@both_solvers
def test_an_interrupt_ends_the_solver_at_once(solver: str) -> None:
    hard = above_threshold.scenario(25, ratio=2**12)
    assert _children() == []
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        verify(hard, solver=solver, encoding="literal", seconds=30)
    timer.join()
    assert time.perf_counter() - started < 3
    assert _children() == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs the parent's death signal")
@both_solvers
def test_no_solver_outlives_a_killed_parent(solver: str) -> None:
    program = (
        "import above_threshold as a; from faier.engine.smt.verify import verify; print('on', flush=True);"
        f"verify(a.scenario(25, ratio=2**12), solver={solver!r}, encoding='literal')"
    )
    path = os.pathsep.join([str(Path(__file__).parent), *(p for p in sys.path if p)])
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
    ) as parent:
        try:
            assert parent.stdout is not None
            parent.stdout.readline()
            children = _wait(lambda: _children(parent.pid))
            time.sleep(0.5)
        finally:
            parent.kill()
    assert children
    assert _wait(lambda: not any(_alive(child) for child in children))


@pytest.mark.parametrize(("solver", "package"), [("z3", "z3-solver"), ("cvc5", "cvc5")])
def test_a_missing_solver_says_how_to_get_it(
    solver: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, solver, None)
    with pytest.raises(SolverError, match=rf"pip install faier\[smt\].*{package}"):
        verify(small.question(1), solver=solver)


def test_a_solver_that_dies_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text("raise SystemExit('out of memory')")
    monkeypatch.setattr("faier.engine.smt.child._WORKER", worker)
    with pytest.raises(SolverError, match=r"z3 died \(exit status 1\): out of memory"):
        verify(small.question(1))


def test_a_model_that_does_not_satisfy_the_query_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Liar:
        name = "z3"
        offers = module.BACKENDS["z3"].offers

        def solve(self, query, *, seconds):
            from faier.engine.smt.backend import Satisfiable

            return Satisfiable({"w0_0": "true", "forward": "true"}, 0.0)

    coin = HMM(emit={"0": {"a": Fraction(1, 2), "b": Fraction(1, 2)}})
    monkeypatch.setattr(module, "BACKENDS", {"z3": Liar()})
    with pytest.raises(SolverError, match="does not satisfy"):
        verify(Scenario.of(coin, [("0", "0")], ratio=1, horizon=1))


def test_any_length_is_refused() -> None:
    with pytest.raises(UsageError, match="finite horizon"):
        verify(above_threshold.scenario("any"))


def test_what_is_unknown_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown solver 'yices'"):
        verify(small.question(1), solver="yices")
    with pytest.raises(UsageError, match="unknown encoding 'cubic'"):
        verify(small.question(1), encoding="cubic")
    coin = HMM(emit={"0": {"a": Fraction(1)}})
    with pytest.raises(UsageError, match="no budget"):
        verify(Scenario.of(coin, [("0", "0")], horizon=1))
    with pytest.raises(UsageError, match="no horizon"):
        verify(Scenario.of(coin, [("0", "0")], ratio=1))


def test_a_solver_takes_no_delta() -> None:
    coin = HMM(emit={"0": {"a": Fraction(1)}})
    scenario = Scenario.of(coin, [("0", "0")], ratio=1, horizon=1)
    with pytest.raises(NotYetError, match="delta"):
        verify(replace(scenario, claim=replace(scenario.claim, delta=Fraction(1, 2))))


def test_building_and_solving_are_timed_apart() -> None:
    timing = timed(above_threshold.scenario(5, ratio=4))
    assert 0 < timing.build_seconds < timing.verdict.seconds
    assert 0 < timing.solve_seconds < timing.verdict.seconds
    assert timing.queries == 1


def _children(parent: int | None = None) -> list[int]:
    command = ["ps", "-A", "-ww", "-o", "pid=,ppid=,args="]
    listing = subprocess.run(command, capture_output=True, text=True).stdout
    rows = [line.split(None, 2) for line in listing.splitlines()]
    return [int(row[0]) for row in rows if int(row[1]) == (parent or os.getpid()) and "worker.py" in row[-1]]


def _alive(pid: int) -> bool:
    listing = subprocess.run(["ps", "-p", str(pid), "-o", "stat="], capture_output=True, text=True).stdout
    return listing.strip()[:1] not in ("", "Z")


def _wait(condition, seconds: float = 5.0):
    until = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < until:
        time.sleep(0.05)
    return value
