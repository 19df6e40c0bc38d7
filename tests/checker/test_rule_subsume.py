from __future__ import annotations

from checker_cases import BIT, accepts, after, one_way, rejects, root, tree

HALF = {s: {"0": "1/2", "1": "1/2"} for s in "01"}
MIXING = one_way(BIT, HALF, {"0": "1"}, {"1": "1"})
"""After one symbol both sides have forgotten where they began: "a" leaves 3/4 and 1/4 of the same row."""


def mixing(scale: str, by: int = 1, **more: object) -> list[dict[str, object]]:
    """Both symbols expanded once; each longer prefix is the one before it, times 1/2 on both sides."""
    return [
        root("expand"),
        after(0, 0, "expand", exact=True),
        after(0, 1, "dominate"),
        after(1, 0, "subsume", by=by, scale=scale, **more),
        after(1, 1, "subsume", by=by, scale=scale, **more),
    ]


def test_accepts_an_ancestor_at_any():
    proved = accepts(tree(MIXING, mixing("1/2", exact=True), ratio="3"), MIXING)
    assert proved.steps == 5


def test_rejects_a_scale_one_part_in_1e30_off():
    for scale in (f"{10**30 - 1}/{2 * 10**30}", f"{10**30 + 1}/{2 * 10**30}"):
        rejects(tree(MIXING, mixing(scale, exact=True), ratio="3"), MIXING, r"subsume \(step 3\)")


def test_names_the_side_that_fails():
    rejects(
        tree(MIXING, mixing("1/3", exact=True), ratio="3"), MIXING, r"left exceeds 1/3 \* left of step 1 in"
    )
    rejects(
        tree(MIXING, mixing("2/3", exact=True), ratio="3"),
        MIXING,
        r"right is less than 2/3 \* right of step 1",
    )


def test_rejects_a_scale_that_is_not_positive():
    for scale in ("0", "-1/2"):
        rejects(tree(MIXING, mixing(scale, exact=True), ratio="3"), MIXING, "scale must be positive")


def test_rejects_what_is_not_expanded():
    for by in (2, 3, 99):
        rejects(tree(MIXING, mixing("1/2", by=by), ratio="3"), MIXING, f"step {by} is not an expand step")


def test_rejects_siblings_that_subsume_each_other():
    steps = mixing("1/2", exact=True)
    steps[1] = after(0, 0, "subsume", by=2, scale="1")
    steps[2] = after(0, 1, "subsume", by=1, scale="1")
    rejects(tree(MIXING, steps[:3], ratio="1"), MIXING, "is not an expand step")


def test_a_later_step_may_subsume():
    same = one_way(BIT, HALF, {"0": "1/2", "1": "1/2"}, {"0": "1/2", "1": "1/2"})
    steps = [
        root("expand", exact=True),
        after(0, 1, "subsume", by=2, scale="1", exact=True),
        after(0, 0, "expand", exact=True),
        after(2, 0, "subsume", by=0, scale="1/4", exact=True),
        after(2, 1, "subsume", by=2, scale="1/2", exact=True),
    ]
    accepts(tree(same, steps, ratio="1"), same)


def test_the_words_left_at_a_finite_horizon():
    # Under "either" an ancestor has more symbols left and will do; under "both" it must be exactly as long.
    steps = mixing("1/2", exact=True)
    accepts(tree(MIXING, steps, ratio="3", horizon=5), MIXING)
    rejects(tree(MIXING, steps, ratio="3", horizon=5, possible="both"), MIXING, "must be exactly as long")
    accepts(tree(MIXING, steps, ratio="3", possible="both"), MIXING)


def test_rejects_a_longer_prefix_at_a_finite_horizon():
    steps = [
        root("expand"),
        after(0, 0, "subsume", by=4, scale="2", exact=True),
        after(0, 1, "expand", exact=True),
        after(2, 1, "dominate", exact=True),
        after(2, 0, "expand", exact=True),
        after(4, 0, "dominate", exact=True),
        after(4, 1, "dominate", exact=True),
    ]
    rejects(
        tree(MIXING, steps, ratio="3", horizon=5),
        MIXING,
        r"subsume \(step 1\): step 4 has fewer symbols left",
    )


def test_rounded_rows_leave_room():
    thirds = {s: {"0": "1/3", "1": "2/3"} for s in "01"}
    model = one_way(BIT, thirds, {"0": "1"}, {"1": "1"})

    def steps(scale: str, exact: bool) -> list[dict[str, object]]:
        more = {"exact": True} if exact else {}
        return [
            root("expand"),
            after(0, 0, "expand", exact=True),
            after(0, 1, "dominate"),
            after(1, 0, "subsume", by=1, scale=scale, **more),
            after(1, 1, "dominate", exact=True),
        ]

    accepts(tree(model, steps("5/12", True), ratio="3"), model)
    rejects(tree(model, steps("5/12", False), ratio="3"), model, "subsume")


def test_the_support_of_right_lies_inside_under_both():
    # Left is "a" or "b" for ever. Right begins with "a", and may go on to where "b" is possible too:
    # words that the root need not look at, because right could not produce them there, count after "a".
    emit = {"x": {"a": "1/2", "b": "1/2"}, "y": {"a": "1"}, "z": {"a": "1/2", "b": "1/2"}}
    step = {"x": {"x": "1"}, "y": {"y": "1/2", "z": "1/2"}, "z": {"z": "1"}}
    model = one_way(emit, step, {"x": "1"}, {"y": "1"})
    steps = [root("expand"), after(0, 0, "subsume", by=0, scale="1/2", exact=True)]
    rejects(tree(model, steps, possible="both"), model, r"subsume \(step 1\): the support of right")
    # Without the growing support the same steps are right.
    calm = one_way(emit, {**step, "y": {"y": "1"}}, {"x": "1"}, {"y": "1"})
    accepts(tree(calm, steps, possible="both", ratio="1"), calm)


def test_a_root_whose_empty_prefix_is_not_checked_subsumes_only_from_ratio_1_on():
    # Left is "a" or "b", right always "a": under "both" only a...a counts, where left loses 1/2 each time.
    emit = {"x": {"a": "1/2", "b": "1/2"}, "y": {"a": "1"}}
    model = one_way(emit, {"x": {"x": "1"}, "y": {"y": "1"}}, {"x": "1"}, {"y": "1"})
    steps = [root("expand"), after(0, 0, "subsume", by=0, scale="1/2", exact=True)]
    accepts(tree(model, steps, ratio="1", possible="both"), model)
    rejects(tree(model, steps, ratio="1/100", possible="both"), model, "is a root, whose empty prefix")


def test_compares_the_done_entry():
    # States "ends" and "stays" shrink by 1/2 with each symbol, but half of the runs end after the first.
    emit = {"ends": {"a": "1"}, "stays": {"a": "1"}}
    step = {"stays": {"stays": "1/2", "ends": "1/2"}}
    model = one_way(emit, step, {"ends": "1/2", "stays": "1/2"}, {"stays": "1"})
    steps = [root("expand"), after(0, 0, "subsume", by=0, scale="1/2", exact=True)]
    rejects(
        tree(model, steps), model, r"subsume \(step 1\): left exceeds 1/2 \* left of step 0 in the entry done"
    )
