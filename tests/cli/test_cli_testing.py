"""`faier audit`, `faier bracket` and `faier refute` as users meet them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

SOURCE = '''
import random
import faier

noisy = faier.library.noisy_max(queries=3)
noisy.adjacent = faier.each_within(1)

def good(answers, rng):
    return tuple((a + int(rng.integers(0, 3))) % 3 for a in answers)

def bad(answers):
    noise = random.choice([-1, 0, 1])
    return tuple(a + noise for a in answers)

def dies(answers):
    raise RuntimeError("no noise")

def leaves(answers):
    raise SystemExit("two\\nlines")

def talks(answers):
    print("busy")
    return 1

@faier.mechanism(inputs=[0, 1], parameters={"lie": "1/4 <= lie <= 1/2"}, adjacent=faier.any_two)
def report(bit):
    return 1 - bit if faier.flip("lie") else bit

@faier.stream(start=0, inputs=[0, 1], adjacent=faier.any_two)
def stream(memory, bit):
    return faier.emit(bit if faier.flip("2/3") else 1 - bit, 0)

def number():
    return 3

def nothing(answers):
    pass

NUMBER = 3
'''


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "box.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_audit_rejects_and_does_not_reject(faier_run: Run, source: Path) -> None:
    bad = faier_run("audit", f"{source}:bad", "--length", "2", "--epsilon", "1", "--samples", "1000")
    assert bad.status == 1
    assert bad.out.startswith("rejected: epsilon 1 ")
    good = faier_run("audit", f"{source}:good", "--length", "2", "--epsilon", "ln 2", "--samples", "1000")
    assert good.status == 0
    assert good.out.startswith("not rejected")
    assert "this proves nothing" in good.out


def test_audit_json_has_what_is_promised(faier_run: Run, source: Path) -> None:
    answer = faier_run("audit", f"{source}:noisy", "--epsilon", "0.5", "--samples", "5000", "--seed", "7", "--json")
    record = answer.json
    promised = ["faier", "kind", "rejected", "epsilon", "p_value", "lower_bound", "confidence", "left", "right"]
    assert [*record][: len(promised)] == promised
    assert record["kind"] == "evidence"
    assert (record["epsilon"], record["seed"], record["samples"]) == (0.5, 7, 5000)
    assert record["rejected"] is True
    assert all(isinstance(word, list) for word in record["event"])
    assert answer.status == 1


def test_audit_without_a_claim_gives_a_bound(faier_run: Run, source: Path) -> None:
    answer = faier_run("audit", f"{source}:noisy", "--samples", "2000")
    assert answer.status == 0
    assert answer.out.startswith("epsilon is at least")


def test_audit_of_a_command(faier_run: Run, tmp_path: Path) -> None:
    script = tmp_path / "release.py"
    script.write_text("import sys\nfor line in sys.stdin: print(line.strip())\n", encoding="utf-8")
    command = f"{sys.executable} {script}"
    answer = faier_run("audit", "--command", command, "--length", "2", "--epsilon", "1", "--samples", "500")
    assert answer.status == 1
    script.write_text("import sys\nsys.exit('lost')\n", encoding="utf-8")
    answer = faier_run("audit", "--command", command, "--length", "2", "--epsilon", "1", "--samples", "500", "--json")
    assert answer.status == 2
    record = answer.json
    assert "ended with status 1: lost" in record["errors"][0]["message"]
    assert record["evidence"]["complete"] is False


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{box}:dies", "--length", "2"], "raised RuntimeError: no noise"),
        (["{box}:nothing", "--length", "2"], "gave nothing"),
        (["{box}:leaves", "--length", "2"], "raised SystemExit: two lines"),
        (["{box}:good", "--length", "2", "--set", "p=1"], "can only be run"),
        (["{box}:good", "--length", "2", "--horizon", "2"], "can only be run"),
        (["{box}:report"], "depend on lie"),
        (["{box}:NUMBER", "--length", "2"], "a scenario, a mechanism, or a function"),
        (["{box}:goof", "--length", "2"], "did you mean"),
        (["{box}:number", "--length", "2"], "number() returns int; what is audited"),
        (["{box}", "--length", "2"], "say what is meant"),
        (["{box}:good"], "which inputs to compare"),
        (["{box}:good", "--length", "2", "--range", "2..0"], "a range is two whole numbers"),
        (["{box}:good", "--length", "2", "--pairs", "x.json"], "not both"),
        (["{box}:good", "--pairs", "{box}"], "is not JSON"),
        (["{box}:good", "--pairs", "missing.json"], "No such file"),
        (["{box}:good", "--length", "2", "--epsilon", "many"], "epsilon"),
        (["{box}:good", "--length", "2", "--samples", "1"], "between 100 and"),
        (["{box}:good", "--length", "2", "--curve", "out.png"], ".csv or .svg"),
        ([], "give a TARGET"),
    ],
)
def test_what_is_wrong_is_one_line(faier_run: Run, source: Path, arguments: list[str], said: str) -> None:
    answer = faier_run("audit", *(a.format(box=source) for a in arguments))
    assert answer.status == 2
    assert said in answer.err
    assert "Traceback" not in answer.err
    assert len(answer.err.strip().splitlines()) == 1


@pytest.mark.parametrize("ending", ["csv", "svg"])
def test_a_curve_is_written(faier_run: Run, source: Path, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"curve.{ending}"
    answer = faier_run("audit", f"{source}:noisy", "--samples", "500", "--curve", str(out))
    assert answer.status == 0
    text = out.read_text(encoding="utf-8")
    if ending == "csv":
        lines = text.splitlines()
        assert lines[0] == "epsilon,p_value"
        assert len(lines) == 26
        assert all(0 <= float(line.split(",")[1]) <= 1 for line in lines[1:])
    else:
        assert text.startswith("<svg ")
        assert text.count("<circle") == 25


def test_bracket_closes_and_certifies(faier_run: Run, source: Path, tmp_path: Path) -> None:
    proof, model = tmp_path / "proof.json", tmp_path / "model.toml"
    answer = faier_run("bracket", f"{source}:noisy", "--samples", "2000", "--certificate", str(proof))
    assert answer.status == 0
    assert answer.out.startswith("epsilon is exactly ln(24/7)")
    assert faier_run("convert", f"{source}:noisy", "--to", "toml", "-o", str(model)).status == 0
    assert faier_run("check", str(proof), str(model)).status == 0


def test_bracket_of_what_can_only_be_run_is_an_estimate(faier_run: Run, source: Path) -> None:
    answer = faier_run("bracket", f"{source}:bad", "--length", "1", "--samples", "2000", "--json")
    assert answer.status == 3
    record = answer.json
    assert record["proved"] is False
    assert record["learned"]["estimate"] is True


def test_refute_confirms_and_refutes(faier_run: Run, source: Path, tmp_path: Path) -> None:
    claim = tmp_path / "claim.json"
    said = {"left": [1, 1, 1], "right": [0, 2, 2], "event": [[1]]}
    for epsilon, outcome, status in ((1.2, "confirmed", 0), (1.24, "refuted", 1)):
        claim.write_text(json.dumps({**said, "epsilon": epsilon}), encoding="utf-8")
        answer = faier_run("refute", f"{source}:noisy", str(claim), "--json")
        record = answer.json
        assert (record["kind"], record["outcome"], answer.status) == ("refutation", outcome, status)
        assert record["claim"] == epsilon
        assert record["exact"]["ratio"] == "24/7"
        shown = faier_run("refute", f"{source}:noisy", str(claim)).out
        assert shown.startswith(outcome)
        # A word of one symbol is shown as the symbol.
        assert "\nevent    1\n" in shown


def test_refute_needs_a_model_and_a_claim(faier_run: Run, source: Path, tmp_path: Path) -> None:
    claim = tmp_path / "claim.json"
    claim.write_text("[1]", encoding="utf-8")
    assert "an object is expected" in faier_run("refute", f"{source}:noisy", str(claim)).err
    claim.write_text('{"left": 1}', encoding="utf-8")
    assert "right is missing" in faier_run("refute", f"{source}:noisy", str(claim)).err
    assert "no exact model" in faier_run("refute", f"{source}:bad", str(claim)).err


def test_a_delta_in_the_file_is_said_to_play_no_part(faier_run: Run, model: Path) -> None:
    text = model.read_text(encoding="utf-8")
    model.write_text(text.replace('ratio = "2"', 'ratio = "2"\ndelta = "1/2"'), encoding="utf-8")
    answer = faier_run("audit", model, "--epsilon", "1", "--samples", "500")
    assert "delta of the claim plays no part" in answer.err


@pytest.mark.parametrize("command", ["audit", "bracket"])
def test_what_a_sampler_prints_is_not_on_stdout(faier_run: Run, source: Path, command: str) -> None:
    answer = faier_run(command, f"{source}:talks", "--length", "2", "--samples", "500", "--json")
    assert json.loads(answer.out)["kind"] in ("evidence", "bracket")
    assert "busy" in answer.err


def test_parameters_of_a_mechanism_are_given_values(faier_run: Run, source: Path, tmp_path: Path) -> None:
    numbers = ("--set", "lie=1/4")
    audited = faier_run("audit", f"{source}:report", *numbers, "--epsilon", "1", "--samples", "5000", "--json")
    assert json.loads(audited.out)["rejected"] is True
    closed = faier_run("bracket", f"{source}:report", *numbers, "--samples", "5000")
    assert closed.out.startswith("epsilon is exactly ln(3)")
    claim = tmp_path / "claim.json"
    claim.write_text('{"left": 0, "right": 1, "event": [[0]], "epsilon": 1}', encoding="utf-8")
    decided = faier_run("refute", f"{source}:report", str(claim), *numbers, "--json")
    assert json.loads(decided.out)["exact"]["ratio"] == "3"
    assert "depend on lie" in faier_run("refute", f"{source}:report", str(claim)).err


def test_what_is_said_of_a_stream_is_decided(faier_run: Run, source: Path, tmp_path: Path) -> None:
    claim = tmp_path / "claim.json"
    written = {"left": "0", "right": "0", "event": [[[0, 1, 0], [0, 1, 0]]], "epsilon": 1}
    claim.write_text(json.dumps(written), encoding="utf-8")
    answer = faier_run("refute", f"{source}:stream", str(claim), "--json")
    assert (json.loads(answer.out)["exact"]["ratio"], answer.status) == ("4", 0)
    assert "event    0[0|1] 0[0|1]\n" in faier_run("refute", f"{source}:stream", str(claim)).out


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"left": {"a": 1}}, "numbers, strings, and lists of these"),
        ({"event": [[{"a": 1}]]}, "numbers, strings, and lists of these"),
        ({"epsilon": "1e9999999999"}, "an exponent of at most 10000"),
        ({"epsilon": "1e-9999999999"}, "an exponent of at most 10000"),
    ],
)
def test_a_claim_of_the_wrong_kind_is_one_line(
    faier_run: Run, source: Path, tmp_path: Path, changed: dict[str, object], said: str
) -> None:
    claim = tmp_path / "claim.json"
    right = {"left": [1, 1, 1], "right": [0, 2, 2], "event": [[1]], "epsilon": 1}
    claim.write_text(json.dumps(right | changed), encoding="utf-8")
    answer = faier_run("refute", f"{source}:noisy", str(claim))
    assert answer.status == 2
    assert said in answer.err
    assert len(answer.err.strip().splitlines()) == 1


def test_pairs_of_the_wrong_kind_are_one_line(faier_run: Run, source: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.json"
    pairs.write_text('[[[1, 1], {"a": 1}]]', encoding="utf-8")
    answer = faier_run("audit", f"{source}:good", "--pairs", str(pairs))
    assert (answer.status, "a data set is a number" in answer.err) == (2, True)
