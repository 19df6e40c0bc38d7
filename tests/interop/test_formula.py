"""What is written for Redlog and QEPCAD: read back and evaluated, and run where the tool is there."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import parametric
import pytest

from faier.errors import UsageError
from faier.interop.formula import sum_of
from faier.interop.qepcad import to_qepcad
from faier.interop.redlog import to_redlog
from faier.model.hmm import HMM
from faier.number.budget import Budget
from faier.scenario.scenario import Scenario

qepcad = pytest.mark.skipif(shutil.which("qepcad") is None, reason="qepcad is not installed")


def response(range_: str = "1/3 <= _ <= 2/3", ratio: object = 2, name: str = "p") -> Scenario:
    """Randomised response with an unknown flip."""
    model = HMM(
        {"0": {"a": name, "b": f"1-{name}"}, "1": {"a": f"1-{name}", "b": name}},
        parameters={name: range_.replace("_", name)},
    )
    return Scenario.of(model, [("0", "1")], ratio=ratio, horizon=1)


def holds(formula: str, values: Mapping[str, Fraction]) -> bool:
    """Evaluate a conjunction or disjunction in Redlog's syntax, which is nearly Python's."""
    python = formula.replace("^", "**").replace("<>", "!=")
    return bool(eval(re.sub(r"(?<![<>!])=", "==", python), {}, dict(values)))


def redlog_says(script: str, values: Mapping[str, Fraction]) -> bool:
    """Whether some existential formula of a script holds at these values."""
    code = " ".join(line for line in script.splitlines() if not line.startswith("%"))
    commands = [command.split() for command in code.split(";")]
    assert [" ".join(c) for c in commands[:2]] == ["load_package redlog", "rlset ofsf"]
    defined = dict(" ".join(c).split(" := ") for c in commands if ":=" in c)
    if not holds(defined["region"], values):
        return False
    ways = [re.fullmatch(r"rlqe ex\(\{.*?\}, region and (.*)\)", d) for d in defined.values()]
    assert defined["broken"] == f"rlsimpl({' or '.join(k for k in defined if re.match('broken.', k)) or 'false'})"
    return any(holds(way[1], values) for way in ways if way)


@pytest.mark.parametrize("seed", range(12))
def test_redlogs_formulas_say_at_every_point_what_brute_force_says(seed: int) -> None:
    scenario = parametric.question(seed)
    script = to_redlog(scenario)
    assert script.isascii()
    assert max(map(len, script.splitlines())) <= 160
    for values in parametric.grid(scenario, 3):
        assert redlog_says(script, values) == parametric.broken_at(scenario, values)


def test_values_outside_the_ranges_are_outside_the_formulas() -> None:
    script = to_redlog(response())
    assert not redlog_says(script, {"p": Fraction(1, 4)})
    assert redlog_says(to_redlog(response("0 < _ < 1")), {"p": Fraction(1, 4)})


def test_names_that_tools_take_for_something_else_are_replaced() -> None:
    script = to_redlog(response(name="e_mail"))
    assert '% x1 is the parameter "e_mail"' in script
    assert "ex({x1}" in script
    assert "ex({alpha}" in to_redlog(response(name="alpha"))
    model = HMM(
        {"0": {"a": "pi*x2*P*p", "b": "1-pi*x2*P*p"}, "1": {"a": "pA", "b": "1-pA"}},
        parameters={name: f"0 < {name} < 1" for name in ("pi", "x2", "P", "p", "pA")},
    )
    script = to_redlog(Scenario.of(model, [("0", "1")], ratio=2, horizon=1))
    assert "ex({x1, x2, x3, x4, pA}" in script


def test_sums_are_written_as_people_write_them() -> None:
    asked = {(2, 1): 3, (0, 1): -1, (0, 0): -2}
    assert sum_of(asked, ("p", "q"), "*") == "3*p^2*q - q - 2"
    assert sum_of(asked, ("p", "q"), " ") == "3 p^2 q - q - 2"
    assert sum_of({(1,): -1}, ("p",), "*") == "- p"
    assert sum_of({}, ("p",), "*") == "0"


@pytest.mark.parametrize("write", [to_redlog, to_qepcad])
def test_what_has_no_formula_is_refused(write) -> None:
    with pytest.raises(UsageError, match="finite horizon"):
        write(response().claiming(horizon="any"))
    with pytest.raises(UsageError, match="no unknown parameters"):
        write(Scenario.of(HMM({"0": {"a": 1}}), [("0", "0")], ratio=1, horizon=1))
    model = HMM(
        {"0": {"a": "p", "b": "1-p"}, "1": {"a": "1/2", "b": "1/2"}},
        {"0": {"0": "1/2", "1": "1/2"}, "1": {"1": 1}},
        {"p": "1/4 <= p <= 1/2"},
    )
    with pytest.raises(UsageError, match="more than 1,000 words"):
        write(Scenario.of(model, [("0", "1")], ratio=1, horizon=30))


@pytest.mark.parametrize("write", [to_redlog, to_qepcad])
def test_an_irrational_ratio_is_said_to_be_bounded_from_below(write) -> None:
    assert "irrational" not in write(response())
    assert "irrational" in write(response().claiming(epsilon=Budget(power=Fraction(1))))


@pytest.mark.parametrize("write", [to_redlog, to_qepcad])
def test_no_name_can_break_out_of_a_comment(write) -> None:
    nasty = 'a\n;end;\r]["% é'
    model = HMM(
        {nasty: {nasty: "p", "b": "1-p"}, "x": {"b": 1}}, parameters={"p": "0 < p < 1"}
    )
    script = write(Scenario.of(model, [(nasty, "x")], ratio=1, horizon=1, title="t\n]"))
    assert script.isascii()
    assert ";end;" not in script.splitlines()
    if write is to_qepcad:
        assert script.count("]") == 1 + script[script.index("\n(") :].count("]")


def by_qepcad(script: str, seconds: float = 60) -> str:
    done = subprocess.run(
        ["qepcad", "+N20000000"], input=script, capture_output=True, text=True, timeout=seconds
    )
    match = re.search(r"equivalent quantifier-free formula:\s*(TRUE|FALSE)", done.stdout)
    assert match, done.stdout[-2000:]
    return match[1]


@qepcad
@pytest.mark.parametrize(
    ("range_", "ratio", "expected"),
    [
        ("1/3 <= _ <= 2/3", 2, "FALSE"),
        ("1/3 <= _ <= 2/3", Fraction(199, 100), "TRUE"),
        ("1/3 < _ < 2/3", 2, "FALSE"),
        ("0 < _ <= 1/2", 2, "TRUE"),
        ("0 < _ < 1/2", "(1-p)/p", "FALSE"),
        ("0 < _ < 1/2", "(1-p)/p - 1/100", "TRUE"),
    ],
)
def test_qepcad_decides_randomised_response(range_: str, ratio: object, expected: str) -> None:
    assert by_qepcad(to_qepcad(response(range_, ratio))) == expected


@qepcad
@pytest.mark.parametrize("seed", range(12))
def test_qepcad_reads_what_is_written_and_agrees_with_the_solvers(seed: int) -> None:
    from faier.engine.smt.verify import verify
    from faier.verdict import Violated

    scenario = parametric.question(seed).claiming(horizon=1)
    budget = scenario.claim.budget
    if isinstance(budget, Budget) and budget.exact is None:
        scenario = scenario.claiming(ratio=3)
    scenario = replace(scenario, title='a "title" [of sorts]')
    verdict = verify(scenario, seconds=10)
    assert by_qepcad(to_qepcad(scenario)) == ("TRUE" if isinstance(verdict, Violated) else "FALSE")
