"""The command line as a process: pipes, terminals and Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

# A search that says "ready", reports progress for a while, and ends as engines do when interrupted.
SLOW = """\
import sys, time
import faier.engine
from math import inf
from faier.engine.progress import Progress
from faier.verdict import Bounds, Unknown
from fractions import Fraction

turns = int(sys.argv[1])

def verify(scenario, *, engine, seconds, progress):
    reason = "the time limit was reached"
    try:
        print("ready", file=sys.stderr, flush=True)
        for turn in range(turns):
            if progress is not None:
                progress(Progress(1000 * turn, 7, turn, Fraction(4, 3), inf, turn / 10))
            time.sleep(0.1)
    except KeyboardInterrupt:
        reason = "interrupted"
    return Unknown(scenario, "tree", 0.1, None, reason=reason, bounds=Bounds(Fraction(4, 3), inf))

faier.engine.verify = verify
import faier.cli
faier.cli.main(sys.argv[2:])
"""


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "faier", *map(str, arguments)]


def slow(turns: int, *arguments: object) -> list[str]:
    return [sys.executable, "-c", SLOW, str(turns), *map(str, arguments)]


def test_module_is_the_command() -> None:
    done = subprocess.run(command("--version"), capture_output=True, text=True, check=True)
    assert done.stdout.startswith("faier, version ")


def test_missing_file(tmp_path: Path) -> None:
    done = subprocess.run(
        command("verify", tmp_path / "none.toml", "--json"), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert json.loads(done.stdout)["kind"] == "error"
    assert "none.toml" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_leaves_costs_nothing(model: Path) -> None:
    with subprocess.Popen(
        command("verify", model), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_interrupted_search_ends_with_what_is_known(model: Path, options: list[str]) -> None:
    with subprocess.Popen(
        slow(600, "verify", model, *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        assert process.stderr.readline() == "ready\n"
        asked = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.stdout.read(), process.stderr.read()
    assert time.monotonic() - asked < 10
    assert process.returncode == 3
    assert err == ""
    if options:
        assert json.loads(out)["bounds"] == {"ratio": {"lower": "4/3", "upper": "infinity"}}
    else:
        assert out.startswith("unknown: interrupted; ")


@pytest.mark.parametrize(
    ("arguments", "status"), [(["verify"], 3), (["epsilon"], 3), (["convert", "--to", "toml"], 130)]
)
def test_interrupted_before_the_search_ends_at_once(model: Path, arguments: list[str], status: int) -> None:
    loading = """\
import sys, time
import faier.api

def load(path, *, size_limit=None):
    print("ready", file=sys.stderr, flush=True)
    # An interruption inside an exec() is the one that CPython would die of.
    exec("time.sleep(60)", {"time": time})

faier.api.load_with_warnings = load
import faier.cli
sys.argv[0] = "faier"
faier.cli.main()
"""
    with subprocess.Popen(
        [sys.executable, "-c", loading, *arguments, str(model)], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == "error: interrupted\n"
    assert process.returncode == status


def on_terminal(arguments: list[str], **environment: str) -> str:
    """What a terminal shows of a process whose stdout and stderr it is."""
    ours, theirs = pty.openpty()
    surroundings = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    with subprocess.Popen(
        arguments, stdout=theirs, stderr=theirs, env=surroundings | {"TERM": "xterm-256color"} | environment
    ):
        os.close(theirs)
        shown = b""
        while True:
            try:
                some = os.read(ours, 65536)
            except OSError:
                break
            if not some:
                break
            shown += some
    os.close(ours)
    return shown.decode("utf-8", "replace")


def test_progress_and_colour_on_a_terminal(model: Path) -> None:
    shown = on_terminal(slow(5, "verify", model))
    assert "prefixes, 7 open, depth" in shown
    assert "ratio 1.3333 to infinity" in shown
    assert "\x1b[1;33munknown" in shown


def test_no_colour_where_it_is_not_wanted(model: Path) -> None:
    assert "\x1b[1;33m" not in on_terminal(slow(1, "verify", model), NO_COLOR="1")


def test_no_progress_without_a_terminal(model: Path) -> None:
    done = subprocess.run(slow(3, "verify", model), capture_output=True, text=True, check=False)
    assert done.stderr == "ready\n"
    assert done.stdout.startswith("unknown: the time limit was reached; ")


def test_symbols_that_the_terminal_cannot_show(tmp_path: Path, model: Path) -> None:
    odd = tmp_path / "odd.toml"
    odd.write_text(model.read_text(encoding="utf-8").replace("~2", "≈"), encoding="utf-8")
    done = subprocess.run(
        command("verify", odd),
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
    )
    assert done.returncode == 1
    assert "\\u2248" in done.stdout


def test_numbers_of_thousands_of_digits_at_any_setting_of_the_interpreter(tmp_path: Path) -> None:
    """What Python converts between integers and text is a setting of the process, which no command relies on."""
    bottom = 10**3000 + 7
    rows = [
        f'{state} = {{ a = "{top}/{bottom}", b = "{bottom - top}/{bottom}" }}'
        for state, top in (("x", 2 * 10**2999 + 1), ("y", 3 * 10**2999 + 1))
    ]
    text = "faier = 1\n[model.emit]\n" + "\n".join(rows)
    text += '\n[[compare]]\nleft = "x"\nright = "y"\n[claim]\nratio = "11/10"\nhorizon = 1\n'
    path, proof = tmp_path / "long.toml", tmp_path / "proof.json"
    path.write_text(text)
    for status, arguments in (
        (1, ("verify", path, "--certificate", proof, "--json")),
        (0, ("check", proof, path)),
        (0, ("epsilon", path, "--certificate", proof, "--json")),
        (0, ("check", proof, path, "--json")),
        (1, ("verify", path)),
        (0, ("epsilon", path, "--horizon", "any")),
        (0, ("convert", path, "--to", "toml")),
        (0, ("convert", path, "--to", "smtlib")),
    ):
        strict = [sys.executable, "-X", "int_max_str_digits=640", *command(*arguments)[1:]]
        done = subprocess.run(strict, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (status, ""), arguments
