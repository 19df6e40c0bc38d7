from __future__ import annotations

import hashlib

import pytest
from checker_cases import toml

from faier_check.digest import digest
from faier_check.model_file import read_model

EMIT = {"höher": {"b": "2/4", "a": "0.5", "never": "0"}, "low": {"a": "0.25", "b": "3/4"}}
STEP = {"low": {"low": "1/3", "höher": "2/3"}}
COMPARE = [("mixed", "low", True), ("low", "höher", False)]
TEXT = (
    '{"symbols":["b","a","never"],'
    '"emit":[["höher",[["b","1/2"],["a","1/2"]]],["low",[["b","3/4"],["a","1/4"]]]],'
    '"step":[["low",[["höher","2/3"],["low","1/3"]]]],'
    '"compare":[["mixed","low",true,[["höher","1/10"],["low","9/10"]],[["low","1"]]],'
    '["low","höher",false,[["low","1"]],[["höher","1"]]]]}'
)


def of(emit=EMIT, step=STEP, mixed=None, compare=COMPARE, extra="") -> str:
    beliefs = {"mixed": mixed or {"höher": "0.1", "low": "0.9"}, "unused": {"low": "p"}}
    return digest(read_model(toml(emit, step, beliefs, compare, extra)))


def test_is_the_hash_of_the_text_in_the_format():
    assert of() == "sha256:" + hashlib.sha256(TEXT.encode("utf-8")).hexdigest()


def test_is_the_same_for_the_same_model():
    assert of(mixed={"low": "1 - 1/10", "höher": "10^-1"}) == of()
    assert of(extra='title = "x"\n[claim]\nepsilon = "ln 2"\nhorizon = 7') == of()


@pytest.mark.parametrize(
    "change",
    [
        {"emit": {"höher": EMIT["höher"], "low": {"a": "0.24", "b": "0.76"}}},
        {"emit": {"low": EMIT["low"], "höher": EMIT["höher"]}},
        {"emit": {"höher": {"b": "1/2", "a": "1/2"}, "low": EMIT["low"]}},
        {"step": {}},
        {"step": {**STEP, "höher": {"höher": "1"}}},
        {"mixed": {"höher": f"1/10 + 1/{10**30}", "low": f"9/10 - 1/{10**30}"}},
        {"compare": [("mixed", "low", False), ("low", "höher", False)]},
        {"compare": [("low", "höher", False), ("mixed", "low", True)]},
        {"compare": [("low", "mixed", True), ("low", "höher", False)]},
        {"compare": COMPARE[:1]},
    ],
)
def test_is_another_for_another_model(change):
    assert of(**change) != of()


def test_numbers_longer_than_python_converts_by_itself():
    long = "1/" + "1" * 6_000
    text = of(mixed={"höher": long, "low": f"1-{long}"})
    assert text != of()
