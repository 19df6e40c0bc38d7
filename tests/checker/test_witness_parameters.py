"""The rule `witness` with values of the parameters, and powers of e in models, ratios and bounds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from box_cases import bits, boxes, disease, with_parameters
from checker_cases import accepts, after, claim, one_way, rejects, root, violated

TINY = f"1/{10**30}"


def word(left: str, right: str, parameters: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    found = {"pair": 0, "forward": True, "word": ["a"], "ended": False, "left": left, "right": right}
    return {**found, **({} if parameters is None else {"parameters": parameters}), **more}


WIDE = bits("p", "1/2")


def broken(witness: dict[str, Any], model: bytes = WIDE, ratio: str = "3/2", **more: Any) -> dict[str, Any]:
    return violated(model, {**claim(ratio, 1), **more}, witness)


def test_accepts_values_that_break_the_claim():
    proved = accepts(broken(word("4/5", "1/2", {"p": "4/5"})), WIDE)
    assert proved.claim == (
        "the counted word of horizon 1 ['a'] of 'left' (left) against 'right' (right), at p = 4/5, "
        "has left > 3/2 * right (epsilon = ln(3/2))"
    )


@pytest.mark.parametrize(
    ("witness", "match"),
    [
        (word("3/4", "1/2", {"p": "3/4"}), "budget: the witness does not exceed the claimed ratio"),
        (word("4/5", "1/2", {"p": f"{8 * 10**29 + 1}/{10**30}"}), "witness: left is about|witness: left is"),
        (word("4/5", "1/3", {"p": "4/5"}), "witness: right is 1/2, not 1/3"),
        (word("1", "1/2", {"p": "1"}), "witness: p = 1 is not in its range"),
        (word("4/5", "1/2"), "witness lacks the field 'parameters'"),
        (word("4/5", "1/2", {}), "witness: the parameter p has no value"),
        (word("4/5", "1/2", {"p": "4/5", "q": "1"}), "witness: the file has no parameter 'q'"),
        (word("4/5", "1/2", {"p": "0.8"}), "witness.parameters.p is not an exact number"),
        (word("4/5", "1/2", {"p": "4/5"}, word=["c"]), "the model has no symbol 'c'"),
        (word("4/5", "1/2", {"p": "4/5"}, pair=1), "the model has no such direction"),
        (word("4/5", "1/2", {"p": "4/5"}, forward=False), "the model has no such direction"),
        (word("4/5", "1/2", {"p": "4/5"}, ended=True), "does not count at horizon 1"),
        (word("exp(1)", "1/2", {"p": "4/5"}), "witness: left is 4/5, and stated with exp"),
        ({**word("4/5", "1/2"), "parameters": ["4/5"]}, "witness.parameters must be an object"),
    ],
)
def test_rejects_other_witnesses(witness, match):
    rejects(broken(witness), WIDE, match)


def test_constraints_hold_exactly():
    model = bits("p", "q", {"p": "0 < p < 1", "q": "0 < q < 1"}, ["p == 2*q^2"])
    accepts(broken(word("1/2", "1/2", {"p": "1/2", "q": "1/2"}), model, "9/10"), model)
    near = {"p": f"{5 * 10**29 + 1}/{10**30}", "q": "1/2"}
    rejects(
        broken(word("1/2", "1/2", near), model, "9/10"), model, r"the constraint 'p == 2\*q\^2' does not hold"
    )


def test_a_value_at_which_a_row_is_no_distribution_counts_for_nothing():
    model = bits("2*p", "1/2", {"p": "0 < p < 1"})
    rejects(
        broken(word("3/2", "1/2", {"p": "3/4"}), model), model, "a probability is negative at these values"
    )
    pole = disease({"p": "0 <= p <= 1"})
    witness = word("1/6", "2/3", {"p": "0"}, word=["~0"])
    # In lowest terms the belief is defined at p = 0; it is the one that is approached there.
    rejects(broken(witness, pole), pole, "witness: left is 1/3, not 1/6|budget")
    impossible = bits("1/(p-1/2)*(p-1/2)^2/p", "1/2", {"p": "0 <= p <= 1"})
    rejects(broken(word("1/2", "1/2", {"p": "0"}), impossible), impossible, "divides by zero at these values")


def test_a_plain_model_with_parameters_for_the_ratio():
    emit = {"0": {"a": "3/4", "b": "1/4"}, "1": {"a": "1/4", "b": "3/4"}}
    model = with_parameters(one_way(emit, {}, {"0": "1"}, {"1": "1"}), {"k": "1 < k < 4"})
    certificate = broken(word("3/4", "1/4", {"k": "5/2"}), model)
    del certificate["claim"]["budget"]
    certificate["claim"]["ratio"] = "k"
    assert "has left > (k) * right" in accepts(certificate, model).claim
    certificate["witness"]["parameters"]["k"] = "3"
    rejects(certificate, model, "budget: the witness does not exceed")
    del certificate["witness"]["parameters"]
    rejects(certificate, model, "witness lacks the field 'parameters'")
    plain = one_way(emit, {}, {"0": "1"}, {"1": "1"})
    rejects(
        broken(word("3/4", "1/4", {"k": "5/2"}), plain), plain, "witness has the unknown field 'parameters'"
    )


NOISE = {"alpha": "exp(-1/2)"}
GEOMETRIC = {
    "0": {"a": "1/(1+alpha)", "b": "alpha/(1+alpha)"},
    "1": {"a": "alpha/(1+alpha)", "b": "1/(1+alpha)"},
}
NOISY = with_parameters(one_way(GEOMETRIC, {}, {"0": "1"}, {"1": "1"}), NOISE)
ENCLOSURE = ["exp(1/2)", "1648721270700128146/1000000000000000000", "1648721270700128147/1000000000000000000"]
ENDS = [root("expand"), after(0, 0, "end"), after(0, 1, "end")]


def enclosure() -> list[list[str]]:
    return [[ENCLOSURE[0], *(str(Fraction(end)) for end in ENCLOSURE[1:])]]


def test_noise_that_is_a_power_of_e():
    certificate = boxes(NOISY, ENDS, ratio="1/alpha", variables=enclosure())
    certificate["claim"] = {**claim("1", 1), "budget": {"power": "1/2", "base": "1", "root": 1}}
    proved = accepts(certificate, NOISY)
    assert proved.claim == (
        "for 1 direction of 1 pair, every counted word of horizon 1 has left <= e^(1/2) * right (epsilon = 1/2)"
    )
    certificate["proof"]["ratio"] = "exp(1/2)"
    accepts(certificate, NOISY)
    certificate["claim"]["budget"]["power"] = f"{5 * 10**29 - 1}/{10**30}"
    rejects(certificate, NOISY, "the arguments of exp have too large a common denominator")
    certificate["claim"]["budget"]["power"] = "1/3"
    certificate["proof"]["variables"] = [["exp(1/6)", "59/50", "119/100"]]
    rejects(certificate, NOISY, "budget: the proved ratio is not, as a function, the claimed one")
    certificate["proof"]["ratio"] = f"exp(1/2)-{TINY}"
    rejects(certificate, NOISY, r"end \(step 1\)|expand")


def test_a_rational_ratio_above_a_power_of_e():
    steps = [root("expand"), after(0, 0, "end"), after(0, 1, "end")]
    accepts(boxes(NOISY, steps, ratio="33/20", variables=enclosure()), NOISY)
    rejects(boxes(NOISY, steps, ratio="41/25", variables=enclosure()), NOISY, r"end \(step 1\)")


@pytest.mark.parametrize(
    ("variables", "match"),
    [
        ([], r"boxes: the last variable must be exp\(1/2\)"),
        ([["exp(1/2)", "1", "3/2"]], r"e\^\(1/2\) is not shown to lie between the ends"),
        ([["exp(1/2)", "33/20", "2"]], "is not shown to lie between the ends"),
        ([["exp(1/2)", "-1", "2"]], "is not shown to lie between the ends"),
        ([["exp(1/2)", "2", "1"]], "is not shown to lie between the ends"),
        ([["exp(1/3)", "1", "2"]], r"the last variable must be exp\(1/2\)"),
        ([["exp(2/2)", "1", "2"]], "the last variable must be"),
        ([["alpha", "0", "1"]], "the last variable must be"),
    ],
)
def test_the_enclosure_is_checked(variables, match):
    rejects(boxes(NOISY, ENDS, ratio="2", variables=variables), NOISY, match)


def test_a_finer_power_of_e_than_the_file_needs():
    accepts(boxes(NOISY, ENDS, ratio="2", variables=[["exp(1/4)", "5/4", "13/10"]]), NOISY)


def noisy_word(left: str, right: str, ratio: dict[str, Any]) -> dict[str, Any]:
    return violated(NOISY, {**claim("1", 1), **ratio}, word(left, right, {}))


def test_witnesses_with_powers_of_e():
    left, right = "1/(1+exp(-1/2))", "1/(1+exp(1/2))"
    below = {"budget": {"power": "49/100", "base": "1", "root": 1}}
    accepts(noisy_word(left, right, below), NOISY)
    accepts(noisy_word("exp(1/2)/(exp(1/2)+1)", right, below), NOISY)
    accepts(noisy_word(left, right, {"budget": {"power": "1/4", "base": "3/2", "root": 2}}), NOISY)
    rejects(
        noisy_word(left, right, {"budget": {"power": "1/4", "base": "2", "root": 2}}),
        NOISY,
        "does not exceed",
    )
    rejects(
        noisy_word(left, right, {"budget": {"power": "1/2", "base": "1", "root": 1}}),
        NOISY,
        "does not exceed",
    )
    rejects(noisy_word(f"{left}+{TINY}", right, below), NOISY, "witness: left is not what is stated")
    rejects(noisy_word("31/50", right, below), NOISY, "witness: left is not what is stated")
    rejects(noisy_word(left, "exp(p)", below), NOISY, "uses parameters")


def test_a_probability_that_powers_of_e_make_negative():
    emit = {"0": {"a": "exp(1)-2", "b": "3-exp(1)"}, "1": {"a": "exp(1)-19/7", "b": "26/7-exp(1)"}}
    good = one_way(emit, {}, {"0": "1"}, {"1": "1"})
    stated = word("exp(1)-2", "exp(1)-19/7", {})
    accepts(_plain(good, stated), good)
    emit["1"] = {"a": "exp(1)-1264/465", "b": "1729/465-exp(1)"}
    bad = one_way(emit, {}, {"0": "1"}, {"1": "1"})
    # 1264/465 is a little less than e, 1457/536 a little more.
    accepts(_plain(bad, word("exp(1)-2", "exp(1)-1264/465")), bad)
    emit["1"] = {"a": "exp(1)-1457/536", "b": "1993/536-exp(1)"}
    negative = one_way(emit, {}, {"0": "1"}, {"1": "1"})
    rejects(_plain(negative, word("exp(1)-2", "exp(1)-1457/536")), negative, "a probability is negative")


def _plain(model: bytes, stated: dict[str, Any]) -> dict[str, Any]:
    """A model without [parameters] has no field for their values."""
    return violated(model, claim("2", 1), {k: v for k, v in stated.items() if k != "parameters"})


def epsilon(model: bytes, lower: str, upper: str, witness: Any, **proof: Any) -> dict[str, Any]:
    certificate = boxes(model, ENDS, **proof)
    stated = {"lower": lower, "upper": upper, "horizon": 1, "possible": "either", "delta": "0"}
    return {**certificate, "kind": "epsilon", "claim": stated, "witness": witness}


def test_tight_bounds():
    closed = bits("p", "1/2", {"p": "1/4 <= p <= 3/4"})
    proof = {"ratio": "3/2", "variables": [["p", "1/4", "3/4"]]}
    witness = word("3/4", "1/2", {"p": "3/4"})
    accepts(epsilon(closed, "3/2", "3/2", witness, **proof), closed)
    rejects(epsilon(closed, "1", "3/2", witness, **proof), closed, "is not the claimed lower bound")
    rejects(epsilon(closed, "3/2", "2", witness, **proof), closed, "is not the claimed upper bound")
    left, right = "1/(1+exp(-1/2))", "1/(1+exp(1/2))"
    tight = {"ratio": "1/alpha", "variables": enclosure()}
    accepts(epsilon(NOISY, "exp(1/2)", "exp(1/2)", word(left, right, {}), **tight), NOISY)
    accepts(
        epsilon(
            NOISY,
            "1/exp(-1/2)",
            "exp(1/6)^3",
            word(left, right, {}),
            **tight | {"variables": [["exp(1/6)", "59/50", "119/100"]]},
        ),
        NOISY,
    )
    rejects(epsilon(NOISY, "3/2", "exp(1/2)", word(left, right, {}), **tight), NOISY, "lower bound")
    rejects(epsilon(NOISY, "exp(1/2)", "2", word(left, right, {}), **tight), NOISY, "upper bound")


def test_infinite_at_a_value():
    model = bits("1/2", "p", {"p": "0 <= p <= 1"})
    certificate = violated(model, {}, word("1/2", "0", {"p": "0"}))
    stated = {"lower": "infinity", "upper": "infinity", "horizon": 1, "possible": "either", "delta": "0"}
    accepts({**certificate, "kind": "epsilon", "claim": stated}, model)
    rejects(
        {**certificate, "kind": "epsilon", "claim": {**stated, "possible": "both"}},
        model,
        "not possible on both",
    )


def test_numbers_without_parameters_are_compared_at_their_value():
    # The enclosure is wide, and the polynomial of degree 501 is of both signs in it.
    fine = {"alpha": "exp(-501/1000)"}
    model = with_parameters(one_way(GEOMETRIC, {}, {"0": "1"}, {"1": "1"}), fine)
    wide = [["exp(1/1000)", "1/2", "2"]]
    for ratio in ("33/20", "exp(501/1000)", "exp(1002/2000)"):
        certificate = boxes(model, ENDS, ratio="2", variables=wide)
        certificate["proof"]["ratio"] = ratio
        certificate["claim"]["budget"]["base"] = "2"
        if ratio != "33/20":
            certificate["claim"]["budget"] = {"power": "501/1000", "base": "1", "root": 1}
            accepts(certificate, model)
        else:
            rejects(certificate, model, r"end \(step 1\)")


def test_a_model_with_powers_of_e_alone_has_no_values():
    stated = word("1/(1+exp(-1/2))", "1/(1+exp(1/2))", {})
    bare = one_way(
        {k: {s: v.replace("alpha", "exp(-1/2)") for s, v in r.items()} for k, r in GEOMETRIC.items()},
        {},
        {"0": "1"},
        {"1": "1"},
    )
    accepts(violated(bare, claim("8/5", 1), stated), bare)
    accepts(_plain(bare, stated) | {"claim": claim("8/5", 1)}, bare)
