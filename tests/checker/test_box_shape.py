"""Proofs by boxes that are not well formed, and the variables that they name."""

from __future__ import annotations

from typing import Any

import pytest
from box_cases import UNIT, bits, boxes, disease, half, part, reading, with_parameters
from checker_cases import BIT, STAY, accepts, after, one_way, rejects, root, tree

from faier_check import CertificateError, Limits

MODEL = bits("p", "1/2")
GOOD = [root("expand"), after(0, 0, "dominate"), after(0, 1, "dominate")]


def changed(**fields: Any) -> dict[str, Any]:
    certificate = boxes(MODEL, GOOD)
    certificate["proof"] = {**certificate["proof"], **fields}
    return certificate


def test_accepts_the_good_one():
    accepts(boxes(MODEL, GOOD), MODEL)


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({"precision": 64}, "proof has the unknown field 'precision'"),
        ({"ratio": 2}, "proof.ratio must be a string"),
        ({"ratio": "2*"}, "proof.ratio: the expression ends too early"),
        ({"ratio": "2*r"}, r"proof.ratio: uses parameters \('r'\)"),
        ({"ratio": "1/(p-p)"}, "proof.ratio: division by zero"),
        ({"ratio": "2.5"}, "budget: the proved ratio 5/2 exceeds the claimed one"),
        ({"variables": []}, r"boxes: the variables are not those of the file: p in \[0, 1\]"),
        ({"variables": [["q", "0", "1"]]}, "the variables are not those of the file"),
        ({"variables": [["p", "0", "1/2"]]}, "the variables are not those of the file"),
        (
            {"variables": [["p", "1/1000000000000000000000000000000", "1"]]},
            "the variables are not those of the file",
        ),
        ({"variables": [UNIT, UNIT]}, r"the last variable must be exp\(1\)"),
        ({"variables": [["p", "0"]]}, "a variable is a name and two ends"),
        ({"variables": [["p", "0", 1]]}, "an end must be a string"),
        ({"steps": {}}, "proof.steps must be an array"),
        ({"steps": []}, r"root: the direction \[0, true\] has no root"),
    ],
)
def test_rejects_other_proofs(fields, match):
    rejects(changed(**fields), MODEL, match)


@pytest.mark.parametrize(
    ("steps", "match"),
    [
        ([None], r"step \(step 0\): a step must be an object"),
        ([{"rule": "guess", "root": [0, True]}], r"step \(step 0\): rule must be one of dominate, expand"),
        ([{"rule": ["end"], "root": [0, True]}], r"step \(step 0\): rule must be one of"),
        ([{"rule": "expand"}], r"expand \(step 0\): a step stands at exactly one of"),
        ([{**GOOD[0], "after": [0, 0]}], r"expand \(step 0\): a step stands at exactly one of"),
        ([{**GOOD[0], "exact": True}], r"expand \(step 0\): it has the unknown field 'exact'"),
        ([{**GOOD[0], "scale": "1"}], r"expand \(step 0\): it has the unknown field 'scale'"),
        ([root("subsume", by=0)], r"subsume \(step 0\): it lacks the field 'scale'"),
        ([root("subsume", by=0, scale="0")], r"subsume \(step 0\): scale must be positive"),
        ([root("split", variable=1, at="1/2")], r"split \(step 0\): there is no such variable"),
        ([root("split", variable=-1, at="1/2")], r"split \(step 0\): variable must be at least 0"),
        ([root("split", variable=0, at="0.5")], r"split \(step 0\): at is not an exact number"),
        ([root("outside", cut=0)], r"outside \(step 0\): there is no such cut"),
        ([{"rule": "expand", "root": [0, True, 1]}], r"expand \(step 0\): root must have two entries"),
        ([{"rule": "expand", "root": [0, 1]}], r"expand \(step 0\): the direction of a root must be"),
        ([root("expand", pair=1)], r"root \(step 0\): the model has no such direction"),
        ([root("expand", forward=False)], r"root \(step 0\): the model has no such direction"),
        ([GOOD[0], root("dominate")], r"root \(step 1\): the direction has a root already"),
        ([GOOD[0], after(1, 0, "dominate")], r"after \(step 1\): the parent is not an earlier expand step"),
        ([GOOD[0], after(0, 2, "dominate")], r"after \(step 1\): there is no such symbol"),
        (
            [GOOD[0], after(0, 0, "dominate"), after(0, 0, "dominate")],
            r"after \(step 2\): there is such a step already",
        ),
        ([GOOD[0], half(0, 0, "dominate")], r"half \(step 1\): the parent is not an earlier split step"),
        (
            [root("split", variable=0, at="1/2"), half(0, 2, "dominate")],
            r"half \(step 1\): there are the halves",
        ),
        ([root("dominate"), reading(0, "prefix", "coefficients")], r"reading \(step 1\): the parent is not"),
        (
            [GOOD[0], reading(0, "suffix", "coefficients")],
            r"coefficients \(step 1\): the reading must be one of",
        ),
        (
            [GOOD[0], reading(0, "prefix", "dominate")],
            r"dominate \(step 1\): this rule does not close a polynomial",
        ),
        ([root("coefficients")], r"coefficients \(step 0\): this rule does not close a prefix"),
        (
            [GOOD[0], part(0, 0, "coefficients")],
            r"part \(step 1\): the parent is not an earlier squares or face",
        ),
        (
            [GOOD[0], reading(0, "prefix", "face", variable=0, side=2)],
            r"face \(step 1\): side must be 0 or 1, got 2",
        ),
        (
            [GOOD[0], reading(0, "prefix", "squares", root="p"), part(1, 1, "coefficients")],
            r"part \(step 2\): there is no such part",
        ),
        (
            [GOOD[0], reading(0, "prefix", "sector", corner=[0]), part(1, 1, "coefficients")],
            r"part \(step 2\): there is no such variable",
        ),
        (
            [root("split", variable=0, at="1/2"), half(0, 0, "dominate")],
            r"split \(step 0\): the half 1 has no step",
        ),
    ],
)
def test_rejects_other_steps(steps, match):
    rejects(changed(steps=steps), MODEL, match)


def test_a_model_with_parameters_needs_boxes():
    rejects(tree(MODEL, [root("dominate")]), MODEL, "proof: a model with parameters needs a proof by boxes")
    certificate = boxes(MODEL, GOOD)
    certificate["proof"] = {"rule": "enumerate", "ratio": "2"}
    rejects(certificate, MODEL, "proof: a model with parameters needs a proof by boxes")


def test_a_model_without_parameters_may_have_boxes():
    plain = one_way(BIT, STAY, {"0": "1/2", "1": "1/2"}, {"0": "1/3", "1": "2/3"})
    accepts(boxes(plain, [root("dominate")], ratio="3/2", variables=[]), plain)
    rejects(boxes(plain, [root("dominate")], ratio="7/5", variables=[]), plain, "dominate")
    # Where only the ratio depends on a parameter, too.
    noisy = with_parameters(plain, {"k": "1 < k < 2"})
    variables = [["k", "1", "2"]]
    accepts(boxes(noisy, [root("dominate")], ratio="1/2+k", variables=variables), noisy)
    rejects(
        boxes(noisy, [root("dominate")], ratio=f"1/2+k-1/{10**30}", variables=variables), noisy, "dominate"
    )


def test_a_claimed_ratio_is_the_proved_one_as_a_function():
    def certificate(claimed: str) -> dict[str, Any]:
        found = boxes(MODEL, GOOD, ratio="2+p*(1-p)")
        found["claim"]["ratio"] = claimed
        return found

    accepts(certificate("2+p*(1-p)"), MODEL)
    accepts(certificate("(2*p+p^2-p^3)/p"), MODEL)
    for other in ("2", "2+p", f"2+p*(1-p)+p/{10**30}"):
        rejects(certificate(other), MODEL, "budget: the proved ratio is not, as a function, the claimed one")


def test_the_claim_has_a_budget_or_a_ratio():
    certificate = boxes(MODEL, GOOD)
    certificate["claim"]["ratio"] = "2"
    rejects(certificate, MODEL, "claim has the unknown field 'ratio'")
    del certificate["claim"]["budget"]
    accepts(certificate, MODEL)
    certificate["claim"]["ratio"] = "19/10"
    rejects(certificate, MODEL, "budget: the proved ratio 2 exceeds the claimed one")


def test_work_is_limited():
    for operations in (10, 50):
        with pytest.raises(CertificateError, match=f"takes more than {operations} operations"):
            accepts(boxes(disease(), GOOD), disease(), Limits(operations=operations))
    expensive = bits("p^90*(1-p)^90", "1/2")
    with pytest.raises(CertificateError, match="takes more than 100000 operations"):
        accepts(boxes(expensive, GOOD), expensive, Limits(operations=100_000))
    for huge in ("(1+p)^10000*(2-p)^10000", "p^10000*p^10000", "(1+p+p^2)^9999"):
        model = bits(f"1/2+({huge})/10^9000", "1/2")
        with pytest.raises(CertificateError, match=r"operations|degree|terms"):
            accepts(boxes(MODEL, GOOD), model, Limits(operations=20_000_000))
