"""The page of the library: every entry, its signature as it is, and examples that are what happens."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

from faier import library, noise

PAGE = Path(__file__).resolve().parents[2] / "docs" / "library.md"
TEXT = PAGE.read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", TEXT, re.M | re.S))


def test_every_entry_has_its_section() -> None:
    assert sorted(SECTIONS) == sorted(library.__all__)


@pytest.mark.parametrize("name", library.__all__)
def test_the_signature_is_that_of_the_function(name: str) -> None:
    arguments = []
    for argument in inspect.signature(library.entry(name)).parameters.values():
        if argument.kind is argument.VAR_KEYWORD:
            arguments.append(f"**{argument.name}")
        elif argument.name != "parameters":
            shown = f'"{argument.default}"' if isinstance(argument.default, str) else repr(argument.default)
            arguments.append(f"{argument.name}={shown}")
    assert f"`{name}({', '.join(arguments)})`" in SECTIONS[name]
    assert ">>> " in SECTIONS[name]


def test_the_examples() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert failed == 0
    assert tried > 25


def test_all_noise_is_named() -> None:
    last = TEXT[TEXT.index("## Noise") :]
    assert all(re.search(rf"\b{name}\b", last) for name in noise.__all__ if name.islower() and name != "lumped")
