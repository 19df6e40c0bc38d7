"""Every theorem that the code names is proved in docs/theory.md, and its counterexamples are what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import faier
from faier_check import CertificateError, check
from faier_check.box_rules import POLYNOMIAL_RULES, WORD_RULES
from faier_check.rules import TREE_RULES

ROOT = Path(__file__).parents[1]
THEORY = (ROOT / "docs" / "theory.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"\bT\d+'?(?!\w)")

STUCK = b"""faier = 1

[model.emit]
only = { tick = 1 }

[model.step]
only = { only = 1 }

[[compare]]
left = "only"
right = "only"
one_way = true
"""


def named_in(folder: str, pattern: str) -> set[str]:
    files = sorted((ROOT / folder).rglob(pattern))
    assert files
    return {number for path in files for number in NUMBER.findall(path.read_text(encoding="utf-8"))}


def test_every_theorem_that_is_named_is_proved():
    proved = set(re.findall(r"^## (T\d+'?) \w", THEORY, re.M))
    assert named_in("src", "*.py") <= proved
    assert named_in("docs", "certificates.md") <= proved
    assert {"T1", "T3", "T4", "T5", "T6", "T7"} <= proved


def test_every_rule_of_the_checker_is_described_and_proved():
    certificates = (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8")
    boxes = THEORY[THEORY.index("## T9 boxes") :]
    for rule in {*TREE_RULES, *WORD_RULES, *POLYNOMIAL_RULES}:
        assert f"`{rule}`" in certificates, rule
        assert f"`{rule}`" in THEORY or f"*{rule}*" in THEORY, rule
    for rule in WORD_RULES:
        assert f"`{rule}`" in boxes, rule
    for rule in POLYNOMIAL_RULES.keys() - {"coefficients"}:
        assert f"- *{rule}*:" in boxes, rule


def test_links_into_the_theory_have_a_heading():
    headings = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.+)$", THEORY, re.M)
    }
    for page in (ROOT / "docs").rglob("*.md"):
        for anchor in re.findall(r"theory\.md#([\w-]+)", page.read_text(encoding="utf-8")):
            assert anchor in headings, page.name


def stuck_certificate(ratio: str) -> bytes:
    """The empty word expanded, and its only child subsumed by it: no node of the horizon's length."""
    faulty = faier.certify(faier.verify(stuck(ratio="1"), engine="tree"))
    faulty["claim"]["budget"]["base"] = ratio  # type: ignore[index]
    faulty["proof"] = {
        "rule": "tree",
        "ratio": ratio,
        "precision": 64,
        "steps": [
            {"rule": "expand", "root": [0, True]},
            {"rule": "subsume", "after": [0, 0], "by": 0, "scale": "1"},
        ],
    }
    return json.dumps(faulty).encode()


def stuck(**claim: object) -> faier.Scenario:
    model = faier.HMM(emit={"only": {"tick": 1}}, step={"only": {"only": 1}})
    pair = faier.Pair(faier.Belief.at("only"), faier.Belief.at("only"), one_way=True)
    return faier.Scenario.of(model, [pair], horizon=2, **claim)


def test_pointing_at_an_ancestor_proves_nothing_without_its_prefix():
    assert isinstance(faier.verify(stuck(ratio="1/2")), faier.Violated)
    with pytest.raises(CertificateError, match=r"expand .*the empty prefix needs a ratio of at least 1"):
        check(stuck_certificate("1/2"), STUCK)
    check(stuck_certificate("1"), STUCK)


def test_lengths_do_not_imply_one_another_under_both():
    model = faier.HMM(
        emit={
            "left": {"a": 1},
            "then b": {"b": 1},
            "right": {"a": "1/4", "d": "3/4"},
            "then c": {"c": 1},
        },
        step={
            "left": {"then b": 1},
            "then b": {"then b": 1},
            "right": {"then c": 1},
            "then c": {"then c": 1},
        },
    )
    scenario = faier.Scenario.of(model, [("left", "right")], ratio=1)
    assert isinstance(faier.verify(scenario, horizon=1, possible="both"), faier.Violated)
    assert isinstance(faier.verify(scenario, horizon=2, possible="both"), faier.Holds)
    assert isinstance(faier.verify(scenario, horizon=2), faier.Violated)


def test_the_published_factor_does_not_separate_formulas():
    for name in ("formula_satisfiable", "formula_unsatisfiable"):
        path = ROOT / "examples" / f"{name}.toml"
        assert isinstance(faier.verify(path, ratio=4), faier.Holds)
    satisfiable, unsatisfiable = (
        faier.epsilon(ROOT / "examples" / f"{name}.toml").ratio.upper
        for name in ("formula_satisfiable", "formula_unsatisfiable")
    )
    assert satisfiable == 4
    assert unsatisfiable < 4
