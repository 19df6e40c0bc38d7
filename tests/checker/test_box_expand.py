from __future__ import annotations

from box_cases import bits, boxes, disease, half, reading, with_parameters
from checker_cases import accepts, after, one_way, rejects, root

LEAVES = [after(0, 0, "dominate"), after(0, 1, "dominate")]
WIDE = bits("p", "1/2")
ONE = [["p", "0", "1"]]


def test_accepts_children_for_every_symbol():
    accepts(boxes(WIDE, [root("expand"), *LEAVES]), WIDE)


def test_rejects_a_missing_child():
    rejects(boxes(WIDE, [root("expand"), LEAVES[0]]), WIDE, r"expand \(step 0\): the symbol 'b' is possible")
    rejects(
        boxes(WIDE, [root("expand")], possible="both"), WIDE, r"expand \(step 0\): the symbol 'a' is possible"
    )


def test_a_symbol_that_is_possible_at_some_values_needs_a_child():
    model = bits("1-p", "1")
    rejects(boxes(model, [root("expand"), LEAVES[0]]), model, "the symbol 'b' is possible")
    # On the right "b" is impossible at every value, and so does not count under `both`.
    accepts(boxes(model, [root("expand"), LEAVES[0]], possible="both"), model)


def test_the_empty_prefix_needs_a_ratio_of_1():
    model = bits("p", "p")
    accepts(boxes(model, [root("expand"), *LEAVES], ratio="1"), model)
    rejects(
        boxes(model, [root("expand"), *LEAVES], ratio="1-p"),
        model,
        r"expand \(step 0\): .* in the prefix reading|dominate",
    )


def loop(stay: str) -> bytes:
    """After "a" the left run has ended with probability 1/2, the right one with 1/2 - stay."""
    emit = {"0": {"a": "1"}, "1": {"a": "1"}}
    step = {"1": {"1": "1"}}
    model = one_way(emit, step, {"0": "1/2", "1": "1/2"}, {"0": f"1/2-({stay})", "1": f"1/2+({stay})"})
    return with_parameters(model, {"p": "0 < p < 1"})


def test_checks_the_ended_reading():
    model = loop("p/4")
    steps = [root("expand"), after(0, 0, "expand"), after(1, 0, "dominate")]
    for horizon in ("any", 2, 3):
        for possible in ("either", "both"):
            accepts(boxes(model, steps, horizon=horizon, possible=possible), model)
            rejects(
                boxes(model, steps, ratio=f"{2 * 10**30 - 1}/{10**30}", horizon=horizon, possible=possible),
                model,
                r"expand \(step 1\): the coefficients do not show .* in the ended reading",
            )


def test_a_reading_may_have_steps_of_its_own():
    model = loop("p/4")
    steps = [
        root("expand"),
        after(0, 0, "expand"),
        after(1, 0, "dominate"),
        reading(1, "ended", "coefficients"),
    ]
    accepts(boxes(model, steps, horizon="any"), model)
    smaller = boxes(model, steps, ratio=f"{2 * 10**30 - 1}/{10**30}", horizon="any")
    rejects(smaller, model, r"coefficients \(step 3\): a coefficient is negative")
    steps[3] = reading(0, "ended", "coefficients")
    rejects(boxes(model, steps, horizon="any"), model, r"expand \(step 0\): its ended reading is not one")


def test_rejects_expanding_at_the_horizon():
    model = disease()
    steps = [root("expand"), *(after(0, s, "expand") for s in range(3))]
    rejects(
        boxes(model, steps, horizon=1), model, r"expand \(step 1\): a prefix of the horizon's length \(1\)"
    )


def test_children_stand_for_the_same_box():
    model = bits("p", "1/2")
    steps = [
        root("split", variable=0, at="1/2"),
        half(0, 0, "expand"),
        half(0, 1, "expand"),
        after(1, 0, "dominate"),
        after(1, 1, "dominate"),
        after(2, 0, "dominate"),
    ]
    rejects(boxes(model, steps), model, r"expand \(step 2\): the symbol 'b' is possible")
    accepts(boxes(model, [*steps, after(2, 1, "dominate")]), model)
