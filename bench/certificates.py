"""What a certificate costs: writing it, and checking it against the model file with the standard library."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import faier
from faier.certificate import certify
from faier.certificate.write import dump
from faier.model.toml_write import dumps
from faier.scenario.scenario import Scenario
from faier.verdict import Tight, Verdict
from faier_check import check

from .row import Options, Row
from .timing import Time, best


def rows(
    what: str, result: Verdict | Tight, scenario: Scenario, engine: Time, options: Options
) -> Iterator[Row]:
    """Write and check, each beside the time of the engine; checking starts with reading the model file."""
    with tempfile.TemporaryDirectory() as folder:
        path, model = Path(folder) / "certificate.json", Path(folder) / "model.toml"
        model.write_text(dumps(scenario), encoding="utf-8")
        _, time = best(lambda: dump(certify(result), path), options.repeats)
        size = f"{path.stat().st_size / 1024:.0f} KiB"
        yield Row(f"{what}: write the certificate", size, time, "engine", engine)
        _, load = best(lambda: faier.load(model), options.repeats)
        proved, time = best(lambda: check(path, model), options.repeats)
        answer = f"accepted, {proved.steps} steps"
        yield Row(f"{what}: check it", answer, time, "faier.load of the model", load)
