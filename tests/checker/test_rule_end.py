from __future__ import annotations

from checker_cases import BIT, STAY, accepts, after, one_way, rejects, root, tree

MODEL = one_way(BIT, STAY, {"0": "1"}, {"1": "1"})
DEEP = [
    root("expand"),
    after(0, 0, "expand", exact=True),
    after(0, 1, "expand", exact=True),
    *(after(p, s, "end", exact=True) for p in (1, 2) for s in (0, 1)),
]


def test_accepts_at_the_horizon():
    accepts(tree(MODEL, DEEP, ratio="9", horizon=2), MODEL)


def test_rejects_one_part_in_1e30():
    rejects(tree(MODEL, DEEP, ratio="8", horizon=2), MODEL, r"end \(step 3\): the prefix reading")
    below = f"{9 * 10**30 - 1}/{10**30}"
    rejects(tree(MODEL, DEEP, ratio=below, horizon=2), MODEL, r"end \(step 3\): the prefix reading")


def test_rejects_the_wrong_length():
    rejects(
        tree(MODEL, DEEP, ratio="9", horizon=3),
        MODEL,
        r"end \(step 3\): only a prefix of the horizon's length",
    )
    shallow = [root("expand"), after(0, 0, "end"), after(0, 1, "end")]
    rejects(tree(MODEL, shallow, ratio="9", horizon=2), MODEL, r"end \(step 1\)")
    rejects(tree(MODEL, [root("end")], ratio="9", horizon=1), MODEL, r"end \(step 0\)")


def test_nothing_ends_at_any():
    rejects(tree(MODEL, DEEP, ratio="9"), MODEL, r"end \(step 3\)")


def test_only_the_prefix_reading_counts_at_the_horizon():
    # After "a" left has ended and right goes on: as prefixes they are alike.
    emit = {"0": {"a": "1"}, "1": {"a": "1"}}
    model = one_way(emit, {"1": {"1": "1"}}, {"0": "1"}, {"1": "1"})
    accepts(tree(model, [root("expand"), after(0, 0, "end")], ratio="1", horizon=1), model)
    rejects(
        tree(model, [root("expand"), after(0, 0, "expand")], ratio="1", horizon=2),
        model,
        "the ended reading of left",
    )


def test_a_word_that_one_side_cannot_produce_ends_under_both():
    emit = {"0": {"a": "1/2", "b": "1/2"}, "1": {"a": "1"}}
    model = one_way(emit, {}, {"0": "1"}, {"1": "1"})
    steps = [root("expand"), after(0, 0, "end"), after(0, 1, "end")]
    accepts(tree(model, steps, ratio="1", horizon=1, possible="both"), model)
    rejects(tree(model, steps, ratio="1", horizon=1), model, r"end \(step 2\)")
