"""Coefficients on a box: exact, at the corners the values, and enclosing what lies between."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faier.errors import NumberError
from faier.number.bernstein import (
    Box,
    as_floats,
    coefficients,
    degrees_of,
    halves,
    is_nonnegative,
    value_scale,
)
from faier.number.domain import evaluate
from strategies import quick

CONTEXT = flint.fmpz_mpoly_ctx.get(["x0", "x1", "x2"], "degrevlex")
X, Y, Z = CONTEXT.gens()


@st.composite
def polynomials(draw: st.DrawFn, degree: int = 3) -> Any:
    terms = draw(
        st.dictionaries(st.tuples(*[st.integers(0, degree)] * 3), st.integers(-50, 50), min_size=1, max_size=6)
    )
    return CONTEXT.from_dict({p: c for p, c in terms.items() if c})


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    ends = st.fractions(Fraction(-3), Fraction(3), max_denominator=12)
    intervals = [sorted((draw(ends), draw(ends))) for _ in range(3)]
    return tuple((lo, hi if hi > lo else lo + 1) for lo, hi in intervals)


@quick
@given(polynomials(), boxes())
def test_the_coefficients_at_corners_are_the_values_there(polynomial: Any, box: Box) -> None:
    tensor = coefficients([polynomial], box)[0]
    scale = value_scale([n - 1 for n in tensor.shape], box)
    for corner in product((0, -1), repeat=3):
        point = [box[i][c] for i, c in enumerate(corner)]
        assert Fraction(int(tensor[corner]), scale) == evaluate(polynomial, point)


@quick
@given(polynomials(), boxes(), st.tuples(*[st.fractions(0, 1, max_denominator=9)] * 3))
def test_values_lie_between_the_coefficients(polynomial: Any, box: Box, shares: tuple[Fraction, ...]) -> None:
    tensor = coefficients([polynomial], box)[0].ravel().tolist()
    degrees = degrees_of([polynomial])
    scale = value_scale(degrees, box)
    value = evaluate(polynomial, [lo + (hi - lo) * s for (lo, hi), s in zip(box, shares, strict=True)])
    assert min(tensor) <= value * scale <= max(tensor)


@quick
@given(polynomials(), boxes())
def test_halving_in_floats_is_within_its_margin(polynomial: Any, box: Box) -> None:
    tensor = coefficients([polynomial], box)
    floats = as_floats(tensor)[0]
    largest = max(np.abs(floats).max(), 1e-300)
    floats = floats / largest
    unit = 2 ** max(0, max(int(abs(x)).bit_length() for x in tensor.ravel()) - 900)
    for axis in range(3):
        lo, hi = box[axis]
        sides = ((lo, (lo + hi) / 2), ((lo + hi) / 2, hi))
        for matrix, side in zip(halves(floats.shape[axis] - 1), sides, strict=True):
            half = (*box[:axis], side, *box[axis + 1 :])
            exact = coefficients([polynomial], half, [n - 1 for n in floats.shape])[0]
            ratio = Fraction(
                value_scale([n - 1 for n in floats.shape], box), value_scale([n - 1 for n in floats.shape], half)
            )
            found = np.moveaxis(np.moveaxis(floats, axis, -1) @ matrix.T, -1, axis)
            margin = Fraction(2**-51) + (max(floats.shape) + 2) * Fraction(2**-52)
            for a, b in zip(found.ravel().tolist(), exact.ravel().tolist(), strict=True):
                assert abs(Fraction(a) - b * ratio / unit / Fraction(float(largest))) <= margin


def test_large_integers_do_not_overflow() -> None:
    polynomial = X**3 * 2**200 - X**3 * (2**200 - 1) + Y * 2**70
    unit = ((Fraction(0), Fraction(1)),) * 3
    assert int(coefficients([polynomial], unit)[0].max()) == (2**70 + 1) * value_scale([3, 1, 0], unit)
    assert is_nonnegative(polynomial, unit)
    assert not is_nonnegative(polynomial - 1, unit)


def test_a_tensor_beyond_all_use_is_refused() -> None:
    with pytest.raises(NumberError, match="coefficients"):
        coefficients([X**300 * Y**300 * Z**300], ((Fraction(0), Fraction(1)),) * 3)


@quick
@given(polynomials(), boxes(), st.integers(0, 70), st.booleans())
def test_machine_words_give_the_same_integers(polynomial: Any, box: Box, bits: int, below: bool) -> None:
    # From where all fits in 64 bits to where it cannot; nothing tells from outside which of the two it was.
    large = polynomial * (2**bits - below) + X**3
    exact = coefficients([large * 2**200], box)
    words = coefficients([large], box)
    assert words.dtype == object
    assert all(type(c) is int for c in words.ravel())
    assert (words * 2**200 == exact).all()


def test_words_are_left_before_they_overflow() -> None:
    unit = ((Fraction(0), Fraction(1)),) * 3
    for bits in range(50, 70):
        for sign in (1, -1):
            tensor = coefficients([sign * (2**bits * (X**2 + Y**2 + Z**2) + (2**bits - 1) * X * Y * Z)], unit)
            # At the corner (1, 1, 1) the polynomial is 2^(bits + 2) - 1; the factor is 2 for each variable.
            assert tensor[0, -1, -1, -1] == sign * (2 ** (bits + 2) - 1) * value_scale([2, 2, 2], unit)
