"""Ten thousand random questions about words of every length: no bound is below the ratio of a word, no claim that was
closed is broken by a longer word, and the checker accepts every certificate.

Some dozens of them always run; `pytest -m slow tests/nightly` runs them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import pytest
from opinions_at_any import Said, agree
from random_lengths import KINDS, kind, question

import faier
from faier.comparison import Comparison

ALL, BLOCK = 10_000, 500
FEW = 80
RULES = ("expand", "dominate", "subsume", "simulate", "cosimulate", "combine", "outweigh")
ENDS = ("exact", "enclosed", "limit", "diverges", "infinite")


def said(seeds: Iterable[int]) -> list[Said]:
    return [agree(seed, question(seed)) for seed in seeds]


@pytest.fixture(scope="module")
def a_few() -> Sequence[Said]:
    return said(range(FEW))


def test_a_few_agree_by_every_rule_and_with_every_end(a_few: Sequence[Said]) -> None:
    judge_variety(a_few, 1)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seeds", [range(start, start + BLOCK) for start in range(0, ALL, BLOCK)], ids=str)
def test_all_agree(seeds: range) -> None:
    judge_variety(said(seeds), 3)


def judge_variety(found: Sequence[Said], least: int) -> None:
    """Each rule closes something in so many of the proofs, and each end comes as often: none goes untested."""
    rules = Counter(rule for one in found for rule in one.rules)
    ends = Counter(one.end for one in found)
    assert min(rules[rule] for rule in RULES) >= least, rules
    assert min(ends[end] for end in ENDS) >= least, ends
    assert ends["open"] <= len(found) / 4, ends


def test_the_questions_are_of_every_kind() -> None:
    questions = [question(seed) for seed in range(400)]
    kinds = {
        "streams": sum(q.stream is not None for q in questions),
        "inside the run": sum(q.written is not None and q.stream is None for q in questions),
        "both": sum(q.claim.possible == "both" for q in questions),
        "several pairs": sum(len(q.pairs) > 1 for q in questions),
        "one way": sum(q.pairs[0].one_way for q in questions),
        "ends": sum(q.model.can_end for q in questions),
        "sides without a common state": sum(apart(q) for q in questions),
    }
    assert min(kinds.values()) >= 20, kinds
    assert {kind(seed) for seed in range(len(KINDS))} == set(KINDS)


def apart(scenario: faier.Scenario) -> bool:
    comparison = Comparison(scenario)
    first = comparison.directions[0]
    left, right = ({i for i, _ in comparison.weights(side)} for side in (first.left, first.right))
    return not left & right
