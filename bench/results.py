"""What was measured, case by case: kept in one JSON file, where a run replaces the cases that it measures again."""

from __future__ import annotations

import fcntl
import json
import os
import platform
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from .row import Row

FOLDER = Path(__file__).parent / "results"
_PACKAGES = ("numpy", "scipy", "python-flint", "z3-solver", "cvc5", "python-sat", "qif", "dp-accounting")


@dataclass(frozen=True)
class Case:
    """The rows of a case. `size` is "quick", "default" or "full"; `limit` is that of the solvers; `complete` says
    that nothing ended it early."""

    rows: Sequence[Row] = ()
    size: str = "default"
    limit: float = 60.0
    complete: bool = False
    circumstances: Mapping[str, Any] = field(default_factory=dict)

    def record(self) -> dict[str, object]:
        return {
            "size": self.size, "limit": self.limit, "complete": self.complete, **self.circumstances,
            "rows": [row.record() for row in self.rows],
        }  # fmt: skip

    @classmethod
    def of_record(cls, found: Mapping[str, Any]) -> Case:
        known = {"size", "limit", "complete", "rows"}
        return cls(
            [Row.of_record(row) for row in found["rows"]], found["size"], found["limit"], found["complete"],
            {key: value for key, value in found.items() if key not in known},
        )  # fmt: skip


Cases = dict[str, Case]


def load(path: Path, names: Iterable[str]) -> Cases:
    """The cases of these names that the file has, in the order of the names; none where there is no file."""
    if not path.exists():
        return {}
    found = json.loads(path.read_text(encoding="utf-8")).get("cases", {})
    return {name: Case.of_record(found[name]) for name in names if name in found}


def keep(name: str, case: Case, path: Path, names: Iterable[str]) -> None:
    """Put a case in the place of the one of its name; the others stay as the file has them now."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Another process may be measuring another case.
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = load(path, names) | {name: case}
        save({each: found[each] for each in names if each in found}, path)


def save(cases: Mapping[str, Case], path: Path) -> None:
    """Written beside and put in place at once: who is interrupted here keeps the old file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part")
    beside.write_text(_json(cases), encoding="utf-8")
    os.replace(beside, path)


def circumstances() -> dict[str, object]:
    """Where and when: what differs from run to run."""
    found: dict[str, object] = {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": _commit(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def _json(cases: Mapping[str, Case]) -> str:
    """One row to a line, so that two files can be compared by eye."""
    parts = []
    for name, case in cases.items():
        record = case.record()
        rows = ",\n  ".join(json.dumps(row) for row in record.pop("rows"))  # type: ignore[attr-defined]
        head = json.dumps(record)[1:-1]
        parts.append(f' {json.dumps(name)}: {{{head}, "rows": [\n  {rows}\n ]}}')
    return '{"cases": {\n' + ",\n".join(parts) + "\n}}\n"


def _commit() -> str | None:
    command = ["git", "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
