"""Searches over unknown parameters that do not end: time limits, Ctrl-C, and what a terminal shows meanwhile."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

HOPELESS = """\
faier = 1
[parameters]
a = "1/10 <= a <= 9/10"
b = "1/10 <= b <= 9/10"
c = "1/10 <= c <= 9/10"
d = "1/10 <= d <= 9/10"
f = "1/10 <= f <= 9/10"
g = "1/10 <= g <= 9/10"
[model.emit]
"0" = { x = "a", y = "(1-a)*b", z = "(1-a)*(1-b)" }
"1" = { x = "c*d", y = "c*(1-d)", z = "1-c" }
"2" = { x = "f/2", y = "1/2", z = "(1-f)/2" }
[model.step]
"0" = { "0" = "g", "1" = "(1-g)*b", "2" = "(1-g)*(1-b)" }
"1" = { "0" = "a/3", "1" = "1/3", "2" = "1-1/3-a/3" }
"2" = { "0" = "d^2", "1" = "1-d^2" }
[[compare]]
left = "0"
right = "1"
[claim]
ratio = "1000"
horizon = 12
"""


@pytest.fixture
def hopeless(tmp_path: Path) -> Path:
    path = tmp_path / "hopeless.toml"
    path.write_text(HOPELESS, encoding="utf-8")
    return path


def number(text: str) -> float | Fraction:
    return inf if text == "infinity" else Fraction(text)


def test_epsilon_ends_with_an_enclosure(faier_run: Run, hopeless: Path) -> None:
    started = time.perf_counter()
    answer = faier_run("epsilon", hopeless, "--horizon", "3", "--timeout", "1", "--json")
    assert time.perf_counter() - started < 20
    assert answer.status == 3
    record = answer.json
    assert not record["exact"]
    assert 1 < number(record["ratio"]["lower"]) < number(record["ratio"]["upper"])
    told = faier_run("epsilon", hopeless, "--horizon", "3", "--timeout", "0.5")
    assert told.status == 3
    assert told.out.startswith("epsilon lies between ")


def seen_on_a_terminal(process: subprocess.Popen[str], terminal: int, words: bytes, seconds: float = 60) -> bytes:
    """What a terminal shows until these words are on it."""
    shown = b""
    until = time.monotonic() + seconds
    while words not in shown and time.monotonic() < until and process.poll() is None:
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 65536)
    return shown


@pytest.mark.parametrize("command", [["verify"], ["epsilon", "--horizon", "4"]])
def test_progress_on_a_terminal_and_ctrl_c(hopeless: Path, command: list[str]) -> None:
    ours, theirs = pty.openpty()
    arguments = [sys.executable, "-m", "faier", *command, str(hopeless), "--json"]
    wide = os.environ | {"TERM": "xterm", "COLUMNS": "200"}
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=theirs, text=True, env=wide) as process:
        os.close(theirs)
        shown = seen_on_a_terminal(process, ours, b"% of the values decided")
        assert b"prefixes, " in shown
        assert b" % of the values decided" in shown
        asked = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        record = json.loads(process.stdout.read())
    os.close(ours)
    assert time.monotonic() - asked < 20
    assert process.returncode == 3
    if record["kind"] == "verdict":
        assert (record["verdict"], record["reason"]) == ("unknown", "interrupted")
        assert record["bounds"]["ratio"]["upper"] == "infinity" or number(record["bounds"]["ratio"]["upper"]) > 1000
    else:
        assert number(record["ratio"]["lower"]) > 1


def test_values_that_break_a_claim_are_said_in_words(faier_run: Run, hopeless: Path) -> None:
    answer = faier_run("verify", hopeless, "--horizon", "1", "--ratio", "2")
    assert answer.status == 1
    first = answer.out.splitlines()[0]
    assert first.startswith("violated: ")
    assert " at a = " in first
    assert any(line.startswith("broken at   a = ") for line in answer.out.splitlines())
