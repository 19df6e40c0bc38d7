"""Polynomials in the tensor Bernstein basis of a box, exactly. [T9]

On a box a polynomial is a convex combination of its Bernstein coefficients, at every point; so it lies between the
smallest and the largest of them. The coefficients at the corners are the values there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

import flint
import numpy as np
import numpy.typing as npt

from faier.errors import NumberError

Interval: TypeAlias = tuple[Fraction, Fraction]
Box: TypeAlias = tuple[Interval, ...]
Exact: TypeAlias = npt.NDArray[np.object_]
"""Python integers: numpy would turn them into int64 without a word, which the dtype prevents."""
Floats: TypeAlias = npt.NDArray[np.float64]

MOST_COEFFICIENTS = 2_000_000
MOST_DEGREE = 500
_MOST_WORK = 2_000_000_000
_CACHED_WORK = 1_000_000
_MOST_SHORT_DEGREE = 40
_LARGEST_WORD = 1 << 62


def degrees_of(polynomials: Sequence[Any]) -> tuple[int, ...]:
    """The largest degree in each variable."""
    # The zero polynomial has degree -1.
    columns = zip(*(p.degrees() for p in polynomials), strict=True)
    return tuple(max(0, *(int(d) for d in column)) for column in columns)


def coefficients(polynomials: Sequence[Any], box: Box, degrees: Sequence[int] | None = None) -> Exact:
    """The Bernstein coefficients of polynomials on a box, as integers over one common positive factor.

    Shape: polynomials first, then an axis of degree + 1 entries for each variable.
    """
    degrees = degrees_of(polynomials) if degrees is None else tuple(degrees)
    shape = tuple(d + 1 for d in degrees)
    if math.prod(shape) * len(polynomials) > MOST_COEFFICIENTS:
        raise NumberError(f"polynomials with more than {MOST_COEFFICIENTS:,} coefficients are not handled")
    if max(degrees, default=0) > MOST_DEGREE:
        raise NumberError(f"polynomials of degree {max(degrees)} are not handled; the largest is {MOST_DEGREE}")
    tensor = _power_tensor(polynomials, shape)
    if (short := _in_machine_words(tensor, box, degrees)) is not None:
        return short
    entries = tensor.ravel().tolist()
    # Every pass puts the first axis last, so that in the end all are where they were. A constant along an axis has the
    # same coefficient whatever the interval is.
    for size, axis in ((len(polynomials), None), *zip(shape, range(len(shape)), strict=True)):
        if size > 1:
            matrix = flint.fmpz_mat(size, len(entries) // size, entries)
            if axis is not None:
                matrix = _conversion(size - 1, *box[axis]) * matrix
            entries = matrix.transpose().entries()
    flat = np.empty(len(entries), dtype=object)
    flat[:] = [int(x) for x in entries]
    return flat.reshape(tensor.shape)


def value_scale(degrees: Sequence[int], box: Box) -> int:
    """The positive factor by which `coefficients` multiplies."""
    return math.prod(_conversion_scale(d, *i) for d, i in zip(degrees, box, strict=True) if d)


def is_nonnegative(polynomial: Any, box: Box) -> bool:
    """Whether no coefficient, in the polynomial's own degrees, is negative: then it is >= 0 on the whole box."""
    if polynomial == 0:
        return True
    return bool((coefficients([polynomial], box) >= 0).all())


def as_floats(tensor: Exact) -> Floats:
    """The integers as floats, all divided by one power of two so that none overflows; each correctly rounded."""
    flat = tensor.ravel().tolist()
    excess = max((x.bit_length() for x in flat), default=0) - 900
    if excess > 0:
        unit = 1 << excess
        flat = [x / unit for x in flat]
    return np.array(flat, dtype=np.float64).reshape(tensor.shape)


@lru_cache(maxsize=64)
def halves(degree: int) -> tuple[Floats, Floats]:
    """de Casteljau at the middle as two matrices: coefficients on the interval to those on its halves.

    Their entries are dyadic, non-negative and sum to 1 in each row.
    """
    lower = np.zeros((degree + 1, degree + 1))
    for i in range(degree + 1):
        for j in range(i + 1):
            lower[i, j] = math.comb(i, j) / 2**i
    return lower, lower[::-1, ::-1].copy()


def _power_tensor(polynomials: Sequence[Any], shape: tuple[int, ...]) -> Exact:
    tensor = np.zeros((len(polynomials), math.prod(shape)), dtype=object)
    strides = np.array([math.prod(shape[i + 1 :]) for i in range(len(shape))], dtype=np.int64)
    for row, polynomial in zip(tensor, polynomials, strict=True):
        if polynomial != 0:
            places = np.array([tuple(map(int, m)) for m in polynomial.monoms()], dtype=np.int64) @ strides
            row[places] = list(map(int, polynomial.coeffs()))
    return tensor.reshape((len(polynomials), *shape))


def _in_machine_words(tensor: Exact, box: Box, degrees: Sequence[int]) -> Exact | None:
    """The same in 64-bit integers, many times faster; None unless every sum on the way is proved to fit in 62 bits."""
    # How much an axis may enlarge the largest entry is known before any of it is computed.
    bound = max(map(abs, tensor.ravel().tolist()), default=0)
    matrices = []
    for axis, degree in enumerate(degrees):
        if degree:
            found = _short_conversion(degree, *box[axis]) if degree <= _MOST_SHORT_DEGREE else None
            if found is None:
                return None
            matrix, growth = found
            bound *= growth
            matrices.append((axis + 1, matrix))
    if bound >= _LARGEST_WORD:
        return None
    words = tensor.astype(np.int64)
    for axis, matrix in matrices:
        words = np.moveaxis(np.tensordot(matrix, words, (1, axis)), 0, axis)
    return words.astype(object)


@lru_cache(maxsize=4096)
def _short_conversion(degree: int, low: Fraction, high: Fraction) -> tuple[npt.NDArray[np.int64], int] | None:
    """The conversion in 64 bits, and the largest sum of a row's absolute values; None where that does not fit.

    No row is 0, so that every sum is at least 1 and a bound never shrinks along the way.
    """
    matrix = _conversion(degree, low, high)
    rows = [[int(x) for x in row] for row in matrix.tolist()]
    growth = max(sum(map(abs, row)) for row in rows)
    return (np.array(rows, dtype=np.int64), growth) if growth < _LARGEST_WORD else None


def _conversion(degree: int, low: Fraction, high: Fraction) -> Any:
    """Power coefficients on the line to Bernstein coefficients on [low, high], times `_conversion_scale`.

    The coefficient i of v^k is its polar form at degree - i times `low` and i times `high`.
    """
    digits = max(x.bit_length() for end in (low, high) for x in (end.numerator, end.denominator))
    work = degree**3 * digits
    if work > _MOST_WORK:
        raise NumberError(f"polynomials of degree {degree} are not handled where the ranges' ends have {digits} bits")
    if work <= _CACHED_WORK:
        return _conversions(degree, low, high)
    return (_some_conversions if work <= 16 * _CACHED_WORK else _few_conversions)(degree, low, high)


def _convert(degree: int, low: Fraction, high: Fraction) -> Any:
    unit = math.lcm(low.denominator, high.denominator)
    a, b = low.numerator * (unit // low.denominator), high.numerator * (unit // high.denominator)
    scale = _conversion_scale(degree, low, high)
    lower, upper = ([flint.fmpz_poly([1])] for _ in range(2))
    for powers, end in ((lower, a), (upper, b)):
        for _ in range(degree):
            powers.append(powers[-1] * flint.fmpz_poly([1, end]))
    weights = [scale // (unit**k * math.comb(degree, k)) for k in range(degree + 1)]
    rows = []
    for i in range(degree + 1):
        # The elementary symmetric polynomials of the arguments are the coefficients of this product.
        symmetric = lower[degree - i] * upper[i]
        rows.append([symmetric[k] * weights[k] for k in range(degree + 1)])
    return flint.fmpz_mat(rows)


# One of a high degree takes many megabytes.
_conversions = lru_cache(maxsize=4096)(_convert)
_some_conversions = lru_cache(maxsize=64)(_convert)
_few_conversions = lru_cache(maxsize=8)(_convert)


@lru_cache(maxsize=4096)
def _conversion_scale(degree: int, low: Fraction, high: Fraction) -> int:
    unit = math.lcm(low.denominator, high.denominator)
    scale: int = unit**degree * math.lcm(*(math.comb(degree, k) for k in range(degree + 1)))
    return scale
