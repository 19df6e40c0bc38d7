"""What the documentation shows is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import faier

DOCS = Path(__file__).parents[2] / "docs"


def models_of(page: str) -> dict[str, str]:
    """The model files of a page, by the name that stands before each."""
    found = dict(re.findall(r"`([\w.]+\.(?:toml|py))`[^`]*```(?:toml|python)\n(.*?)```", page, re.S))
    assert found
    return found


def write_models(page: str, folder: Path) -> None:
    for name, text in models_of(page).items():
        (folder / name).write_text(text, encoding="utf-8")


def sessions(page: str) -> list[tuple[str, str, int]]:
    """(command, expected output, exit status) of every console example."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", page, re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, expected = part.partition("\n")
            status = re.search(r"^\[(\d+)\]\n\Z", expected, re.M)
            if status:
                expected = expected[: status.start()]
            found.append((command, expected, int(status[1]) if status else 0))
    return found


def test_commands_page(
    faier_run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    write_models(page, tmp_path)
    shown = sessions(page)
    assert len(shown) >= 8
    for command, expected, status in shown:
        program, *arguments = shlex.split(command)
        assert program == "faier"
        answer = faier_run(*arguments)
        assert answer.status == status, command
        pattern = re.escape(expected.rstrip()).replace(re.escape("..."), ".*")
        assert re.fullmatch(pattern, answer.out.rstrip(), re.S), (command, answer.out)


def test_python_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    write_models(page, tmp_path)
    failed, tried = doctest.testfile(str(DOCS / "python.md"), module_relative=False)
    assert failed == 0
    assert tried > 10


def test_package_example() -> None:
    assert doctest.testmod(faier).failed == 0


def test_documentation_lists_the_public_surface() -> None:
    page = (DOCS / "python.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`(\w+)`", page[page.index("## Exceptions") :]))
    missing = set(faier.__all__) - listed - {"FaierError"}
    assert not missing
    assert all(getattr(faier, name) is not None for name in faier.__all__)
    assert set(faier.__all__) <= set(dir(faier))
