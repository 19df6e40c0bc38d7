from __future__ import annotations

import pytest
from box_cases import GEOMETRIC, SOMEONE, bits, boxes, disease, half, with_parameters
from checker_cases import accepts, after, one_way, rejects, root

DOMINATED = [root("expand"), *(after(0, s, "dominate") for s in range(3))]


def test_accepts_words_of_every_length_at_every_value():
    proved = accepts(boxes(disease(), DOMINATED, horizon="any"), disease())
    assert proved.steps == 4
    assert proved.rests_on == ()
    assert proved.claim == (
        "for all admissible values of p at which the rows are probabilities, for 1 direction of 1 pair, "
        "every counted word of any length has left <= 2 * right (epsilon = ln(2))"
    )


def test_rejects_one_part_in_1e30():
    # For p near 0 the word ~2 has the ratio 2: it is 1 ill of 2 against none.
    smaller = f"{2 * 10**30 - 1}/{10**30}"
    rejects(
        boxes(disease(), DOMINATED, ratio=smaller, horizon="any"),
        disease(),
        r"dominate \(step \d\): the coefficients do not show left <= ratio \* right in the entry done",
    )


def touching(excess: str) -> bytes:
    """left = 1/2 + p/4 and right = 1/4 + p/8, and `excess` more on the left."""
    emit = {"0": {"a": "1"}, "1": {"a": "1"}}
    left, right = {"0": f"1/4+p/8+{excess}", "1": f"3/4-p/8-({excess})"}, {"0": "1/4+p/8", "1": "3/4-p/8"}
    model = one_way(emit, {"0": {"0": "1"}, "1": {"1": "1"}}, left, right)
    return with_parameters(model, {"p": "0 <= p <= 1"})


@pytest.mark.parametrize("excess", ["0", "p/10^30", "(1-p)/10^30", f"p*(1-p)/{10**30}"])
def test_compares_every_entry(excess):
    model = touching(excess)
    steps = [root("dominate")]
    accepts(boxes(model, steps, ratio="2"), model)
    if excess == "0":
        accepts(boxes(model, steps, ratio="1"), model)
    else:
        rejects(boxes(model, steps, ratio="1"), model, r"dominate \(step 0\): .* entry '0'")


def test_a_ratio_with_parameters():
    # The noise alpha is unknown: two neighbours differ by the factor 1/alpha, at every alpha at once.
    emit = {
        "0": {"a": "1/(1+alpha)", "b": "alpha/(1+alpha)"},
        "1": {"a": "alpha/(1+alpha)", "b": "1/(1+alpha)"},
    }
    model = with_parameters(one_way(emit, {}, {"0": "1"}, {"1": "1"}), {"alpha": "0 < alpha < 1"})
    steps = [root("expand"), after(0, 0, "dominate"), after(0, 1, "dominate")]
    variables = [["alpha", "0", "1"]]
    proved = accepts(boxes(model, steps, ratio="1/alpha", variables=variables), model)
    assert "left <= (1/alpha) * right" in proved.claim
    assert "the ratio is defined" in proved.claim
    for ratio in ("(1/alpha+1)/2", f"1/alpha - 1/{10**30}", "1/alpha^(1)-(1-alpha)/10^30"):
        rejects(boxes(model, steps, ratio=ratio, variables=variables), model, r"dominate \(step 1\)|expand")


def test_a_denominator_that_changes_its_sign_is_squared():
    awkward = {"1": "(p+1)/(2*p-1)", "2": "(p-2)/(2*p-1)"}
    model = with_parameters(one_way(GEOMETRIC, {}, awkward, awkward), {"p": "0 < p < 1"})
    accepts(boxes(model, [root("expand"), *(after(0, s, "dominate") for s in range(3))], ratio="1"), model)


def test_the_box_of_the_step_is_what_counts():
    model = bits("1/4+p/2", "1/2")
    whole = [root("expand"), after(0, 0, "dominate"), after(0, 1, "dominate")]
    rejects(boxes(model, whole, ratio="5/4"), model, r"dominate \(step 1\)")
    # At p = 3/4 the ratio is 5/4; above, only `outside` could close the box, and there is no constraint.
    cut = [
        root("split", variable=0, at="3/4"),
        half(0, 0, "expand"),
        half(0, 1, "expand"),
        *(after(n, s, "dominate") for n in (1, 2) for s in (0, 1)),
    ]
    rejects(boxes(model, cut, ratio="5/4"), model, r"dominate \(step 4\)|dominate \(step 5\)")
    smaller = bits("1/4+p/2", "1/2", {"p": "1/2 <= p <= 3/4"})
    half_box = [["p", "1/2", "3/4"]]
    accepts(boxes(smaller, whole, ratio="5/4", variables=half_box), smaller)
    rejects(
        boxes(smaller, whole, ratio=f"{125 * 10**28 - 1}/{10**30}", variables=half_box), smaller, "dominate"
    )


def test_the_belief_someone_needs_a_ratio_of_1():
    model = with_parameters(one_way(GEOMETRIC, {}, SOMEONE, SOMEONE), {"p": "0 < p < 1"})
    accepts(boxes(model, [root("dominate")], ratio="1"), model)
    rejects(boxes(model, [root("dominate")], ratio="1/2"), model, "dominate")
