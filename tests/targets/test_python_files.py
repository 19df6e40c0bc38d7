"""Commands about `path/to/file.py:name`: what may be named, and the same answers as for model files."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

import faier
from faier.certificate.digest import digest

Run = Callable[..., Any]

SURVEY = """\
import faier

rr = dict(inputs=["yes", "no"], adjacent=faier.any_two)

@faier.mechanism(**rr)
def response(answer):
    return answer if faier.flip("3/4") else faier.draw({"yes": "1/2", "no": "1/2"})

claimed = faier.differential_privacy(response, ratio=7)

def made():
    print("being made")
    return faier.differential_privacy(response, epsilon="ln 7")

def makes_a_mechanism(truth="3/4"):
    return response

noisy = faier.library.noisy_max(queries=2)
moving = faier.differential_privacy(noisy, adjacent=faier.each_within(1))
unknown = faier.differential_privacy(
    faier.library.truncated_geometric(alpha="alpha", parameters={"alpha": "0 < alpha < 1"}),
    adjacent=faier.each_within(1), ratio=2,
)

class Kept:
    inside = claimed

def of(answer):
    return answer

number = 3
nothing = lambda: None
"""


@pytest.fixture
def survey(place: Path) -> Path:
    path = place / "survey.py"
    path.write_text(SURVEY, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["response", "claimed", "made", "makes_a_mechanism", "Kept.inside"])
@pytest.mark.usefixtures("survey")
def test_what_may_be_named(run: Run, name: str) -> None:
    answer = run("epsilon", f"survey.py:{name}")
    assert answer.status == 0
    assert answer.out.startswith("epsilon is exactly ln(7), about 1.94591, at horizon 1: yes against no: after yes")


@pytest.mark.usefixtures("survey")
def test_every_command_takes_a_python_target(run: Run) -> None:
    assert run("verify", "survey.py:claimed").status == 0
    assert run("verify", "survey.py:claimed", "--ratio", "6").status == 1
    calibrated = run("calibrate", "survey.py:unknown", "--minimise", "alpha", "--json")
    assert json.loads(calibrated.out)["safe"] == "1/2"
    region = run("region", "survey.py:unknown", "--over", "alpha", "--effort", "20", "--json")
    assert json.loads(region.out)["kind"] == "region"
    assert run("epsilon", "survey.py:unknown", "--set", "alpha=1/3").out.startswith("epsilon is exactly ln(3)")


def test_the_folder_may_be_another_one(run: Run, survey: Path) -> None:
    folder = survey.parent / "deep" / "er"
    folder.mkdir(parents=True)
    (folder / "helper.py").write_text("RATIO = 7\n")
    (folder / "mine.py").write_text(SURVEY.replace("ratio=7", "ratio=RATIO").replace("import faier", "import faier\n"
                                    "from helper import RATIO"))
    assert run("verify", "deep/er/mine.py:claimed").status == 0
    assert run("verify", folder / "mine.py:claimed").status == 0


@pytest.mark.usefixtures("survey")
def test_python_values_in_json(run: Run) -> None:
    witness = json.loads(run("epsilon", "survey.py:moving", "--json").out)["witness"]
    assert (witness["left"], witness["right"], witness["word"], witness["ratio"]) == ([1, 1], [0, 2], [1], "12/5")


@pytest.mark.usefixtures("survey")
def test_python_values_in_the_json_of_every_command() -> None:
    scenario = faier.load("survey.py:moving")
    point = faier.profile(scenario, ratio=2).to_dict()["points"][0]
    assert (point["left"], point["right"]) == ([1, 1], [0, 2])
    broken = faier.verify(scenario, ratio=2, delta="1/100").to_dict()["witness"]
    assert (broken["left"], broken["right"]) == ([1, 1], [0, 2])
    left_out = faier.verify(faier.load("survey.py:unknown").fixing({"alpha": "1/2"}), possible="both").to_dict()
    assert all(isinstance(entry["left"], int) for entry in left_out.get("left_out", []))


@pytest.mark.usefixtures("survey")
def test_what_the_file_prints_does_not_reach_stdout(run: Run) -> None:
    answer = run("verify", "survey.py:made", "--json")
    assert json.loads(answer.out)["verdict"] == "holds"
    assert "being made" in answer.err


def test_a_certificate_of_a_python_target_is_checked_against_its_model(run: Run, survey: Path) -> None:
    said = run("epsilon", "survey.py:moving", "--certificate", "proof.json")
    assert "the certificate is about the file that this writes: faier convert survey.py:moving --to toml" in said.err
    assert run("convert", "survey.py:moving", "--to", "toml", "-o", "moving.toml").status == 0
    assert run("check", "proof.json", "moving.toml").out.startswith("valid: ")
    assert digest(faier.load("moving.toml")) == digest(faier.load("survey.py:moving"))
    refused = run("check", "proof.json", "survey.py:moving")
    assert refused.status == 2
    assert "faier convert TARGET --to toml -o MODEL" in refused.err
    assert run("check", "proof.json", survey).status == 2


@pytest.mark.usefixtures("survey")
def test_parameters_stay_when_converted(run: Run) -> None:
    run("convert", "survey.py:unknown", "--to", "toml", "-o", "unknown.toml")
    run("convert", "survey.py:unknown", "--set", "alpha=1/3", "--to", "toml", "-o", "fixed.toml")
    assert digest(faier.load("unknown.toml")) == digest(faier.load("survey.py:unknown"))
    assert run("epsilon", "fixed.toml").out.startswith("epsilon is exactly ln(3)")


@pytest.mark.usefixtures("survey")
def test_in_python() -> None:
    assert faier.epsilon("survey.py:response").ratio.upper == 7
    assert faier.load(Path("survey.py:claimed")).claim.budget.exact == F(7)


def test_a_changed_file_is_read_again(survey: Path) -> None:
    assert faier.epsilon("survey.py:claimed").ratio.upper == 7
    survey.write_text(SURVEY.replace('"3/4"', '"2/4"'))
    assert faier.epsilon("survey.py:claimed").ratio.upper == 3


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("survey.py:respons", "there is no 'respons' in survey.py; did you mean 'response'?"),
        (
            "survey.py",
            "say what is meant in survey.py: there are survey.py:response, survey.py:claimed, survey.py:made, "
            "survey.py:makes_a_mechanism, survey.py:noisy, survey.py:moving, survey.py:unknown, survey.py:nothing",
        ),
        ("survey.py:", "say what is meant in survey.py"),
        ("survey.py:noisy", "the mechanism does not say which data sets are neighbours; give adjacent="),
        ("survey.py:of", "survey.py:of takes answer; a target is a faier.Scenario"),
        ("survey.py:number", "survey.py:number is 3; a target is a faier.Scenario"),
        ("survey.py:nothing", "survey.py:nothing() returns nothing; return the scenario"),
        ("survey.py:Kept", "survey.py:Kept is the class Kept"),
        ("other.py:claimed", "other.py: there is no such file"),
    ],
)
@pytest.mark.usefixtures("survey")
def test_names_that_are_not_there(run: Run, name: str, message: str) -> None:
    answer = run("verify", name)
    assert answer.status == 2
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1


def failing(place: Path, text: str, name: str = "target") -> str:
    (place / "wrong.py").write_text(text, encoding="utf-8")
    with pytest.raises(faier.FaierError) as caught:
        faier.load(f"wrong.py:{name}")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "import faier\nimport no_such_module\n",
            "wrong.py (line 2): ModuleNotFoundError: No module named 'no_such_module', at import no_such_module",
        ),
        ("import faier\nif True\n", "wrong.py (line 2): SyntaxError: expected ':': if True"),
        ("import sys\nsys.exit(0)\n", "wrong.py (line 2): SystemExit: 0, at sys.exit(0)"),
        (
            "def deep(n):\n    return 1 / n if n == 0 else deep(n - 1)\ntarget = deep(1)\n",
            "wrong.py (line 2): ZeroDivisionError: division by zero\n"
            "  line 3, in <module>: target = deep(1)\n"
            "  line 2, in deep: return 1 / n if n == 0 else deep(n - 1)\n"
            "  line 2, in deep: return 1 / n if n == 0 else deep(n - 1)",
        ),
        (
            "import faier\ntarget = faier.HMM(emit={'a': {'x': '1/2'}})\n",
            "wrong.py (line 2): model.emit.a: the row sums to 1/2, not 1",
        ),
        (
            "import faier\ntarget = faier.differential_privacy(\n    faier.library.noisy_max(queries=2), adjacent=3)\n",
            "wrong.py (line 2): adjacent is faier.one_record",
        ),
        ("import json\ntarget = json.loads('{')\n", "wrong.py (line 2): JSONDecodeError: Expecting property name"),
        (
            "import faier\n@faier.mechanism(inputs=[0, 1], adjacent=faier.any_two)\ndef target(bit):\n"
            "    return [bit][faier.draw({0: '1/2', 1: '1/2'})]\n",
            "wrong.py: target(0), after 1 draw: 1: it raised IndexError: list index out of range",
        ),
        ("async def target():\n    return 1\n", "wrong.py:target() returns a coroutine"),
        ("x = '\ud800'\n".encode("utf-8", "replace").decode() + "target = undefined\n", "NameError: name 'undefined'"),
    ],
)
def test_what_goes_wrong_in_the_file_is_said_by_its_own_lines(place: Path, text: str, message: str) -> None:
    assert failing(place, text).startswith(message) or message in failing(place, text)


def test_an_error_in_a_helper_of_the_users_is_shown_there(place: Path) -> None:
    (place / "helper.py").write_text("def helps():\n    raise KeyError('alpha')\n")
    message = failing(place, "from helper import helps\ntarget = helps()\n")
    assert message == (
        "wrong.py (line 2): KeyError: 'alpha'\n  line 2, in <module>: target = helps()\n"
        "  helper.py, line 2, in helps: raise KeyError('alpha')"
    )


def test_a_file_named_like_something_that_faier_needs_is_in_nobodys_way(run: Run, place: Path) -> None:
    (place / "rich.py").write_text("raise RuntimeError('not the package')\n")
    (place / "random.py").write_text(SURVEY)
    assert run("epsilon", "random.py:claimed").out.startswith("epsilon is exactly ln(7)")
    import random

    assert not hasattr(random, "claimed")


def test_a_certificate_does_not_replace_the_file_itself(run: Run, survey: Path) -> None:
    answer = run("verify", "survey.py:claimed", "--certificate", "survey.py")
    assert answer.status == 2
    assert survey.read_text() == SURVEY


def test_what_functions_import_when_they_are_called_is_found(run: Run, place: Path) -> None:
    (place / "later_helper.py").write_text("P = '3/4'\n")
    (place / "late.py").write_text(
        "import faier\n@faier.mechanism(inputs=[0, 1], adjacent='any_two')\ndef coin(bit):\n"
        "    from later_helper import P\n    return bit if faier.flip(P) else 1 - bit\n"
    )
    assert run("epsilon", "late.py:coin").out.startswith("epsilon is exactly ln(3)")


def test_the_example_in_python(run: Run) -> None:
    path = Path(__file__).parents[2] / "examples" / "noisy_max.py"
    assert run("epsilon", f"{path}:five").out.startswith("epsilon is exactly ln(288/73), about 1.372501")
    assert run("epsilon", f"{path}:careless").out.startswith("epsilon is exactly ln(4), about 1.386294")
