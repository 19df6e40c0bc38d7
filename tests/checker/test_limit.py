"""The rule `limit`: a lower bound that is approached, as parameters go to values one after another."""

from __future__ import annotations

from typing import Any

import pytest
from box_cases import bits, boxes, disease, with_parameters
from checker_cases import accepts, after, one_way, rejects, root

TINY = f"1/{10**30}"
P0 = [["p", "0", "above"]]


def limit(approach: list[list[str]], word: list[str], ended: bool = False) -> dict[str, Any]:
    return {"pair": 0, "forward": True, "word": word, "ended": ended, "approach": approach}


def approached(
    model: bytes, lower: str, stated: dict[str, Any], horizon: object = 1, possible: str = "either"
) -> dict[str, Any]:
    """An epsilon certificate that says nothing about the upper side."""
    return {
        **boxes(model, []),
        "kind": "epsilon",
        "claim": {
            "lower": lower,
            "upper": "infinity",
            "horizon": horizon,
            "possible": possible,
            "delta": "0",
        },
        "proof": None,
        "witness": None,
        "limit": stated,
    }


def test_accepts_a_supremum_that_is_not_attained():
    # One ill of two, given that someone is, against anyone: for p near 0 almost surely none is.
    for word, ratio in (("~0", "1/2"), ("~1", "2"), ("~2", "2")):
        certificate = approached(disease(), ratio, limit(P0, [word]))
        proved = accepts(certificate, disease())
        assert "as close to" in proved.claim
        rejects(
            {**certificate, "claim": {**certificate["claim"], "lower": f"{3 * 10**30 + 1}/{10**30}"}},
            disease(),
            "budget: the limit is not the claimed lower bound",
        )


def test_together_with_a_proof():
    steps = [root("expand"), *(after(0, s, "end") for s in range(3))]
    certificate = {**approached(disease(), "2", limit(P0, ["~1"])), "proof": boxes(disease(), steps)["proof"]}
    certificate["claim"] = {**certificate["claim"], "upper": "2"}
    proved = accepts(certificate, disease())
    assert proved.steps == 5
    assert proved.claim.startswith(
        "for all admissible values of p at which the rows are probabilities, for 1 direction"
    )


def test_it_stands_instead_of_a_witness():
    stated = limit(P0, ["~1"])
    certificate = approached(disease(), "2", stated)
    witness = {"pair": 0, "forward": True, "word": ["~1"], "ended": False, "left": "1/3", "right": "1/6"}
    rejects({**certificate, "witness": witness}, disease(), "no place for a witness")
    rejects({**certificate, "limit": None}, disease(), "needs a witness")
    holds = boxes(disease(), [root("expand"), *(after(0, s, "end") for s in range(3))])
    rejects({**holds, "limit": stated}, disease(), "the certificate has the unknown field 'limit'")


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"pair": 1}, "limit: the model has no such direction"),
        ({"forward": False}, "limit: the model has no such direction"),
        ({"word": []}, "limit: the empty word does not count"),
        ({"word": ["~3"]}, "limit: the model has no symbol"),
        ({"ended": True}, "limit: a complete run of 1 symbols does not count"),
        ({"parameters": {}}, "limit has the unknown field"),
        ({"approach": []}, "limit: every variable must go somewhere"),
        ({"approach": [["q", "0", "above"]]}, "limit: 'q' is not a variable"),
        ({"approach": [*P0, *P0]}, "limit: 'p' is not a variable, or comes twice"),
        ({"approach": [["p", "0", "near"]]}, 'is a variable, a value and "above"'),
        ({"approach": [["p", "0"]]}, 'is a variable, a value and "above"'),
        ({"approach": [["p", "0", "below"]]}, "limit: the parameter p is not in its range on the way"),
        ({"approach": [["p", "0", "at"]]}, "limit: the parameter p is not in its range on the way"),
        ({"approach": [["p", "1", "above"]]}, "limit: the parameter p is not in its range on the way"),
        ({"approach": [["p", f"1+{TINY}", "below"]]}, "a value is not an exact number"),
        (
            {"approach": [["p", f"{10**30 + 1}/{10**30}", "below"]]},
            "limit: the parameter p is not in its range",
        ),
    ],
)
def test_rejects_other_limits(change, match):
    rejects(approached(disease(), "2", {**limit(P0, ["~1"]), **change}), disease(), match)


def test_an_inner_value_is_approached_from_either_side():
    model = bits("p^2", "p/2")
    for side in ("above", "below", "at"):
        accepts(approached(model, "2/3", limit([["p", "1/3", side]], ["a"])), model)


def test_an_infinite_limit():
    model = bits("p", "p^2")
    accepts(approached(model, "infinity", limit(P0, ["a"])), model)
    rejects(approached(model, "5", limit(P0, ["a"])), model, "the limit is not the claimed lower bound")
    finite = bits("p^2", "p/2")
    rejects(
        approached(finite, "infinity", limit(P0, ["a"])), finite, "the limit is not the claimed lower bound"
    )
    never = bits("p", "0")
    accepts(approached(never, "infinity", limit(P0, ["a"])), never)
    rejects(
        approached(never, "infinity", limit(P0, ["a"]), possible="both"), never, "not possible on both sides"
    )


TWO = {"p": "0 < p < 1", "q": "0 < q < 1"}


def test_one_variable_after_another():
    # left/right = (p^2 + q) / (p + q): 1 where p goes first, 0 (or p) where q does.
    model = bits("(p^2+q)/4", "(p+q)/4", TWO)
    first_p = [["p", "0", "above"], ["q", "0", "above"]]
    first_q = [["q", "0", "above"], ["p", "1/2", "at"]]
    accepts(approached(model, "1", limit(first_p, ["a"])), model)
    accepts(approached(model, "1/2", limit(first_q, ["a"])), model)
    rejects(
        approached(model, "1/2", limit(first_p, ["a"])), model, "the limit is not the claimed lower bound"
    )


def test_rows_stay_probabilities_on_the_way():
    # p - q is a probability only where q <= p; with p far below q it is none.
    model = bits("(p-q)/2+1/2", "1/2", TWO)
    accepts(approached(model, "1", limit([["p", "0", "above"], ["q", "0", "above"]], ["a"])), model)
    model = bits("p-q", "p", TWO)
    accepts(approached(model, "1", limit([["q", "0", "above"], ["p", "0", "above"]], ["a"])), model)
    rejects(
        approached(model, "infinity", limit([["p", "0", "above"], ["q", "0", "above"]], ["a"])),
        model,
        "limit: a probability is negative on the way",
    )


def test_constraints_hold_on_the_way():
    model = bits("p/2+q/4", "p/4+q/2", TWO, ["p > q^2"])
    p_last = [["q", "0", "above"], ["p", "0", "above"]]
    q_last = [["p", "0", "above"], ["q", "0", "above"]]
    accepts(approached(model, "2", limit(p_last, ["a"])), model)
    rejects(
        approached(model, "1/2", limit(q_last, ["a"])),
        model,
        r"limit: the constraint 'p > q\^2' does not hold",
    )
    touching = bits("p/2+q/4", "p/4+q/2", TWO, ["p >= q"])
    half = [["p", "1/2", "at"], ["q", "1/2", "at"]]
    accepts(approached(touching, "1", limit(half, ["a"])), touching)
    strict = bits("p/2+q/4", "p/4+q/2", TWO, ["p > q"])
    rejects(
        approached(strict, "1", limit(half, ["a"])), strict, "limit: the constraint 'p > q' does not hold"
    )
    curve = bits("p/2+q/4", "p/4+q/2", TWO, ["p^2 == q^3"])
    rejects(approached(curve, "2", limit(p_last, ["a"])), curve, "does not hold on the way")


def test_shares_of_a_whole():
    emit = {"0": {"a": "p", "b": "q", "c": "r"}, "1": {"a": "1/3", "b": "1/3", "c": "1/3"}}
    parameters = {name: f"0 < {name} < 1" for name in "pqr"}
    model = with_parameters(one_way(emit, {}, {"0": "1"}, {"1": "1"}), parameters, ["p+q+r == 1"])
    approach = [["p", "1", "below"], ["q", "1/2", "at"]]
    accepts(approached(model, "3", limit(approach, ["a"])), model)
    at = [["p", "1", "at"], ["q", "1/2", "at"]]
    rejects(approached(model, "3", limit(at, ["a"])), model, "limit: the parameter p is not in its range")


def test_with_powers_of_e():
    model = bits("k*p", "p/2", {"p": "0 < p < 1", "k": "exp(-1/3)"})
    accepts(approached(model, "2*exp(-1/3)", limit(P0, ["a"])), model)
    rejects(approached(model, f"2*exp(-1/3)+{TINY}", limit(P0, ["a"])), model, "the limit is not the claimed")
    assert approached(model, "2", limit(P0, ["a"]))["limit"]["approach"] == P0


def test_ratios_over_the_own_denominators():
    left, right = {"0": "p/(2-p)", "1": "1-p/(2-p)"}, {"0": "p^2/(1+p)", "1": "1-p^2/(1+p)"}
    emit = {"0": {"a": "1"}, "1": {"b": "1"}}
    model = with_parameters(one_way(emit, {}, left, right), {"p": "0 < p <= 1"})
    accepts(approached(model, "2", limit([["p", "1", "at"]], ["a"])), model)
    accepts(approached(model, "2", limit([["p", "1/2", "at"]], ["a"])), model)
    accepts(approached(model, "infinity", limit(P0, ["a"])), model)
