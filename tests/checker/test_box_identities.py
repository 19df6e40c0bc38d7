"""The rules for polynomials that touch 0 along a whole set: product, parabola and given."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest
from box_cases import bits, boxes, part, reading
from checker_cases import accepts, after, rejects, root
from test_box_polynomials import SQUARE, TINY, TWO, D, prove

from faier_check import CertificateError, check

START = [root("expand"), after(0, 0, "end"), after(0, 1, "dominate")]
SIGNED = {"p": "-1 <= p <= 1"}


def test_product():
    # Above 0 but for a line, and no coefficients show it: a factor hides a square.
    polynomial = "(p+q+1)*(p^2-p*q+q^2/4)/8"
    steps = [
        reading(1, D, "product", factor="p+q+1"),
        part(3, 0, "coefficients"),
        part(3, 1, "squares", root="2*p-q"),
        part(5, 0, "coefficients"),
    ]
    accepts(*prove(polynomial, steps, SQUARE, TWO))
    rejects(*prove(f"{polynomial}-{TINY}", steps, SQUARE, TWO), r"product \(step 3\): .*not divisible by the factor")
    rejects(*prove(polynomial, steps[:2], SQUARE, TWO), r"product \(step 3\): the part 1 has no step")
    rejects(*prove(polynomial, [*steps, part(3, 2, "coefficients")], SQUARE, TWO), "there is no such part")


def test_both_parts_of_a_product_are_proved():
    steps = [reading(1, D, "product", factor="p-1/2"), part(3, 0, "coefficients"), part(3, 1, "coefficients")]
    rejects(*prove("(p-1/2)*(1-p)/4", steps), r"coefficients \(step 4\)")
    steps[0] = reading(1, D, "product", factor="p+1")
    rejects(*prove("(p+1)*(p-1/2)/8", steps), r"coefficients \(step 5\)")
    # The sign of the factor is as it is written, that of the other part follows.
    steps[0] = reading(1, D, "product", factor="-p-1")
    rejects(*prove("(p+1)*(1-p)/8", steps), r"coefficients \(step 4\)")
    accepts(*prove("(p+1)*(1-p)/8", [reading(1, D, "product", factor="(p+1)/3"), *steps[1:]]))


@pytest.mark.parametrize(
    ("factor", "match"),
    [("0", "not a polynomial"), ("1/p", "not a polynomial"), ("r", "uses parameters"), ("p*", "ends too early")],
)
def test_a_factor_is_a_polynomial(factor, match):
    rejects(*prove("p*(1-p)", [reading(1, D, "product", factor=factor)]), rf"product \(step 3\): .*{match}")


def test_parabola():
    # It touches 0 at an irrational point inside: no subdivision ends there.
    polynomial = "((q-1/2+p^2-1/2)^2+(2*p^2-1)^2)/16"
    steps = [
        reading(1, D, "parabola", variable=1),
        part(3, 0, "coefficients"),
        part(3, 1, "split", variable=0, at="5/8"),
        part(3, 2, "squares", root="2*p^2-1"),
        {"rule": "coefficients", "half": [5, 0]},
        {"rule": "coefficients", "half": [5, 1]},
        part(6, 0, "coefficients"),
    ]
    accepts(*prove(polynomial, steps, SQUARE, TWO))
    rejects(*prove(f"{polynomial}-{TINY}", steps, SQUARE, TWO), r"squares \(step 6\): .*not divisible")
    rejects(*prove(polynomial, steps[:3], SQUARE, TWO), r"the part 2 has no step|split")
    rejects(*prove("p*(1-p)", [reading(1, D, "parabola", variable=1)], SQUARE, TWO), "no parabola")


def test_parabola_in_a_power_of_a_variable():
    parts = [part(3, k, "coefficients") for k in range(3)]
    steps = [reading(1, D, "parabola", variable=0), *parts]
    accepts(*prove("(p^4-p^2+1/4)/4", steps))
    rejects(*prove(f"(p^4-p^2+1/4)/4-{TINY}", steps), r"coefficients \(step 6\)")
    rejects(*prove("(p^4-p^3+1/4)/4", steps), r"parabola \(step 3\): the polynomial is no parabola")
    rejects(*prove("(p^4-p^2+p/9+1/4)/4", steps), r"parabola \(step 3\): the polynomial is no parabola")


def test_an_odd_power_of_a_variable_may_be_negative():
    for polynomial in ("p^3/8", "(p^3+1/2)/8", "p/8"):
        steps = [reading(1, D, "parabola", variable=0), *(part(3, k, "coefficients") for k in range(3))]
        rejects(*prove(polynomial, steps, SIGNED, [["p", "-1", "1"]]), r"parabola \(step 3\): .* no parabola")


def test_the_ends_of_a_parabola_are_looked_at():
    steps = [reading(1, D, "parabola", variable=0), *(part(3, k, "coefficients") for k in range(3))]
    # 4 a c - b^2 >= 0 is true of a parabola below 0 as well.
    rejects(*prove("-(p^2+1)/16", steps), r"coefficients \(step 4\)")
    rejects(*prove("q^2*p^2/8-(1-q)/16", steps, SQUARE, TWO), r"coefficients \(step [56]\)")
    rejects(*prove("-p*p*q/16", steps, SQUARE, TWO), r"coefficients \(step 4\)")


def below(relation: str, polynomial: str = "(1/2-p*q)/4", multiplier: str = "1"):
    """A polynomial that touches 0 at an irrational point of a circle."""
    model = bits("1/4", f"1/8+({polynomial})/2", SQUARE, [f"p^2 + q^2 {relation} 1"])
    steps = [
        *START,
        reading(1, D, "given", cut=0, multiplier=multiplier),
        part(3, 0, "squares", root="p-q"),
        part(4, 0, "coefficients"),
        *([] if relation == "==" else [part(3, 1, "coefficients")]),
    ]
    return boxes(model, steps, variables=TWO), model


def test_given():
    for relation in ("<=", "<"):
        accepts(*below(relation))
    rejects(*below("<=", f"(1/2-p*q)/4-{TINY}"), r"squares \(step 4\): .*not divisible")
    rejects(*below("<=", multiplier="1/2"), r"squares \(step 4\): .*not divisible")
    certificate, model = below("<=")
    certificate["proof"]["steps"][3]["cut"] = 1
    rejects(certificate, model, r"given \(step 3\): there is no such cut")


def test_only_equations_have_multipliers_below_0():
    # The constraint is 1 - p^2 - q^2 >= 0 (or > 0), or p^2 + q^2 - 1 == 0.
    accepts(*below("==", multiplier="-1"))
    outwards = "(p^2+q^2-1+(p-q)^2)/8"
    accepts(*below("==", outwards))
    for relation in ("<=", "<"):
        rejects(*below(relation, outwards, "-1"), r"coefficients \(step 6\): a coefficient is negative")


def test_a_multiplier_may_be_a_polynomial():
    # 1/4 - p q = q (1 - p - q) + (q - 1/2)^2
    model = bits("1/4", "1/8+(1/4-p*q)/2", SQUARE, ["p + q <= 1"])
    steps = [
        *START,
        reading(1, D, "given", cut=0, multiplier="4*q"),
        part(3, 0, "squares", root="2*q-1"),
        part(3, 1, "coefficients"),
        part(4, 0, "coefficients"),
    ]
    accepts(boxes(model, steps, variables=TWO), model)
    rejects(boxes(model, [*steps[:5], steps[6]], variables=TWO), model, "there is no such part|no step|earlier")
    steps[3] = reading(1, D, "given", cut=0, multiplier="4*p-4*q")
    rejects(boxes(model, steps, variables=TWO), model, "coefficients|squares")
    for bad in ("0", "1/p", "r"):
        steps[3] = reading(1, D, "given", cut=0, multiplier=bad)
        rejects(boxes(model, steps, variables=TWO), model, r"given \(step 3\): the multiplier")


def test_given_has_no_place_after_a_sector():
    model = bits("1/4", "1/8+(p^2-p*q+q^2)/8", SQUARE, ["p^2 > q"])
    steps = [
        *START,
        reading(1, D, "sector", corner=[0, 0]),
        part(3, 0, "given", cut=0, multiplier="1"),
        part(3, 1, "given", cut=0, multiplier="1"),
        part(4, 0, "coefficients"),
        part(5, 0, "coefficients"),
    ]
    rejects(boxes(model, steps, variables=TWO), model, r"given \(step [45]\): constraints do not speak of")


TERMS = ("p^2", "q^2", "p*q", "p^4", "p^2*q^2", "q^4", "p^3", "q", "p", "1")


@pytest.mark.parametrize("seed", range(8))
def test_what_a_careless_prover_gets_accepted_is_true(seed):
    dice = Random(seed)
    accepted = 0
    for _ in range(150):
        terms = {t: dice.choice((-2, -1, -1, 0, 1, 1, 2)) for t in dice.sample(TERMS, 4)}
        polynomial = "(" + "+".join(f"({c})*{t}" for t, c in terms.items()) + ")/32"
        relation, line = dice.choice(("<=", "==")), dice.choice(("p+q", "p^2+q^2", "2*p-q"))
        model = bits("1/4", f"1/8+({polynomial})/2", SQUARE, [f"{line} {relation} 1"] if seed % 2 else [])
        rule, parts = dice.choice(
            (
                (reading(1, D, "parabola", variable=dice.randrange(2)), 3),
                (reading(1, D, "product", factor=dice.choice(("p", "q", "p+q", "p-q", "1-p", "p^2+1"))), 2),
                (reading(1, D, "given", cut=0, multiplier=dice.choice(("1", "1/2", "q", "-1"))), 2),
            )
        )
        parts -= rule["rule"] == "given" and relation == "=="
        certificate = boxes(model, [*START, rule, *(part(3, k, "coefficients") for k in range(parts))], variables=TWO)
        try:
            check(json.dumps(certificate).encode(), model)
        except CertificateError:
            continue
        accepted += 1
        for k in range(121):
            p, q = Fraction(k % 11, 10), Fraction(k // 11, 10)
            value = {"p+q": p + q, "p^2+q^2": p * p + q * q, "2*p-q": 2 * p - q}[line]
            if seed % 2 and not (value == 1 if relation == "==" else value <= 1):
                continue
            assert eval(polynomial.replace("^", "**"), {}, {"p": p, "q": q}) >= 0
    assert accepted
