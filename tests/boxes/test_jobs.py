"""The tight ratio over unknown values is the same in however many processes words and values are looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import faier
from faier import workers

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(workers, "_PAYS_FROM", -1.0)
    monkeypatch.setattr(workers, "_LOOKS_FROM", -1.0)
    yield
    workers.choose(None)


def answer(path: Path, jobs: int, **asked: Any) -> tuple[dict[str, object], object]:
    workers.choose(jobs)
    tight = faier.epsilon(path, **asked)
    record = {name: value for name, value in tight.to_dict().items() if name != "seconds"}
    return record, None if tight.trace is None else faier.certify(tight)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("noisy_max_rates", {}),
        ("contagious_unknown", {}),
        ("noisy_max_family_unknown", {}),
        ("activity_chain_unknown_8", {"horizon": 7}),
    ],
)
def test_the_same_answer_and_certificate(name: str, asked: dict[str, Any]) -> None:
    path = EXAMPLES / f"{name}.toml"
    assert answer(path, 1, **asked) == answer(path, 3, **asked)


def test_one_process_after_another_is_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    original = workers._in_processes

    def counting(function: Any, items: Any, seconds: float) -> Any:
        counted.append(len(items))
        return original(function, items, seconds)

    monkeypatch.setattr(workers, "_in_processes", counting)
    answer(EXAMPLES / "noisy_max_rates.toml", 2)
    answer(EXAMPLES / "activity_chain_unknown_8.toml", 2, horizon=7)
    assert len(counted) >= 2
