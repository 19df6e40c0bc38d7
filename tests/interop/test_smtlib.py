"""The scripts that `to_smtlib` writes, read by both solvers as text."""

from __future__ import annotations

from fractions import Fraction

import above_threshold
import cvc5
import parametric
import pytest
import small
import z3

import reference
from faier.errors import UsageError
from faier.interop.smtlib import to_smtlib
from faier.model.hmm import HMM
from faier.scenario.scenario import Scenario

encodings = pytest.mark.parametrize("encoding", ["linear", "literal"])


def by_z3(script: str) -> str:
    solver = z3.Solver()
    solver.from_string(script)
    return str(solver.check())


def by_cvc5(script: str) -> list[str]:
    """What cvc5 prints, command by command."""
    terms = cvc5.TermManager()
    solver, symbols = cvc5.Solver(terms), cvc5.SymbolManager(terms)
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "script")
    printed = []
    while not (command := parser.nextCommand()).isNull():
        printed.append(command.invoke(solver, symbols).strip())
    return [text for text in printed if text]


@encodings
@pytest.mark.parametrize("seed", range(8))
def test_both_solvers_read_the_script_and_agree_with_brute_force(seed: int, encoding: str) -> None:
    scenario = small.question(seed)
    scenario = scenario.claiming(horizon=min(2, scenario.claim.horizon))
    script = to_smtlib(scenario, encoding)
    tight = reference.tight(scenario, scenario.claim.horizon)
    expected = "unsat" if reference.allows(scenario.claim.budget, tight) else "sat"
    assert by_z3(script) == expected
    answer, *values = by_cvc5(script)
    assert answer == expected
    if expected == "sat":
        assert "w0" in values[0]


def test_the_default_encoding_is_linear() -> None:
    assert "(set-logic QF_LRA)" in to_smtlib(above_threshold.scenario(3))
    assert "(set-logic QF_NRA)" in to_smtlib(above_threshold.scenario(3), "literal")


def test_no_name_can_break_out_of_its_comment() -> None:
    nasty = 'a\n(assert false)\r\u2028|"\\ é \ud800'
    half = Fraction(1, 2)
    model = HMM(emit={nasty: {nasty: half, "b": half}, "x": {"b": Fraction(1)}})
    script = to_smtlib(Scenario.of(model, [(nasty, "x")], ratio=1, horizon=1, title="t\n(exit)"))
    assert script.isascii()
    assert "(assert false)" not in [line.strip() for line in script.splitlines()]
    assert by_z3(script) == "sat"


def test_an_irrational_ratio_is_said_to_be_bounded_from_below() -> None:
    from faier.number.budget import Budget

    scenario = small.question(1).claiming(ratio=2)
    assert "irrational" not in to_smtlib(scenario)
    assert "irrational" in to_smtlib(scenario.claiming(epsilon=Budget(power=Fraction(1))))


def test_the_comments_explain_pairs_symbols_and_states() -> None:
    script = to_smtlib(above_threshold.scenario(3))
    for line in ("; sat:   the claim is", '; left starts from "t2r1", right from "_t2r2"', ';   0: "blank"'):
        assert line in script


def test_what_has_no_query_is_refused() -> None:
    with pytest.raises(UsageError, match="finite horizon"):
        to_smtlib(above_threshold.scenario("any"))


@encodings
@pytest.mark.parametrize("seed", range(6))
def test_scripts_with_unknown_parameters_are_read_and_agree_with_brute_force(seed: int, encoding: str) -> None:
    scenario = parametric.question(seed).claiming(horizon=1)
    script = to_smtlib(scenario, encoding)
    assert "(set-logic QF_NRA)" in script
    assert '; u_p: the parameter "p"' in script
    broken = any(parametric.broken_at(scenario, values) for values in parametric.grid(scenario))
    answer, *_ = by_cvc5(script)
    assert by_z3(script) == answer
    assert answer == "sat" or not broken


def test_a_query_of_absurd_length_is_refused_at_once() -> None:
    model = HMM(emit={"x": {"a": "1/2", "b": "1/2"}, "y": {"a": 1}}, step={"x": {"x": 1}, "y": {"y": 1}})
    with pytest.raises(UsageError, match="terms"):
        to_smtlib(Scenario.of(model, [("x", "y")], ratio=2, horizon=10**12))
