"""Questions about the library, written as plain model files: the same answers, and certificates that are accepted."""

from __future__ import annotations

import json
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import pytest

import faier
from faier import library
from faier.model.toml_write import dumps

SMALLER: dict[str, dict[str, Any]] = {
    "binary_tree_count": {"steps": 3},
    "noisy_max": {"queries": 3},
    "rappor": {"bits": 2},
}


def written(scenario: faier.Scenario, folder: Path) -> Path:
    path = folder / "model.toml"
    path.write_text(dumps(scenario), encoding="utf-8")
    return path


def agree(scenario: faier.Scenario, folder: Path) -> None:
    """The file has the scenario's tight ratio, and certificates of verdicts on both sides of it are accepted for it."""
    path, tight = written(scenario, folder), faier.epsilon(scenario).ratio.upper
    assert faier.epsilon(faier.load(path)).ratio.upper == tight
    claims = [("1000001/1000000", "violated")] if tight > Fraction("1.000001") else []
    claims += [(tight, "holds")] if tight < inf else []
    assert claims
    for ratio, kind in claims:
        verdict = faier.verify(scenario, ratio=ratio)
        (folder / "certificate.json").write_text(json.dumps(faier.certify(verdict)), encoding="utf-8")
        assert faier.check(folder / "certificate.json", path).kind == kind


@pytest.mark.parametrize("name", library.__all__)
def test_an_entry_as_a_file(name: str, tmp_path: Path) -> None:
    mechanism = library.entry(name)(**SMALLER.get(name, {}))
    again = type(mechanism) is not faier.Mechanism  # A process or a stream goes on after one release.
    adjacent = faier.each_within(1) if mechanism.adjacent is None else mechanism.adjacent
    agree(faier.differential_privacy(mechanism, adjacent=adjacent, horizon=2 if again else 1), tmp_path)


@pytest.mark.parametrize(
    "scenario",
    [
        library.markov_release().scenario(at=2, horizon=3),
        library.markov_count(length=4).scenario(),
        library.markov_count(length=3, clamped=False).scenario(at=1),
    ],
    ids=["release", "count", "unclamped"],
)
def test_a_question_about_a_time_as_a_file(scenario: faier.Scenario, tmp_path: Path) -> None:
    agree(scenario, tmp_path)
