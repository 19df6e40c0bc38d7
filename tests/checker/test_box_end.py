from __future__ import annotations

import pytest
from box_cases import boxes, disease, reading
from checker_cases import accepts, after, rejects, root

ENDED = [root("expand"), *(after(0, s, "end") for s in range(3))]


def test_accepts_at_the_horizon():
    accepts(boxes(disease(), ENDED), disease())


@pytest.mark.parametrize("smaller", ["199/100", f"{2 * 10**30 - 1}/{10**30}"])
def test_rejects_a_ratio_just_too_small(smaller):
    rejects(
        boxes(disease(), ENDED, ratio=smaller),
        disease(),
        r"end \(step \d\): the coefficients do not show left <= ratio \* right in the prefix reading",
    )


def test_rejects_other_lengths():
    rejects(
        boxes(disease(), ENDED, horizon=2),
        disease(),
        r"end \(step 1\): only a prefix of the horizon's length",
    )
    rejects(boxes(disease(), ENDED, horizon="any"), disease(), r"end \(step 1\): only a prefix")
    rejects(boxes(disease(), [root("end")]), disease(), r"end \(step 0\): only a prefix")


def test_its_reading_is_the_prefix():
    accepts(boxes(disease(), [*ENDED, reading(1, "prefix", "coefficients")]), disease())
    rejects(
        boxes(disease(), [*ENDED, reading(1, "ended", "coefficients")]),
        disease(),
        r"end \(step 1\): its ended reading is not one",
    )
    rejects(
        boxes(disease(), [*ENDED, reading(1, "prefix", "coefficients")], ratio="3/2"),
        disease(),
        "coefficients|end",
    )
