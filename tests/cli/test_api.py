"""The public functions check what they are given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import faier


@pytest.mark.parametrize("tolerance", [1e-9, True, "0", 0, "1/0", "tiny", "1e-99999", None])
def test_tolerance_is_exact_and_positive(model: Path, tolerance: Any) -> None:
    with pytest.raises(faier.UsageError, match="a tolerance is"):
        faier.epsilon(model, tolerance=tolerance)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), "5", True])
def test_timeout_is_positive(model: Path, timeout: Any) -> None:
    with pytest.raises(faier.UsageError, match="a timeout is"):
        faier.verify(model, timeout=timeout)


def test_what_is_no_scenario(model: Path) -> None:
    with pytest.raises(faier.UsageError, match="a scenario is expected"):
        faier.verify(42)  # type: ignore[arg-type]


def test_verdicts_refuse_truth_testing(model: Path) -> None:
    with pytest.raises(TypeError, match="not a truth value"):
        bool(faier.verify(model))


def test_oddities_are_python_warnings(model: Path) -> None:
    text = model.read_text(encoding="utf-8").replace('right = "well"', 'right = "sick"')
    model.write_text(text, encoding="utf-8")
    with pytest.warns(UserWarning, match="left and right are the same"):
        faier.load(model)


def test_unknown_attribute() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        faier.nonsense  # noqa: B018
    assert callable(faier.epsilon)


def test_certificates_round_trip(model: Path, tmp_path: Path) -> None:
    import json

    proof = tmp_path / "proof.json"
    proof.write_text(json.dumps(faier.certify(faier.verify(model))), encoding="utf-8")
    assert faier.check(proof, model).kind == "violated"
