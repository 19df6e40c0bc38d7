"""Help answers at once, because nothing heavy is imported for it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import faier

Run = Callable[..., Any]
HEAVY = ("numpy", "flint", "rich", "scipy", "z3", "cvc5", "tomllib")


@pytest.mark.parametrize("command", [
    [], ["verify"], ["epsilon"], ["calibrate"], ["region"], ["profile"], ["audit"], ["bracket"], ["refute"],
    ["check"], ["convert"],
])  # fmt: skip
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_has_an_example(faier_run: Run, command: list[str], option: str) -> None:
    answer = faier_run(*command, option)
    assert answer.status == 0
    assert answer.out.startswith("Usage: faier")
    assert "\n  Example" in answer.out
    assert f"  faier {command[0] if command else 'verify'} " in answer.out


@pytest.mark.parametrize("arguments", [["--help"], ["verify", "--help"], ["region", "-h"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom faier.cli import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit: pass\n"
        f"sys.exit(' '.join(m for m in {HEAVY} if m in sys.modules) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_importing_faier_imports_nothing_heavy() -> None:
    code = f"import sys, faier; sys.exit(' '.join(m for m in {HEAVY} if m in sys.modules) or 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_version(faier_run: Run) -> None:
    assert faier_run("--version").out == f"faier, version {faier.__version__}\n"


def test_commands_are_listed(faier_run: Run) -> None:
    listed = faier_run("--help").out.split("Commands:\n")[1].splitlines()
    names = ["verify", "epsilon", "calibrate", "region", "profile", "measure", "audit", "bracket", "refute"]
    names += ["check", "convert", "paper"]
    assert [line.split()[0] for line in listed] == names
