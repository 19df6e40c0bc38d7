"""The example files say of themselves what is expected; here a brute force over words confirms it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from headers import EXAMPLES, NAMES, header, scenario

import reference

ROOT = EXAMPLES.parent

# At horizon "any" the reference sees all words up to this length (6 where nothing is said) ...
DEPTH = {
    "activity_chain": 10,
    "activity_chain_faulty": 10,
    "rappor": 2,
    "rappor_faulty": 3,
    "above_threshold_any": 5,
}
# ... which is too short to meet the first word that breaks this claim; `above_threshold_11` shows that one.
LEFT_TO_THE_ENGINE = {"above_threshold_any"}
SLOW = {"above_threshold_11"}


def each(names: list[str]) -> pytest.MarkDecorator:
    marks = [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in names]
    return pytest.mark.parametrize("name", marks)


@each(NAMES)
def test_the_tight_ratio_is_confirmed_by_brute_force(name: str) -> None:
    promise, question = header(name), scenario(name)
    if question.claim.horizon == "any":
        lower, upper = reference.enclosure(question, DEPTH.get(name, 6))
        assert lower <= promise.upper
        assert promise.lower <= upper
        assert promise.attained or lower < promise.upper
    else:
        assert reference.tight(question, question.claim.horizon) == promise.lower == promise.upper


@each([name for name in NAMES if header(name).tight_at])
def test_tight_ratios_at_other_horizons_are_confirmed_by_brute_force(name: str) -> None:
    for horizon, ratio in header(name).tight_at.items():
        assert reference.tight(scenario(name), horizon) == ratio


@each([name for name in NAMES if name not in LEFT_TO_THE_ENGINE])
def test_the_verdict_is_confirmed_by_brute_force(name: str) -> None:
    promise, question = header(name), scenario(name)
    longest = DEPTH.get(name, 6)
    assert reference.shortest_violation(question, longest) == promise.shortest
    if promise.holds and question.claim.horizon == "any":
        assert reference.allows(question.claim.budget, reference.enclosure(question, longest)[1])


@pytest.mark.parametrize("name", NAMES)
def test_the_header_agrees_with_itself(name: str) -> None:
    promise, budget = header(name), scenario(name).claim.budget
    assert reference.allows(budget, promise.upper) is promise.holds
    assert reference.allows(budget, promise.lower) is promise.holds
    assert scenario(name).title


@pytest.mark.parametrize("name", [name for name in NAMES if header(name).twin_of])
def test_a_twin_is_broken_and_its_original_is_not(name: str) -> None:
    promise = header(name)
    assert not promise.holds
    assert promise.fault
    assert promise.twin_of in NAMES
    assert header(promise.twin_of).holds


@pytest.mark.parametrize("name", [name for name in NAMES if header(name).holds])
def test_a_model_that_holds_has_a_twin(name: str) -> None:
    assert [other for other in NAMES if header(other).twin_of == name]


def test_a_model_without_a_fault_holds() -> None:
    assert not [name for name in NAMES if not header(name).holds and not header(name).twin_of]


def test_the_generated_files_are_up_to_date() -> None:
    script = ROOT / "scripts" / "make_examples.py"
    spec = importlib.util.spec_from_file_location("make_examples", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_examples"] = module
    sys.path.insert(0, str(script.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(script.parent))
    for path, text in module.files().items():
        assert (Path(EXAMPLES) / path).read_text("utf-8") == text, f"{path}: run scripts/make_examples.py"
