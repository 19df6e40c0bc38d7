"""However a row is computed, it is the same: by loops or packed, with much memory or hardly any."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from random import Random
from unittest.mock import patch

import pytest
from checker_cases import accepts, after, one_way, root, tree
from checker_models import Spec, rows_after
from hypothesis import given, settings
from hypothesis import strategies as st

from faier_check import Limits
from faier_check.certificate import read_certificate
from faier_check.limits import Meter
from faier_check.model import Distribution
from faier_check.model_file import read_model
from faier_check.recent import Recent
from faier_check.row import Rounding, Row
from faier_check.transition import Transition, _Matrix
from faier_check.tree import LEFT, RIGHT, Forest


def model_of(random: Random) -> Spec:
    """From sparse to dense, numbers from short to long, runs that end, symbols of tiny probability."""
    n, symbols, filled = random.randint(1, 16), random.randint(1, 3), random.choice([0.05, 0.3, 1.0])
    sizes = random.choice([[1], [9], [10**6], [1, 10**40], [2**200], [1, 2**300]])

    def row(width: int) -> tuple[Fraction, ...]:
        weights = [random.randint(1, random.choice(sizes)) * (random.random() < filled) for _ in range(width)]
        weights[random.randrange(width)] += 1
        return tuple(Fraction(w, sum(weights)) for w in weights)

    step = tuple(row(n) if random.random() < 0.9 else None for _ in range(n))
    return Spec(tuple(row(symbols) for _ in range(n)), step, ((row(n), row(n), False),))


@contextmanager
def products(way: str) -> Iterator[None]:
    """All products one way, whatever would be faster."""
    with patch.object(_Matrix, "times", getattr(_Matrix, way)):
        yield


def rows(spec: Spec, word: list[int], rounding: Rounding, precision: int) -> list[Row]:
    """The rows of every prefix of a word, for both sides of both directions."""
    model = read_model(spec.toml())
    transition = Transition(model, precision, Meter())
    found: list[Row] = []
    for direction in model.directions:
        for belief in model.sides(direction):
            found.append(transition.start(belief, rounding))
            for symbol in word:
                found.append(transition.after(found[-1], symbol, rounding))
    return found


@settings(deadline=None)
@given(
    st.integers(0, 10**9).map(Random),
    st.lists(st.integers(0, 5), max_size=4),
    st.sampled_from(Rounding),
    st.sampled_from([16, 64, 300]),
)
def test_loops_and_packed_rows_agree_in_every_entry(random, word, rounding, precision):
    spec = model_of(random)
    word = [s % spec.symbols for s in word]
    chosen = rows(spec, word, rounding, precision)
    for way in ("_by_loops", "_by_packing"):
        with products(way):
            assert rows(spec, word, rounding, precision) == chosen
    true: list[list[Fraction]] = []
    for direction in spec.directions:
        for side in spec.sides(direction):
            true += [rows_after(spec, side, word[:length]) for length in range(len(word) + 1)]
    for row, expected in zip(chosen, true, strict=True):
        unit = Fraction(2) ** row.exponent / row.denominator
        for i, value in enumerate(expected):
            found = row.entries.get(i, 0) * unit
            assert found == value or (rounding is not Rounding.EXACT and value > 0)
            assert (found <= value) if rounding is Rounding.BELOW else (found >= value)
            assert rounding is Rounding.BELOW or (found > 0) == (value > 0)


@given(st.integers(0, 10**9).map(Random), st.integers(1, 30), st.sampled_from([1, 100, 400, 3000]))
def test_products_agree_with_their_definition(random, columns, bits):
    matrix = [
        {
            j: random.getrandbits(random.choice([1, 8, 90])) + 1
            for j in range(columns)
            if random.random() < 0.5
        }
        for _ in range(random.randint(1, 8))
    ]
    product = _Matrix([Distribution(tuple(row.items()), 1) for row in matrix], columns, Meter())
    for _ in range(4):
        weights = {i: random.getrandbits(bits) + 1 for i in range(len(matrix)) if random.random() < 0.7}
        sums = {j: sum(w * matrix[i].get(j, 0) for i, w in weights.items()) for j in range(columns)}
        expected = {j: x for j, x in sums.items() if x}
        assert product.times(weights) == expected
        assert product._by_loops(weights) == expected
        assert product._by_packing(weights) == expected


def test_factors_far_apart_keep_the_precision():
    # "a" is likely in x and all but impossible in y and z; once x is gone, only those remain.
    tiny = Fraction(1, 10**300)
    emit = {"x": {"a": 1, "b": 0}, "y": {"a": tiny, "b": 1 - tiny}, "z": {"a": tiny / 3, "b": 1 - tiny / 3}}
    step = {s: {"y": "2/3", "z": "1/3"} for s in "xyz"}
    model = read_model(one_way(emit, step, {"x": "1/3", "y": "1/3", "z": "1/3"}, {"x": "1"}))
    transition = Transition(model, 64, Meter())
    beliefs = {r: transition.start(model.pairs[0].left, r) for r in Rounding}
    for _ in range(4):
        beliefs = {r: transition.after(row, 0, r) for r, row in beliefs.items()}
        entries = {
            r: [Fraction(row.entries[i]) * Fraction(2) ** row.exponent / row.denominator for i in (1, 2)]
            for r, row in beliefs.items()
        }
        for below, exact, above in zip(
            entries[Rounding.BELOW], entries[Rounding.EXACT], entries[Rounding.ABOVE], strict=True
        ):
            assert below <= exact <= above <= below * (1 + Fraction(1, 2**64))


HALF = {s: {"0": "1/3", "1": "2/3"} for s in "01"}
CHAIN = one_way({"0": {"a": "3/4", "b": "1/4"}, "1": {"a": "1/4", "b": "3/4"}}, HALF, {"0": "1"}, {"1": "1"})


def chain(length: int) -> list[dict[str, object]]:
    """The prefixes a, aa, aaa, ... expanded, and what else follows them dominated."""
    steps: list[dict[str, object]] = [root("expand"), after(0, 0, "expand"), after(0, 1, "dominate")]
    at = 1
    for _ in range(length):
        steps += [after(at, 0, "expand"), after(at, 1, "dominate")]
        at = len(steps) - 2
    steps[at]["rule"] = "dominate"
    return steps


@pytest.mark.parametrize("memory", [1, 5_000, 1 << 28])
def test_what_was_forgotten_is_computed_again(memory):
    certificate = tree(CHAIN, chain(40), ratio="4")
    limits = Limits(memory_bytes=memory)
    assert accepts(certificate, CHAIN, limits).steps == 83
    read = read_certificate(certificate)
    forests = [
        Forest(read_model(CHAIN), read.claim, read.proof, Meter(limit)) for limit in (limits, Limits())
    ]
    order = [s.number for s in forests[0].steps] * 2
    Random(0).shuffle(order)
    for number in order:
        for side in (LEFT, RIGHT):
            first, second = (forest.support(number, side) for forest in forests)
            assert first == second
            for rounding in Rounding:
                first, second = (forest.row(number, side, rounding) for forest in forests)
                assert first == second


def test_recent_forgets_what_was_not_used_for_longest():
    recent: Recent[str, int] = Recent(10)
    for i, key in enumerate("abc"):
        recent.put(key, i, 3)
    assert recent.get("a") == 0
    recent.put("d", 3, 3)
    assert [recent.get(key) for key in "abcd"] == [0, None, 2, 3]
    recent.put("e", 4, 99)
    assert [recent.get(key) for key in "abcde"] == [None, None, None, None, 4]
