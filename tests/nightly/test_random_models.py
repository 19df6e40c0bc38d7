"""Ten thousand random models: brute force, tree, columns, the checker and two solvers say the same.

A few hundred of them always run; `pytest -m slow tests/nightly` runs them all. The slow part lets the solvers
answer in this process, as starting two processes for each of 10,000 questions would take most of an hour.
"""

from __future__ import annotations

from math import inf

import pytest
from opinions import Truth, agree, solvers_agree
from random_models import question

ALL, BLOCK = 10_000, 500
blocks = [range(start, start + BLOCK) for start in range(0, ALL, BLOCK)]


@pytest.mark.parametrize("seeds", [range(start, start + 60) for start in range(0, 240, 60)], ids=str)
def test_a_few_hundred_agree(seeds):
    for seed in seeds:
        agree(seed)


@pytest.mark.parametrize("seed", range(8))
def test_solvers_agree_on_a_few(seed):
    solvers_agree(seed, apart=True)


def test_solvers_agree_on_a_few_more():
    for seed in range(8, 40):
        solvers_agree(seed, apart=False)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seeds", blocks, ids=str)
def test_all_agree(seeds):
    for seed in seeds:
        agree(seed)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seeds", blocks, ids=str)
def test_solvers_agree_on_all(seeds):
    for seed in seeds:
        solvers_agree(seed, apart=False)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 200))
def test_solvers_in_processes_of_their_own_agree(seed):
    solvers_agree(seed, apart=True)


def test_the_models_are_of_every_kind():
    questions = [question(seed) for seed in range(240)]
    truths = [Truth.of(q) for q in questions]
    kinds = {
        "holds": sum(t.shortest is None for t in truths),
        "violated": sum(t.shortest is not None for t in truths),
        "infinite": sum(t.tight == inf for t in truths),
        "nothing counts": sum(t.tight == 0 for t in truths),
        "shorter than the horizon": sum(
            t.shortest is not None and t.shortest < q.claim.horizon for q, t in zip(questions, truths, strict=True)
        ),
        "met with equality": sum(q.claim.budget.exact == t.tight for q, t in zip(questions, truths, strict=True)),
        "irrational": sum(q.claim.budget.exact is None for q in questions),
        "both": sum(q.claim.possible == "both" for q in questions),
        "several pairs": sum(len(q.pairs) > 1 for q in questions),
        "ends": sum(q.model.can_end for q in questions),
    }
    assert min(kinds.values()) >= 5, kinds
