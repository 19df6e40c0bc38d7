"""The seven patterns, for the lists of the paper and for others."""

from __future__ import annotations

import pytest

from faier import UsageError
from faier.auditing.patterns import listed, neighbours, patterns


def test_the_patterns_of_the_paper() -> None:
    base = (1, 1, 1, 1, 1)
    assert patterns(5) == {
        "one above": (base, (2, 1, 1, 1, 1)),
        "one below": (base, (0, 1, 1, 1, 1)),
        "one above, rest below": (base, (2, 0, 0, 0, 0)),
        "one below, rest above": (base, (0, 2, 2, 2, 2)),
        "half half": (base, (0, 0, 2, 2, 2)),
        "all above": (base, (2, 2, 2, 2, 2)),
        "all below": (base, (0, 0, 0, 0, 0)),
        "x shape": ((1, 1, 0, 0, 0), (0, 0, 1, 1, 1)),
    }


@pytest.mark.parametrize(("length", "low", "high"), [(1, 0, 1), (2, 0, 1), (3, 0, 10), (4, -2, 2), (7, 5, 6)])
def test_patterns_are_neighbours_in_the_range(length: int, low: int, high: int) -> None:
    found = list(patterns(length, low, high).values())
    assert found
    assert len({frozenset(pair) for pair in found}) == len(found)
    for one, two in found:
        assert len(one) == len(two) == length
        assert all(low <= x <= high for x in (*one, *two))
        assert one != two
        assert all(abs(a - b) <= 1 for a, b in zip(one, two, strict=True))


def test_all_neighbours() -> None:
    assert neighbours(1, 0, 2) == [((0,), (1,)), ((1,), (2,))]
    assert len(neighbours(5, 0, 2)) == 8282
    assert all(sum(a != b for a, b in zip(*pair, strict=True)) == 1 for pair in neighbours(3, 0, 2, "one"))
    with pytest.raises(UsageError, match="too many neighbours"):
        neighbours(30, 0, 2)


def test_own_pairs() -> None:
    assert listed([[[1, [2]], 3]]) == [((1, (2,)), 3)]
    with pytest.raises(UsageError, match="list of two data sets"):
        listed([[1, 2, 3]])
