"""`faier.assert_private`: what it raises, and what pytest shows of it."""

from __future__ import annotations

import re
import subprocess
import sys
from fractions import Fraction as F
from pathlib import Path

import pytest

import faier

GUIDE = (Path(__file__).parents[2] / "docs" / "how-to" / "test-your-code.md").read_text("utf-8")


@faier.mechanism(inputs=["yes", "no"], adjacent=faier.any_two)
def response(answer: str) -> str:
    return answer if faier.flip("4/5") else {"yes": "no", "no": "yes"}[answer]


def test_what_holds_passes() -> None:
    assert isinstance(faier.assert_private(response, ratio=4), faier.Holds)
    assert faier.certify(faier.assert_private(response, ratio=4))["kind"] == "holds"


def test_what_is_broken_raises_with_its_witness() -> None:
    with pytest.raises(AssertionError) as caught:
        faier.assert_private(response, ratio=3)
    assert isinstance(caught.value, faier.PrivacyViolation)
    assert caught.value.verdict.witness.ratio == 4
    assert str(caught.value).split("\n") == [
        "violated: yes against no: after yes, 4/5 against 1/5, ratio 4 > 3 (epsilon ln(3))",
        "  of       response",
        "  claimed  ratio 3 (epsilon ln(3)), at horizon 1",
        "",
        "     symbol  yes   no  ratio  about",
        "  1  yes     4/5  1/5      4",
    ]


def test_what_is_not_decided_raises_something_else() -> None:
    model = faier.HMM(
        emit={s: {"high": p, "low": 1 - p} for s, p in (("a", F(3, 4)), ("b", F(1, 4)))},
        step={"a": {"a": "4/5", "b": "1/5"}, "b": {"a": "1/5", "b": "4/5"}},
    )
    twice = faier.HMM(
        emit={f"{s}{k}": row for k in (1, 2) for s, row in model.emit_rows().items()},
        step={
            f"{s}{k}": {f"{t}{k}": p for t, p in row.items()} for k in (1, 2) for s, row in model.step_rows().items()
        },
    )
    scenario = faier.Scenario.of(twice, [("a1", "b2")], ratio="83589/10000", horizon="any")
    with pytest.raises(faier.PrivacyUndecided) as caught:
        faier.assert_private(scenario, timeout=0.3)
    assert isinstance(caught.value, AssertionError)
    assert not isinstance(caught.value, faier.PrivacyViolation)
    assert isinstance(caught.value.verdict, faier.Unknown)
    said = str(caught.value).split("\n")
    assert said[0].startswith("not decided, neither private nor broken: ")
    assert said[1].startswith("  claimed  ratio 83589/10000")
    assert said[2].startswith("  ratio    between ")
    assert said[3].startswith("Give it more time")


def test_questions_that_make_no_sense_are_no_failures_of_an_assertion() -> None:
    with pytest.raises(faier.UsageError, match="no budget"):
        faier.assert_private(response)
    with pytest.raises(faier.UsageError, match="does not say which data sets are neighbours"):
        faier.assert_private(faier.library.noisy_max(queries=2), ratio=2)
    with pytest.raises(faier.UsageError, match="a scenario is expected, a mechanism with adjacent="):
        faier.assert_private(3, ratio=2)  # type: ignore[arg-type]


def test_mechanisms_and_targets_are_questions_everywhere(place: Path) -> None:
    (place / "coin.py").write_text(
        "import faier\n@faier.mechanism(inputs=[0, 1], adjacent='any_two')\ndef coin(bit):\n"
        "    return bit if faier.flip('2/3') else 1 - bit\n"
    )
    assert faier.epsilon(response).ratio.upper == 4
    faier.assert_private("coin.py:coin", ratio=2)
    with pytest.raises(faier.PrivacyViolation, match="ratio 2 > 3/2"):
        faier.assert_private("coin.py:coin", ratio="3/2")


def test_what_pytest_shows_is_what_the_guide_says(place: Path) -> None:
    blocks = re.findall(r"`(\w+\.py)`:\n\n```python\n(.*?)```", GUIDE, re.S)
    assert [name for name, _ in blocks] == ["clinic.py", "test_clinic.py"]
    for name, text in blocks:
        (place / name).write_text(text, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", "--color=no", "test_clinic.py"],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(Path(faier.__file__).parents[1]), "PATH": "", "COLUMNS": "150"},
    )
    assert run.returncode == 1
    (shown,) = re.findall(r"```text\n(.*?)```", GUIDE, re.S)
    pattern = re.escape(stripped(shown)).replace(re.escape("..."), ".*")
    assert re.search(pattern, stripped(run.stdout), re.S), run.stdout


def stripped(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))
