"""The rules for polynomials: coefficients, split, squares, face, sector, outside and solver."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from box_cases import Json, bits, boxes, half, part, reading, with_parameters
from checker_cases import accepts, after, one_way, rejects, root

TINY = f"1/{10**30}"
SQUARE = {"p": "0 <= p <= 1", "q": "0 <= q <= 1"}
TWO = [["p", "0", "1"], ["q", "0", "1"]]


def prove(
    polynomial: str,
    steps: Sequence[Json],
    parameters: dict[str, str] | None = None,
    variables: Sequence[Sequence[str]] = (("p", "0", "1"),),
) -> tuple[Json, bytes]:
    """A certificate whose steps 3 and on are those given, the first of them for the polynomial."""
    model = touching(polynomial, parameters)
    start = [root("expand"), after(0, 0, "end"), after(0, 1, "dominate")]
    return boxes(model, [*start, *steps], ratio="2", variables=variables), model


def touching(polynomial: str, parameters: dict[str, str] | None = None) -> bytes:
    """2 * right - left is the polynomial for the word "a", and 1 minus it for "b"."""
    return bits("1/4", f"1/8+({polynomial})/2", parameters or {"p": "0 <= p <= 1"})


D = "prefix"


def test_coefficients():
    for polynomial in ("p*(1-p)", "(1-p)^3", "p^2-p+1/2", "p^7"):
        accepts(*prove(polynomial, [reading(1, D, "coefficients")]))
    rejects(
        *prove(f"p*(1-p)-{TINY}", [reading(1, D, "coefficients")]),
        r"coefficients \(step 3\): a coefficient is negative",
    )
    # It is positive, but a coefficient is not: that takes a split.
    rejects(*prove("p^2-p+1/3", [reading(1, D, "coefficients")]), r"coefficients \(step 3\)")


def test_split():
    steps = [
        reading(1, D, "split", variable=0, at="1/2"),
        half(3, 0, "coefficients"),
        half(3, 1, "coefficients"),
    ]
    accepts(*prove("p^2-p+1/3", steps))
    accepts(*prove("(p-1/2)^2", steps))
    rejects(*prove(f"(p-1/2)^2-{TINY}", steps), r"coefficients \(step 4\)")
    rejects(*prove("p^2-p+1/3", steps[:2]), r"split \(step 3\): the half 1 has no step")
    rejects(
        *prove("p^2-p+1/3", [steps[0], steps[1], steps[1]]), r"half \(step 5\): there is such a step already"
    )
    for at in ("0", "1", "3/2", "-1/2"):
        bad = [reading(1, D, "split", variable=0, at=at), *steps[1:]]
        rejects(*prove("p^2-p+1/3", bad), r"split \(step 3\): it does not lie inside the box")


def test_squares():
    steps = [reading(1, D, "squares", root="p-1/3"), part(3, 0, "coefficients")]
    accepts(*prove("(p-1/3)^2", steps))
    accepts(*prove("(p-1/3)^2*(1+p)/4", steps))
    rejects(*prove(f"(p-1/3)^2-{TINY}", steps), r"squares \(step 3\): the polynomial is not divisible")
    rejects(*prove("(p-1/3)*(p+1)/4", steps), r"squares \(step 3\): the polynomial is not divisible")
    rejects(*prove(f"(p-1/3)^2*(p-{TINY})", steps), r"coefficients \(step 4\)")
    rejects(*prove("(p-1/3)^2", steps[:1]), r"squares \(step 3\): the part 0 has no step")
    for bad, match in (
        ("0", "the root is not a polynomial"),
        ("1/p", "the root is not a polynomial"),
        ("r-1/3", "uses parameters"),
        ("p-", "ends too early"),
    ):
        rejects(*prove("(p-1/3)^2", [reading(1, D, "squares", root=bad), steps[1]]), rf"squares .*{match}")


def test_squares_at_irrational_points():
    steps = [reading(1, D, "squares", root="2*p^2-1"), part(3, 0, "coefficients")]
    accepts(*prove("(2*p^2-1)^2/4", steps))
    rejects(*prove(f"(2*p^2-1)^2/4-{TINY}", steps), "not divisible")


def test_face():
    # On the face q = 0 it touches 0 at p = 1/3.
    polynomial = "((p-1/3)^2+q*(1-p)/2)/4"
    steps = [
        reading(1, D, "face", variable=1, side=0),
        part(3, 0, "squares", root="3*p-1"),
        part(3, 1, "coefficients"),
        part(4, 0, "coefficients"),
    ]
    accepts(*prove(polynomial, steps, SQUARE, TWO))
    rejects(*prove(f"{polynomial}-{TINY}", steps, SQUARE, TWO), r"squares \(step 4\): .*not divisible")
    rejects(
        *prove(f"{polynomial}-q*(p-1+{TINY})*{TINY}-q*{TINY}", steps, SQUARE, TWO), r"coefficients \(step 5\)"
    )
    rejects(
        *prove(polynomial, [steps[0], steps[1], part(4, 0, "coefficients")], SQUARE, TWO), "the part 1 has no"
    )
    other = "((p-1/3)^2+(1-q)*(1-p)/2)/4"
    steps[0] = reading(1, D, "face", variable=1, side=1)
    accepts(*prove(other, steps, SQUARE, TWO))
    rejects(*prove(polynomial, steps, SQUARE, TWO), r"squares \(step 4\)")


def test_face_of_a_smaller_box():
    # p^2/9 - ... on [1/3, 1] with end at a fraction: both parts are over the right powers of it.
    polynomial = "(p-1/3)*(2-p)/4"
    model = {"p": "1/3 <= p <= 1"}
    steps = [
        reading(1, D, "face", variable=0, side=0),
        part(3, 0, "coefficients"),
        part(3, 1, "coefficients"),
    ]
    accepts(*prove(polynomial, steps, model, [["p", "1/3", "1"]]))
    rejects(*prove(f"{polynomial}-{TINY}", steps, model, [["p", "1/3", "1"]]), r"coefficients \(step 4\)")


def test_sector():
    # A definite form around the corner: no subdivision ends at it.
    polynomial = "(p^2-p*q+q^2)/4"
    steps = [
        reading(1, D, "sector", corner=[0, 0]),
        part(3, 0, "split", variable=1, at="1/2"),
        part(3, 1, "split", variable=0, at="1/2"),
        *(half(n, side, "coefficients") for n in (4, 5) for side in (0, 1)),
    ]
    accepts(*prove(polynomial, steps, SQUARE, TWO))
    rejects(*prove(polynomial, [reading(1, D, "coefficients")], SQUARE, TWO), r"coefficients \(step 3\)")
    rejects(*prove(f"{polynomial}-p*q*(1/4+{TINY})", steps, SQUARE, TWO), r"coefficients \(step \d\)")
    rejects(*prove(f"{polynomial}-{TINY}", steps, SQUARE, TWO), r"coefficients \(step \d\)")
    rejects(*prove(polynomial, [steps[0], part(3, 0, "coefficients")], SQUARE, TWO), "the part 1 has no step")
    rejects(
        *prove(polynomial, [reading(1, D, "sector", corner=[0])], SQUARE, TWO),
        r"sector \(step 3\): the corner has an entry for each variable",
    )


def test_sector_at_the_other_corner():
    steps = [
        reading(1, D, "sector", corner=[1, 0]),
        part(3, 0, "split", variable=1, at="1/2"),
        part(3, 1, "split", variable=0, at="1/2"),
        *(half(n, side, "coefficients") for n in (4, 5) for side in (0, 1)),
    ]
    accepts(*prove("((1-p)^2-(1-p)*q+q^2)/4", steps, SQUARE, TWO))
    rejects(*prove(f"((1-p)^2-(1-p)*q+q^2-{TINY}*q^2*(1-q))/4-q*{TINY}", steps, SQUARE, TWO), "coefficients")


def test_sector_takes_the_variables_that_occur():
    steps = [reading(1, D, "sector", corner=[0, 0]), part(3, 0, "coefficients")]
    accepts(*prove("p^2*(2-p)/4", steps, SQUARE, TWO))
    rejects(
        *prove("p^2*(2-p)/4", [*steps, part(3, 1, "coefficients")], SQUARE, TWO), "it has a part too many"
    )
    rejects(*prove("1/4", steps[:1], SQUARE, TWO), r"sector \(step 3\): the polynomial is constant")
    rejects(*prove("-1/8", steps[:1], SQUARE, TWO), r"sector \(step 3\): the polynomial is constant")


def test_outside():
    apart = bits("1/4", "1/8+(p-q)/2", {**SQUARE, "p": "0 <= p <= 3/4"}, ["p >= q"])
    start = [root("expand"), after(0, 0, "end"), after(0, 1, "dominate")]
    variables = [["p", "0", "3/4"], ["q", "0", "1"]]
    steps = [
        reading(1, D, "split", variable=1, at="7/8"),
        half(3, 0, "split", variable=0, at="1/4"),
        half(3, 1, "outside", cut=0),
    ]
    certificate = boxes(apart, [*start, *steps], variables=variables)
    rejects(certificate, apart, r"split \(step 4\): the half 0 has no step")
    steps[0] = reading(1, D, "split", variable=1, at="3/4")
    rejects(
        boxes(apart, [*start, *steps], variables=variables),
        apart,
        r"split \(step 4\)|outside \(step 5\): the coefficients do not show that the constraint 0 fails",
    )


@pytest.mark.parametrize(
    ("constraint", "closes"),
    [
        ("p > q", True),
        ("p >= q", False),
        (f"p >= q + {TINY}", True),
        ("p^2 == q^2", False),
        ("p^2 == q^3+1/1000", True),
    ],
)
def test_outside_on_a_box_that_touches(constraint, closes):
    # On [0, 1/2] x [1/2, 1] the constraint p > q fails everywhere, p >= q does not at one corner.
    always = one_way({"0": {"a": "p", "b": "1 - p"}}, {}, {"0": "1"}, {"0": "1"})
    model = with_parameters(always, SQUARE, [constraint])
    steps = [
        root("split", variable=0, at="1/2"),
        half(0, 0, "split", variable=1, at="1/2"),
        half(0, 1, "dominate"),
        half(1, 0, "dominate"),
        half(1, 1, "outside", cut=0),
    ]
    if "1000" in constraint:
        steps[0], steps[1] = {**steps[0], "at": "1/4"}, {**steps[1], "at": "3/4"}
    certificate = boxes(model, steps, ratio="1", variables=TWO)
    if closes:
        accepts(certificate, model)
    else:
        rejects(
            certificate,
            model,
            r"outside \(step 4\): the coefficients do not show that the constraint 0 fails",
        )


def test_outside_has_no_place_after_a_sector():
    model = bits("1/4", "1/8+(p^2-p*q+q^2)/8", SQUARE, ["p > q + 1/2"])
    start = [root("expand"), after(0, 0, "end"), after(0, 1, "dominate")]
    steps = [
        reading(1, D, "sector", corner=[0, 0]),
        part(3, 0, "outside", cut=0),
        part(3, 1, "outside", cut=0),
    ]
    rejects(
        boxes(model, [*start, *steps], variables=TWO),
        model,
        r"outside \(step 4\): constraints do not speak of the variables that are local",
    )
    rejects(
        boxes(model, [*start, reading(1, D, "outside", cut=1)], variables=TWO),
        model,
        r"outside \(step 3\): there is no such cut",
    )


def test_solver():
    polynomial = "(p-1/3)^2-1/100"
    for name in ("z3", "cvc5"):
        proved = accepts(*prove(polynomial, [reading(1, D, "solver", solver=name)]))
        assert proved.rests_on == (f"step 3 rests on {name}",)
    rejects(
        *prove(polynomial, [reading(1, D, "solver", solver="me")]),
        r"solver \(step 3\): solver must be one of",
    )
    model = touching(polynomial)
    rejects(
        boxes(model, [root("solver", solver="z3")]),
        model,
        r"solver \(step 0\): this rule does not close a prefix",
    )


def test_the_right_step_is_named_when_a_solver_is_trusted():
    steps = [
        reading(1, D, "split", variable=0, at="1/2"),
        half(3, 0, "solver", solver="z3"),
        half(3, 1, "solver", solver="cvc5"),
    ]
    assert accepts(*prove("(p-1/2)^2-1/100", steps)).rests_on == (
        "step 4 rests on z3",
        "step 5 rests on cvc5",
    )
