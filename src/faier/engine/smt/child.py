"""Running a solver in a process of its own, which a time limit or Ctrl-C ends at once."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from faier.errors import SolverError

from .backend import Answer, Satisfiable, Script, Undecided, Unsatisfiable

TIME_IS_UP = "the time limit was reached"
_WORKER = Path(__file__).with_name("worker.py")


def solve_in_child(solver: str, package: str, query: Script, seconds: float | None) -> Answer:
    """Guarantee: the child is dead when this returns or raises, at most `seconds` (and a moment) later."""
    if not installed(solver):
        raise SolverError(missing(solver, package))
    if seconds is not None and seconds <= 0:
        return Undecided(TIME_IS_UP, 0.0)
    with Child(solver, query, seconds) as child:
        return child.answer()


def installed(solver: str) -> bool:
    return importlib.util.find_spec(solver) is not None


def missing(solver: str, package: str) -> str:
    """How to get a solver that is not there, in one line."""
    return f"{solver} is not installed; get it with `pip install faier[smt]` or `pip install {package}`"


class Child:
    """A solver at work on one script. Guarantee: its process is dead when the `with` block is left."""

    def __init__(self, solver: str, query: Script, seconds: float | None):
        self.solver = solver
        self._seconds = seconds
        self._request = {
            "logic": query.logic,
            "script": query.script,
            "asked": list(query.asked),
            "only_polynomials": query.only_polynomials,
            "seconds": seconds,
        }
        self._started = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(_WORKER), solver],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def kill(self) -> None:
        """End the process; whoever waits for its answer gets a `SolverError`."""
        self._process.kill()

    def answer(self) -> Answer:
        """Wait for the answer, for as long as the time limit allows; to be called once."""
        try:
            output, errors = self._process.communicate(
                json.dumps(self._request).encode(), timeout=self._seconds
            )
        except subprocess.TimeoutExpired:
            return Undecided(TIME_IS_UP, time.perf_counter() - self._started)
        return _answer(self.solver, self._process.returncode, output, errors)


def _answer(solver: str, status: int, output: bytes, errors: bytes) -> Answer:
    try:
        reply = json.loads(output)
    except ValueError:
        last = errors.decode(errors="replace").strip().rpartition("\n")[2]
        raise SolverError(f"{solver} died (exit status {status}){': ' + last if last else ''}") from None
    match reply["result"]:
        case "sat":
            return Satisfiable(reply["values"], reply["seconds"], reply["near"])
        case "unsat":
            return Unsatisfiable(reply["seconds"])
        case _:
            return Undecided(f"{solver} gave up: {reply['reason']}", reply["seconds"])
