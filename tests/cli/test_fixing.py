"""Parameters fixed by numbers: in Python, and with --set."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import faier
from faier.model.toml_write import dumps
from faier.scenario.load import loads

Run = Callable[..., Any]

RATES = """\
faier = 1
constraints = ["q <= p"]

[parameters]
p = "0 < p < 1"
q = "0 <= q <= 1/2"

[model.emit]
"0" = { "~0" = "2/3", "~1" = "1/6", "~2" = "1/6" }
"1" = { "~0" = "1/3", "~1" = "1/3", "~2" = "1/3" }
"2" = { "~0" = "1/6", "~1" = "1/6", "~2" = "2/3" }

[beliefs]
ill = { "1" = "2*q*(1-q)/(1-(1-q)^2)", "2" = "q^2/(1-(1-q)^2)" }
any = { "0" = "(1-p)^2", "1" = "2*p*(1-p)", "2" = "p^2" }

[[compare]]
left = "ill"
right = "any"

[claim]
ratio = "2 + q"
horizon = 1
"""

SHARES = """\
faier = 1
constraints = ["p0 + p1 + p2 == 1"]

[parameters]
p0 = "0 <= p0 <= 1"
p1 = "0 <= p1 <= 1/2"
p2 = "0 <= p2 <= 1"

[model.emit]
a = { x = "p2/2", y = "1 - p2/2" }
b = { x = "1/3", y = "2/3" }
c = { x = "1/4", y = "3/4" }

[beliefs]
mixed = { a = "p0", b = "p1", c = "p2" }

[[compare]]
left = "mixed"
right = "b"

[claim]
ratio = "3"
horizon = 1
"""


def written(scenario: faier.Scenario) -> faier.Scenario:
    """The scenario read back from its own file."""
    return loads(dumps(scenario))


@pytest.mark.parametrize(
    ("text", "line", "values"),
    [
        (RATES, 'p = "0 < p < 1"', {"p": "1/3"}),
        (RATES, 'p = "0 < p < 1"', {"p": "0.25"}),
        (RATES, 'q = "0 <= q <= 1/2"', {"q": "1/2"}),
        (RATES, 'q = "0 <= q <= 1/2"', {"q": "exp(-3/2)"}),
        (SHARES, 'p0 = "0 <= p0 <= 1"', {"p0": "1/2"}),
        (SHARES, 'p1 = "0 <= p1 <= 1/2"', {"p1": "0"}),
    ],
)
def test_fixing_is_writing_the_number_in_the_file(text: str, line: str, values: dict[str, str]) -> None:
    ((name, value),) = values.items()
    fixed = loads(text).fixing(values)
    assert fixed == loads(text.replace(line, f'{name} = "{value}"'))
    assert written(fixed) == fixed


def test_all_fixed_is_a_model_of_numbers() -> None:
    fixed = loads(RATES).fixing({"p": "1/2", "q": "1/4"})
    assert not fixed.uses_unknowns
    assert str(fixed.claim.budget) == "ln(9/4)"
    assert dict(fixed.model.parameters) == {"p": "1/2", "q": "1/4"}
    assert isinstance(faier.verify(fixed), faier.Holds)
    assert written(fixed) == fixed


def test_what_a_constraint_determines_needs_no_value() -> None:
    fixed = loads(SHARES).fixing({"p0": "1/2", "p1": "1/3"})
    tight = faier.epsilon(fixed)
    assert tight.exact
    assert tight.witness is not None
    assert {n: str(v) for n, v in tight.witness.parameters.items()} == {"p2": "1/6"}
    everything = loads(SHARES).fixing({"p0": "1/2", "p1": "1/3", "p2": "1/6"})
    assert faier.epsilon(everything).ratio == tight.ratio


def test_fractions_and_integers_are_numbers_as_well() -> None:
    from fractions import Fraction as F

    assert loads(RATES).fixing({"p": F(1, 3)}) == loads(RATES).fixing({"p": "1/3"})
    assert loads(SHARES).fixing({"p1": 0}) == loads(SHARES).fixing({"p1": "0"})
    assert loads(RATES).fixing({}) == loads(RATES)


@pytest.mark.parametrize(
    ("text", "values", "message"),
    [
        (RATES, {"p": "1"}, "p = 1 is outside its range 0 < p < 1"),
        (RATES, {"p": "exp(1/10)"}, "outside its range"),
        (RATES, {"q": "2/3"}, "q = 2/3 is outside its range 0 <= q <= 1/2"),
        (RATES, {"P": "1/2"}, r"unknown parameter 'P'; did you mean 'p'\?|unknown parameter 'P'; known are p, q"),
        (RATES, {"rate": "1/2"}, "unknown parameter 'rate'; known are p, q"),
        (RATES, {"p": "1/3", "q": "1/2"}, "the constraints do not allow p = 1/3, q = 1/2"),
        (RATES, {"p": "exp(-2)", "q": "1/2"}, "the constraints do not allow"),
        (RATES, {"p": "exp(-1/2)", "q": "exp(-1/4)"}, r"q = exp\(-1/4\) is outside"),
        (SHARES.replace('a = "p0", b = "p1", c = "p2"', 'a = "p0/(p0 + p1)", b = "p1/(p0 + p1)"'),
         {"p0": "0", "p1": "0"}, "beliefs.mixed: nothing is defined at p0 = 0, p1 = 0"),
        (RATES, {"p": "q/2"}, "p is fixed by a number, but 'q/2' uses 'q'"),
        (RATES, {"p": "1 +"}, "p: a number is missing"),
        (RATES, {"p": 0.5}, 'write it as a string: "0.5"'),
        (RATES, {"p": True}, "a number is expected"),
        (SHARES, {"p0": "2/3", "p1": "1/2"}, "the constraints do not allow p0 = 2/3, p1 = 1/2"),
        (SHARES, {"p0": "1/2", "p1": "1/4", "p2": "1/8"}, "can never hold"),
        (SHARES, {"p2": "1/4", "p0": "0"}, "the constraints do not allow p2 = 1/4, p0 = 0"),
    ],
)
def test_values_that_cannot_be(text: str, values: dict[str, Any], message: str) -> None:
    with pytest.raises(faier.UsageError, match=message):
        loads(text).fixing(values)


def test_a_constant_is_fixed_already() -> None:
    fixed = loads(RATES).fixing({"p": "1/3"})
    with pytest.raises(faier.UsageError, match="p is 1/3 in the model already"):
        fixed.fixing({"p": "1/4"})
    with pytest.raises(faier.UsageError, match="the model has no unknown ones"):
        loads(RATES.replace('q = "0 <= q <= 1/2"', 'q = "1/4"')).fixing({"p": "1/3"}).fixing({"rate": 1})


def test_a_ratio_must_stay_positive() -> None:
    asked = loads(RATES).claiming(ratio="q - 1/4")
    assert str(asked.fixing({"q": "1/3"}).claim.budget) == "ln(1/12)"
    assert str(loads(RATES).claiming(ratio="3*q").fixing({"q": "exp(-1)"}).claim.budget) == "-1 + ln(3)"
    for value in ("1/4", "1/5", "exp(-2)"):
        with pytest.raises(faier.UsageError, match=r"claim\.ratio: a ratio must be positive"):
            asked.fixing({"q": value})


@pytest.fixture
def rates(tmp_path: Path) -> Path:
    path = tmp_path / "rates.toml"
    path.write_text(RATES, encoding="utf-8")
    return path


def test_set_on_the_command_line(faier_run: Run, rates: Path) -> None:
    answer = faier_run("verify", rates, "--set", "p=1/2", "--set", "q=1/4", "--json")
    assert answer.status == 0
    assert answer.json["claim"]["ratio"] == "9/4"
    assert answer.json["engine"] == "tree"
    partly = faier_run("epsilon", rates, "--set", "p = 1/2")
    assert partly.status == 0
    assert "over all values of q that the constraints allow" in partly.out
    assert "parameters   p = 1/2, 0 <= q <= 1/2" in partly.out


def test_a_ratio_of_the_command_line_is_fixed_too(faier_run: Run, rates: Path) -> None:
    answer = faier_run("verify", rates, "--set", "p=1/2", "--set", "q=1/4", "--ratio", "1/q", "--json")
    assert answer.json["claim"]["ratio"] == "4"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["p"], "a parameter is set as in p=1/3; got 'p'"),
        (["=1/3"], "a parameter is set as in p=1/3"),
        (["p="], "a parameter is set as in p=1/3"),
        (["p=1/3", "p=1/4"], "--set gives p twice"),
        (["p=2"], "p = 2 is outside its range 0 < p < 1"),
        (["p==1/3"], "p: "),
    ],
)
def test_settings_that_make_no_sense(faier_run: Run, rates: Path, settings: list[str], message: str) -> None:
    options = [part for text in settings for part in ("--set", text)]
    for command in ("verify", "epsilon"):
        answer = faier_run(command, rates, *options, "--json")
        assert answer.status == 2
        assert message in answer.json["errors"][0]["message"]


@pytest.mark.parametrize("settings", [["p=1/2"], ["p=1/2", "q=1/4"], ["p=exp(-1/2)"]])
def test_the_certificate_is_about_the_fixed_model(
    faier_run: Run, rates: Path, tmp_path: Path, settings: list[str]
) -> None:
    proof, fixed = tmp_path / "proof.json", tmp_path / "fixed.toml"
    options = [part for text in settings for part in ("--set", text)]
    answer = faier_run("verify", rates, *options, "--ratio", "40", "--certificate", proof)
    assert answer.status == 0
    assert f"this writes: faier convert {rates} --set " in answer.err
    values = dict(text.split("=") for text in settings)
    fixed.write_text(dumps(faier.load(rates).fixing(values)), encoding="utf-8")
    checked = faier_run("check", proof, fixed)
    assert checked.out.startswith("valid: ")
    assert faier_run("check", proof, rates).status == 1


def test_nothing_is_said_about_files_without_settings(faier_run: Run, rates: Path, tmp_path: Path) -> None:
    answer = faier_run("verify", rates, "--ratio", "40", "--certificate", tmp_path / "proof.json")
    assert answer.err == ""


def test_fixing_gives_no_warnings() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        faier.verify(loads(RATES).fixing({"p": "1/2"}), ratio=40)
