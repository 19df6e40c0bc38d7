from __future__ import annotations

from checker_cases import BIT, STAY, accepts, after, one_way, rejects, root, tree

ENDS = one_way(BIT, {}, {"0": "1"}, {"1": "1"})
"""One symbol and no more: "a" has ratio 3."""

LEAVES = [after(0, 0, "dominate", exact=True), after(0, 1, "dominate", exact=True)]


def test_accepts_children_for_every_symbol():
    accepts(tree(ENDS, [root("expand"), *LEAVES], ratio="3"), ENDS)


def test_rejects_a_missing_child():
    rejects(
        tree(ENDS, [root("expand"), LEAVES[0]], ratio="3"),
        ENDS,
        r"expand \(step 0\): the symbol 'b' is possible",
    )


def test_rejects_a_ratio_just_too_small():
    rejects(
        tree(ENDS, [root("expand"), *LEAVES], ratio="29999999999/10000000000"), ENDS, r"dominate \(step 1\)"
    )


def test_a_symbol_without_left_probability_needs_no_child():
    emit = {"0": {"a": "1", "b": "0"}, "1": {"a": "1/2", "b": "1/2"}}
    model = one_way(emit, {}, {"0": "1"}, {"1": "1"})
    accepts(tree(model, [root("expand"), LEAVES[0]]), model)
    rejects(tree(model, [root("expand")]), model, "'a' is possible")


def test_a_symbol_without_right_probability_needs_a_child_unless_both_must_be_possible():
    emit = {"0": {"a": "1/2", "b": "1/2"}, "1": {"a": "1", "b": "0"}}
    model = one_way(emit, {}, {"0": "1"}, {"1": "1"})
    rejects(tree(model, [root("expand"), LEAVES[0]], ratio="1"), model, "'b' is possible")
    accepts(tree(model, [root("expand"), LEAVES[0]], ratio="1", possible="both"), model)
    rejects(tree(model, [root("expand"), *LEAVES], ratio="9"), model, r"dominate \(step 2\)")


def test_possibility_is_exact_where_rounding_loses_it():
    tiny = "1/" + "1" + "0" * 60
    emit = {"0": {"a": f"1-{tiny}", "b": tiny}, "1": {"a": "1", "b": "0"}}
    model = one_way(emit, {}, {"0": "1"}, {"1": "1"})
    steps = [root("expand"), after(0, 0, "dominate")]
    rejects(tree(model, steps, precision=16), model, "'b' is possible")


def test_rejects_expanding_at_the_horizon():
    model = one_way(BIT, STAY, {"0": "1"}, {"0": "1"})
    steps = [
        root("expand"),
        after(0, 0, "expand"),
        after(0, 1, "end"),
        after(1, 0, "end"),
        after(1, 1, "end"),
    ]
    rejects(tree(model, steps, horizon=1), model, r"expand \(step 1\): a prefix of the horizon's length")
    accepts(tree(model, [root("expand"), *(after(0, s, "end") for s in (0, 1))], horizon=1), model)


TWICE = {"0": {"1": "1"}}
"""State 0 shows one symbol and moves on to state 1, which ends the run."""


def test_checks_the_prefix_reading_at_any():
    # The left run surely begins with "a", the right one seldom; afterwards the rows are alike up to a factor.
    emit = {"0": {"a": "1"}, "1": {"a": "1/4", "b": "3/4"}, "2": {"a": "1"}}
    step = {"0": {"2": "1"}, "1": {"2": "1"}, "2": {"2": "1"}}
    model = one_way(emit, step, {"0": "1"}, {"1": "1"})
    steps = [root("expand"), after(0, 0, "expand"), after(1, 0, "dominate")]
    accepts(tree(model, steps, ratio="4"), model)
    rejects(tree(model, steps, ratio="39/10"), model, r"expand \(step 1\): the prefix reading")
    rejects(tree(model, steps, ratio="39/10", horizon=2), model, r"expand \(step 1\): the prefix reading")


def test_checks_the_ended_reading():
    # After "a" left has ended with 1/2 and right with 1/8: the prefix has ratio 1, the complete run 4.
    emit = {"0": {"a": "1"}, "1": {"a": "1"}, "2": {"a": "1"}}
    step = {"1": {"2": "1"}, "2": {"2": "1"}}
    model = one_way(emit, step, {"0": "1/2", "1": "1/2"}, {"0": "1/8", "1": "7/8"})
    steps = [root("expand"), after(0, 0, "expand"), after(1, 0, "dominate")]
    for horizon in ("any", 2, 3):
        for possible in ("either", "both"):
            accepts(tree(model, steps, ratio="4", horizon=horizon, possible=possible), model)
            rejects(
                tree(model, steps, ratio="3", horizon=horizon, possible=possible),
                model,
                r"expand \(step 1\): the ended reading",
            )


def test_a_shorter_prefix_does_not_count_where_both_sides_must_be_possible():
    # The two sides agree on "a" no better than 1 to 4, and on nothing longer: at horizon 2 no word counts.
    emit = {"0": {"a": "1"}, "1": {"a": "1/4", "b": "3/4"}, "2": {"a": "1"}, "3": {"b": "1"}}
    step = {"0": {"2": "1"}, "1": {"3": "1"}, "2": {"2": "1"}, "3": {"3": "1"}}
    model = one_way(emit, step, {"0": "1"}, {"1": "1"})
    steps = [root("expand"), after(0, 0, "expand")]
    accepts(tree(model, steps, ratio="1/100", horizon=2, possible="both"), model)
    rejects(tree(model, steps, ratio="1", horizon="any", possible="both"), model, "the prefix reading")
    rejects(tree(model, steps, ratio="4", horizon=2), model, "'a' is possible and has no step")


def test_the_empty_prefix_needs_a_ratio_of_1_unless_both_sides_must_be_possible():
    # Right is always "b", left mostly "a": where both must be possible, only "b" counts.
    emit = {"0": {"a": "3/4", "b": "1/4"}, "1": {"b": "1"}}
    model = one_way(emit, {}, {"0": "1"}, {"1": "1"})
    steps = [root("expand"), after(0, 1, "dominate")]
    for horizon in (1, "any"):
        accepts(tree(model, steps, ratio="1/4", horizon=horizon, possible="both"), model)
        rejects(
            tree(model, steps, ratio="6/25", horizon=horizon, possible="both"), model, r"dominate \(step 1\)"
        )
        with_a = [*steps, after(0, 0, "dominate")]
        rejects(tree(model, with_a, ratio="1/4", horizon=horizon), model, "the empty prefix needs a ratio")
