"""Up to a million states: beside bare scipy products, and memory beside that of the model. One process a part."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, run

from .row import Options, Row, WrongAnswer
from .timing import Time


def rows(options: Options) -> Iterator[Row]:
    folder = Path(__file__).parent.parent
    sizes = (1_000, 10_000, 100_000) if options.quick else (1_000, 10_000, 100_000, 1_000_000)
    for states, part in ((states, part) for states in sizes for part in ("forward", "tree", "auto")):
        command = [sys.executable, "-m", "bench.sparse_child", part, str(states), str(options.repeats)]
        child = run(command, cwd=folder, env=_environment(folder), stdout=PIPE, check=False)
        if child.returncode:
            raise WrongAnswer(f"the child process for {part} ended with status {child.returncode}")
        for found in json.loads(child.stdout):
            beside = found["beside_time"]
            yield Row(
                found["what"], found["answer"], Time(*found["time"]), found["beside"],
                None if beside is None else Time(*beside), found["note"],
                found["family"], found["size"], found["series"],
            )


def _environment(folder: Path) -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder / "src"), *sys.path])}
