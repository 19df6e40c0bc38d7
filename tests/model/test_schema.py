"""The published schema fits the files that exist, and refuses those that are malformed."""

from __future__ import annotations

import copy
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given

from faier.model.schema import schema
from faier.model.toml_write import dumps
from faier.scenario.load import loads
from faier.scenario.scenario import Scenario
from strategies import scenarios

ROOT = Path(__file__).parents[2]

CONTAGIOUS = """
faier = 1
title = "Truncated 1/2-geometric mechanism, contagious disease"
constraints = ["p0 + p1 + p2 == 1"]
[parameters]
p = "0 < p < 1"
p0 = "0 < p0 < 1"
p1 = "0 < p1 < 1"
p2 = "0 < p2 < 1"
[model.emit]
"0" = { "~0" = "2/3", "~1" = "1/6", "~2" = "1/6" }
"1" = { "~0" = "1/3", "~1" = "1/3", "~2" = "1/3" }
"2" = { "~0" = "1/6", "~1" = "1/6", "~2" = "2/3" }
[model.step]
[beliefs]
well = { "0" = "1" }
sick = { "2" = "1" }
mixed = { "0" = "(1-p)^2", "1" = "2*p*(1-p)", "2" = "p^2" }
[[compare]]
left = "sick"
right = "well"
[claim]
epsilon = "ln 2"
horizon = 1
possible = "either"
delta = "0"
"""
INSIDE = """
faier = 1
[model.emit]
walking = { a = 1 }
resting = { a = 1 }
[beliefs]
start = { walking = "1/2", resting = "1/2" }
[[compare]]
from = "start"
at = 3
left = ["walking"]
right = ["resting"]
"""
STREAM = """
faier = 1
[stream]
adjacent = [["0", "1"], ["1", "2"]]
[stream.on."1"]
"t1" = [["bot", "t1", "1/3"], ["top", "2/3"]]
[[compare]]
left = "t1"
right = "t1"
"""


MECHANISM = """
faier = 1
[parameters]
alpha = "0 < alpha < 1"
[mechanism]
use = "noisy-max"
queries = 3
alpha = "alpha"
ties = "first"
inputs = [[0, 0, 0], [1, 1, 1]]
adjacent = "each_within(1)"
[[compare]]
left = [0, 0, 0]
right = [1, 1, 1]
one_way = true
"""
NEIGHBOURS = """
faier = 1
[mechanism]
use = "truncated-geometric"
adjacent = [[0, 1], [1, 2]]
"""


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("text", [CONTAGIOUS, INSIDE, STREAM, MECHANISM, NEIGHBOURS])
def test_the_format_fits_the_schema(text: str) -> None:
    jsonschema.validate(tomllib.loads(text), schema())


@pytest.mark.parametrize("path", sorted((ROOT / "examples").rglob("*.toml")), ids=lambda p: p.stem)
def test_the_examples_fit_the_schema(path: Path) -> None:
    jsonschema.validate(tomllib.loads(path.read_text("utf-8")), schema())


@given(scenarios())
def test_what_is_written_fits_the_schema(scenario: Scenario) -> None:
    jsonschema.validate(tomllib.loads(dumps(scenario)), schema())


def test_the_first_example_of_the_reference_loads_and_fits() -> None:
    text = (ROOT / "docs" / "file-format.md").read_text("utf-8")
    example = re.search(r"```toml\n(faier = 1.*?)```", text, re.DOTALL)
    assert example is not None
    assert loads(example[1]).claim.horizon == 1
    jsonschema.validate(tomllib.loads(example[1]), schema())


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("faier",), 2),
        (("title",), 3),
        (("parameters",), {"1p": "0<p<1"}),
        (("parameters",), {"exp": ""}),
        (("constraints",), "a"),
        (("model", "emit"), {}),
        (("model", "emit", "0"), {}),
        (("model", "emit", "0", "~0"), 0.5),
        (("model", "step"), {"0": {"0": True}}),
        (("beliefs", "well"), "0"),
        (("compare",), []),
        (("compare",), {}),
        (("compare",), [{"left": "a"}]),
        (("compare",), [{"left": 1, "right": 2}]),
        (("claim", "horizon"), 0),
        (("claim", "horizon"), "all"),
        (("claim", "possible"), "none"),
        (("claim", "ratio"), "2"),
        (("claim", "epsilon"), 0.5),
        (("extra",), 1),
        (("stream",), {"on": {"0": {}}}),
        (("mechanism",), {"use": "noisy-max"}),
    ],
)
def test_malformed_files_do_not_fit(path: tuple[str, ...], value: Any) -> None:
    data = copy.deepcopy(tomllib.loads(CONTAGIOUS))
    table = data
    for key in path[:-1]:
        table = table[key]
    table[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, schema())


@pytest.mark.parametrize(
    "text",
    [
        'faier = 1\n[mechanism]\nuse = "noisy-max"\n',
        'faier = 1\n[mechanism]\nadjacent = "any_two"\n',
        'faier = 1\n[mechanism]\nuse = "noisy-max"\nadjacent = "any_two"\nalpha = 0.5\n',
        'faier = 1\n[mechanism]\nuse = "noisy-max"\n[[compare]]\nleft = [0.5]\nright = [1]\n',
        'faier = 1\n[mechanism]\nuse = "noisy-max"\nadjacent = [[1, 2, 3]]\n',
    ],
)
def test_malformed_mechanisms_do_not_fit(text: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(text), schema())
