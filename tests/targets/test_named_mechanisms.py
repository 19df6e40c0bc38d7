"""`[mechanism]` in a model file: the library by name, with the same answers as from Python."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import faier
from faier.certificate.digest import digest
from faier.definition import tight_by_definition
from faier.model.schema import schema
from faier.model.toml_write import dumps
from faier.scenario.load import loads, loads_with_warnings

Run = Callable[..., Any]

EXAMPLES = Path(__file__).parents[2] / "examples" / "library"

HEADLINE = """\
faier = 1
title = "Noisy max of five"

[mechanism]
use = "noisy-max"
queries = 5
adjacent = "each_within(1)"

[claim]
horizon = 1
"""


def read(text: str) -> faier.Scenario:
    """A file that also fits the published schema."""
    jsonschema.validate(tomllib.loads(text), schema())
    scenario, warnings = loads_with_warnings(text)
    assert not warnings
    return scenario


def of(mechanism: str, rest: str = "", top: str = "") -> faier.Scenario:
    return read(f"faier = 1\n{top}\n[mechanism]\n{mechanism}\n{rest}")


def test_the_headline() -> None:
    assert faier.epsilon(read(HEADLINE)).ratio.upper == F(288, 73)


def test_it_is_the_scenario_of_python() -> None:
    from_file = of('use = "noisy-max"\nqueries = 3\nties = "first"\nadjacent = "one_within(1)"')
    from_python = faier.differential_privacy(
        faier.library.noisy_max(queries=3, ties="first"), adjacent=faier.one_within(1)
    )
    assert digest(from_file) == digest(from_python)


@pytest.mark.parametrize("use", ["noisy-max", "noisy_max"])
def test_names_with_either_line(use: str) -> None:
    assert faier.epsilon(of(f'use = "{use}"\nqueries = 2\nadjacent = "each_within"'), horizon=1).ratio.upper == F(12, 5)


def test_pairs_of_inputs() -> None:
    scenario = of(
        'use = "noisy-max"\nqueries = 2',
        "[[compare]]\nleft = [1, 1]\nright = [0, 2]\none_way = true\n[[compare]]\nleft = '(0, 0)'\nright = [2, 2]",
    )
    assert [(p.left.name, p.right.name, p.one_way) for p in scenario.pairs] == [
        ("(1, 1)", "(0, 2)", True),
        ("(0, 0)", "(2, 2)", False),
    ]
    assert len(scenario.model.states) == 4
    assert faier.epsilon(scenario, horizon=1).ratio.upper == F(12, 5)


def test_beliefs_over_inputs() -> None:
    scenario = of(
        'use = "truncated-geometric"',
        '[beliefs]\nill = { "1" = "1/2", "2" = "1/2" }\n[[compare]]\nleft = "ill"\nright = 0\n[claim]\nratio = 3',
    )
    by_hand = loads(
        'faier = 1\n[model.emit]\n0 = {0 = "2/3", 1 = "1/6", 2 = "1/6"}\n1 = {0 = "1/3", 1 = "1/3", 2 = "1/3"}\n'
        '2 = {0 = "1/6", 1 = "1/6", 2 = "2/3"}\n[beliefs]\nill = {1 = "1/2", 2 = "1/2"}\n[[compare]]\nleft = "ill"\n'
        'right = "0"\n[claim]\nratio = 3'
    )
    assert digest(scenario) == digest(by_hand)
    assert faier.epsilon(scenario, horizon=1).ratio.upper == tight_by_definition(by_hand, 1)


def test_neighbours_as_a_list_and_fewer_inputs() -> None:
    listed = of('use = "truncated-geometric"\ncounts = 4\nadjacent = [[0, 2], [2, 4]]')
    assert faier.epsilon(listed, horizon=1).ratio.upper == 4
    fewer = of('use = "truncated-geometric"\ncounts = 4\ninputs = [0, 3]\nadjacent = "any_two"')
    assert [len(fewer.pairs), faier.epsilon(fewer, horizon=1).ratio.upper] == [1, 8]


def test_pairs_stand_before_neighbours() -> None:
    both = of('use = "truncated-geometric"\nadjacent = "each_within(1)"', "[[compare]]\nleft = 0\nright = 2")
    assert [(p.left.name, p.right.name) for p in both.pairs] == [("0", "2"), ("0", "1"), ("1", "2")]


def test_parameters_in_the_arguments() -> None:
    scenario = of(
        'use = "truncated-geometric"\nalpha = "a"\nadjacent = "each_within(1)"',
        '[claim]\nratio = "1/a"',
        '[parameters]\na = "0 < a < 1"',
    )
    assert isinstance(faier.verify(scenario, horizon=1), faier.Holds)
    assert faier.epsilon(scenario.fixing({"a": "1/3"}), horizon=1).ratio.upper == 3
    by_e = of(
        'use = "truncated-geometric"\nalpha = "a"\nadjacent = "each_within(1)"',
        '[claim]\nepsilon = "1/2"',
        '[parameters]\na = "exp(-1/2)"',
    )
    assert isinstance(faier.verify(by_e, horizon=1), faier.Holds)
    assert isinstance(faier.verify(by_e, horizon=1, epsilon="1/3"), faier.Violated)


@pytest.mark.parametrize(
    "text",
    [
        HEADLINE.replace("queries = 5", "queries = 2"),
        HEADLINE.replace("queries = 5", 'queries = 2\nreport = "value"\nalpha = "1/3"'),
        'faier = 1\n[mechanism]\nuse = "noisy-max"\nqueries = 2\nalpha = "(1 + a)/4"\nadjacent = "one_record"\n'
        '[parameters]\na = "0 < a <= 1"\n[[compare]]\nleft = [0, 0]\nright = [2, 2]\n',
    ],
)
def test_what_is_written_out_reads_back_to_the_same(text: str) -> None:
    scenario = read(text)
    again = loads(dumps(scenario))
    assert digest(again) == digest(scenario)
    assert again.claim == scenario.claim


def test_certificates_are_checked_against_the_model_that_is_meant(run: Run, place: Path) -> None:
    (place / "max.toml").write_text(HEADLINE.replace("queries = 5", "queries = 3"), encoding="utf-8")
    said = run("epsilon", "max.toml", "--certificate", "proof.json")
    assert "the certificate is about the file that this writes: faier convert max.toml --to toml" in said.err
    refused = run("check", "proof.json", "max.toml")
    assert refused.status == 2
    assert "names a mechanism of faier's library, which is a program" in refused.err
    assert "faier convert FILE --to toml -o MODEL" in refused.err
    assert run("convert", "max.toml", "--to", "toml", "-o", "model.toml").status == 0
    assert run("check", "proof.json", "model.toml").out.startswith("valid: ")
    assert json.loads(run("epsilon", "max.toml", "--json").out)["witness"]["left"] == [1, 1, 1]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_examples_keep_what_they_promise(run: Run, path: Path) -> None:
    promise = dict(re.findall(r"^# (expect|tight): (.+)$", path.read_text("utf-8"), re.M))
    assert run("verify", path, "--certificate", "proof.json").out.startswith(promise["expect"])
    assert json.loads(run("epsilon", path, "--json").out)["ratio"]["upper"] == promise["tight"]
    run("convert", path, "--to", "toml", "-o", "model.toml")
    assert run("check", "proof.json", "model.toml").out.startswith("valid: ")


def mistakes(text: str) -> list[str]:
    with pytest.raises(faier.ModelError) as caught:
        loads("faier = 1\n" + text)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '[mechanism]\nuse = "noisy-maxx"\nqueries = 3',
            ["mechanism.use (line 3): unknown mechanism 'noisy-maxx'; did you mean 'noisy-max'?"],
        ),
        (
            "[mechanism]\nqueries = 3",
            ['mechanism.use (line 2): use is missing; it names a mechanism of the library, as in use = "noisy-max"'],
        ),
        (
            '[mechanism]\nuse = "noisy_max"\nquery = 3\nalpha = 0.5\n[claim]\nratio = "-2"',
            [
                "mechanism.query (line 4): unknown argument 'query'; did you mean 'queries'?",
                'mechanism.alpha (line 5): numbers are exact, got 0.5; write it as a string: "0.5"',
                "claim.ratio (line 7): a ratio must be positive, got -2",
            ],
        ),
        (
            '[mechanism]\nuse = "noisy-max"\nties = "last"\nadjacent = "any_two"',
            ["mechanism.ties (line 4): ties is \"uniform\" or \"first\", got 'last'"],
        ),
        (
            '[mechanism]\nuse = "truncated-geometric"\nalpha = "3/2"\nadjacent = "any_two"',
            ["mechanism.alpha (line 4): alpha is to be 0 < alpha < 1, got 3/2"],
        ),
        (
            '[parameters]\nrate = "0 < rate < 1"\n[mechanism]\nuse = "truncated-geometric"\nalpha = "rat/2"\n'
            'adjacent = "any_two"',
            ["mechanism.alpha (line 6): unknown parameter 'rat'; did you mean 'rate'?"],
        ),
        (
            '[parameters]\na = "0 < a < 2"\n[mechanism]\nuse = "truncated-geometric"\nalpha = "a"\n'
            'adjacent = "any_two"',
            [
                "mechanism (line 4): model.emit.0.1: a probability cannot be negative, but this is -3/10 at a = 3/2 "
                "(and 2 more of this kind)"
            ],
        ),
        (
            '[mechanism]\nuse = "noisy-max"\nqueries = 2\nadjacent = "each_withn(1)"\n[[compare]]\nleft = [0, 3]\n'
            'right = "mixd"\n[[compare]]\nleft = [0, 0]\n[beliefs]\nmixed = { "(0, 0)" = 1 }\n',
            [
                "mechanism.adjacent (line 5): adjacent is one_record, any_two, each_within(1) or one_within(1), or a "
                "list of pairs; got 'each_withn(1)'; did you mean 'each_within(1)'?",
                "compare[0].left (line 7): unknown input [0, 3]; there are [0, 0], [0, 1], [0, 2], [1, 0], ...",
                "compare[0].right (line 8): unknown input \"mixd\"; did you mean 'mixed'?",
                "compare[1].right (line 9): right is missing; it is a data set, or names a belief",
            ],
        ),
        (
            '[mechanism]\nuse = "noisy-max"',
            [
                'mechanism (line 2): there is nothing to compare; write adjacent = "one_record" here, or add a '
                "[[compare]]"
            ],
        ),
        (
            '[mechanism]\nuse = "truncated-geometric"\ninputs = [0, 2]\nadjacent = "each_within(1)"',
            ["mechanism.adjacent (line 5): no two of the inputs are neighbours"],
        ),
        (
            '[mechanism]\nuse = "truncated-geometric"\ninputs = [0, 7]\nadjacent = "any_two"',
            ["mechanism (line 2): a count lies between 0 and 2, got 7"],
        ),
        (
            '[mechanism]\nuse = "truncated-geometric"\n[beliefs]\n0 = { 1 = 1 }\nhalf = { 1 = "1/2" }\n'
            "far = { 9 = 1 }\nfloat = { 1 = 1.0 }\n[[compare]]\nleft = 0\nright = 'half'",
            [
                "beliefs.0 (line 5): a belief may not be named like a data set",
                "beliefs.far.9 (line 7): unknown input \"9\"; there are 0, 1, 2",
                'beliefs.float.1 (line 8): a number must be exact and finite, got the float 1.0; write it as a string: '
                '"1.0"',
            ],
        ),
        (
            '[mechanism]\nuse = "truncated-geometric"\n[beliefs]\nhalf = { 1 = "1/2" }\n[[compare]]\nleft = 0\n'
            "right = 'half'",
            ["beliefs.half (line 5): the belief sums to 1/2, not 1"],
        ),
        (
            '[mechanism]\nuse = "noisy-max"\nadjacent = "any_two"\n[model.emit]\na = { x = 1 }\n',
            [
                "mechanism (line 2): a file has [model] or [mechanism], not both",
                "compare: there is nothing to compare; add a [[compare]] with a left and a right",
            ],
        ),
        ("mechanism = 3\n", ["mechanism (line 2): a table is expected here, got 3"]),
    ],
)
def test_mistakes(text: str, expected: list[str]) -> None:
    assert sorted(mistakes(text)) == sorted(expected)


def test_more_inputs_than_anybody_lists() -> None:
    (problem,) = mistakes(
        '[mechanism]\nuse = "noisy-max"\nqueries = 40\nadjacent = "each_within(1)"\nexchangeable = false'
    )
    assert "noisy_max has more than 1,000,000 data sets; list those that count" in problem


def test_the_reference_of_the_format_loads() -> None:
    page = (EXAMPLES.parents[1] / "docs" / "file-format.md").read_text("utf-8")
    section = page[page.index("## A mechanism of the library") :].partition("\n## Not")[0]
    blocks = re.findall(r"```toml\n(faier = 1.*?)```", section, re.S)
    assert len(blocks) == 2
    scenarios = [read(block) for block in blocks]
    assert isinstance(faier.verify(scenarios[0]), faier.Holds)
    assert len(scenarios[1].pairs) == 1


# For each entry of the library some small arguments, and what is compared.
ENTRIES = {
    "above-threshold": 'answer-alpha = "1/3"\nadjacent = "each_within(1)"',
    "svt-1": 'room = 3\nadjacent = "each_within(1)"',
    "svt-2": 'room = 2\ncutoff = 2\nadjacent = "each_within(1)"',
    "svt-4": 'room = 2\ncounts = 1\nadjacent = "any_two"',
    "svt-5": "inputs = [0, 2]\nadjacent = [[0, 2]]",
    "svt-6": 'room = 2\ninputs = [1, 2]\nadjacent = "each_within(1)"',
    "binary-tree-count": 'steps = 2\nadjacent = "one_record"',
    "crowds": 'honest = 3\ncorrupt = "1/4"\nadjacent = "any_two"',
    "dining-cryptographers": 'adjacent = "any_two"',
    "exponential-mechanism": 'scores = 2\nadjacent = "each_within(1)"',
    "geo-sample": 'adjacent = "each_within(1)"',
    "geometric": 'adjacent = "each_within(1)"',
    "k-ary-location-grid": 'width = 2\nheight = 2\nadjacent = "any_two"',
    "markov-count": "length = 4\nat = 2",
    "markov-release": "at = 2",
    "noisy-histogram": 'people = 2\ncategories = 2\nadjacent = "one_record"',
    "noisy-max": 'queries = 2\nadjacent = "each_within(1)"',
    "permute-and-flip": 'adjacent = "each_within(1)"',
    "randomized-response": 'categories = 4\nadjacent = "any_two"',
    "rappor": "bits = 2\nadjacent = [[[1, 0], [0, 1]]]",
    "subsampled": 'mechanism = { use = "randomized-response", truth = "2/3" }\npeople = 1\nadjacent = "one_record"',
    "truncated-geometric": 'adjacent = "each_within(1)"',
}


@pytest.mark.parametrize("use", [name.replace("_", "-") for name in faier.library.__all__])
def test_every_entry_of_the_library_can_be_named(use: str) -> None:
    arguments = ENTRIES.get(use)
    assert arguments, f"{use} has no example here"
    scenario = of(f'use = "{use}"\n{arguments}')
    again = loads(dumps(scenario))
    assert digest(again) == digest(scenario)
    tight = faier.epsilon(scenario, horizon=2)
    assert tight.ratio == faier.epsilon(again, horizon=2).ratio
    assert tight.exact


def test_a_mechanism_of_a_mechanism() -> None:
    named = of(
        'use = "subsampled"\nmechanism = "randomized_response"\ntruth = "3/4"\nadjacent = "one_record"\n'
        'rate = "1/10"\npeople = 1'
    )
    table = of(
        'use = "subsampled"\nmechanism = { use = "randomized-response", truth = "3/4" }\nadjacent = "one_record"\n'
        'rate = "1/10"\npeople = 1'
    )
    assert faier.epsilon(named, horizon=2).ratio.upper == faier.epsilon(table, horizon=2).ratio.upper == F(9, 5)


def test_releases_again_and_again_have_beliefs_for_inputs() -> None:
    scenario = of(
        'use = "rappor"\nbits = 2\ninputs = [[1, 0], [0, 1], [1, 1]]',
        '[beliefs]\nmixed = { "(1, 0)" = "1/2", "(0, 1)" = "1/2" }\n[[compare]]\nleft = "mixed"\nright = [1, 1]',
    )
    made = faier.library.rappor(bits=2)
    by_hand = faier.Scenario.of(
        scenario.model,
        [("mixed", "ones")],
        beliefs={
            "ones": dict(made.starts((1, 1))),
            "mixed": {
                state: (made.starts((1, 0)).of(state) + made.starts((0, 1)).of(state)) / 2
                for state in scenario.model.states
            },
        },
    )
    for horizon in (1, 2):
        assert tight_by_definition(scenario, horizon) == tight_by_definition(by_hand, horizon)


def test_a_question_about_a_time() -> None:
    count = of('use = "markov-count"\nlength = 5\nstay = "3/4"\nat = 3')
    python = faier.library.markov_count(length=5, stay="3/4").scenario(at=3)
    assert digest(count) == digest(python)
    assert mistakes('[mechanism]\nuse = "noisy-max"\nat = 3') == [
        "mechanism.at (line 4): at is for mechanisms over a chain, as markov-count; noisy-max has no times"
    ]
    assert mistakes('[mechanism]\nuse = "markov-count"\nat = 3\nadjacent = "any_two"') == [
        "mechanism.adjacent (line 5): adjacent does not go together with at, which says what is compared"
    ]


def test_symmetry_as_in_python() -> None:
    scenario = of('use = "noisy-max"\nqueries = 8\nadjacent = "each_within(1)"')
    python = faier.differential_privacy(faier.library.noisy_max(queries=8), adjacent=faier.each_within(1))
    assert digest(scenario) == digest(python)
    assert scenario.ratios_only
    assert python.ratios_only
    small = of('use = "noisy-max"\nqueries = 3\nadjacent = "each_within(1)"\nexchangeable = true')
    assert len(small.model.states) < 27
    assert faier.epsilon(small).ratio.upper == F(24, 7)


def test_symmetry_is_left_alone_where_every_output_counts() -> None:
    claimed = '[claim]\nratio = "2"\ndelta = "1/10"'
    scenario = of('use = "permute-and-flip"\ncandidates = 5\nadjacent = "one_within(1)"', claimed)
    assert len(scenario.model.states) == 4**5
    assert not scenario.ratios_only


def test_one_release_has_the_horizon_1() -> None:
    assert of('use = "noisy-max"\nqueries = 2\nadjacent = "any_two"').claim.horizon == 1
    assert of('use = "rappor"\nbits = 1\nadjacent = "any_two"').claim.horizon is None


@pytest.mark.parametrize("use", sorted(ENTRIES))
@pytest.mark.parametrize("inputs", ['[3, "x"]', "[[], [9, 9]]", '[["a"], ["b"]]', "[-1, true]", "[[[1]], [[2]]]", "3"])
def test_inputs_of_another_kind_are_a_mistake_or_all_right(use: str, inputs: str) -> None:
    """Never a traceback; and a mechanism that takes anything may take these as well."""
    text = f'faier = 1\n[mechanism]\nuse = "{use}"\ninputs = {inputs}\nadjacent = "any_two"'
    assert all(where.startswith(("mechanism", "compare")) for where in places_of_mistakes(text))


def places_of_mistakes(text: str) -> list[str]:
    try:
        loads(text)
    except faier.ModelError as error:
        return [problem.place for problem in error.problems]
    return []
