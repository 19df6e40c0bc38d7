"""What the README and the guides show is what happens."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from faier.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDES = [ROOT / "docs" / "tutorial.md", *sorted((ROOT / "docs" / "how-to").glob("*.md"))]


def run(command: str) -> tuple[int, str]:
    program, *arguments = shlex.split(command)
    assert Path(program).name == "faier", command
    result = CliRunner().invoke(main, arguments)
    return result.exit_code, result.stdout


def follow(page: str) -> int:
    """Write the files that a page names in the first line of its blocks, and run its console examples."""
    for name, text in re.findall(r"```(?:toml|python)\n# (\S+\.(?:toml|py))\n(.*?)```", page, re.S):
        Path(name).write_text(text, encoding="utf-8")
    count = 0
    for block in re.findall(r"```console\n(.*?)```", page, re.S):
        for shown in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, expected = shown.partition("\n")
            status = re.search(r"^\[(\d+)\]\n\Z", expected, re.M)
            expected = expected[: status.start()] if status else expected
            code, out = run(command)
            assert code == (int(status[1]) if status else 0), (command, out)
            pattern = re.escape(expected.rstrip()).replace(re.escape("..."), ".*")
            assert re.fullmatch(pattern, out.rstrip(), re.S), (command, out)
            count += 1
    return count


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)


def shell_lines() -> list[list[str]]:
    return [line.split(" && ") for block in re.findall(r"```sh\n(.*?)```", README, re.S) for line in block.splitlines()]


@pytest.mark.usefixtures("workplace")
def test_readme():
    assert follow(README) >= 4
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert failed == 0
    assert tried >= 3


@pytest.mark.usefixtures("workplace")
def test_the_readme_installs_and_runs_in_one_line():
    install, test = shell_lines()
    for line in (install, test):
        assert line[0] == "python3 -m venv .venv"
        assert line[1].startswith(".venv/bin/pip install -q ")
    code, out = run(install[2])
    assert code == 0
    assert out.startswith("holds: ")
    assert test[2].split()[0] == ".venv/bin/pytest"


def test_ci_runs_the_test_line_of_the_readme_word_for_word():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert " && ".join(shell_lines()[1]) in script.splitlines()


def test_what_the_readme_names_is_there():
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    markers = configuration["tool"]["pytest"]["ini_options"]["markers"]
    assert "pytest -m slow" in README
    assert any(marker.startswith("slow:") for marker in markers)
    extras = configuration["project"]["optional-dependencies"]
    assert all(extra in extras for extra in re.findall(r"'\.\[(\w+)\]'", README))
    for script in (".ci/run", "scripts/check"):
        assert script in README
        assert os.access(ROOT / script, os.X_OK)
        subprocess.run(["bash", "-n", str(ROOT / script)], check=True)


@pytest.mark.parametrize("page", [ROOT / "README.md", *GUIDES], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path):
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if not target.startswith("https:"):
            assert (page.parent / target).exists(), target


@pytest.mark.usefixtures("workplace")
@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_guides(page: Path):
    text = page.read_text(encoding="utf-8")
    done = follow(text)
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert failed == 0
    assert done + tried > 0 or "```console" not in text
