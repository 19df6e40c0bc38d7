"""Python files to ask about, and a runner of commands in their folder."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from faier.cli import main


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str


Run = Callable[..., Answer]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to be in; what is imported from it, and its place on the path, do not outlive the test."""
    monkeypatch.chdir(tmp_path)
    path, modules = list(sys.path), set(sys.modules)
    yield tmp_path
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if str(getattr(sys.modules[name], "__file__", "") or "").startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def run(place: Path) -> Run:
    def invoke(*arguments: object) -> Answer:
        result = CliRunner().invoke(main, [str(a) for a in arguments])
        return Answer(result.exit_code, result.stdout, result.stderr)

    return invoke
