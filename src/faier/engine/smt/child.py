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

from .backend import Answer, Satisfiable, Undecided, Unsatisfiable
from .query import Query

_WORKER = Path(__file__).with_name("worker.py")


def solve_in_child(solver: str, package: str, query: Query, seconds: float | None) -> Answer:
    """Guarantee: the child is dead when this returns or raises, at most `seconds` (and a moment) later."""
    if importlib.util.find_spec(solver) is None:
        raise SolverError(
            f"{solver} is not installed; get it with `pip install faier[smt]` or `pip install {package}`"
        )
    if seconds is not None and seconds <= 0:
        return Undecided("the time limit was reached", 0.0)
    request = {"logic": query.logic, "script": query.script, "asked": query.asked, "seconds": seconds}
    started = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-P", str(_WORKER), solver],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    try:
        output, errors = child.communicate(json.dumps(request).encode(), timeout=seconds)
    except subprocess.TimeoutExpired:
        return Undecided("the time limit was reached", time.perf_counter() - started)
    finally:
        child.kill()
        child.communicate()
    return _answer(solver, child.returncode, output, errors)


def _answer(solver: str, status: int, output: bytes, errors: bytes) -> Answer:
    try:
        reply = json.loads(output)
    except ValueError:
        last = errors.decode(errors="replace").strip().rpartition("\n")[2]
        raise SolverError(f"{solver} died (exit status {status}){': ' + last if last else ''}") from None
    match reply["result"]:
        case "sat":
            return Satisfiable(reply["values"], reply["seconds"])
        case "unsat":
            return Unsatisfiable(reply["seconds"])
        case _:
            return Undecided(f"{solver} gave up: {reply['reason']}", reply["seconds"])
