"""A model file, results to answer with, and a runner that stands in for a shell."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

import faier.report
from faier.cli import main
from faier.model.hmm import HMM
from faier.scenario.scenario import Scenario
from faier.verdict import Bounds, Holds, Tight, Unknown, Violated, Witness

CONTAGIOUS = """\
faier = 1
title = "Truncated 1/2-geometric mechanism, contagious disease"

[model.emit]
"0" = { "~0" = "2/3", "~1" = "1/6", "~2" = "1/6" }
"1" = { "~0" = "1/3", "~1" = "1/3", "~2" = "1/3" }
"2" = { "~0" = "1/6", "~1" = "1/6", "~2" = "2/3" }

[beliefs]
well = { "0" = "1" }
sick = { "2" = "1" }

[[compare]]
left = "sick"
right = "well"

[claim]
ratio = "2"
horizon = 1
"""


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Stdout as JSON: one object and nothing else, of the published shape."""
        record: dict[str, Any] = json.loads(self.out)
        path = Path(faier.report.__file__).parent / f"{record['kind']}.schema.json"
        jsonschema.validate(record, json.loads(path.read_text(encoding="utf-8")))
        return record


@pytest.fixture
def faier_run() -> Callable[..., Answer]:
    def run(*arguments: object) -> Answer:
        result = CliRunner().invoke(main, [str(a) for a in arguments])
        return Answer(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "contagious.toml"
    path.write_text(CONTAGIOUS, encoding="utf-8")
    return path


def contagious() -> Scenario:
    return Scenario.of(
        HMM(
            emit={
                "0": {"~0": "2/3", "~1": "1/6", "~2": "1/6"},
                "1": {"~0": "1/3", "~1": "1/3", "~2": "1/3"},
                "2": {"~0": "1/6", "~1": "1/6", "~2": "2/3"},
            }
        ),
        [("sick", "well")],
        beliefs={"well": {"0": 1}, "sick": {"2": 1}},
        ratio=2,
        horizon=1,
    )


@dataclass
class Fakes:
    """What the loader and the engine answer, and what the engine was asked."""

    scenario: Scenario
    answer: Callable[[Scenario], object]
    warnings: tuple[str, ...] = ()
    asked: Scenario | None = None
    options: dict[str, Any] | None = None
    certificate: Callable[[object], dict[str, object]] = lambda result: {"faier_certificate": 1}


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    """Commands alone, without a loader, an engine or a certificate writer behind them."""
    known = Fakes(contagious(), violated)

    def load(path: object, *, size_limit: int | None = None) -> tuple[Scenario, tuple[str, ...]]:
        return known.scenario, known.warnings

    def engine(scenario: Scenario, **options: Any) -> object:
        known.asked, known.options = scenario, options
        return known.answer(scenario)

    def dump(certificate: dict[str, object], path: object) -> None:
        Path(str(path)).write_text(json.dumps(certificate), encoding="utf-8")

    monkeypatch.setattr("faier.api.load_with_warnings", load)
    monkeypatch.setattr("faier.engine.verify", engine, raising=False)
    monkeypatch.setattr("faier.engine.epsilon", engine, raising=False)
    monkeypatch.setattr("faier.certificate.certify", lambda r: known.certificate(r), raising=False)
    monkeypatch.setattr("faier.certificate.dump", dump, raising=False)
    return known


WITNESS = Witness(0, True, "sick", "well", ("~2",), False, F(2, 3), F(1, 6))


def violated(scenario: Scenario) -> Violated:
    return Violated(scenario, "tree", 0.002, None, witness=WITNESS)


def holds(scenario: Scenario) -> Holds:
    return Holds(scenario, "tree", 0.002, None)


def unknown(scenario: Scenario) -> Unknown:
    return Unknown(scenario, "tree", 1.0, None, reason="interrupted", bounds=Bounds(F(4, 3), math.inf))


def tight(scenario: Scenario) -> Tight:
    return Tight(scenario, Bounds(F(4), F(4)), True, WITNESS, True, None, "tree", 0.05, None)


def stopped(scenario: Scenario) -> Tight:
    return replace(tight(scenario), ratio=Bounds(F(4), F(5)), complete=False, reason="interrupted")


@pytest.fixture
def answers() -> dict[str, Callable[[Scenario], object]]:
    return {"violated": violated, "holds": holds, "unknown": unknown, "tight": tight, "stopped": stopped}
