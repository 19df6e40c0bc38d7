"""The checker says the same of a certificate in however many processes it looks at the steps."""

from __future__ import annotations

import copy
import json
import multiprocessing
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import faier
from faier_check import CertificateError, Limits, Proved, check, workers
from faier_check.limits import Meter

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("above_threshold", "activity_chain", "two_copies", "touching_curve", "noisy_max_rates", "rappor")

linux = pytest.mark.skipif(sys.platform != "linux", reason="workers are forks")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_PAYS_FROM", -1.0)
    monkeypatch.setattr(workers, "_LOOKS_FROM", -1.0)


def outcome(certificate: Any, model: bytes, **limits: int) -> Proved | str:
    try:
        return check(json.dumps(certificate).encode(), model, Limits(**limits))
    except CertificateError as error:
        return str(error)
    finally:
        assert multiprocessing.active_children() == []


@pytest.mark.parametrize("name", NAMES)
def test_the_same_for_good_and_for_bad_certificates(name: str) -> None:
    path = EXAMPLES / f"{name}.toml"
    model = path.read_bytes()
    certificate = json.loads(json.dumps(faier.certify(faier.verify(path))))
    right = outcome(certificate, model, jobs=1)
    assert isinstance(right, Proved)
    assert outcome(certificate, model, jobs=3) == right
    random, steps = Random(name), certificate["proof"].get("steps", [])
    rejected = 0
    for _ in range(12 if steps else 0):
        wrong = copy.deepcopy(certificate)
        step = random.choice(wrong["proof"]["steps"])
        if random.random() < 0.4 or "scale" not in step:
            step["rule"] = random.choice(["dominate", "end", "expand"])
            for field in step.keys() - {"rule", "root", "after", "half", "reading", "part"}:
                del step[field]
        else:
            step["scale"] = str(int(random.random() * 1000) + 1)
        one = outcome(wrong, model, jobs=1)
        assert outcome(wrong, model, jobs=3) == one
        rejected += isinstance(one, str)
    assert rejected or not steps


@linux
def test_workers_are_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    original = workers._in_processes

    def counting(items: Any, *rest: Any) -> Any:
        counted.append(len(items))
        return original(items, *rest)

    monkeypatch.setattr(workers, "_in_processes", counting)
    path = EXAMPLES / "above_threshold.toml"
    certificate = faier.certify(faier.verify(path))
    assert isinstance(outcome(certificate, path.read_bytes(), jobs=2), Proved)
    assert counted
    assert counted[0] == len(certificate["proof"]["steps"]) - 1  # type: ignore[index]
    counted.clear()
    assert isinstance(outcome(certificate, path.read_bytes(), jobs=1), Proved)
    assert counted == []


def spending(meter: Meter, operations: int) -> Callable[[int], tuple[str, ...]]:
    def work(item: int) -> tuple[str, ...]:
        meter.spend(operations)
        return (f"said {item}",) if item % 3 == 0 else ()

    return work


def test_what_items_say_is_in_order_and_what_they_spend_is_added_up() -> None:
    meter = Meter(Limits(operations=1000, jobs=3))
    assert workers.check_all(range(50), spending(meter, 10), meter) == [f"said {i}" for i in range(0, 50, 3)]
    assert meter.left == 500


def test_the_limit_of_operations_holds_for_all_processes_together() -> None:
    meter = Meter(Limits(operations=1000, jobs=3))
    with pytest.raises(CertificateError, match="takes more than 1000 operations"):
        workers.check_all(range(50), spending(meter, 30), meter)


@linux
def test_a_worker_that_dies_changes_nothing() -> None:
    import os
    import signal

    here = os.getpid()

    def deadly(item: int) -> tuple[str, ...]:
        if item == 30 and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return (str(item),)

    assert workers.check_all(range(40), deadly, Meter(Limits(jobs=3))) == list(map(str, range(40)))
    assert multiprocessing.active_children() == []


def test_the_first_wrong_item_is_the_one_that_is_reported() -> None:
    def picky(item: int) -> tuple[str, ...]:
        if item in (17, 18, 39):
            raise CertificateError(f"item {item}")
        return ()

    with pytest.raises(CertificateError, match="item 17"):
        workers.check_all(range(40), picky, Meter(Limits(jobs=3)))


@pytest.mark.parametrize("jobs", [0, -1, -3])
def test_no_number_of_processes_leaves_anything_unchecked(jobs: int) -> None:
    checked: list[int] = []

    def check_one(item: int) -> tuple[str, ...]:
        checked.append(item)
        return (str(item),)

    assert workers.check_all(range(100), check_one, Meter(Limits(jobs=jobs))) == list(map(str, range(100)))
    assert checked == list(range(100))
