"""Random models with unknown parameters, ties and touching points planted: boxes, two solvers and grids agree.

A few dozen of them always run; `pytest -m slow tests/nightly` runs some hundred. `share_of_boxes.py` counts who
decides how many.
"""

from __future__ import annotations

import pytest
from opinions_on_unknowns import agree, opinion
from random_unknowns import question

MANY = 300


@pytest.mark.parametrize("seeds", [range(start, start + 10) for start in range(0, 60, 10)], ids=str)
def test_boxes_find_what_was_planted(seeds):
    undecided = [seed for seed in seeds if opinion(question(seed), "boxes", 10).said == "unknown"]
    # On a busy machine one may take too long.
    assert len(undecided) <= 1, undecided


@pytest.mark.parametrize("seed", [5, 7, 8, 14, 20, 24, 26, 27, 36, 42])
def test_boxes_and_solvers_agree(seed):
    planted = question(seed)
    agree(planted, {engine: opinion(planted, engine, 3) for engine in ("boxes", "z3", "cvc5")})


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(MANY))
def test_boxes_and_solvers_agree_on_many(seed):
    planted = question(seed)
    agree(planted, {engine: opinion(planted, engine, 10) for engine in ("boxes", "z3", "cvc5")})


def test_the_questions_are_of_every_kind():
    questions = [question(seed) for seed in range(MANY)]
    kinds = {
        "touches": sum(q.expected == "holds" and q.moved == 0 for q in questions),
        "all but touches": sum(q.expected == "holds" and q.moved > 0 for q in questions),
        "hardly violated": sum(q.expected == "violated" and q.moved < 0 for q in questions),
        "chains": sum(q.place == "chain" for q in questions),
        "longer than one": sum(q.scenario.claim.horizon > 1 for q in questions),
        "both": sum(q.scenario.claim.possible == "both" for q in questions),
        "ratio with parameters": sum(not hasattr(q.scenario.claim.budget, "exact") for q in questions),
        "constraints": sum(bool(q.scenario.model.constraints) for q in questions),
        **{place: sum(q.place.endswith(place) for q in questions) for place in (
            "corner", "face, irrational", "face and inside", "inside, rational", "inside, irrational", "along a curve",
        )},
        **{f"{n} unknowns": sum(len(q.scenario.model.unknowns.ranges) == n for q in questions) for n in (1, 2, 3, 4)},
    }  # fmt: skip
    assert min(kinds.values()) >= 10, kinds
