"""How a target in a Python file is written: `path/to/file.py:name`."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

_ADDRESS = re.compile(r"(?P<path>.*\.pyw?)(?::(?P<name>[^:/\\]*))?", re.DOTALL)


@dataclass(frozen=True)
class Address:
    """A Python file, and what is meant in it; no name where none was given."""

    path: str
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.name}" if self.name else self.path


def address(text: str | os.PathLike[str]) -> Address | None:
    """The parts of `file.py:name`; None where it is not a Python file that is named."""
    found = _ADDRESS.fullmatch(os.fsdecode(text))
    return None if found is None else Address(found["path"], (found["name"] or "").strip())


def file_of(text: str) -> str:
    """The file that a target stands in."""
    found = address(text)
    return text if found is None else found.path
