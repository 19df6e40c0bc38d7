"""`faier.assert_private`: what it raises, and what pytest shows of it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import faier

EXAMPLES = Path(__file__).parents[2] / "examples"
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
    chain = EXAMPLES / "activity_chain.toml"
    with pytest.raises(faier.PrivacyUndecided) as caught:
        faier.assert_private(chain, ratio="83588989/10000000", horizon="any", timeout=0.001)
    assert isinstance(caught.value, AssertionError)
    assert not isinstance(caught.value, faier.PrivacyViolation)
    assert isinstance(caught.value.verdict, faier.Unknown)
    said = str(caught.value).split("\n")
    assert said[0].startswith("not decided, neither private nor broken: ")
    assert said[1].startswith("  of       Activity")
    assert said[2].startswith("  claimed  ratio 83588989/10000000")
    assert said[3].startswith("  ratio    between ")
    assert said[4].startswith("Give it more time")


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


def test_a_broken_claim_with_a_delta_shows_its_event() -> None:
    faier.assert_private(response, epsilon="ln 2", delta="2/5")
    with pytest.raises(faier.PrivacyViolation) as caught:
        faier.assert_private(response, epsilon="ln 2", delta="1/10")
    said = str(caught.value)
    assert said.startswith("violated: yes against no: the word yes has probability 4/5 against 1/5")
    assert "delta shown  2/5" in said
