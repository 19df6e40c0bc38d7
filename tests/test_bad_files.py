"""Every way a model file can be wrong: the message says what, its place says where, its line is right."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from faier.errors import FaierError, ModelError, NotYetError
from faier.scenario.load import load, load_with_warnings, loads, loads_with_warnings

GOOD = """\
faier = 1
title = "good"

[parameters]
p = "0 < p < 1"

[model.emit]
a = { x = "1/2", y = "1/2" }
b = { x = "p", y = "1-p" }

[model.step]
a = { b = 1 }

[beliefs]
mix = { a = "1/3", b = "2/3" }

[[compare]]
left = "a"
right = "mix"

[claim]
epsilon = "ln 2"
horizon = 2
"""


def problems(text: str) -> list[tuple[str, int | None, str]]:
    with pytest.raises(ModelError) as error:
        loads(text)
    return [(p.place, p.line, p.message) for p in error.value.problems]


def test_the_file_without_faults_loads() -> None:
    scenario, warnings = loads_with_warnings(GOOD)
    assert warnings == ()
    assert scenario.claim.horizon == 2
    assert [b.name for b in scenario.beliefs.values()] == ["mix"]


@pytest.mark.parametrize(
    ("old", "new", "place", "line", "words"),
    [
        # numbers
        ('"1/2", y', "0.1, y", "model.emit.a.x", 8, 'write it as a string: "0.1"'),
        ('"1/2", y', "nan, y", "model.emit.a.x", 8, "float nan"),
        ('"1/2", y', "-inf, y", "model.emit.a.x", 8, "float -inf"),
        ('"1/2", y', "true, y", "model.emit.a.x", 8, "a number is expected here, got True"),
        ('"1/2", y', "1979-05-27, y", "model.emit.a.x", 8, "got a date"),
        ('"1/2", y', '["1/2"], y', "model.emit.a.x", 8, "got a list"),
        ('"1/2", y', '{ z = "1/2" }, y', "model.emit.a.x", 8, "got a table"),
        ('"1/2", y', '"", y', "model.emit.a.x", 8, "empty"),
        ('"1/2", y', '"1/0", y', "model.emit.a.x", 8, "division by zero"),
        ('"1/2", y', '"nan", y', "model.emit.a.x", 8, "nan is not a number"),
        ('"1/2", y', '"half", y', "model.emit.a.x", 8, "unknown parameter 'half'; [parameters] names p"),
        ('"1/2", y', '"ln 2", y', "model.emit.a.x", 8, "ln has no place"),
        ('"1/2", y', '"10^(10^9)", y', "model.emit.a.x", 8, "too large"),
        ('"1/2", y', '"-1/2", y', "model.emit.a.x", 8, "cannot be negative, got -1/2"),
        ('"p", y', '"2*p-1", y', "model.emit.b.x", 9, "cannot be negative"),
        # rows
        ('"1/2" }', '"499/1000" }', "model.emit.a", 8, "the row sums to 999/1000, not 1"),
        ('"1-p" }', '"1-p^2" }', "model.emit.b", 9, "the row sums to -p^2 + p + 1, not 1"),
        ('{ x = "1/2", y = "1/2" }', "{ }", "model.emit.a", 8, "the row is empty"),
        ('{ x = "1/2", y = "1/2" }', '"1/2"', "model.emit.a", 8, "a table of probabilities is expected here"),
        ("a = { b = 1 }", "a = { c = 1 }", "model.step.a.c", 12, "unknown state 'c'"),
        ("a = { b = 1 }", 'a = { b = "1/2" }', "model.step.a", 12, "the row sums to 1/2, not 1"),
        ("a = { b = 1 }", "c = { b = 1 }", "model.step.c", 12, "no row in model.emit"),
        ("a = { b = 1 }", "a = {}", "model.step.a", 12, "the row is empty"),
        # beliefs
        ("mix = { a", "mix = { c", "beliefs.mix.c", 15, "unknown state 'c'"),
        ('"2/3" }', '"1/3" }', "beliefs.mix", 15, "the belief sums to 2/3, not 1"),
        ('mix = { a = "1/3", b = "2/3" }', "mix = {}", "beliefs.mix", 15, "the belief is empty"),
        ("mix = {", "b = {", "beliefs.b", 15, "may not be named like a state"),
        ('mix = { a = "1/3", b = "2/3" }', 'mix = "a"', "beliefs.mix", 15, "a table of probabilities"),
        # parameters
        ('p = "0 < p < 1"', 'p = "1 < p < 0"', "parameters.p", 5, "is empty"),
        ('p = "0 < p < 1"', 'p = "0 < q < 1"', "parameters.p", 5, "write the range as"),
        ('p = "0 < p < 1"', "p = 1", "parameters.p", 5, "a range is a string"),
        (
            "[parameters]",
            'constraints = ["p == 2 == 3"]\n[parameters]',
            "constraints[0]",
            4,
            "write a constraint",
        ),
        ("[parameters]", "constraints = 3\n[parameters]", "constraints", 4, "list of equations"),
        # pairs
        (
            'left = "a"',
            'left = "mux"',
            "compare[0].left",
            18,
            "unknown belief or state 'mux'; did you mean 'mix'?",
        ),
        ('left = "a"', "", "compare[0].left", 17, "left is missing"),
        (
            'left = "a"',
            "left = 0",
            "compare[0].left",
            18,
            "the name of a belief or a state is expected, got 0",
        ),
        ('left = "a"', 'left = ["a"]', "compare[0].left", 18, "only together with at"),
        (
            'right = "mix"',
            'right = "mix"\none_way = "yes"',
            "compare[0].one_way",
            20,
            "one_way is true or false",
        ),
        ("[[compare]]", "[compare]", "compare", 17, "two brackets"),
        ("[[compare]]", "[[compare]]\n[[compare]]", "compare[0].left", 17, "left is missing"),
        # claims
        ('epsilon = "ln 2"', "epsilon = 0.7", "claim.epsilon", 22, 'write it as a string: "0.7"'),
        ('epsilon = "ln 2"', 'epsilon = "ln(0)"', "claim.epsilon", 22, "does not exist"),
        ('epsilon = "ln 2"', 'epsilon = "p"', "claim.epsilon", 22, "an epsilon has no parameters"),
        ('epsilon = "ln 2"', 'epsilon = "10^9"', "claim.epsilon", 22, "absurdly large"),
        ('epsilon = "ln 2"', "epsilon = true", "claim.epsilon", 22, "got True"),
        ('epsilon = "ln 2"', 'epsilon = ["ln 2"]', "claim.epsilon", 22, "got a list"),
        ('epsilon = "ln 2"', "ratio = 0", "claim.ratio", 22, "positive"),
        ('epsilon = "ln 2"', 'ratio = "1/q"', "claim.ratio", 22, "unknown parameter 'q'"),
        ('epsilon = "ln 2"', 'ratio = "ln 2"', "claim.ratio", 22, "not a logarithm"),
        ('epsilon = "ln 2"', 'epsilon = "ln 2"\nratio = 2', "claim", 21, "not both"),
        ("horizon = 2", "horizon = 0", "claim.horizon", 23, "at least 1, got 0"),
        ("horizon = 2", "horizon = -1", "claim.horizon", 23, "at least 1, got -1"),
        ("horizon = 2", 'horizon = "foo"', "claim.horizon", 23, "or \"any\", got 'foo'"),
        ("horizon = 2", 'horizon = "2"', "claim.horizon", 23, "without quotes"),
        ("horizon = 2", "horizon = 2.0", "claim.horizon", 23, "got 2.0"),
        ("horizon = 2", "horizon = true", "claim.horizon", 23, "got True"),
        ("horizon = 2", 'possible = "neither"', "claim.possible", 23, "got 'neither'"),
        ("horizon = 2", 'delta = "2"', "claim.delta", 23, "between 0 and 1"),
        ("horizon = 2", "delta = 0.5", "claim.delta", 23, 'write it as a string: "0.5"'),
        ("horizon = 2", 'delta = "p"', "claim.delta", 23, "no parameters"),
        ("horizon = 2", 'delta = "1/9"\npossible = "both"', "claim.delta", 23, "do not go together"),
        # keys and tables
        ("faier = 1", "", "faier", None, "write faier = 1"),
        ("faier = 1", "faier = 2", "faier", 1, "unknown version 2"),
        ("faier = 1", "faier = true", "faier", 1, "unknown version True"),
        ("faier = 1", "faier = 1.0", "faier", 1, "unknown version 1.0"),
        ('title = "good"', "title = 3", "title", 2, "a title is a string"),
        ('title = "good"', 'titel = "good"', "titel", 2, "unknown key 'titel'; did you mean 'title'?"),
        ('title = "good"', "zzz = 1", "zzz", 2, "known are faier, title"),
        ("[beliefs]", "[belief]", "belief", 14, "did you mean 'beliefs'?"),
        ("[model.step]", "[model.steps]", "model.steps", 11, "did you mean 'step'?"),
        ("left =", "lefty =", "compare[0].lefty", 18, "did you mean 'left'?"),
        ("horizon = 2", "horizont = 2", "claim.horizont", 23, "did you mean 'horizon'?"),
        ("[model.step]", "[stream]\n[model.step]", "stream", 11, "not both"),
        ("[beliefs]\nmix = {", "[model]\nbeliefs = {", "model.beliefs", 15, "unknown key"),
    ],
)
def test_one_fault(old: str, new: str, place: str, line: int | None, words: str) -> None:
    text = GOOD.replace(old, new, 1)
    found = problems(text)
    matching = [p for p in found if p[0] == place and words in p[2]]
    assert matching, found
    assert matching[0][1] == line
    assert "\n" not in matching[0][2]


def test_missing_tables() -> None:
    assert problems("faier = 1\n[[compare]]\nleft='a'\nright='b'") == [
        ("model", None, "[model.emit] is missing")
    ]
    assert problems('faier = 1\n[model]\n[[compare]]\nleft="a"\nright="b"')[0][:2] == ("model.emit", 2)
    assert problems('faier = 1\n[model]\nemit = {}\n[[compare]]\nleft="a"\nright="b"') == [
        ("model.emit", 3, "a model needs at least one state")
    ]
    assert problems('faier = 1\nmodel = 3\n[[compare]]\nleft="a"\nright="b"')[0][0] == "model"
    assert problems("faier = 1\n[model.emit]\na = {x = 1}")[0][0] == "compare"
    assert problems("faier = 1\ncompare = []\n[model.emit]\na = {x = 1}")[0][:2] == ("compare", 2)
    assert problems("faier = 1\ncompare = [1]\n[model.emit]\na = {x = 1}")[0][:2] == ("compare[0]", 2)
    assert problems("faier = 1\ncompare = 1\n[model.emit]\na = {x = 1}")[0][:2] == ("compare", 2)


def test_all_faults_are_listed_in_the_order_of_the_file() -> None:
    text = (
        GOOD.replace('"1/2" }', '"1/3" }')
        .replace('left = "a"', 'left = "q"')
        .replace("horizon = 2", "horizon = 0")
    )
    text = text.replace("a = { b = 1 }", "a = { b = 0.5, zz = 1 }").replace('"2/3" }', '"-2/3" }')
    found = problems(text)
    assert [p for p, _, _ in found] == [
        "model.emit.a",
        "model.step.a.b",
        "model.step.a.zz",
        "beliefs.mix.b",
        "compare[0].left",
        "claim.horizon",
    ]
    assert [line for _, line, _ in found] == [8, 12, 12, 15, 18, 23]


def test_budget_and_horizon_may_be_missing() -> None:
    scenario = loads(GOOD[: GOOD.index("[claim]")])
    assert scenario.claim.budget is None
    assert scenario.claim.horizon is None


@pytest.fixture(params=[0, 640, 4300])
def digits_python_converts(request: pytest.FixtureRequest) -> Iterator[None]:
    """Any setting of a limit that belongs to the whole process and is not ours."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(request.param)
    yield
    sys.set_int_max_str_digits(before)


@pytest.mark.usefixtures("digits_python_converts")
@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("faier = 1\ntitle = \n", 2, "Invalid value"),
        ("faier = 1\nfaier = 1\n", 2, "the key faier is given twice"),
        ("faier = 1\n[model.emit]\na = { x = 1, x = 1 }\n", 3, "the key 'x' is given twice"),
        ("faier = 1\n[claim]\n[claim]\n", 3, "the table [claim] is given twice"),
        ('faier = 1\n\ntitle = "a\nb"\n', 3, "Illegal character"),
        ("faier = 1\n[model.emit\n", 2, "']'"),
        ("faier = 1\nx = [1,\n2", 3, "Unclosed"),
        ("faier = 1 title = 2\n", 1, "newline"),
        ("faier = 1\r\ntitle = \r\n", 2, "Invalid value"),
        ("faier = 1\nx = " + "1" * 5000, 2, "a number of more than 640 digits"),
        ("faier = 1\nx = -" + "1_" * 640 + "1", 2, "a number of more than 640 digits"),
        ("faier = 1\nx = 0x" + "f" * 10_000, 2, "a number of more than 640 digits"),
        ('faier = 1\n# "\nx = [1, ' + "7" * 10_000 + "]", 3, "a number of more than 640 digits"),
        ("faier = 1\n\nx = " + "[" * 10_000, 3, "nested too deeply"),
        ("faier = 1\nx = " + "{a=" * 10_000, 2, "nested too deeply"),
        ("", None, "empty"),
        (" \n\n", None, "empty"),
    ],
)
def test_syntax_errors_have_a_line(text: str, line: int | None, words: str) -> None:
    started = time.perf_counter()
    with pytest.raises(ModelError) as error:
        loads(text, "model.toml")
    (problem,) = error.value.problems
    assert (problem.place, problem.line) == ("model.toml", line)
    assert words in problem.message
    assert "\n" not in str(error.value)
    assert time.perf_counter() - started < 10


@pytest.mark.usefixtures("digits_python_converts")
def test_a_number_of_millions_of_digits_is_refused_at_once() -> None:
    started = time.perf_counter()
    assert problems("faier = 1\nx = " + "7" * 5_000_000)[0][1] == 2
    assert time.perf_counter() - started < 10


@pytest.mark.usefixtures("digits_python_converts")
def test_long_numbers_in_quotes_and_long_names_are_fine() -> None:
    long = "7" * 2000
    text = (
        GOOD.replace('"1/2", y = "1/2"', f'"1/{long}", y = "1-1/{long}"')
        .replace('title = "good"', f'title = """{long}\n{long}"""  # {long}')
        .replace("horizon = 2", "horizon = 1" + "0" * 600)
        .replace("a = {", f"s{long} = {{ x = 1 }}\na = {{", 1)
    )
    scenario = loads(text)
    assert f"s{long}" in scenario.model.states
    assert scenario.claim.horizon == 10**600


def test_line_ends_and_byte_order_mark_do_not_matter(tmp_path: Path) -> None:
    plain = loads(GOOD)
    path = tmp_path / "model.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert load(path) == plain
    assert loads("\ufeff" + GOOD) == plain
    path.write_bytes(GOOD.replace("\n", "\r\n").replace("horizon = 2", "horizon = 0").encode())
    with pytest.raises(ModelError) as error:
        load(str(path))
    assert error.value.problems[0].line == 23


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"", None, "the file is empty"),
        (b'faier = 1\ntitle = "\xff"\n', 2, "not UTF-8: byte 0xff at offset 19"),
        (b"faier = 1\n\x00", 2, "NUL byte at offset 10"),
        ("faier = 1".encode("utf-16"), 1, "UTF-16"),
        (b"faier = 1" + b"#" * 200, None, "larger than 100 bytes"),
        (b"\x89PNG\r\n\x1a\n", 1, "not UTF-8"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, data: bytes, line: int | None, words: str) -> None:
    path = tmp_path / "model.toml"
    path.write_bytes(data)
    with pytest.raises(ModelError) as error:
        load(path, size_limit=100)
    (problem,) = error.value.problems
    assert (problem.place, problem.line) == (str(path), line)
    assert words in problem.message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "missing.toml", "no such file"),
        (tmp_path, "directory"),
        (tmp_path / "a\0b", "cannot be read"),
        (tmp_path / "x" / "y", "no such file"),
    ):
        with pytest.raises(ModelError, match=words):
            load(path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "model.toml"
    path.write_text(GOOD)
    path.chmod(0)
    with pytest.raises(ModelError, match="permission"):
        load(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_an_endless_file_is_refused() -> None:
    with pytest.raises(ModelError, match="larger than 1000 bytes"):
        load("/dev/zero", size_limit=1000)




def test_what_is_not_built_yet_is_said() -> None:
    text = """faier = 1
[stream.on."1"]
t = [["x", "1"]]
[[compare]]
from = "t"
at = 3
left = ["t"]
right = ["t"]
"""
    with pytest.raises(NotYetError, match="a secret inside a run of a stream"):
        loads(text)
    # A real fault in the same file comes first.
    with pytest.raises(ModelError, match="unknown key"):
        loads(text.replace("faier = 1\n", "faier = 1\nzzz = 1\n"))


def test_deciding_with_parameters_is_built_and_with_a_delta_too_it_is_not() -> None:
    loads(GOOD).require_built()
    loads(GOOD.replace('"1/2", y = "1/2"', '"exp(-1/2)", y = "1-exp(-1/2)"')).require_built()
    loads(GOOD.replace('epsilon = "ln 2"', 'ratio = "1/p"')).require_built()
    with pytest.raises(NotYetError, match="delta"):
        loads(GOOD.replace("horizon = 2", 'horizon = 2\ndelta = "1/10"')).require_built()


def test_a_parameter_in_a_belief_that_nothing_compares_is_fine() -> None:
    text = GOOD.replace('"p", y = "1-p"', '"1/2", y = "1/2"')
    text = text.replace("mix = {", 'other = { a = "p", b = "1-p" }\nmix = {')
    loads(text).require_built()


def test_odd_files_load_with_warnings(tmp_path: Path) -> None:
    text = GOOD.replace('p = "0', 'q = "0 < q < 1"\np = "0').replace('right = "mix"', 'right = "a"')
    _, warnings = loads_with_warnings(text)
    assert warnings == (
        "parameters.q: the parameter is never used",
        "compare[0]: left and right are the same",
    )
    path = tmp_path / "model.toml"
    path.write_text(text)
    assert load_with_warnings(path)[1] == warnings


def test_every_prefix_of_a_file_loads_or_is_refused_clearly() -> None:
    for end in range(len(GOOD)):
        with contextlib.suppress(FaierError):
            loads(GOOD[:end])


def test_large_files_load_quickly() -> None:
    n = 60
    row = "{ " + ", ".join(f's{j} = "{j + 1}/{n * (n + 1) // 2}"' for j in range(n)) + " }"
    text = "faier = 1\n[model.emit]\n" + "".join(f"s{i} = {row}\n" for i in range(n))
    text += "[model.step]\n" + "".join(f"s{i} = {row}\n" for i in range(n))
    text += "".join(f'[[compare]]\nleft = "s{i % n}"\nright = "s{(7 * i + 1) % n}"\n' for i in range(3000))
    started = time.perf_counter()
    assert len(loads(text).pairs) == 3000
    assert time.perf_counter() - started < 5


def test_something_else_where_a_table_belongs() -> None:
    for name in ("claim", "beliefs", "parameters", "model"):
        text = GOOD.replace("faier = 1\n", f"faier = 1\n{name} = 3\n")
        # The table of the same name further down would be a second definition.
        cut = "\n\n".join(part for part in text.split("\n\n") if not part.startswith(f"[{name}"))
        found = problems(cut)
        assert any(
            p == name and line == 2 and "a table is expected here, got 3" in m for p, line, m in found
        ), found


def test_rows_whose_sum_would_be_enormous_are_refused_at_once() -> None:
    rows = (
        ", ".join(f'x{i} = "{i + 2}^-8000"' for i in range(200)),
        ", ".join(f'x{i} = "1/(1+p{i})"' for i in range(30)),
    )
    ranges = "".join(f'p{i} = "0 < p{i} < 1"\n' for i in range(30))
    for row in rows:
        started = time.perf_counter()
        compare = '[[compare]]\nleft = "a"\nright = "a"\n'
        found = problems(f"faier = 1\n[parameters]\n{ranges}[model.emit]\na = {{ {row} }}\n{compare}")
        assert found[0][0] == "model.emit.a"
        assert "cannot add up the row" in found[0][2]
        assert time.perf_counter() - started < 30


def test_long_rows_that_do_sum_to_one_load() -> None:
    parts = [f'x{i} = "1/{n}^1000"' for i, n in enumerate(range(2, 30))]
    rest = "1 - (" + " + ".join(f"1/{n}^1000" for n in range(2, 30)) + ")"
    row = ", ".join([*parts, f'rest = "{rest}"'])
    loads(f'faier = 1\n[model.emit]\na = {{ {row} }}\n[[compare]]\nleft = "a"\nright = "a"\n')
    assert (
        "not 1"
        in problems(
            f'faier = 1\n[model.emit]\na = {{ {row}, y = "2^-9000" }}\n[[compare]]\nleft = "a"\nright = "a"\n'
        )[0][2]
    )
