"""The steps that a search leaves: a forest whose every node is closed by one rule."""

from __future__ import annotations

from fractions import Fraction
from math import inf

from chains import mixing
from hypothesis import given
from hypothesis import strategies as st
from judge import examples

import strategies
from faier.comparison import Comparison
from faier.engine.exact import advance, start
from faier.engine.progress import Limits
from faier.engine.simulation.matrix import Simulation
from faier.engine.tree import anytime, levels
from faier.trace import Tree


def judge_forest(comparison: Comparison, trace: Tree) -> None:
    """Places and rules, and the exact meaning of each rule but for the readings (the checker does those)."""
    length, ratio, steps = comparison.length, trace.ratio, trace.steps
    roots = [step.root for step in steps if step.root is not None]
    assert sorted(roots) == sorted((d.pair, d.forward) for d in comparison.directions)
    number = {(d.pair, d.forward): i for i, d in enumerate(comparison.directions)}
    rows, depth, places = [], [], set()
    for k, step in enumerate(steps):
        if step.root is not None:
            rows.append(start(comparison, number[step.root]))
            depth.append(0)
        else:
            assert 0 <= step.parent < k
            assert steps[step.parent].rule == "expand"
            assert (step.parent, step.letter) not in places
            places.add((step.parent, step.letter))
            rows.append(advance(comparison, rows[step.parent], step.letter))
            depth.append(depth[step.parent] + 1)
        assert step.rule in ("expand", "end", "dominate", "subsume", "simulate", "cosimulate", "combine", "outweigh")
        assert (step.rule in ("subsume", "simulate", "cosimulate")) == (step.by >= 0)
        assert (step.rule in ("combine", "outweigh")) == bool(step.parts)
        if step.rule in ("simulate", "cosimulate"):
            matrix = Simulation(comparison.automaton.size + 1, trace.matrices[step.by], step.rule == "cosimulate")
            assert matrix.bound(rows[k]) <= ratio
        assert step.rule == "subsume" or step.scale == 1
        assert step.rule != "dominate" or rows[k].dominated(ratio)
        assert length is None or depth[k] <= length
        assert step.rule != "end" or depth[k] == length
        assert step.rule != "expand" or length is None or depth[k] < length
    for k, step in enumerate(steps):
        if step.rule == "expand":
            letters = letters_of(comparison, rows[k].left)
            if comparison.both:
                letters &= letters_of(comparison, rows[k].right)
            assert letters <= {letter for parent, letter in places if parent == k}
        if step.rule in ("combine", "outweigh"):
            assert all(steps[by].rule == "expand" and scale > 0 for by, scale in step.parts)
            for i in range(comparison.automaton.size + 1):
                others = [(scale * rows[by].unit, rows[by]) for by, scale in step.parts]
                left = sum(scale * other.left.get(i, 0) for scale, other in others)
                right = sum(scale * other.right.get(i, 0) for scale, other in others)
                one, two = (side.get(i, 0) * rows[k].unit for side in (rows[k].left, rows[k].right))
                if step.rule == "combine":
                    assert one <= left
                    assert two >= right
                assert ratio * two - one >= ratio * right - left
        if step.rule == "subsume":
            assert steps[step.by].rule == "expand"
            other, here = rows[step.by], rows[k]
            assert step.scale > 0
            assert all(
                x * here.unit <= step.scale * other.left.get(i, 0) * other.unit for i, x in here.left.items()
            )
            assert all(
                here.right.get(i, 0) * here.unit >= step.scale * y * other.unit for i, y in other.right.items()
            )


def letters_of(comparison: Comparison, row: dict[int, int]) -> set[int]:
    emit = comparison.scenario.model.emit
    return {s for i, x in row.items() if x and i < comparison.automaton.size for s in emit.row(i)}


@examples(60)
@given(scenario=strategies.scenarios())
def test_finite_horizons(scenario):
    comparison = Comparison(scenario)
    for outcome in (
        levels.tight_at(comparison, Limits()),
        levels.decide(comparison, scenario.claim.budget, Limits()),
    ):
        if outcome.trace is not None:
            assert outcome.trace.precision % 64 == 0
            judge_forest(comparison, outcome.trace)


@examples(60)
@given(scenario=strategies.scenarios(horizons=("any",), max_states=3))
def test_words_of_every_length(scenario):
    comparison = Comparison(scenario)
    for outcome in (
        anytime.tight_at_any(comparison, Fraction(1, 10**4), Limits(nodes=120)),
        levels.decide(comparison, scenario.claim.budget, Limits(nodes=120)),
    ):
        if outcome.trace is not None:
            assert outcome.upper != inf
            judge_forest(comparison, outcome.trace)


def test_proofs_of_a_supremum_that_no_word_reaches():
    """The proved ratio lies above the best word; what closed at a lower one stays closed."""
    enclosed = 0

    @examples(60)
    @given(
        scenario=strategies.scenarios(models=mixing(), horizons=("any",)),
        tolerance=st.sampled_from([Fraction(1, 10), Fraction(1, 100), Fraction(1, 10**4)]),
    )
    def look(scenario, tolerance):
        nonlocal enclosed
        comparison = Comparison(scenario)
        outcome = anytime.tight_at_any(comparison, tolerance, Limits(nodes=400))
        if outcome.trace is not None:
            enclosed += outcome.lower < outcome.upper
            assert outcome.upper <= outcome.lower * (1 + tolerance)
            judge_forest(comparison, outcome.trace)

    look()
    assert enclosed >= 10


def test_every_rule_is_used():
    used = set()

    @examples(60)
    @given(scenario=strategies.scenarios(horizons=(3, "any")))
    def look(scenario):
        outcome = levels.decide(Comparison(scenario), scenario.claim.budget, Limits(nodes=200))
        if outcome.trace is not None:
            used.update((step.rule, step.exact) for step in outcome.trace.steps)

    look()
    assert {rule for rule, _ in used} == {"expand", "end", "dominate", "subsume"}
    assert {exact for _, exact in used} == {True, False}
