from __future__ import annotations

from typing import Any

from checker_cases import accepts, after, rejects, root, toml, tree

EMIT = {"0": {"a": "1/2", "b": "1/2"}, "1": {"a": "1/2", "b": "1/2"}, "2": {"a": "1/2", "b": "1/2"}, "3": {"a": "1"}}
STEP = {"0": {"1": "1/3", "2": "1/6", "3": "1/2"}, "1": {"0": "1/2", "3": "1/2"}, "2": {"2": "1/2", "3": "1/2"}}
COMPARED = [("0", "1", False), ("2", "1", True)]
MODEL = toml(EMIT, STEP, compare=COMPARED)
CLASSES = [0, 0, 0, 1]
STEPS = [root("dominate", 0, True), root("dominate", 0, False), root("dominate", 1, True)]


def lumped(model: bytes = MODEL, classes: object = CLASSES, ratio: str = "1") -> dict[str, Any]:
    return tree(model, STEPS, ratio=ratio) | {"classes": classes}


def test_accepts_states_that_behave_alike():
    accepts(lumped(), MODEL)
    # Of states the same is not shown: they are different ones on both sides.
    rejects(tree(MODEL, STEPS, ratio="1"), MODEL, r"dominate \(step 0\)")


def test_accepts_classes_of_one():
    model = toml(EMIT, STEP, compare=[("0", "0", True)])
    accepts(tree(model, [root("dominate")], ratio="1") | {"classes": [0, 1, 2, 3]}, model)


def test_rejects_states_that_emit_differently_by_one_part_in_1e30():
    near = 10**30
    emit = EMIT | {"1": {"a": f"{near // 2 + 1}/{near}", "b": f"{near // 2 - 1}/{near}"}}
    model = toml(emit, STEP, compare=COMPARED)
    rejects(lumped(model), model, "lump.*: the states '0' and '1' do not emit alike")


def test_rejects_states_that_move_differently_by_one_part_in_1e30():
    near = 10**30
    step = STEP | {"2": {"2": f"{near // 2 + 1}/{near}", "3": f"{near // 2 - 1}/{near}"}}
    model = toml(EMIT, step, compare=COMPARED)
    rejects(lumped(model), model, "lump.*: the states '0' and '2' do not move alike")


def test_rejects_a_state_that_ends_with_one_that_goes_on():
    model = toml(EMIT, {k: v for k, v in STEP.items() if k != "1"}, compare=COMPARED)
    rejects(lumped(model), model, "lump.*: the states '0' and '1' do not move alike")


def test_rejects_classes_that_are_lumpable_only_for_some_states():
    rejects(lumped(classes=[0, 0, 1, 2]), MODEL, "lump.*: the states '0' and '1' do not move alike")


def test_rejects_what_are_no_classes():
    rejects(lumped(classes=[0, 0, 0]), MODEL, "lump.*: there are 3 entries for the classes of 4 states")
    rejects(lumped(classes=[0, 0, 0, 2]), MODEL, "lump.*: class 2 comes before class 1")
    rejects(lumped(classes=[1, 0, 0, 0]), MODEL, "lump.*: class 1 comes before class 0")
    rejects(lumped(classes=[0, 0, 0, -1]), MODEL, "a class")
    rejects(lumped(classes=[0, 0, 0, True]), MODEL, "a class")
    rejects(lumped(classes=None), MODEL, "classes")


def test_rows_of_classes_are_still_compared_exactly():
    emit = EMIT | {"4": {"a": "3/4", "b": "1/4"}}
    model = toml(emit, STEP | {"4": {"4": "1"}}, compare=[("4", "0", True)])
    steps = [root("expand"), after(0, 0, "end", exact=True), after(0, 1, "end", exact=True)]
    classes = [0, 0, 0, 1, 2]
    accepts(tree(model, steps, ratio="3/2", horizon=1) | {"classes": classes}, model)
    below = f"{3 * 10**30 - 1}/{2 * 10**30}"
    rejects(tree(model, steps, ratio=below, horizon=1) | {"classes": classes}, model, r"end \(step 1\)")


def test_a_refutation_has_no_classes():
    certificate = lumped() | {"kind": "violated"}
    rejects(certificate, MODEL, "classes")
