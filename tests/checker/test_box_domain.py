"""What the parameters of a file mean: ranges, constants, constraints and the variables that are left."""

from __future__ import annotations

from fractions import Fraction

import pytest
from box_cases import bits, boxes, half, with_parameters
from checker_cases import accepts, after, one_way, rejects, root

from faier_check import ModelFileError
from faier_check.domain import derive
from faier_check.limits import Meter
from faier_check.model_file import read_model
from faier_check.polynomial import exponent
from faier_check.unknowns import read_unknowns

UNITS = {name: f"0 <= {name} <= 1" for name in "pqr"}


def domain(parameters: dict[str, str], constraints: list[str]):
    return derive(read_unknowns(parameters, constraints, 1, Meter()))


def ranges(found) -> dict[str, tuple[str, str]]:
    names = found.unknowns.scope.names
    return {names[i]: (str(r.lower), str(r.upper)) for i, r in found.ranges.items()}


def value(p, point) -> Fraction:
    total = Fraction(0)
    for monomial, c in p.items():
        for i, v in point.items():
            c *= v ** exponent(monomial, i)
        total += c
    return total


def test_ranges():
    found = domain({"p": "0 < p < 1", "q": "1/2>=q > -1/3", "k": "1/7"}, [])
    assert ranges(found) == {"p": ("0", "1"), "q": ("-1/3", "1/2")}
    assert [(r.open_below, r.open_above) for r in found.ranges.values()] == [(True, True), (True, False)]


def test_stick_breaking_covers_the_simplex():
    found = domain({"p": "0 < p < 1", "q": "0 <= q <= 2", "r": "0 < r < 1"}, ["2*p + 2*q + 2*r == 3/2"])
    assert ranges(found) == {"p": ("0", "1"), "q": ("0", "1")}
    assert [(r.open_below, r.open_above) for r in found.ranges.values()] == [(True, True), (False, True)]
    assert found.cuts == []
    for wanted in (
        (Fraction(1, 4), Fraction(1, 4), Fraction(1, 4)),
        (Fraction(3, 4), 0, 0),
        (0, 0, Fraction(3, 4)),
    ):
        left = Fraction(3, 4)
        point = {}
        for i in (0, 1):
            point[i] = wanted[i] / left if left else Fraction(0)
            left -= wanted[i]
        assert [value(p, point) / scale for p, scale in (found.images[i] for i in range(3))] == list(wanted)


def test_two_parameters_are_solved_for_the_last():
    found = domain({"p": "0 < p < 1", "q": "1/4 <= q < 1"}, ["p + q == 1"])
    # q = 1 - p between 1/4 and 1 bounds p.
    assert ranges(found) == {"p": ("0", "3/4")}
    assert found.cuts == []
    assert domain({"p": "0 < p < 1", "q": "0 < q < 1"}, ["q == p^2"]).cuts[0].relation == ">"


def test_sums_that_are_no_sticks_are_solved():
    for parameters, constraint in (
        (UNITS, "p + q + 2*r == 1"),
        ({**UNITS, "p": "0 <= p <= 1/2"}, "p + q + r == 1"),
        ({**UNITS, "p": "1/10 <= p <= 1"}, "p + q + r == 1"),
        (UNITS, "p + q == r"),
    ):
        found = domain(parameters, [constraint])
        assert list(ranges(found)) == ["p", "q"]
        assert found.cuts


def test_cuts():
    found = domain(UNITS, ["p*q == r^2", "p >= q*r", "p < q", "1/p > q", "p > 1/3", "p + 1 > 0"])
    assert [cut.relation for cut in found.cuts] == ["==", ">=", ">", ">"]
    assert ranges(found) == {"p": ("1/3", "1"), "q": ("0", "1"), "r": ("0", "1")}
    # 1/p - q > 0 is (1 - p q) p > 0.
    assert value(found.cuts[3].gap, {0: Fraction(1, 2), 1: Fraction(1, 3)}) == Fraction(5, 12)


@pytest.mark.parametrize(
    ("parameters", "constraints", "match"),
    [
        ({"p": "0 < p"}, [], "parameters.p: a range such as"),
        ({"p": "0 < q < 1"}, [], "parameters.p: a range such as"),
        ({"p": "0 < p > 1"}, [], "parameters.p: a range such as"),
        ({"p": "1 < p < 1"}, [], "parameters.p: the range is empty"),
        ({"p": "1 < p < 0"}, [], "parameters.p: the range is empty"),
        ({"p": "0 < p < q"}, [], "parameters.p: uses parameters"),
        ({"exp": "0 < exp < 1"}, [], "this cannot be the name"),
        ({"p q": "0 < p q < 1"}, [], "this cannot be the name"),
        ({"p": "q", "q": "1/2"}, [], "parameters.p: uses parameters"),
        ({"p": 0.5}, [], "parameters.p: a range such as"),
        ({"p": "0 < p < 1"}, "p", "constraints: an array of strings"),
        ({"p": "0 < p < 1"}, ["p"], r"constraints\[0\]: a constraint such as"),
        ({"p": "0 < p < 1"}, ["p != 1"], r"constraints\[0\]: a constraint such as"),
        ({"p": "0 < p < 1"}, ["q == 1"], r"constraints\[0\]: uses parameters"),
        ({"p": "0 < p < 1"}, ["p == p + 1"], r"constraints\[0\]: can never hold"),
        ({"p": "0 < p < 1"}, ["p > 2"], "leaves no value"),
        ({"p": "0 < p < 1"}, ["p == 2"], "can never hold"),
        ({f"p{i}": f"0 < p{i} < 1" for i in range(101)}, [], "more than 100 parameters"),
    ],
)
def test_refuses(parameters, constraints, match):
    with pytest.raises(ModelFileError, match=match):
        domain(parameters, constraints)


@pytest.mark.parametrize(
    ("left", "parameters", "constraints", "match"),
    [
        (
            {"0": "p", "1": f"1-p+p/{10**30}"},
            {"p": "0 < p < 1"},
            [],
            "does not sum to 1 for all parameter values",
        ),
        ({"0": "p", "1": "q"}, UNITS, [], "does not sum to 1 for all parameter values"),
        ({"0": "p", "1": "q+r"}, UNITS, ["p*q*r == 1/27"], "does not sum to 1 for all parameter values"),
        ({"0": "p", "1": "1+1/3-p", "2": "-1/3"}, UNITS, [], "a probability cannot be negative"),
        ({"0": "1/(p+q-1)", "1": "1-1/(p+q-1)"}, UNITS, ["p + q == 1"], "divides by zero"),
    ],
)
def test_refuses_rows(left, parameters, constraints, match):
    emit = {name: {"a": "1"} for name in "012"}
    with pytest.raises(ModelFileError, match=match):
        read_model(with_parameters(one_way(emit, {}, left, {"0": "1"}), parameters, constraints))


def test_rows_may_sum_to_1_by_a_constraint():
    emit = {"0": {"a": "p", "b": "q", "c": "r"}, "1": {"a": "1/3", "b": "1/3", "c": "1/3"}}
    model = with_parameters(
        one_way(emit, {}, {"0": "1"}, {"1": "1"}), {n: f"0 < {n} < 1" for n in "pqr"}, ["p+q+r == 1"]
    )
    steps = [root("expand"), *(after(0, s, "end") for s in range(3))]
    variables = [["p", "0", "1"], ["q", "0", "1"]]
    accepts(boxes(model, steps, ratio="3", variables=variables), model)
    rejects(
        boxes(model, steps, ratio=f"{3 * 10**30 - 1}/{10**30}", variables=variables), model, r"end \(step 1\)"
    )
    rejects(
        boxes(model, steps, ratio="3", variables=[*variables, ["r", "0", "1"]]),
        model,
        "the last variable must be",
    )


def test_narrowed_ranges_are_the_variables():
    model = bits("p", "1/2", {"p": "0 < p < 1"}, ["p <= 3/4"])
    steps = [root("expand"), after(0, 0, "end"), after(0, 1, "dominate")]
    accepts(boxes(model, steps, variables=[["p", "0", "3/4"]]), model)
    rejects(
        boxes(model, steps, variables=[["p", "0", "1"]]), model, "the variables are not those of the file"
    )


def test_a_constraint_makes_a_claim_true():
    parameters = {"p": "0 <= p <= 1", "q": "0 <= q <= 1"}
    pair = bits("1/4+p/4", "1/4+q/4", parameters, ["p <= q"])
    steps = [root("expand"), after(0, 0, "end"), after(0, 1, "end")]
    variables = [["p", "0", "1"], ["q", "0", "1"]]
    rejects(boxes(pair, steps, ratio="4/3", variables=variables), pair, r"end \(step 1\)")
    # With p <= q left is at most right in "a", and (3-p)/(3-q) in "b" is at most 3/2. Boxes alone do not end.
    cut = [
        root("split", variable=0, at="1/2"),
        half(0, 0, "expand"),
        half(0, 1, "split", variable=1, at="1/2"),
        half(2, 0, "outside", cut=0),
        half(2, 1, "expand"),
        *(after(n, s, "end") for n in (1, 4) for s in (0, 1)),
    ]
    rejects(boxes(pair, cut, ratio="3/2", variables=variables), pair, r"outside \(step 3\)")
    strict = bits("1/4+p/4", "1/4+q/4", parameters, ["p < q"])
    accepts(boxes(strict, cut, ratio="3/2", variables=variables), strict)
    rejects(boxes(strict, cut, ratio=f"{3 * 10**30 - 1}/{2 * 10**30}", variables=variables), strict, "end")
