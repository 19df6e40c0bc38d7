"""What may be wrong with a file that has unknown parameters: one clear line each, its place, and exit status 2."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from faier.errors import ModelError
from faier.scenario.load import loads, loads_with_warnings

Run = Callable[..., Any]

TEMPLATE = """\
faier = 1
constraints = [{constraints}]
[parameters]
{parameters}
[model.emit]
"0" = {{ a = "{a}", b = "{b}" }}
"1" = {{ a = "1/3", b = "2/3" }}
[beliefs]
left = {{ {left} }}
[[compare]]
left = "left"
right = "1"
[claim]
{claim}
"""

SHARES = 'p0 = "0 <= p0 <= 1"\np1 = "0 <= p1 <= 1"\np2 = "0 <= p2 <= 1"'


def file(
    parameters: str = 'p = "0 < p < 1"',
    a: str = "p",
    b: str | None = None,
    left: str = '"0" = "1"',
    constraints: str = "",
    claim: str = 'ratio = "4"\nhorizon = 1',
) -> str:
    b = f"1-({a})" if b is None else b
    return TEMPLATE.format(
        parameters=parameters, a=a, b=b, left=left, constraints=constraints, claim=claim
    )


def shares(*constraints: str) -> str:
    """Three parameters, of which only these constraints say something; one belief has them as its weights."""
    quoted = ", ".join(f'"{c}"' for c in ("p0 + p1 + p2 == 1", *constraints))
    return file(SHARES, "1/2", left='"0" = "p0", "1" = "p1 + p2"', constraints=quoted)


def problems(text: str) -> list[tuple[str, str]]:
    with pytest.raises(ModelError) as error:
        loads(text)
    assert all("\n" not in p.message and p.line is not None for p in error.value.problems)
    return [(p.place, p.message) for p in error.value.problems]


@pytest.mark.parametrize(
    ("range_", "words"),
    [
        ("1/2 < p < 1/2", "is empty"),
        ("1 < p < 0", "is empty"),
        ("0 < p", "write the range as"),
        ("0 < 2*p < 1", "write the range as"),
        ("0 < p > 1", "write the range as"),
        ("0 < p < exp(-1)", "with < or <= and rational ends; 'exp(-1)' is not rational"),
        ("0 < p < q", "'q' is an unknown parameter there, not a number"),
        ("0 < p < p", "'p' is an unknown parameter there, not a number"),
        ("0 < p < ln 2", "ln has no place here; it stands only in an epsilon"),
        ("0 < p < 1/0", "division by zero"),
        ("0 < p < inf", "inf is not a number"),
        ("0 ≤ p ≤ 1", "unknown character '≤' (write <=)"),
        ("(0, 1)", 'write a range as "0 < p < 1"'),
        ("p in [0, 1]", 'write a range as "0 < p < 1"'),
        ("2*p", "a constant uses no parameters, but '2*p' uses 'p'; for a range write"),
        ("sqrt(2)/2", "unknown function 'sqrt'"),
        ("exp(-10001)", "at most 10000"),
        ("", "the expression is empty"),
    ],
)
def test_a_range_that_is_none_is_the_only_error(range_: str, words: str) -> None:
    """Probabilities that use the parameter are not complained about as well."""
    ((place, message),) = problems(file(f'p = "{range_}"', claim='ratio = "1/p"\nhorizon = 1'))
    assert place == "parameters.p"
    assert words in message


@pytest.mark.parametrize("value", ["1", "0.5", "true", '["0", "1"]', '{ from = "0" }', "nan", "1979-05-27"])
def test_a_parameter_that_is_no_text(value: str) -> None:
    assert problems(file(f"p = {value}")) == [
        ("parameters.p", 'a range is a string such as "0 < p < 1", and a constant one such as "1/3"')
    ]


@pytest.mark.parametrize("name", ["e", "exp", "ln", "1p", "p q", "é", ""])
def test_names_that_parameters_cannot_have(name: str) -> None:
    found = problems(file(f'"{name}" = "0 < {name} < 1"', "1/2"))
    assert any("cannot be the name of a parameter" in message for _, message in found)


@pytest.mark.parametrize(
    ("a", "place", "words"),
    [
        ("p^2 - p + 6/25", "model.emit.0.a", "a probability cannot be negative, but this is -1/100 at p = 1/2"),
        ("(p-1/3)^2 - 1/10^12", "model.emit.0.a", "a probability cannot be negative, but this is -"),
        ("2*p", "model.emit.0.b", "a probability cannot be negative, but this is -1/2 at p = 3/4"),
        ("1/(2*p-1)^2/1000", "model.emit.0.a", "the denominator of 1/(4000*p^2 - 4000*p + 1000) can be 0 on the "
         "range at p = 1/2"),
        ("p/(p-1/2)", "model.emit.0.a", "can be 0 on the range at p = 1/2"),
        ("1/(1000*(p^2-1/2)^2)", "model.emit.0.a", "can be 0 on the range"),
        ("p^9999", "model.emit.0.a", "polynomials of degree 9999 are not handled; the largest is 500"),
        ("(1-p)^5000", "model.emit.0.a", "polynomials of degree 5000 are not handled"),
        ("p^10001", "model.emit.0.a", "the exponent 10001 is too large"),
        ("p^(1/2)", "model.emit.0.a", "take the root of p as the parameter, say r, and write r^2 for p"),
        ("(" * 200 + "p" + ")" * 200, "model.emit.0.a", "nested deeper than 100"),
        ("p+" * 60_000 + "p", "model.emit.0.a", "the most accepted is 100000"),
        ("exp(p)", "model.emit.0.a", "exp takes a rational number"),
        ("q", "model.emit.0.a", "unknown parameter 'q'; [parameters] names p"),
    ],
)  # fmt: skip
def test_probabilities_that_are_none(a: str, place: str, words: str) -> None:
    started = time.perf_counter()
    found = problems(file(a=a))
    assert time.perf_counter() - started < 10
    assert [(where, words in message) for where, message in found if where == place] == [(place, True)]


def test_a_row_that_sums_to_1_only_for_some_values() -> None:
    assert problems(file(a="p", b="1-p^2")) == [("model.emit.0", "the row sums to -p^2 + p + 1, not 1")]
    assert problems(file(a="p", b="1/2")) == [("model.emit.0", "the row sums to (2*p + 1)/2, not 1")]
    unbound = file(SHARES, "1/2", left='"0" = "p0", "1" = "p1 + p2"')
    assert problems(unbound) == [("beliefs.left", "the belief sums to p0 + p1 + p2, not 1")]


def test_denominators() -> None:
    both = 'p = "0 {0} p < 1"\nq = "0 {0} q < 1"'
    loads(file(both.format("<"), "p/(p+q)"))
    found = problems(file(both.format("<="), "p/(p+q)"))
    assert found[0] == (
        "model.emit.0.a", "the denominator of p/(p + q) can be 0 on the range at p = 0, q = 0"
    )  # fmt: skip
    # In a belief it is the probability of a secret: these values are left out.
    loads(file(both.format("<="), "1/2", left='"0" = "p/(p+q)", "1" = "q/(p+q)"'))
    sign = problems(file(a="1/2", left='"0" = "p/(2*p-1)", "1" = "(p-1)/(2*p-1)"'))
    assert "can be 0 on the range" in sign[0][1]


def test_squares_in_a_denominator_of_many_terms_are_not_overlooked() -> None:
    many = "(1 + p)^20*(1 + q)^20*(2 + r)^5"
    three = 'p = "0 < p < 1"\nq = "0 < q < 1"\nr = "0 < r < 1"'
    good = f"1/({many})"
    bad = f"1/({many}*(2*p - 1)^2)/10^9"
    loads(file(three, "1/2", left=f'"0" = "{good}", "1" = "1 - {good}"'))
    assert "can be 0 on the range" in problems(file(three, bad))[0][1]


def test_a_probability_of_high_degree_is_not_taken_for_negative() -> None:
    two = 'p = "0 < p < 1"\nq = "0 < q < 1"'
    _, warnings = loads_with_warnings(file(two, "(1-p)^30*(1-q)^40"))
    assert warnings == ()


@pytest.mark.parametrize(
    ("parameters", "a", "words"),
    [
        ('p = "0"', "1/p", "the denominator of 1/p is 0 at p = 0"),
        ('k = "2"\np = "0 < p < 1"', "p/(k-2)", "the denominator of p/(k - 2) is 0 at k = 2"),
        ('p = "2"', "p", "a probability cannot be negative, got -1"),
        ('p = "exp(1)"', "p", "a probability cannot be negative"),
    ],
)
def test_constants_out_of_sense(parameters: str, a: str, words: str) -> None:
    assert any(words in message for _, message in problems(file(parameters, a)))


@pytest.mark.parametrize(
    ("constraint", "words"),
    [
        ("0 < p0 < p1", "one comparison in each; got '0 < p0 < p1'"),
        ("p0 > 0 and p1 > 0", "one comparison in each"),
        ("p0 = 1", "with two ="),
        ("p0 != 1", "with ==, <=, <, >= or >"),
        ("p0 + p1", 'write a constraint as "p0 + p1 == 1"'),
        ("p0 ==", 'write a constraint as "p0 + p1 == 1"'),
        ("", 'write a constraint as "p0 + p1 == 1"'),
        ("p0 plus p1 equals 1", 'write a constraint as "p0 + p1 == 1"'),
        ("p0 + x <= 1", "unknown parameter 'x'; [parameters] names p0, p1, p2"),
        ("p0 <= ln 2", "ln has no place here"),
        ("p0/(p1-p1) <= 2", "division by zero"),
        ("p0/p1 <= 2", "can be 0 on the range at p0 = 0, p1 = 0; multiply the constraint by it"),
        ("p0^10000 <= 1/2", "its degree is 10000; the largest accepted in a constraint is 500"),
        ("p0^100000 <= 1/2", "the exponent 100000 is too large"),
        ("1 > 2", 'the constraint "1 > 2" can never hold'),
        ("p0 + p1 + p2 == 1/2", "can never hold"),
    ],
)
def test_constraints_that_cannot_be_read(constraint: str, words: str) -> None:
    """Nothing is said about sums that hold only by the constraints."""
    ((place, message),) = problems(shares(constraint))
    assert place == "constraints[1]"
    assert words in message


def test_constraints_that_are_no_texts() -> None:
    (found,) = problems(shares().replace('["p0 + p1 + p2 == 1"]', "[3]"))
    assert found == ("constraints[0]", 'a constraint is a string such as "p0 + p1 == 1"')
    (found,) = problems(shares().replace('["p0 + p1 + p2 == 1"]', '"p0 + p1 + p2 == 1"'))
    assert found[0] == "constraints"
    assert "a list of equations is expected here" in found[1]


@pytest.mark.parametrize(
    "constraints",
    [
        ["p0 + p1 > 2"],
        ["p0*p1 > 1"],
        ["p0*p1 > 1/4"],
        ["p0*p1*p2 > 1/27"],
        ["p0*p1*p2 >= 1/26"],
        ["p0 < p1", "p1 < p0"],
        ["p0^2 < 0"],
        ["p0^2 + p1^2 + p2^2 == 4"],
    ],
)
def test_constraints_that_leave_no_values(constraints: list[str]) -> None:
    """Otherwise any claim would hold."""
    started = time.perf_counter()
    assert problems(shares(*constraints)) == [
        ("constraints", "no values of the parameters are left by the constraints and the ranges")
    ]
    assert time.perf_counter() - started < 10


def test_constraints_that_may_leave_no_values_are_warned_about() -> None:
    _, warnings = loads_with_warnings(shares("p0*p1*p2 >= 1/27"))
    assert warnings == ("constraints: no values that meet them were found; should there be none, any claim holds",)


@pytest.mark.parametrize("constraint", ["p0^2 == 1/2", "p0^2 + p1^2 == 1/3", "p0 == exp(-1)", "p0^2 + p1^2 <= 0"])
def test_constraints_that_leave_few_values_are_not(constraint: str) -> None:
    assert loads_with_warnings(shares(constraint))[1] == ()


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        ("p - 1/2", "a ratio must be positive, but (2*p - 1)/2 is -1/4 at p = 1/4"),
        ("1/(p - 1/2)", "has a denominator that can be 0 at p = 1/2"),
        ("p^2 - p + 1/4", "is 0 at p = 1/2"),
        ("exp(-1) - p", "is negative at p = 1/2"),
        ("p - p", "a ratio must be positive, got 0"),
        ("1/p^(9/10)", "got 9/10; take the root of p as the parameter, say r, and write r^10 for p"),
        ("p^p", "an exponent must be a whole number"),
        ("1/p^10000", "polynomials of degree 10000 are not handled"),
        ("q", "unknown parameter 'q'; [parameters] names p"),
        ("exp(p)", "exp takes a rational number"),
        ("infinity", "infinity is not a number"),
    ],
)
def test_ratios_that_are_none_somewhere(faier_run: Run, tmp_path: Path, ratio: str, words: str) -> None:
    ((place, message),) = problems(file(claim=f'ratio = "{ratio}"\nhorizon = 1'))
    assert place == "claim.ratio"
    assert words in message
    if ratio != "q":
        path = tmp_path / "model.toml"
        path.write_text(file(), encoding="utf-8")
        answer = faier_run("verify", path, "--ratio", ratio)
        assert (answer.status, answer.out) == (2, "")
        assert words in answer.err


def test_ratios_at_the_ends_of_a_range() -> None:
    closed = 'p = "0 <= p < 1"'
    for ratio, words in (("1/p", "has a denominator that can be 0 at p = 0"), ("p", "is 0 at p = 0")):
        found = problems(file(closed, claim=f'ratio = "{ratio}"\nhorizon = 1'))
        assert words in found[0][1]
        loads(file(claim=f'ratio = "{ratio}"\nhorizon = 1'))


@pytest.mark.parametrize("horizon", ["n", "p", "2*p"])
def test_a_parameter_in_a_horizon(faier_run: Run, tmp_path: Path, horizon: str) -> None:
    text = file('p = "0 < p < 1"\nn = "1 <= n <= 5"', claim=f'ratio = "4"\nhorizon = "{horizon}"')
    assert problems(text) == [
        ("claim.horizon", f"a horizon is a number of observations or \"any\", got '{horizon}'")
    ]
    path = tmp_path / "model.toml"
    path.write_text(file(), encoding="utf-8")
    answer = faier_run("verify", path, "--horizon", horizon)
    assert answer.status == 2
    assert "a horizon is a number, at least 1" in answer.err


def test_an_epsilon_has_no_parameters() -> None:
    for epsilon in ("p", "ln(1/p)"):
        (found,) = problems(file(claim=f'epsilon = "{epsilon}"\nhorizon = 1'))
        assert found == ("claim.epsilon", "an epsilon has no parameters, but this one uses 'p'; give a ratio instead")


def test_a_thousand_parameters() -> None:
    started = time.perf_counter()
    names = [f"p{i}" for i in range(1000)]
    ranges = "\n".join(f'{n} = "0 < {n} < 1"' for n in names)
    for text in (
        file(ranges, f"({' + '.join(names)})/1000"),
        file(ranges, "*".join(names)),
        file(ranges, "p0", constraints=f'"{" + ".join(names)} == 1"'),
    ):
        assert problems(text) == [("parameters", "1000 unknown parameters; at most 32 are handled")]
    assert time.perf_counter() - started < 10


def test_a_thousand_constants() -> None:
    constants = "\n".join(f'p{i} = "exp(-1/{i + 1})"' for i in range(1000))
    _, warnings = loads_with_warnings(file(constants, "p3"))
    assert warnings[:2] == ("parameters.p0: the parameter is never used", "parameters.p1: the parameter is never used")
    assert warnings[8:] == ("parameters: 991 more are never used",)


def test_shares_of_more_than_can_be_broken_off_one_by_one() -> None:
    names = [f"p{i}" for i in range(32)]
    ranges = "\n".join(f'{n} = "0 <= {n} <= 1"' for n in names)
    scenario = loads(file(ranges, "p0", constraints=f'"{" + ".join(names)} == 1"'))
    assert set(scenario.model.unknowns.solved) == {"p31"}


def test_a_parameter_never_used_is_a_warning(faier_run: Run, tmp_path: Path) -> None:
    path = tmp_path / "model.toml"
    path.write_text(file(a="1/2"), encoding="utf-8")
    answer = faier_run("verify", path)
    assert (answer.status, answer.err) == (0, "warning: parameters.p: the parameter is never used\n")


def test_errors_in_json_have_place_and_line(faier_run: Run, tmp_path: Path) -> None:
    path = tmp_path / "model.toml"
    path.write_text(file(a="p^2 - p + 6/25", claim='ratio = "4"\nhorizon = "p"'), encoding="utf-8")
    answer = faier_run("verify", path, "--json")
    assert answer.status == 2
    assert [(e["place"], e["line"]) for e in answer.json["errors"]] == [("model.emit.0.a", 6), ("claim.horizon", 15)]
    assert answer.err.splitlines()[0] == (
        "model.emit.0.a (line 6): a probability cannot be negative, but this is -1/100 at p = 1/2"
    )


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["p=2"], "p = 2 is outside its range 0 < p < 1"),
        (["p=1/3", "p=1/2"], "--set gives p twice"),
        (["q=1/2"], "unknown parameter 'q'; known are p"),
        (["k=1/2"], "k is exp(-1/2) in the model already"),
        (["p=k"], "p is fixed by a number, but 'k' uses 'k'"),
        (["p=1/0"], "p: division by zero"),
        (["p=nan"], "p: nan is not a number"),
        (["p==1/2"], "p: unknown character '='"),
        (["p=0 < p < 1"], "p: unknown character '<'"),
        (["p"], "a parameter is set as in p=1/3; got 'p'"),
        (["p="], "a parameter is set as in p=1/3; got 'p='"),
        (["=1"], "a parameter is set as in p=1/3; got '=1'"),
    ],
)
def test_misuse_of_set(faier_run: Run, tmp_path: Path, settings: list[str], words: str) -> None:
    path = tmp_path / "model.toml"
    path.write_text(file('p = "0 < p < 1"\nk = "exp(-1/2)"', "k*p"), encoding="utf-8")
    answer = faier_run("verify", path, *(part for s in settings for part in ("--set", s)))
    assert (answer.status, answer.out) == (2, "")
    assert words in answer.err
    assert len(answer.err.splitlines()) == 1


def test_nothing_to_set(faier_run: Run, model: Path) -> None:
    answer = faier_run("verify", model, "--set", "p=1/2")
    assert answer.err == "error: unknown parameter 'p'; the model has no unknown ones\n"
