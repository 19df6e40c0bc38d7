from __future__ import annotations

from enum import Enum
from fractions import Fraction

import pytest

from faier.errors import ModelError
from faier.model.names import label, labels, place


class Colour(Enum):
    RED = 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x y", "x y"),
        ("", ""),
        (3, "3"),
        (-1, "-1"),
        (True, "True"),
        (None, "None"),
        (Fraction(1, 2), "1/2"),
        ((1, 2), "(1, 2)"),
        (("a", (1,)), "(a, (1,))"),
        ((), "()"),
        (frozenset({2, 1}), "{1, 2}"),
        (Colour.RED, "RED"),
    ],
)
def test_labels(name: object, text: str) -> None:
    assert label(name) == text


def test_long_integers_are_written_whole() -> None:
    assert label(10**5000) == "1" + "0" * 5000


def test_two_names_with_one_label_are_refused() -> None:
    assert labels([1, "a"], "states") == ["1", "a"]
    with pytest.raises(ModelError, match="the states 1 and '1' would both be written '1'"):
        labels([1, "1"], "states")


def test_places_quote_only_what_would_be_misread() -> None:
    assert place("model.emit", "x", "~0") == "model.emit.x.~0"
    assert place("beliefs", "a.b") == 'beliefs."a.b"'
    assert place("beliefs", "") == 'beliefs.""'
    assert place("model.emit", 3) == "model.emit.3"
