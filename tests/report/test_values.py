"""Results about unknown parameters and powers of e, in sentences, tables, pictures and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction as F
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

import faier.report
from faier.model.hmm import HMM
from faier.number.expression import parse
from faier.number.rational_function import RationalFunction
from faier.report.facts import tight_facts, verdict_facts
from faier.report.html import tight_html, verdict_html
from faier.report.path import along
from faier.report.records import tight_record, verdict_record
from faier.report.sentences import tight_sentence, verdict_sentence
from faier.report.terminal import tight_view, verdict_view
from faier.scenario.scenario import Scenario
from faier.trace import Boxes, BoxStep
from faier.verdict import Bounds, Holds, Tight, Unknown, ValuesLimit, Violated, Witness

SCHEMAS = Path(faier.report.__file__).parent
BIT = {"a": {"x": "p", "y": "1-p"}, "b": {"x": "q", "y": "1-q"}}


def scenario(
    parameters: Mapping[str, str] | None = None,
    *,
    emit: Any = None,
    constraints: tuple[str, ...] = (),
    ratio: object = 2,
    horizon: Any = 1,
) -> Scenario:
    ranges = {"p": "1/4 < p < 1", "q": "1/4 <= q <= 1/2"} if parameters is None else parameters
    model = HMM(emit or BIT, {"a": {"a": 1}, "b": {"b": 1}}, ranges, constraints)
    return Scenario.of(model, [("a", "b")], ratio=ratio, horizon=horizon)


def noise(ratio: object = 2) -> Scenario:
    """A coin with noise e^(-1/2)."""
    emit = {
        "a": {"x": "1/(1+alpha)", "y": "alpha/(1+alpha)"},
        "b": {"x": "alpha/(1+alpha)", "y": "1/(1+alpha)"},
    }
    return scenario({"alpha": "exp(-1/2)"}, emit=emit, ratio=ratio)


def proof(*rules: str, ratio: Any = F(2), rests_on: tuple[str, ...] = ()) -> Boxes:
    steps = [
        BoxStep(rule.split("/")[0], ("root", (0, True)), {"solver": rule.split("/")[1]} if "/" in rule else {})
        for rule in rules
    ]
    return Boxes(ratio, [("p", F(1, 4), F(1))], steps, rests_on)


def witness(p: F = F(3, 4), q: F = F(1, 3)) -> Witness:
    return Witness(0, True, "a", "b", ("x",), False, p, q, {"p": p, "q": q})


def limit(*approach: tuple[str, F, str], ratio: Any = F(4), parameters: Mapping[str, F] | None = None) -> ValuesLimit:
    values = {name: value for name, value, _ in approach} if parameters is None else parameters
    return ValuesLimit(0, True, "a", "b", ("x",), False, approach, values, ratio)


def violated(asked: Scenario | None = None, found: Witness | None = None) -> Violated:
    return Violated(asked or scenario(), "boxes", 0.1, None, witness=found or witness())


def holds(asked: Scenario | None = None, trace: Boxes | None = None) -> Holds:
    return Holds(asked or scenario(ratio=4), "boxes", 0.1, trace or proof("expand", "end", "end", ratio=F(4)))


def tight(ratio: Any = F(4), asked: Scenario | None = None, **changed: Any) -> Tight:
    bounds = ratio if isinstance(ratio, Bounds) else Bounds(ratio, ratio)
    made = Tight(asked or scenario(), bounds, True, witness(F(1), F(1, 4)), True, None, "boxes", 0.1, None)
    return replace(made, **changed)


def approached(ratio: Any = F(4), **changed: Any) -> Tight:
    near = limit(("p", F(1), "below"), ("q", F(1, 4), "at"), ratio=ratio)
    return tight(ratio, attained=False, **({"limit": near} | changed))


E_HALF = parse("exp(1/2)")
LEFT, RIGHT = parse("exp(1/2)/(exp(1/2) + 1)"), parse("1/(exp(1/2) + 1)")


def exponential_witness() -> Witness:
    return Witness(0, True, "a", "b", ("x",), False, LEFT, RIGHT)


def conforms(record: dict[str, Any]) -> None:
    schema = json.loads((SCHEMAS / f"{record['kind']}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(json.dumps(record, allow_nan=False)), schema)


def shown(view: Any) -> str:
    import io

    from rich.console import Console

    console = Console(file=io.StringIO(), width=100, highlight=False)
    with console.capture() as captured:
        console.print(view)
    return captured.get()


def test_a_violation_names_its_values() -> None:
    assert verdict_sentence(violated()) == (
        "violated: a against b at p = 3/4, q = 1/3: after x, 3/4 against 1/3, ratio 9/4 > 2 (epsilon ln(2))"
    )


def test_a_ratio_in_parameters_is_shown_with_its_value() -> None:
    assert verdict_sentence(violated(scenario(ratio="1/p"))).endswith("ratio 9/4 > 1/p = 4/3 (epsilon ln(4/3))")
    assert "keeps the ratio 1/p (epsilon ln(1/p))" in verdict_sentence(holds(scenario(ratio="1/p")))


def test_what_holds_says_for_which_values() -> None:
    assert verdict_sentence(holds()) == (
        "holds: every word keeps the ratio 4 (epsilon ln(4)), at horizon 1, for all values of p, q"
    )


def test_many_parameters_are_shortened() -> None:
    names = [f"p{i}" for i in range(12)]
    emit = {"a": {f"x{i}": f"{n}/12" for i, n in enumerate(names)} | {"rest": f"1-({'+'.join(names)})/12"}}
    model = HMM(emit, {}, {n: f"0 < {n} < 1" for n in names})
    asked = Scenario.of(model, [("a", "a")], ratio=2, horizon=1)
    assert verdict_sentence(holds(asked)).endswith(
        "for all values of p0, p1, p2, p3, p4, p5, ... (12 parameters)"
    )
    found = replace(witness(), parameters=dict.fromkeys(names, F(1, 2)))
    text = verdict_sentence(violated(asked, found))
    assert "at p0 = 1/2, p1 = 1/2, p2 = 1/2, p3 = 1/2, p4 = 1/2, p5 = 1/2, ... (12 parameters): after x" in text
    facts = dict(verdict_facts(violated(asked, found)))
    assert "p11 = 1/2" in facts["broken at"]
    assert facts["parameters"].endswith("0 < p5 < 1, ... (12 parameters)")


def test_constraints_are_said() -> None:
    asked = scenario({"p": "0 <= p <= 1", "q": "0 <= q <= 1"}, constraints=("p <= q",))
    assert verdict_sentence(holds(asked)).endswith("for all values of p, q that the constraints allow")
    assert ("constraints", "p <= q") in verdict_facts(holds(asked))


def test_constants_are_no_unknowns() -> None:
    assert verdict_sentence(Holds(noise(), "boxes", 0, None)).endswith("(epsilon ln(2)), at horizon 1")
    assert ("parameters", "alpha = exp(-1/2)") in verdict_facts(Holds(noise(), "boxes", 0, None))


def test_named_solvers_are_said_in_words_and_in_json() -> None:
    rests = holds(trace=proof("solver/z3", "end", "solver/z3", "solver/cvc5", rests_on=("z3", "cvc5")))
    assert verdict_sentence(rests).endswith(
        "for all values of p, q, resting on z3's word for 2 steps and cvc5's word for 1 step"
    )
    record = verdict_record(rests)
    assert record["rests_on"] == ["z3", "cvc5"]
    conforms(record)
    assert ("rests on", "z3, for 2 steps") in verdict_facts(rests)
    assert "rests_on" not in verdict_record(holds())
    found = approached(trace=proof("solver/z3", rests_on=("z3",)))
    assert tight_sentence(found).endswith("resting on z3's word for 1 step")
    conforms(tight_record(found))


def test_unknown_says_for_which_values() -> None:
    verdict = Unknown(scenario(), "boxes", 1, None, reason="interrupted", bounds=Bounds(F(1), math.inf))
    assert verdict_sentence(verdict).endswith("at horizon 1, for all values of p, q")
    verdict = replace(verdict, bounds=Bounds(E_HALF, F(2)))
    assert "lies between exp(1/2) and 2" in verdict_sentence(verdict)
    conforms(verdict_record(verdict))


def test_an_attained_supremum_names_its_values() -> None:
    assert tight_sentence(tight()) == (
        "epsilon is exactly ln(4), about 1.386294, at horizon 1, over all values of p, q: "
        "a against b at p = 1, q = 1/4: after x, 1 against 1/4, ratio 4"
    )
    assert ("attained at", "p = 1, q = 1/4") in tight_facts(tight())


def test_a_supremum_that_is_approached() -> None:
    near = replace(approached(), witness=witness(F(999, 1000), F(1, 4)))
    assert tight_sentence(near) == (
        "epsilon is exactly ln(4), about 1.386294, at horizon 1, over all values of p, q: "
        "a against b: after x, approached, not reached, as p -> 1, with q = 1/4"
    )
    assert ("near it", "p = 999/1000, q = 1/4: ratio about 3.996") in tight_facts(near)


@pytest.mark.parametrize(
    ("approach", "words"),
    [
        ((("p", F(1), "below"),), "as p -> 1"),
        ((("p", F(0), "above"), ("q", F(1), "below"), ("r", F(1), "below")), "as p -> 0, q, r -> 1"),
        ((("p", F(0), "above"), ("q", F(1), "below"), ("r", F(0), "above")), "as p -> 0, q -> 1, r -> 0"),
        ((("q", F(1, 3), "at"), ("p", F(0), "above")), "as p -> 0, with q = 1/3"),
    ],
)
def test_what_is_approached(approach: Any, words: str) -> None:
    assert tight_sentence(approached(limit=limit(*approach))).endswith(f"not reached, {words}")


def test_shares_are_said_as_the_parameters_they_stand_for() -> None:
    names = ("p", "q", "r")
    emit = {"a": {"x": "p", "y": "q", "z": "r"}, "b": {"x": "1/2", "y": "1/4", "z": "1/4"}}
    asked = scenario({n: f"0 < {n} < 1" for n in names}, emit=emit, constraints=("p + q + r == 1",))
    # q takes a third of what p leaves.
    near = limit(("q", F(1, 3), "at"), ("p", F(0), "above"), parameters={"p": F(0), "q": F(1, 3), "r": F(2, 3)})
    assert tight_sentence(tight(asked=asked, attained=False, limit=near)).endswith(
        "not reached, as p -> 0, q -> 1/3, r -> 2/3"
    )
    unclear = replace(near, parameters={})
    assert tight_sentence(tight(asked=asked, attained=False, limit=unclear)).endswith("as q -> 1/3, p -> 0")


def test_infinite_because_of_values_or_of_words() -> None:
    by_values = approached(math.inf)
    assert tight_sentence(by_values) == (
        "epsilon is infinite, at horizon 1, over all values of p, q: "
        "a against b: after x, the ratio grows without bound as p -> 1, with q = 1/4"
    )
    by_words = tight(math.inf, attained=False, witness=None)
    assert tight_sentence(by_words).endswith("; the ratios of longer and longer words grow without bound")
    one_word = replace(witness(), right_probability=F(0))
    assert "at p = 3/4, q = 1/3: after x, 3/4 against 0, ratio infinity" in tight_sentence(
        tight(math.inf, witness=one_word)
    )


def test_an_enclosure_whose_lower_end_is_approached() -> None:
    found = approached(ratio=F(4), complete=False, reason="interrupted")
    found = replace(found, ratio=Bounds(F(4), F(5)))
    assert tight_sentence(found).endswith(
        "lies between 4 and 5, the lower end approached as p -> 1, with q = 1/4; "
        "stopped before the tolerance was reached: interrupted"
    )


def test_powers_of_e_in_sentences() -> None:
    found = Tight(noise(), Bounds(E_HALF, E_HALF), True, exponential_witness(), True, None, "boxes", 0, None)
    assert tight_sentence(found) == (
        "epsilon is exactly 1/2, about 0.5, at horizon 1: "
        "a against b: after x, exp(1/2)/(exp(1/2) + 1) against 1/(exp(1/2) + 1), ratio exp(1/2)"
    )
    broken = violated(noise("8/5"), exponential_witness())
    assert verdict_sentence(broken).endswith("ratio exp(1/2) > 8/5 (epsilon ln(8/5))")


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        ("3*exp(1/2)", "exactly 1/2 + ln(3), about 1.598612"),
        ("exp(-7/3)", "exactly -7/3, about -2.333333"),
        ("(exp(1) + 1)/2", "exactly ln((exp(1) + 1)/2), about 0.6201145"),
    ],
)
def test_logarithms_of_powers_of_e(ratio: str, words: str) -> None:
    value = parse(ratio)
    assert f"epsilon is {words}, at" in tight_sentence(tight(value, asked=noise(), witness=None))


def test_long_expressions_are_shortened() -> None:
    long = parse("+".join(f"{7**i}*exp({i}/3)" for i in range(1, 20)))
    text = tight_sentence(tight(long, asked=noise(), witness=None))
    assert "..." in text
    assert len(text) < 200


def test_json_of_limits() -> None:
    record = tight_record(approached())
    conforms(record)
    assert record["limit"] == {
        "left": "a",
        "right": "b",
        "word": ["x"],
        "ended": False,
        "approach": [["p", "1", "below"], ["q", "1/4", "at"]],
        "parameters": {"p": "1", "q": "1/4"},
        "ratio": "4",
    }
    infinite = tight_record(approached(math.inf))
    conforms(infinite)
    assert infinite["limit"]["ratio"] == "infinity"  # type: ignore[index]


def test_json_of_powers_of_e() -> None:
    found = Tight(noise(), Bounds(E_HALF, E_HALF), True, exponential_witness(), True, None, "boxes", 0, None)
    record = tight_record(found)
    conforms(record)
    assert record["ratio"] == {"lower": "exp(1/2)", "upper": "exp(1/2)"}
    assert record["epsilon"] == {"lower": 0.5, "upper": 0.5}
    assert record["witness"]["left_probability"] == "exp(1/2)/(exp(1/2) + 1)"  # type: ignore[index]
    broken = verdict_record(violated())
    conforms(broken)
    assert broken["witness"]["parameters"] == {"p": "3/4", "q": "1/3"}  # type: ignore[index]


@pytest.mark.parametrize("text", ["exp(1/2", "exp(2)", "import os", "exp(1/2)/alpha", "1/", ""])
def test_the_schema_knows_what_is_no_number(text: str) -> None:
    record = verdict_record(violated())
    record["witness"]["ratio"] = text  # type: ignore[index]
    with pytest.raises(jsonschema.ValidationError):
        conforms(record)


def test_path_at_the_values_of_the_witness() -> None:
    found = replace(witness(), word=("x", "y"), ended=False)
    points = along(scenario(horizon=2), found)
    assert points is not None
    assert [(p.left, p.right) for p in points] == [(F(3, 4), F(1, 3)), (F(3, 16), F(2, 9))]


def test_path_of_a_complete_run_with_moves() -> None:
    emit = {"a": {"x": "p", "y": "1-p"}, "b": {"x": "1/2", "y": "1/2"}}
    model = HMM(emit, {"a": {"a": "p", "b": "1-p"}}, {"p": "0 < p < 1"})
    asked = Scenario.of(model, [("a", "b")], ratio=2, horizon=2)
    found = Witness(0, True, "a", "b", ("x", "x"), True, F(1), F(1), {"p": F(1, 3)})
    points = along(asked, found)
    assert points is not None
    assert [p.left for p in points] == [F(1, 3), F(1, 3) * (F(1, 9) + F(1, 3)), F(1, 9)]
    assert [p.right for p in points] == [F(1, 2), F(0), F(0)]
    assert points[-1].ends


def test_path_in_powers_of_e() -> None:
    points = along(noise(), exponential_witness())
    assert points is not None
    assert (points[0].left, points[0].right, points[0].ratio) == (LEFT, RIGHT, E_HALF)


def test_no_path_without_values_or_with_too_much_work() -> None:
    assert along(scenario(), replace(witness(), parameters={"p": F(1, 2)})) is None
    assert along(noise(), replace(exponential_witness(), word=("x",) * 2000)) is None


def test_tables_and_pictures() -> None:
    text = shown(verdict_view(violated()))
    assert "x       3/4  1/3    9/4" in text
    assert "parameters  1/4 < p < 1, 1/4 <= q <= 1/2" in text
    assert "broken at   p = 3/4, q = 1/3" in text
    assert "1.648721" in shown(verdict_view(violated(noise("8/5"), exponential_witness())))
    halved = shown(verdict_view(holds(trace=proof("split", "end", "end"))))
    assert "proof       3 steps, ranges halved once" in halved
    assert "near it" in shown(tight_view(approached()))
    pages = [
        verdict_html(violated()),
        verdict_html(violated(scenario(ratio="1/p"))),
        verdict_html(violated(noise("8/5"), exponential_witness())),
        verdict_html(holds()),
        verdict_html(holds(scenario(ratio="1/p"), proof("end", ratio=RationalFunction.parameter("p") ** -1))),
        tight_html(approached()),
        tight_html(approached(math.inf)),
        tight_html(tight(E_HALF, asked=noise(), witness=exponential_witness())),
    ]
    for page in pages:
        assert ElementTree.fromstring(page).find(".//table") is not None
        assert "nan" not in page
    assert "claimed epsilon" in pages[1]
