"""Finding the line of a place."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faier.model.lines import line_of, lines

TEXT = '''faier = 1 # [not.a.table]
title = """several
lines ]] [a] x = 1
"""
constraints = ["a == b",
  "c == d"]

[model.emit]
"0" = { "~0" = "2/3", "~1" = "1/6" }
'x.y' = { a = "}#", "q\\"t" = "1" }
[model.step."0"]
"0" = "1/2"   # comment = "x"
2 = "1/2"

[[compare]]
left = "a"
[[ compare ]]
# left = "not here"
left = "b"
one_way = true
[claim]
horizon = 3
a.b.c = 1
'''


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ("faier", 1),
        ("title", 2),
        ("constraints", 5),
        ("constraints[1]", 6),
        ("model", 8),
        ("model.emit", 8),
        ("model.emit.0", 9),
        ("model.emit.0.~1", 9),
        ('model.emit."x.y"', 10),
        ('model.emit."x.y".a', 10),
        ('model.emit."x.y"."q\\"t"', 10),
        ("model.step.0", 11),
        ("model.step.0.2", 13),
        ("compare", 15),
        ("compare[0]", 15),
        ("compare[0].left", 16),
        ("compare[1]", 17),
        ("compare[1].left", 19),
        ("compare[1].one_way", 20),
        ("claim.horizon", 22),
        ("claim.a.b.c", 23),
        # What is missing stands at the table around it.
        ("compare[1].right", 17),
        ("claim.epsilon", 21),
        ("beliefs", None),
        ("", None),
    ],
)
def test_places(where: str, line: int | None) -> None:
    assert line_of(lines(TEXT), where) == line
    assert line_of(lines(TEXT.replace("\n", "\r\n")), where) == line


@given(st.text("[]{}\"'=#\n,.\\ab1 ", max_size=60))
def test_any_text_is_scanned_without_failing(text: str) -> None:
    assert all(line >= 1 for line in lines(text).values())


def test_long_and_deep_texts_are_quick() -> None:
    started = time.perf_counter()
    lines("x = " + "[" * 100_000)
    lines("x = " + "{a = " * 20_000)
    lines("a." * 20_000 + "a = 1")
    lines("[m]\n" + "".join(f'"s{i}" = {{ a = "1" }}\n' for i in range(10_000)))
    assert time.perf_counter() - started < 10
